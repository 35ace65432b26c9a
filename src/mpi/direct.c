/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c - allocates and maps landings, and finds out which ranks reach each other: a rank maps
   the other's landing, and a test pattern arrives intact by copies and by puts. */
#include "direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GPU_SLOT = 8 << 20,
    CPU_SLOT = 256 << 10, /* small, because containers may limit shared memory */
    PATTERN = 4093        /* bytes; not a multiple of the vector size */
};

int hd__mpi_reaches(const hd_mpi *mpi, int peer)
{
    return mpi->direct && mpi->direct->reach[peer];
}

/* ---- memory ---------------------------------------------------------------------------------- */

size_t hd__mpi_slot_at(const hd_mpi *mpi, int from, uint64_t slot)
{
    const uint64_t before = (uint64_t)mpi->places[from].node_rank * HD__MPI_SLOTS;

    return (size_t)((before + slot % HD__MPI_SLOTS) * mpi->direct->slot);
}

size_t hd__mpi_word_of(const hd_mpi *mpi, int from, size_t word)
{
    return mpi->direct->words_at / sizeof(uint64_t) +
           (size_t)mpi->places[from].node_rank * HD__MPI_SHORT + word;
}

/* Sized for the node with the most ranks. */
static size_t landing_bytes(const hd_mpi *mpi)
{
    hd__mpi_direct *d = mpi->direct;
    int most = 1;

    for (int r = 0; r < mpi->size; r++)
        most = mpi->places[r].node_ranks > most ? mpi->places[r].node_ranks : most;
    d->words_at = (size_t)most * HD__MPI_SLOTS * d->slot;
    return d->words_at + (size_t)most * HD__MPI_SHORT * sizeof(uint64_t);
}

/* Kernels of ranks that share a GPU are time-sliced, so one that waits for another rank's kernel
   could keep it from running. On the CPU engine the hosts wait. */
static int devices_wait(const hd_mpi *mpi)
{
    return hdb_native_supported() < 0 || hd__mpi_sharer(mpi) < 0;
}

static hd_status make_done(const hd_mpi *mpi, hd__mpi_direct *d)
{
    void *there = NULL;

    HD_TRY(hd_alloc_kind(&d->done, 1, HD_MEM_MAPPED, mpi->device));
    *d->done = (hd__shmem_done){0, 0};
    HD_TRY(hd_host_device_pointer(&there, d->done, mpi->device));
    d->done_there = there;
    return HD_OK;
}

/* Not collective. */
static hd_status make(hd_mpi *mpi, const char *call)
{
    hd__mpi_direct *d = calloc(1, sizeof *d);

    if (!d)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory");
    mpi->direct = d;
    d->slot = hdb_native_supported() >= 0 ? GPU_SLOT : CPU_SLOT;
    d->max_short = devices_wait(mpi) ? d->slot / 2 : 0;
    d->reach = calloc((size_t)mpi->size, 1);
    d->flows = calloc(2 * (size_t)mpi->size, sizeof *d->flows);
    if (!d->reach || !d->flows)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %d ranks", mpi->size);
    HD_TRY(make_done(mpi, d));
    HD_TRY(hd_stream_create_with(mpi->device, HD_STREAM_NON_BLOCKING, 0, &d->out));
    HD_TRY(hd_event_create(mpi->device, 0, &d->before));
    return hd_event_create(mpi->device, 0, &d->emptied);
}

static hd_status make_events(hd_mpi *mpi)
{
    for (int i = 0; i < 2 * mpi->size; i++)
        for (int slot = 0; slot < HD__MPI_SLOTS && mpi->direct->reach[i / 2]; slot++)
            HD_TRY(hd_event_create(mpi->device, 0, &mpi->direct->flows[i].done[slot]));
    return HD_OK;
}

void hd__mpi_direct_close(hd_mpi *mpi)
{
    hd__mpi_direct *d = mpi->direct;

    if (!d)
        return;
    if (d->emptied)
        (void)hd_event_synchronize(d->emptied);
    if (d->out)
        (void)hd_stream_synchronize(d->out);
    hd__shmem_free(mpi, &d->landing);
    for (int i = 0; i < 2 * mpi->size && d->flows; i++)
        for (int slot = 0; slot < HD__MPI_SLOTS; slot++)
            (void)hd_event_destroy(d->flows[i].done[slot]);
    (void)hd_event_destroy(d->before);
    (void)hd_event_destroy(d->emptied);
    (void)hd_stream_destroy(d->out);
    (void)hd_free(d->done);
    free(d->flows);
    free(d->reach);
    free(d);
    mpi->direct = NULL;
}

