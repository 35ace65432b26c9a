/* SPDX-License-Identifier: Apache-2.0 */
/* direct_short.c - short messages (direct.h): put and taken by kernels on the devices. */
#include "direct.h"

enum { ALIGN = 16 };

int hd__mpi_is_short(const hd_mpi *mpi, size_t agreed, size_t room)
{
    const size_t forced = hd__mpi_forced.chunk_bytes, most = mpi->direct->max_short;

    return agreed <= HD__MPI_SHORT && room <= (forced && forced < most ? forced : most);
}

size_t hd__mpi_short_room(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* The messages of a flow are packed one after another in the first slot. */
static unsigned add_puts(const hd_mpi *mpi, int peer, hd__shmem_put *puts)
{
    const hd__mpi_direct *d = mpi->direct;
    const hd__mpi_flow *f = &d->flows[2 * peer + 1];
    unsigned count = 0;
    size_t at = hd__mpi_slot_at(mpi, mpi->rank, 0);

    for (size_t i = f->first; i < f->first + f->count; i++) {
        const hd__mpi_chunk *message = &mpi->transfer->met_sends.chunks[i];
        if (!message->agreed)
            continue;
        puts[count] = (hd__shmem_put){.rank = peer,
                                      .to = &d->landing,
                                      .at = at,
                                      .from = message->device,
                                      .bytes = message->bytes,
                                      .signals = &d->landing,
                                      .signal = hd__mpi_word_of(mpi, mpi->rank, count),
                                      .value = f->turn};
        at += hd__mpi_short_room(message->bytes);
        count++;
    }
    return count;
}

static unsigned add_takes(const hd_mpi *mpi, int peer, hd__shmem_take *takes)
{
    const hd__mpi_direct *d = mpi->direct;
    const hd__mpi_flow *f = &d->flows[2 * peer];
    unsigned count = 0;
    size_t at = hd__mpi_slot_at(mpi, peer, 0);

    for (size_t i = f->first; i < f->first + f->count; i++) {
        const hd__mpi_chunk *message = &mpi->transfer->met_receives.chunks[i];
        if (!message->agreed)
            continue;
        takes[count] = (hd__shmem_take){.word = {.rank = peer,
                                                 .signals = &d->landing,
                                                 .signal = hd__mpi_word_of(mpi, peer, count),
                                                 .value = f->turn},
                                        .from = (char *)d->landing.memory + at,
                                        .to = message->device,
                                        .bytes = message->bytes};
        at += hd__mpi_short_room(message->bytes);
        count++;
    }
    return count;
}

hd_status hd__mpi_short_begin(hd_mpi *mpi, const hd__mpi_shorts *sends,
                              const hd__mpi_shorts *receives, uint64_t *launch, const char *call)
{
    hd__mpi_direct *d = mpi->direct;
    hd__shmem_work work = {.done = d->done_there, .number = ++d->launches};

    *launch = d->launches;
    if (sends->count && hd__mpi_forced.fail_put == 1 + mpi->rank)
        return hd__fail(HD_ERR_NO_MEMORY, call, "forced to fail");
    for (unsigned i = 0; i < sends->count; i++)
        work.put_count += add_puts(mpi, sends->peers[i], work.puts + work.put_count);
    for (unsigned i = 0; i < receives->count; i++)
        work.take_count += add_takes(mpi, receives->peers[i], work.takes + work.take_count);
    return hd__shmem_exchange(mpi, &work, call, mpi->transfer->stream);
}

int hd__mpi_short_is_done(const hd_mpi *mpi, uint64_t launch, int sends)
{
    const hd__shmem_done *done = mpi->direct->done;

    return __atomic_load_n(sends ? &done->put : &done->taken, __ATOMIC_ACQUIRE) >= launch;
}

/* On a separate stream, because the stream of the exchange is waiting. */
hd_status hd__mpi_short_release(hd_mpi *mpi, int peer)
{
    hd__mpi_direct *d = mpi->direct;
    uint64_t values[HD__MPI_SHORT];
    char *words = (char *)d->landing.memory + hd__mpi_word_of(mpi, peer, 0) * sizeof(uint64_t);

    for (int i = 0; i < HD__MPI_SHORT; i++)
        values[i] = d->flows[2 * peer].turn;
    return hd_copy_blocking_bytes(words, values, sizeof values, 1, d->out);
}
