/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - internal interface of the Jacobi driver over ranks. */
#ifndef HEDDLE_MPI_JACOBI_H
#define HEDDLE_MPI_JACOBI_H

#include <heddle/halo.h>

#include "drivers/stencil/jacobi_plan.h"
#include "mpi/shmem.h"
#include "mpi/transfer.h"

enum { HD__MPI_ROWS_BEYOND = 16, HD__MPI_SLOTS_MAX = 64 };

/* The partial sums that a rank folds: its own from `lead` on, then `tail` sums of the following
   ranks, which complete its last tile of sums (docs/laplace.md). Sums are numbered over the whole
   field. */
typedef struct hd__mpi_share {
    uint64_t first, count; /* its own sums */
    uint64_t lead;         /* its first sums, which rank `taker` folds */
    uint64_t lead_at;      /* their position in the tail of `taker` */
    uint64_t tail;
    uint32_t tiles; /* tiles of sums that it folds */
    int taker;
} hd__mpi_share;

/* Norms: partial sums of up to `slots` sweeps, folded and gathered together. */
typedef struct hd__mpi_sums {
    hd__mpi_share *shares; /* [rank] */
    unsigned slots, used;
    uint64_t stride;         /* partials per slot: own sums and the tail */
    void *partials;          /* [slot][stride] */
    void *packed;            /* buffers for sending and receiving, sweep by sweep */
    double *tiles, *ignored; /* [slot][tile]; the kernel's norm of the rank's own tiles, not used */
    uint32_t *ticket;
    double *tiles_host; /* pinned */
    double *gathered;   /* of all ranks, one after another */
    int *counts, *places;
    double *wanted[HD__MPI_SLOTS_MAX]; /* destination of each slot's norm; NULL: not wanted */
} hd__mpi_sums;

/* Rows through symmetric memory (puts.c). */
enum { HD__MPI_TURNS = 2, HD__MPI_AHEAD = 4, HD__MPI_PUTS_MAX = 64 };
#define HD__MPI_LAST_EXCHANGE ((UINT64_C(1) << 48) - 1)

typedef struct hd__mpi_target {
    unsigned message;    /* number of the message in the neighbour's list, */
    ptrdiff_t receive_y; /* and the destination row of its stripe */
} hd__mpi_target;

typedef struct hd__mpi_puts {
    hd__symmetric signals;                   /* words: [message][turn], set by the neighbour */
    hd__mpi_target target[HD_HALO_MESSAGES]; /* [message] */
    uint64_t exchanges;                      /* number of exchanges since the last failure */
    uint16_t failures;                       /* number of failed runs */
    hd_event *done[HD__MPI_AHEAD];
} hd__mpi_puts;

struct hd_mpi_jacobi {
    hd_mpi *mpi;
    hd_type type;
    size_t element, nx, pitch;
    hd_domain domain;
    hd_part place;
    hd_side sides[4];
    unsigned depth;
    uint32_t band, bands, quads;
    uint32_t last;     /* first row of the last bands on `edge`; 0: `edge` sweeps everything */
    uint64_t all_sums; /* per sweep of the whole field */
    uint32_t all_tiles;
    hd__symmetric field[2];  /* symmetric memory if rows are put */
    char *first[2];          /* row 0 of the stripe */
    hd_stream *main, *edge;  /* inner rows; outermost bands and exchange */
    hd_event *swept, *edged; /* recorded on `main` and `edge` in the last pass */
    hd_halo_message plan[HD_HALO_MESSAGES];
    hd_mpi_message messages[HD_HALO_MESSAGES];
    unsigned message_count;
    unsigned turn; /* index of the current field */
    unsigned passes;
    int loaded;
    hd__mpi_sums sums;
    hd__mpi_puts puts; /* used if rows are put */
};

hd_status hd__mpi_sums_open(hd_mpi_jacobi *j);
void hd__mpi_sums_close(hd_mpi_jacobi *j);
/* Folds and gathers the norms of the slots in use, and stores them. Collective, whatever this
   rank's `status` is; returns the first failure. */
hd_status hd__mpi_sums_gather(hd_mpi_jacobi *j, hd_status status);

/* Collective; gives all ranks the same status. */
hd_status hd__mpi_puts_open(hd_mpi_jacobi *j);
void hd__mpi_puts_close(hd_mpi_jacobi *j); /* collective */
/* Exchanges rows of field `turn`, in order of `edge`. */
hd_status hd__mpi_puts_exchange(hd_mpi_jacobi *j, unsigned turn);
/* In order of `edge`: waits until all puts have arrived. */
hd_status hd__mpi_puts_join(hd_mpi_jacobi *j);
/* On a rank that has failed: ends the neighbours' waits in this run; they get no more rows. */
void hd__mpi_puts_farewell(hd_mpi_jacobi *j);
/* On all ranks, after a failed run. */
void hd__mpi_puts_failed(hd_mpi_jacobi *j);

#endif
