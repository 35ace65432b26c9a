/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - what the files of the Jacobi driver over ranks share. */
#ifndef HEDDLE_MPI_JACOBI_H
#define HEDDLE_MPI_JACOBI_H

#include <heddle/halo.h>

#include "drivers/stencil/jacobi_plan.h"
#include "mpi/shmem.h"
#include "mpi/transfer.h"

enum { HD__MPI_ROWS_BEYOND = 16, HD__MPI_SLOTS_MOST = 64 };

/* Which partial sums of a sweep a rank folds: its own from `lead` on, then `tail` of the ranks
   behind it, whose tile of sums began here (docs/laplace.md). Numbers are of all sums in order. */
typedef struct hd__mpi_share {
    uint64_t first, count; /* its own sums */
    uint64_t lead;         /* the first ones, which rank `taker` folds */
    uint64_t lead_at;      /* where they go in its tail */
    uint64_t tail;
    uint32_t tiles; /* of sums that it folds */
    int taker;
} hd__mpi_share;

/* Norms: partial sums of up to `slots` sweeps, folded and gathered together. */
typedef struct hd__mpi_sums {
    hd__mpi_share *shares; /* [rank] */
    unsigned slots, used;
    uint64_t stride;         /* of partials: own sums and the tail */
    void *partials;          /* [slot][stride] */
    void *packed;            /* what is sent and what is received, sweeps one after another */
    double *tiles, *ignored; /* [slot][tile]; the kernel's norm of the rank's tiles alone */
    uint32_t *ticket;
    double *tiles_host; /* page-locked */
    double *gathered;   /* all ranks', one after another */
    int *counts, *places;
    double *wanted[HD__MPI_SLOTS_MOST]; /* where the norm of a slot goes; NULL: nowhere */
} hd__mpi_sums;

/* Rows by symmetric memory (puts.c). */
enum { HD__MPI_TURNS = 2, HD__MPI_AHEAD = 4, HD__MPI_PUTS_MOST = 64 };
#define HD__MPI_LAST_EXCHANGE ((UINT64_C(1) << 48) - 1)

typedef struct hd__mpi_target {
    unsigned message;    /* number of a message as the neighbour counts, */
    ptrdiff_t receive_y; /* and the row of its stripe where it goes */
} hd__mpi_target;

typedef struct hd__mpi_puts {
    hd__symmetric signals;                   /* words: [message][turn], set by the neighbour */
    hd__mpi_target target[HD_HALO_MESSAGES]; /* [message] */
    uint64_t exchanges;                      /* since the last failure */
    uint16_t failures;                       /* of runs */
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
    uint32_t last;     /* where the last bands begin that `edge` sweeps; 0: it sweeps all */
    uint64_t all_sums; /* of a sweep of the whole field */
    uint32_t all_tiles;
    hd__symmetric field[2];  /* symmetric where rows are put */
    char *first[2];          /* row 0 of the stripe */
    hd_stream *main, *edge;  /* the rows between; the outermost bands and what is exchanged */
    hd_event *swept, *edged; /* `main` and the sweeps of `edge`, up to the last pass */
    hd_halo_message plan[HD_HALO_MESSAGES];
    hd_mpi_message messages[HD_HALO_MESSAGES];
    unsigned message_count;
    unsigned turn; /* which field is the one */
    unsigned passes;
    int loaded;
    hd__mpi_sums sums;
    hd__mpi_puts puts; /* where rows are put */
};

hd_status hd__mpi_sums_open(hd_mpi_jacobi *j);
void hd__mpi_sums_close(hd_mpi_jacobi *j);
/* Folds, gathers, and stores the norms of the slots in use. Collective, whatever `status` this rank
   comes with; the first failure. */
hd_status hd__mpi_sums_gather(hd_mpi_jacobi *j, hd_status status);

/* Collective; gives all ranks the same status. */
hd_status hd__mpi_puts_open(hd_mpi_jacobi *j);
void hd__mpi_puts_close(hd_mpi_jacobi *j); /* collective */
/* Rows of field `turn`, behind what `edge` has to do and before what comes. */
hd_status hd__mpi_puts_exchange(hd_mpi_jacobi *j, unsigned turn);
/* In order of `edge`: all puts have come to where they go. */
hd_status hd__mpi_puts_join(hd_mpi_jacobi *j);
/* By a rank that has failed: its neighbours wait no more in this run, and get no rows. */
void hd__mpi_puts_farewell(hd_mpi_jacobi *j);
/* By all, after a run that failed. */
void hd__mpi_puts_failed(hd_mpi_jacobi *j);

#endif
