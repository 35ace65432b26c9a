/* SPDX-License-Identifier: Apache-2.0 */
/* rank.h - what the files of heddle::mpi share. */
#ifndef HEDDLE_MPI_RANK_H
#define HEDDLE_MPI_RANK_H

#include <heddle/mpi.h>

#include "runtime/backend.h"
#include "watch.h"

/* A message of an exchange under way: `stage` is page-locked, or NULL where MPI has the device
   pointers themselves. */
typedef struct hd__mpi_transfer hd__mpi_transfer;
typedef struct hd__mpi_direct hd__mpi_direct;

enum { HD__MPI_TEXT = 640 }; /* of a failure that is told to all ranks */

/* What a rank has let this one see of a failure. */
typedef enum hd__mpi_gone {
    HD__MPI_FAILED = 1, /* in the middle of a message; it will say farewell */
    HD__MPI_FAREWELL    /* it has: nothing where something was to come, and no more from now on */
} hd__mpi_gone;

struct hd_mpi {
    MPI_Comm comm, node;
    int rank, size, device;
    hd_mpi_place *places;
    hd_mpi_path path;
    char reason[160];
    double timeout;            /* seconds, as it was created */
    char agreed[HD__MPI_TEXT]; /* what the last failure was that all ranks know of */
    hd__mpi_watch *watch;
    hd__mpi_transfer *transfer; /* made by the first exchange; kept for the next */
    unsigned char *gone;        /* [rank]: hd__mpi_gone, since the last run */
    void *library;              /* this rank's communicator of the vendor's library */
    int library_failed;         /* it is closed as such, and not used again */
    int aware;                  /* MPI of every rank says that it takes device memory */
    int peers;                  /* 1: path PEER where it can be had, 2: it was asked for */
    hd__mpi_direct *direct;     /* path PEER; `path` is for ranks that do not reach each other */
    int shmem;                  /* path SHMEM; `path` is for what is not in symmetric memory */
    int *pes;                   /* [rank]: its PE, where SHMEM counts them itself */
    int puts;                   /* rows of Jacobi are put into symmetric memory */
};

/* HD_ERR_BACKEND with MPI's own text unless `code` is MPI_SUCCESS. */
hd_status hd__mpi_check(const char *call, int code);
/* What has to be the same on every rank. */
typedef struct hd__mpi_fact {
    const char *name;
    int64_t value;
    const char *(*text)(int64_t value); /* NULL: it is a number */
} hd__mpi_fact;
enum { HD__MPI_FACTS = 16 }; /* at most */
/* Compares them with those of rank 0; what differs is HD_ERR_ARGUMENT, which names both ranks and
   both values. Collective; for hd_mpi_agree. */
hd_status hd__mpi_compare(const hd_mpi *mpi, const hd__mpi_fact *facts, int count,
                          const char *call);
/* ---- place.c ---- */

/* Chooses this rank's device, and fills in its place; on failure as far as it is known. */
hd_status hd__mpi_describe(hd_mpi *mpi, const hd_mpi_options *options, const char *call,
                           hd_mpi_place *place);
/* All ranks' places, in mpi->places. Collective. */
hd_status hd__mpi_exchange_places(hd_mpi *mpi, const hd_mpi_place *own, const char *call);
/* HD_ERR_DEVICE_BUSY where ranks share this one's device and the options do not allow that. */
hd_status hd__mpi_check_sharing(const hd_mpi *mpi, const hd_mpi_options *options, const char *call);
/* The first rank that shares its device with another one; -1: none does. */
int hd__mpi_sharer(const hd_mpi *mpi);
/* HD_ERR_UNSUPPORTED where ranks share a device: `what` refuses that, or waits for ever. */
hd_status hd__mpi_check_devices(const hd_mpi *mpi, const char *call, const char *what);

/* Releases what exchanges keep. */
void hd__mpi_transfer_free(hd_mpi *mpi);
/* Largest count that MPI is given at once, in bytes. */
enum { HD__MPI_LARGEST = 1 << 30 };

#endif