/* ---- data-integrity check -------------------------------------------------------------------- */

static char *slot_of(const hd_mpi *mpi, int owner, int from, uint64_t slot)
{
    return mpi->direct->landing.of_rank[owner] + hd__mpi_slot_at(mpi, from, slot);
}

static void make_pattern(int from, int to, int by_put, unsigned char pattern[PATTERN])
{
    const uint64_t seed = (uint64_t)from << 33 ^ (uint64_t)to << 1 ^ (uint64_t)by_put;

    for (uint64_t i = 0; i < PATTERN; i++) {
        const uint64_t z = (seed * 0x9e3779b97f4a7c15u ^ i) * 0xbf58476d1ce4e5b9u;
        pattern[i] = (unsigned char)(z >> 56);
    }
}

static unsigned garbled(const hd_mpi *mpi, int peer, int what)
{
    const int by = hd__mpi_forced.garbles - 1, garble = hd__mpi_forced.garble;

    return (garble == what && (by == peer || by == mpi->rank)) ||
           (garble == 3 && what == 0 && by == mpi->rank);
}

static int maps(const hd_mpi *mpi, int peer)
{
    return peer != mpi->rank && mpi->direct->landing.of_rank[peer] &&
           !((unsigned)(peer ^ mpi->rank) & hd__mpi_forced.apart);
}

/* Sends one pattern by a copy, and another by a put from this rank's part of its own landing. */
static hd_status send_patterns(hd_mpi *mpi, int peer, const char *call)
{
    hd__mpi_direct *d = mpi->direct;
    unsigned char pattern[PATTERN];
    const hd__shmem_put put = {.rank = peer,
                               .to = &d->landing,
                               .at = hd__mpi_slot_at(mpi, mpi->rank, 1),
                               .from = slot_of(mpi, mpi->rank, mpi->rank, 0),
                               .bytes = PATTERN,
                               .signals = &d->landing,
                               .signal = hd__mpi_slot_at(mpi, mpi->rank, 2) / sizeof(uint64_t),
                               .value = 1 + garbled(mpi, peer, 2)};

    make_pattern(mpi->rank, peer, 0, pattern);
    pattern[PATTERN / 2] ^= (unsigned char)garbled(mpi, peer, 0);
    HD_TRY(hd_copy_blocking_bytes(slot_of(mpi, peer, mpi->rank, 0), pattern, PATTERN, 1, d->out));
    make_pattern(mpi->rank, peer, 1, pattern);
    pattern[PATTERN - 1] ^= (unsigned char)garbled(mpi, peer, 1);
    HD_TRY(
        hd_copy_blocking_bytes(slot_of(mpi, mpi->rank, mpi->rank, 0), pattern, PATTERN, 1, d->out));
    HD_TRY(hd__shmem_send(mpi, &put, 1, call, d->out));
    return hd_stream_synchronize(d->out);
}

/* Checks the patterns from rank `peer`. */
static int look_at_patterns(const hd_mpi *mpi, int peer)
{
    unsigned char pattern[PATTERN], came[PATTERN];
    uint64_t word = 0;
    hd_stream *stream = mpi->direct->out;

    for (int by_put = 0; by_put < 2; by_put++) {
        const char *slot = slot_of(mpi, mpi->rank, peer, (uint64_t)by_put);
        make_pattern(peer, mpi->rank, by_put, pattern);
        if (hd_copy_blocking_bytes(came, slot, PATTERN, 1, stream) < 0 ||
            memcmp(came, pattern, PATTERN) != 0)
            return 0;
    }
    return hd_copy_blocking_bytes(&word, slot_of(mpi, mpi->rank, peer, 2), sizeof word, 1,
                                  stream) >= 0 &&
           word == 1;
}

/* Records why messages to and from a rank of this node are not exchanged directly. */
static void doubt(hd_mpi *mpi, int peer, const char *what, const char *why)
{
    hd__mpi_direct *d = mpi->direct;

    if (peer != mpi->rank && mpi->places[peer].node == mpi->places[mpi->rank].node)
        (void)snprintf(d->why, sizeof d->why, "%s rank %d%s%s", what, peer, *why ? ": " : "", why);
}

