/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.c - device memory that the processes of a node map by a name (IPC handle); puts and waits
   are kernels. */
#include "mapped.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/peer/puts.h"
#include "runtime/runtime.h"

/* Vendors share memory in allocation granules of this size. */
enum { PIECE = 2 << 20 };

enum { OF_PUTS, OF_TAKES, TICKETS };

typedef struct mapped {
    unsigned *tickets;   /* tickets of kernels that put, and of those that take */
    unsigned max_blocks; /* resident blocks: limit for a kernel that puts and waits */
    char *of_rank[];
} mapped;

typedef struct named {
    unsigned char name[HDB_SHARE_NAME];
    int there;
} named;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Blocks that wait must not keep blocks that have not put yet from becoming resident. */
static hd_status count_blocks(const hd_mpi *mpi, mapped *made)
{
    int64_t units = 0;
    unsigned per_unit = 0;

    HD_TRY(hd_device_get(mpi->device, HD_ATTR_COMPUTE_UNITS, &units));
    HD_TRY(
        hd_occupancy(hd_kernel_of(hd__puts_exchange), mpi->device, HD__PUTS_THREADS, 0, &per_unit));
    made->max_blocks = per_unit * (unsigned)units;
    return HD_OK;
}

/* Allocates memory filled with zeros; waits. */
static hd_status make_own(const hd_mpi *mpi, size_t bytes, mapped *made, void **memory)
{
    hd_stream *stream = NULL;
    hd_status status = hd_alloc_bytes(memory, (bytes + PIECE - 1) / PIECE * PIECE, 1,
                                      HD_MEM_COHERENT, mpi->device);

    if (status >= 0)
        status = count_blocks(mpi, made);
    if (status >= 0)
        status = hd_alloc(&made->tickets, TICKETS, mpi->device);
    if (status >= 0)
        status = hd_stream_create(mpi->device, &stream);
    if (status >= 0)
        status = hd_fill_zero(made->tickets, TICKETS, stream);
    if (status >= 0)
        status = hd_fill_bytes(*memory, 0, 1, bytes, stream);
    if (status >= 0)
        status = hd_stream_synchronize(stream);
    (void)hd_stream_destroy(stream);
    return status;
}

/* Exchanges the names of all ranks' memory; a rank without a name is left out. */
static hd_status exchange_names(const hd_mpi *mpi, void *memory, const char *call, named *all)
{
    named *own = &all[mpi->rank];

    own->there = hdb_share_name(call, hd__device_at(mpi->device)->ordinal, memory, own->name) >= 0;
    return hd__mpi_check(call, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all,
                                             (int)sizeof *all, MPI_BYTE, mpi->comm));
}

static void open_all(const hd_mpi *mpi, const named *all, const char *call, mapped *made)
{
    const int ordinal = hd__device_at(mpi->device)->ordinal;

    for (int r = 0; r < mpi->size; r++) {
        void *opened = NULL;
        if (r != mpi->rank && all[r].there && mpi->places[r].node == mpi->places[mpi->rank].node &&
            hdb_share_open(call, ordinal, all[r].name, &opened) >= 0)
            made->of_rank[r] = opened;
    }
}

/* Frees this rank's memory; the others have closed it. */
static void release(mapped *all, void *memory)
{
    if (all)
        (void)hd_free(all->tickets);
    (void)hd_free(memory);
    free(all);
}

hd_status hd__mapped_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made)
{
    mapped *all = calloc(1, sizeof *all + (size_t)mpi->size * sizeof *all->of_rank);
    named *names = calloc((size_t)mpi->size, sizeof *names);
    void *memory = NULL;
    hd_status status = all && names ? HD_OK
                                    : hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list");

    if (status >= 0)
        status = make_own(mpi, bytes, all, &memory);
    status = hd_mpi_agree(mpi, status);
    if (status >= 0)
        status = hd_mpi_agree(mpi, exchange_names(mpi, memory, call, names));
    if (status < 0) {
        release(all, memory);
    } else {
        open_all(mpi, names, call, all);
        all->of_rank[mpi->rank] = memory;
        *made = (hd__symmetric){memory, all->of_rank, all};
    }
    free(names);
    return status;
}

