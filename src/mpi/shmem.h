/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.h - path SHMEM: memory of all ranks that each puts into. What a backend has of it: the
   vendor's SHMEM where devices are GPUs, memory that ranks of a node share on the host itself. */
#ifndef HEDDLE_MPI_SHMEM_H
#define HEDDLE_MPI_SHMEM_H

#include "rank.h"

/* Memory of the rank's device, of the same size on every rank. */
typedef struct hd__symmetric {
    void *memory;
    void *window; /* the backend's */
} hd__symmetric;

/* Bytes for another rank, then one of its words, which tells that they are there. */
typedef struct hd__shmem_put {
    int rank;
    const hd__symmetric *to;
    size_t at;        /* of it, where the bytes go */
    const void *from; /* symmetric memory of this rank */
    size_t bytes;     /* 0: the word alone */
    const hd__symmetric *signals;
    size_t signal; /* number of the word */
    uint64_t value;
} hd__shmem_put;

/* Collective; all ranks get the same status. */
hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call);
/* Zeros, aligned as memory from hd_alloc. */
hd_status hd__shmem_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made);
/* Collective; of memory that was made, or of zeros on all ranks. */
void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory);

/* All three in order of the stream: on GPUs they are enqueued, else the host does them, when the
   stream has come so far. wait: until the own word is `value` or more. quiet: until this rank's
   puts have come to where they go. */
hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *put, const char *call,
                         hd_stream *stream);
hd_status hd__shmem_wait(hd_mpi *mpi, const hd__symmetric *signals, size_t signal, uint64_t value,
                         const char *call, hd_stream *stream);
hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream);

#endif