static int sends_patterns(hd_mpi *mpi, int peer, const char *call)
{
    if (!maps(mpi, peer)) {
        doubt(mpi, peer, "cannot map memory of", hd_error_last()->message);
        return 0;
    }
    if (send_patterns(mpi, peer, call) >= 0)
        return 1;
    doubt(mpi, peer, "cannot write to", hd_error_last()->message);
    return 0;
}

/* Collective. `good`: [rank][other]: the rank received the other's patterns intact. */
static hd_status exchange_patterns(hd_mpi *mpi, const char *call, unsigned char *good)
{
    unsigned char *own = good + (size_t)mpi->rank * (size_t)mpi->size;
    hd_status status;

    for (int r = 0; r < mpi->size; r++)
        own[r] = (unsigned char)sends_patterns(mpi, r, call);
    HD_TRY(hd_mpi_agree(mpi, HD_OK)); /* all patterns have been sent */
    for (int r = 0; r < mpi->size; r++)
        if (own[r] && !look_at_patterns(mpi, r)) {
            doubt(mpi, r, "gets other bytes than were sent by", "");
            own[r] = 0;
        }
    hd__mpi_watch_enter(mpi->watch, HD__MPI_JOIN, HD__MPI_EVERYBODY);
    status = hd__mpi_check(call, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, good, mpi->size,
                                               MPI_BYTE, mpi->comm));
    hd__mpi_watch_leave(mpi->watch);
    return status;
}

/* Marks the pairs that received each other's patterns; *pairs is their total number. */
static void trust(hd_mpi *mpi, const unsigned char *good, int *pairs)
{
    const int size = mpi->size;

    for (int a = 0; a < size; a++)
        for (int b = 0; b < a; b++) {
            const int both = good[(size_t)a * (size_t)size + (size_t)b] &&
                             good[(size_t)b * (size_t)size + (size_t)a];
            *pairs += both;
            if (a == mpi->rank || b == mpi->rank)
                mpi->direct->reach[a == mpi->rank ? b : a] = (unsigned char)both;
        }
}

/* ---- open ------------------------------------------------------------------------------------ */

static hd_status find_peers(hd_mpi *mpi, const char *call, int *pairs)
{
    unsigned char *good = calloc((size_t)mpi->size, (size_t)mpi->size);
    hd_status status = good ? HD_OK : hd__fail(HD_ERR_NO_MEMORY, call, "no memory for pairs");

    status = hd_mpi_agree(mpi, status);
    if (status >= 0)
        status = hd_mpi_agree(mpi, exchange_patterns(mpi, call, good));
    if (status >= 0)
        trust(mpi, good, pairs);
    free(good);
    return status;
}

/* Collective; gives all ranks the same status. */
static hd_status open_landing(hd_mpi *mpi, const char *call, int *pairs)
{
    HD_TRY(hd_mpi_agree(mpi, make(mpi, call)));
    hd_error_clear();
    HD_TRY(hd__shmem_alloc(mpi, landing_bytes(mpi), call, &mpi->direct->landing));
    HD_TRY(find_peers(mpi, call, pairs));
    return hd_mpi_agree(mpi, make_events(mpi));
}

static hd_status no_pairs(hd_mpi *mpi, const char *call)
{
    const char *why = mpi->direct->why;

    return hd_mpi_agree(mpi, hd__fail(HD_ERR_UNSUPPORTED, call,
                                      "no two ranks reach each other's device memory%s%s",
                                      *why ? ": this one " : "", why));
}

hd_status hd__mpi_direct_open(hd_mpi *mpi, const char *call)
{
    const int asked = mpi->peers == 2;
    int pairs = 0;
    hd_status status = open_landing(mpi, call, &pairs);

    if (status >= 0 && pairs == 0 && mpi->size > 1)
        status = asked ? no_pairs(mpi, call) : HD_ERR_UNSUPPORTED;
    if (status < 0) {
        hd__mpi_direct_close(mpi);
        return asked ? status : HD_OK;
    }
    mpi->puts = pairs == mpi->size * (mpi->size - 1) / 2 && devices_wait(mpi);
    (void)snprintf(mpi->reason, sizeof mpi->reason, "%s",
                   asked ? "asked for" : "ranks reach each other's devices");
    return HD_OK;
}
