/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.c - symmetric memory of virtual devices: memory that the ranks of a node share. The host
   puts and waits, when the stream has come so far. */
#include "mpi/shmem.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 }; /* as memory from hd_alloc */

typedef struct shared {
    MPI_Win window;
    char *of_rank[]; /* where this process has each rank's part */
} shared;

hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call)
{
    (void)file;
    if (mpi->places[mpi->rank].node_ranks < mpi->size)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "ranks of several nodes share no memory");
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A page lies as far from its beginning for all who map it. */
static char *aligned(void *memory)
{
    return (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
}

static hd_status map(const hd_mpi *mpi, size_t bytes, const char *call, shared *made)
{
    void *memory = NULL;

    HD_TRY(
        hd__mpi_check(call, MPI_Win_allocate_shared((MPI_Aint)bytes + ALIGNMENT, 1, MPI_INFO_NULL,
                                                    mpi->comm, &memory, &made->window)));
    for (int r = 0; r < mpi->size; r++) {
        MPI_Aint size;
        int unit;
        HD_TRY(hd__mpi_check(call, MPI_Win_shared_query(made->window, r, &size, &unit, &memory)));
        if (size < (MPI_Aint)bytes + ALIGNMENT)
            return hd__fail(HD_ERR_STATE, call, "rank %d has fewer than %zu bytes", r, bytes);
        made->of_rank[r] = aligned(memory);
    }
    memset(made->of_rank[mpi->rank], 0, bytes);
    return hd_host_register(made->of_rank[mpi->rank], bytes, mpi->device);
}

hd_status hd__shmem_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made)
{
    shared *all = calloc(1, sizeof *all + (size_t)mpi->size * sizeof *all->of_rank);
    hd_status status = all ? HD_OK : hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list");

    status = hd_mpi_agree(mpi, status);
    if (status >= 0) {
        all->window = MPI_WIN_NULL;
        hd__mpi_watch_enter(mpi->watch, HD__MPI_JOIN, HD__MPI_EVERYBODY);
        status = map(mpi, bytes, call, all);
        hd__mpi_watch_leave(mpi->watch);
        status = hd_mpi_agree(mpi, status);
    }
    if (status < 0) { /* a window that some have stays theirs, for only all can free it */
        free(all);
        return status;
    }
    *made = (hd__symmetric){all->of_rank[mpi->rank], all};
    return HD_OK;
}

void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory)
{
    shared *all = memory->window;

    if (!all)
        return;
    (void)hd_host_unregister(memory->memory);
    hd__mpi_watch_enter(mpi->watch, HD__MPI_LEAVE, HD__MPI_EVERYBODY);
    (void)MPI_Win_free(&all->window);
    hd__mpi_watch_leave(mpi->watch);
    free(all);
    *memory = (hd__symmetric){NULL, NULL};
}

/* ---- puts ------------------------------------------------------------------------------------ */

static _Atomic uint64_t *word(const hd__symmetric *signals, int rank, size_t signal)
{
    const shared *all = signals->window;

    return (_Atomic uint64_t *)(void *)all->of_rank[rank] + signal;
}

/* A word alone is put on a device that is lost too: others wait for it. */
hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *put, const char *call, hd_stream *stream)
{
    const hd_status status = hd_stream_synchronize(stream);

    (void)mpi;
    (void)call;
    if (put->bytes) {
        const shared *to = put->to->window;
        HD_TRY(status);
        memcpy(to->of_rank[put->rank] + put->at, put->from, put->bytes);
    }
    atomic_store_explicit(word(put->signals, put->rank, put->signal), put->value,
                          memory_order_release);
    return status;
}

hd_status hd__shmem_wait(hd_mpi *mpi, const hd__symmetric *signals, size_t signal, uint64_t value,
                         const char *call, hd_stream *stream)
{
    _Atomic uint64_t *own = word(signals, mpi->rank, signal);

    (void)call;
    (void)stream;
    while (atomic_load_explicit(own, memory_order_acquire) < value)
        (void)sched_yield();
    return HD_OK;
}

/* Each send is done when it returns. */
hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream)
{
    (void)mpi;
    (void)call;
    return hd_stream_synchronize(stream);
}
