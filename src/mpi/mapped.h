/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.h - symmetric memory that the processes of a node map from each other's devices. */
#ifndef HEDDLE_MPI_MAPPED_H
#define HEDDLE_MPI_MAPPED_H

#include "shmem.h"

/* As in shmem.h. A rank that cannot be mapped is left out. */
hd_status hd__mapped_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made);
void hd__mapped_free(hd_mpi *mpi, hd__symmetric *memory);
hd_status hd__mapped_send(const hd__shmem_put *puts, unsigned count, const char *call,
                          hd_stream *stream);
hd_status hd__mapped_wait(const hd__shmem_word *words, unsigned count, const char *call,
                          hd_stream *stream);
hd_status hd__mapped_exchange(const hd__shmem_work *work, const char *call, hd_stream *stream);

#endif