/* All ranks close the memory before any rank frees it. */
void hd__mapped_free(hd_mpi *mpi, hd__symmetric *memory)
{
    mapped *all = memory->own;

    for (int r = 0; r < mpi->size; r++)
        if (r != mpi->rank)
            hdb_share_close(hd__device_at(mpi->device)->ordinal, all->of_rank[r]);
    (void)MPI_Barrier(mpi->node);
    release(all, memory->memory);
}

/* ---- puts ------------------------------------------------------------------------------------ */

/* 64 bytes or more per thread, limited by the number of blocks. */
static unsigned blocks_for(size_t bytes, unsigned most)
{
    const size_t blocks = bytes / (64 * HD__PUTS_THREADS) + 1;

    return blocks < most ? (unsigned)blocks : most;
}

static hd_launch_config shape(unsigned blocks, hd_stream *stream)
{
    return hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(HD__PUTS_THREADS, 1, 1), 0, stream);
}

static hd_status check_count(unsigned count, const char *call)
{
    if (count > HD__PUTS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u puts or words at once", count);
    return HD_OK;
}

static unsigned *ticket_of(const hd__symmetric *signals, int which)
{
    return ((const mapped *)signals->own)->tickets + which;
}

static hd__put put_of(const hd__shmem_put *p)
{
    return (hd__put){.from = p->from,
                     .to = p->bytes ? (unsigned char *)p->to->of_rank[p->rank] + p->at : NULL,
                     .bytes = p->bytes,
                     .word = (uint64_t *)(void *)p->signals->of_rank[p->rank] + p->signal,
                     .value = p->value};
}

static hd__awaited awaited(const hd__shmem_word *w)
{
    return (hd__awaited){(const uint64_t *)w->signals->memory + w->signal, w->value};
}

/* Returns the total number of bytes. */
static size_t add_puts(const hd__shmem_put *puts, unsigned count, hd__puts *work)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < count; i++) {
        work->put[i] = put_of(&puts[i]);
        work->ticket = ticket_of(puts[i].signals, OF_PUTS);
        bytes += puts[i].bytes;
    }
    work->count = count;
    return bytes;
}

static size_t add_takes(const hd__shmem_take *takes, unsigned count, hd__takes *work)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < count; i++) {
        work->take[i] = (hd__take){.word = awaited(&takes[i].word),
                                   .from = takes[i].from,
                                   .to = takes[i].to,
                                   .bytes = takes[i].bytes};
        work->ticket = ticket_of(takes[i].word.signals, OF_TAKES);
        bytes += takes[i].bytes;
    }
    work->count = count;
    return bytes;
}

hd_status hd__mapped_send(const hd__shmem_put *puts, unsigned count, const char *call,
                          hd_stream *stream)
{
    hd__puts work = {.done = {NULL, 0}};
    size_t bytes;

    HD_TRY(check_count(count, call));
    bytes = add_puts(puts, count, &work);
    return count ? hd_launch(hd__puts_send, shape(blocks_for(bytes, HD__PUTS_BLOCKS), stream), work)
                 : HD_OK;
}

hd_status hd__mapped_wait(const hd__shmem_word *words, unsigned count, const char *call,
                          hd_stream *stream)
{
    hd__awaits work = {.count = count};

    HD_TRY(check_count(count, call));
    for (unsigned i = 0; i < count; i++)
        work.of[i] = awaited(&words[i]);
    return hd_launch(hd__puts_await, hd_launch_1d(1, 1, stream), work);
}

hd_status hd__mapped_exchange(const hd__shmem_work *work, const char *call, hd_stream *stream)
{
    hd__puts puts = {.done = {&work->done->put, work->number}};
    hd__takes takes = {.done = {&work->done->taken, work->number}};
    const hd__symmetric *signals = work->put_count    ? work->puts[0].signals
                                   : work->take_count ? work->takes[0].word.signals
                                                      : NULL;
    size_t out, in;
    unsigned most;

    if (!signals)
        return HD_OK;
    most = ((const mapped *)signals->own)->max_blocks;
    most = most < HD__PUTS_BLOCKS ? most : HD__PUTS_BLOCKS;
    HD_TRY(check_count(work->put_count, call));
    HD_TRY(check_count(work->take_count, call));
    out = add_puts(work->puts, work->put_count, &puts);
    in = add_takes(work->takes, work->take_count, &takes);
    return hd_launch(hd__puts_exchange, shape(blocks_for(out > in ? out : in, most), stream), puts,
                     takes);
}
