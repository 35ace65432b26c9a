/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.h - symmetric memory: as much on every rank, that others put into. What a backend has of
   it: where devices are GPUs, memory that peers of the node map or the vendor's SHMEM, as hd_mpi
   says; on the CPU, memory that ranks of a node share. */
#ifndef HEDDLE_MPI_SHMEM_H
#define HEDDLE_MPI_SHMEM_H

#include "rank.h"

typedef struct hd__symmetric {
    void *memory;   /* of this rank's device */
    char **of_rank; /* each rank's, as this process maps it; NULL where it does not */
    void *own;      /* the backend's */
} hd__symmetric;

/* Bytes for another rank, then one of its words, which tells that they are there. */
typedef struct hd__shmem_put {
    int rank;
    const hd__symmetric *to;
    size_t at;        /* of it, where the bytes go */
    const void *from; /* of the rank's device, with SHMEM symmetric memory */
    size_t bytes;     /* 0: the word alone */
    const hd__symmetric *signals;
    size_t signal; /* number of the word */
    uint64_t value;
} hd__shmem_put;

/* A word of this rank that another one puts. */
typedef struct hd__shmem_word {
    int rank;
    const hd__symmetric *signals;
    size_t signal;
    uint64_t value;
} hd__shmem_word;

/* What a word tells of, in this rank's symmetric memory, and where it belongs. */
typedef struct hd__shmem_take {
    hd__shmem_word word;
    const void *from;
    void *to;
    size_t bytes;
} hd__shmem_take;

enum { HD__SHMEM_MOST = 8 }; /* puts, words or takes at once */

/* For the host, in memory that it shares with the device: the last work of which all puts are
   where they go, and all takes. */
typedef struct hd__shmem_done {
    uint64_t put, taken;
} hd__shmem_done;

typedef struct hd__shmem_work {
    hd__shmem_put puts[HD__SHMEM_MOST];
    hd__shmem_take takes[HD__SHMEM_MOST];
    unsigned put_count, take_count;
    hd__shmem_done *done; /* as the device has it */
    uint64_t number;      /* what is stored there: more than before */
} hd__shmem_work;

/* Collective; the vendor's SHMEM, or what stands for it. All ranks get the same status. */
hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call);
/* Collective; zeros, aligned as memory from hd_alloc. All ranks get the same status. */
hd_status hd__shmem_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made);
/* Collective; of memory that was made, or of zeros on all ranks. */
void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory);

/* All three in order of the stream: on GPUs they are enqueued, else the host does them, when the
   stream has come so far. send: up to HD__SHMEM_MOST puts, in any order. wait: until each of as
   many words is `value` or more. quiet: until this rank's puts have come to where they go. */
hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *puts, unsigned count, const char *call,
                         hd_stream *stream);
hd_status hd__shmem_wait(hd_mpi *mpi, const hd__shmem_word *words, unsigned count, const char *call,
                         hd_stream *stream);
hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream);
/* All puts and then all takes, in order of the stream. Where the host waits for words it does not
   here: HD_NOT_READY while one has not come; all puts are done then, and no takes. Not with the
   vendor's SHMEM. */
hd_status hd__shmem_exchange(hd_mpi *mpi, const hd__shmem_work *work, const char *call,
                             hd_stream *stream);

#endif
