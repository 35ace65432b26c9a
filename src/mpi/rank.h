/* SPDX-License-Identifier: Apache-2.0 */
/* rank.h - internal interface of heddle::mpi. */
#ifndef HEDDLE_MPI_RANK_H
#define HEDDLE_MPI_RANK_H

#include <heddle/mpi.h>

#include "runtime/backend.h"
#include "watch.h"

/* An exchange in progress (transfer.h). */
typedef struct hd__mpi_transfer hd__mpi_transfer;
typedef struct hd__mpi_direct hd__mpi_direct;

enum { HD__MPI_TEXT = 640 }; /* bytes of a failure's text that is sent to all ranks */

/* What this rank knows of another rank's failure. */
typedef enum hd__mpi_gone {
    HD__MPI_FAILED = 1, /* failed in the middle of a message; its farewell follows */
    HD__MPI_FAREWELL    /* has said farewell: an empty message; no more messages follow */
} hd__mpi_gone;

struct hd_mpi {
    MPI_Comm comm, node;
    int rank, size, device;
    hd_mpi_place *places;
    hd_mpi_path path;
    char reason[160];
    double timeout;            /* seconds, as set at creation */
    char agreed[HD__MPI_TEXT]; /* text of the last failure that all ranks know */
    hd__mpi_watch *watch;
    hd__mpi_transfer *transfer; /* created by the first exchange, then reused */
    unsigned char *gone;        /* [rank]: hd__mpi_gone, since the last run */
    void *library;              /* this rank's communicator of the vendor's library */
    int library_failed;         /* the communicator has failed: it is aborted and not used again */
    int aware;                  /* MPI supports device memory on every rank */
    int peers;                  /* 1: path PEER if available, 2: it was requested */
    hd__mpi_direct *direct;     /* path PEER; `path` is for ranks that do not reach each other */
    int shmem;                  /* path SHMEM; `path` is for data that is not in symmetric memory */
    int *pes;                   /* [rank]: its PE, if SHMEM numbers them itself */
    int puts;                   /* halo rows of Jacobi are put into symmetric memory */
};

/* HD_ERR_BACKEND with MPI's own text unless `code` is MPI_SUCCESS. */
hd_status hd__mpi_check(const char *call, int code);
/* A value that must be the same on every rank. */
typedef struct hd__mpi_fact {
    const char *name;
    int64_t value;
    const char *(*text)(int64_t value); /* NULL: printed as a number */
} hd__mpi_fact;
enum { HD__MPI_FACTS = 16 }; /* limit */
/* Compares the values with those of rank 0; for a difference, HD_ERR_ARGUMENT names both ranks and
   both values. Collective; pass the result to hd_mpi_agree. */
hd_status hd__mpi_compare(const hd_mpi *mpi, const hd__mpi_fact *facts, int count,
                          const char *call);
/* ---- place.c ---- */

/* Chooses this rank's device and fills in its place; on failure as far as known. */
hd_status hd__mpi_describe(hd_mpi *mpi, const hd_mpi_options *options, const char *call,
                           hd_mpi_place *place);
/* Exchanges the places of all ranks into mpi->places. Collective. */
hd_status hd__mpi_exchange_places(hd_mpi *mpi, const hd_mpi_place *own, const char *call);
/* HD_ERR_DEVICE_BUSY if ranks share this one's device and the options do not allow it. */
hd_status hd__mpi_check_sharing(const hd_mpi *mpi, const hd_mpi_options *options, const char *call);
/* The first rank that shares its device with another one; -1: none. */
int hd__mpi_sharer(const hd_mpi *mpi);
/* HD_ERR_UNSUPPORTED if ranks share a device, which `what` rejects or deadlocks on. */
hd_status hd__mpi_check_devices(const hd_mpi *mpi, const char *call, const char *what);

/* Frees the state that exchanges keep. */
void hd__mpi_transfer_free(hd_mpi *mpi);
/* Maximum bytes per MPI call. */
enum { HD__MPI_LARGEST = 1 << 30 };

#endif
