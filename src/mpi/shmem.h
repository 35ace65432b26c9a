/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.h - symmetric memory: allocations of the same size on every rank, into which other ranks
   put. Implementation: on GPUs, memory of peers mapped within a node, or the vendor's SHMEM, as
   hd_mpi selects; on the CPU, memory shared by the ranks of a node. */
#ifndef HEDDLE_MPI_SHMEM_H
#define HEDDLE_MPI_SHMEM_H

#include "rank.h"

typedef struct hd__symmetric {
    void *memory;   /* on this rank's device */
    char **of_rank; /* each rank's memory, as mapped by this process; NULL if it is not */
    void *own;      /* the backend's data */
} hd__symmetric;

/* Bytes for another rank, then one of its words: a signal that the bytes have arrived. */
typedef struct hd__shmem_put {
    int rank;
    const hd__symmetric *to;
    size_t at;        /* offset in the rank's memory */
    const void *from; /* on this rank's device; with SHMEM, symmetric memory */
    size_t bytes;     /* 0: only the word */
    const hd__symmetric *signals;
    size_t signal; /* index of the word */
    uint64_t value;
} hd__shmem_put;

/* A word of this rank that another rank sets. */
typedef struct hd__shmem_word {
    int rank;
    const hd__symmetric *signals;
    size_t signal;
    uint64_t value;
} hd__shmem_word;

/* Data in this rank's symmetric memory that a word announces, and its destination. */
typedef struct hd__shmem_take {
    hd__shmem_word word;
    const void *from;
    void *to;
    size_t bytes;
} hd__shmem_take;

enum { HD__SHMEM_MAX = 8 }; /* maximum number of puts, words or takes per call */

/* Progress for the host, in memory shared with the device: numbers of the last work whose puts have
   arrived, and whose takes are complete. */
typedef struct hd__shmem_done {
    uint64_t put, taken;
} hd__shmem_done;

typedef struct hd__shmem_work {
    hd__shmem_put puts[HD__SHMEM_MAX];
    hd__shmem_take takes[HD__SHMEM_MAX];
    unsigned put_count, take_count;
    hd__shmem_done *done; /* the device's address */
    uint64_t number;      /* stored there; increases with every call */
} hd__shmem_work;

/* Collective; opens the vendor's SHMEM, or its replacement. All ranks get the same status. */
hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call);
/* Collective; zeroed, aligned like memory from hd_alloc. All ranks get the same status. */
hd_status hd__shmem_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made);
/* Collective; also accepts a zeroed struct, on all ranks. */
void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory);

/* All three in stream order: enqueued on GPUs; otherwise executed by the host once the stream has
   reached them. send: up to HD__SHMEM_MAX puts, in any order. wait: until each of the `count` words
   is at least its `value`. quiet: until this rank's puts have arrived. */
hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *puts, unsigned count, const char *call,
                         hd_stream *stream);
hd_status hd__shmem_wait(hd_mpi *mpi, const hd__shmem_word *words, unsigned count, const char *call,
                         hd_stream *stream);
hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream);
/* All puts, then all takes, in stream order. A backend whose host waits for words does not block
   here: it returns HD_NOT_READY if one has not arrived; all puts are done then, but no takes. Not
   with the vendor's SHMEM. */
hd_status hd__shmem_exchange(hd_mpi *mpi, const hd__shmem_work *work, const char *call,
                             hd_stream *stream);

#endif
