/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.c - symmetric memory of virtual devices: memory shared by the ranks of a node. The host
   performs puts and waits when the stream reaches them. */
#include "mpi/shmem.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 }; /* alignment of hd_alloc */

typedef struct shared {
    MPI_Win window;
    char *of_rank[];
} shared;

hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call)
{
    (void)file;
    if (mpi->places[mpi->rank].node_ranks < mpi->size)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "ranks of several nodes share no memory");
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* All ranks map the window at page boundaries, so the aligned offset is the same in each. */
static char *aligned(void *memory)
{
    return (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
}

static hd_status map(const hd_mpi *mpi, size_t bytes, const char *call, shared *made)
{
    void *memory = NULL;

    HD_TRY(
        hd__mpi_check(call, MPI_Win_allocate_shared((MPI_Aint)bytes + ALIGNMENT, 1, MPI_INFO_NULL,
                                                    mpi->node, &memory, &made->window)));
    for (int r = 0; r < mpi->size; r++) {
        MPI_Aint size;
        int unit;
        if (mpi->places[r].node != mpi->places[mpi->rank].node)
            continue;
        HD_TRY(hd__mpi_check(call, MPI_Win_shared_query(made->window, mpi->places[r].node_rank,
                                                        &size, &unit, &memory)));
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
    if (status < 0) { /* a window that only some ranks have is kept: freeing it is collective */
        free(all);
        return status;
    }
    *made = (hd__symmetric){all->of_rank[mpi->rank], all->of_rank, all};
    return HD_OK;
}

void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory)
{
    shared *all = memory->own;

    if (!all)
        return;
    (void)hd_host_unregister(memory->memory);
    hd__mpi_watch_enter(mpi->watch, HD__MPI_LEAVE, HD__MPI_EVERYBODY);
    (void)MPI_Win_free(&all->window);
    hd__mpi_watch_leave(mpi->watch);
    free(all);
    *memory = (hd__symmetric){NULL, NULL, NULL};
}

/* ---- puts ------------------------------------------------------------------------------------ */

static _Atomic uint64_t *word(const hd__symmetric *signals, int rank, size_t signal)
{
    return (_Atomic uint64_t *)(void *)signals->of_rank[rank] + signal;
}

/* A signal without data is sent even if the device is lost: other ranks wait for it. */
hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *puts, unsigned count, const char *call,
                         hd_stream *stream)
{
    hd_status status = hd_stream_synchronize(stream);

    (void)mpi;
    (void)call;
    for (unsigned i = 0; i < count; i++) {
        const hd__shmem_put *put = &puts[i];
        if (put->bytes && status >= 0)
            status = hd_copy_blocking_bytes(put->to->of_rank[put->rank] + put->at, put->from,
                                            put->bytes, 1, stream);
        if (put->bytes && status < 0)
            continue;
        atomic_store_explicit(word(put->signals, put->rank, put->signal), put->value,
                              memory_order_release);
    }
    return status;
}

static int has_come(const hd_mpi *mpi, const hd__shmem_word *w)
{
    return atomic_load_explicit(word(w->signals, mpi->rank, w->signal), memory_order_acquire) >=
           w->value;
}

hd_status hd__shmem_wait(hd_mpi *mpi, const hd__shmem_word *words, unsigned count, const char *call,
                         hd_stream *stream)
{
    (void)call;
    (void)stream;
    for (unsigned i = 0; i < count; i++) {
        const hd__shmem_word *w = &words[i];
        hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, w->rank);
        while (!has_come(mpi, w))
            (void)sched_yield();
        hd__mpi_watch_leave(mpi->watch);
    }
    return HD_OK;
}

/* Sends are complete when they return. */
hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream)
{
    (void)mpi;
    (void)call;
    return hd_stream_synchronize(stream);
}

static hd_status take_all(const hd_mpi *mpi, const hd__shmem_work *work, hd_stream *stream)
{
    for (unsigned i = 0; i < work->take_count; i++)
        if (!has_come(mpi, &work->takes[i].word))
            return HD_NOT_READY;
    for (unsigned i = 0; i < work->take_count; i++) {
        const hd__shmem_take *take = &work->takes[i];
        HD_TRY(hd_copy_blocking_bytes(take->to, take->from, take->bytes, 1, stream));
    }
    return HD_OK;
}

hd_status hd__shmem_exchange(hd_mpi *mpi, const hd__shmem_work *work, const char *call,
                             hd_stream *stream)
{
    if (work->put_count) {
        HD_TRY(hd__shmem_send(mpi, work->puts, work->put_count, call, stream));
        work->done->put = work->number;
    }
    if (work->take_count) {
        const hd_status status = take_all(mpi, work, stream);
        if (status != HD_OK)
            return status;
        work->done->taken = work->number;
    }
    return HD_OK;
}
