/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c - ranks that send each other messages of known bytes; run by test_exchange.sh. */
#include <stdlib.h>

#include "library.h"
#include "ranks.h"
#include "src/mpi/direct.h"

#if HD_CPU_CHECK /* which looks at every access */
enum { MOST = 20000, CHECKED = 1 };
#else
enum { MOST = 150000, CHECKED = 0 };
#endif
enum { ROUNDS = 6, TAGS = 2, GUARD = 64 };

/* Bytes of the message with `tag` from one rank to another in a round: many are empty or short. */
static size_t length(unsigned round, int from, int to, int tag)
{
    const uint64_t r = mix(((uint64_t)round << 32) ^ (uint64_t)(from * 8 + to * 64 + tag));
    const size_t most = (r & 3) == 0 ? 0 : (r & 3) == 1 ? 40 : MOST;
    return most ? (size_t)(r >> 8) % most : 0;
}

static unsigned char byte_of(unsigned round, int from, int tag, size_t i)
{
    return (unsigned char)mix((uint64_t)round * 77 + (uint64_t)(from * 2 + tag) * 1000003 + i / 8) +
           (unsigned char)i;
}

typedef struct rig {
    hd_mpi *mpi;
    hd_stream *stream;
    unsigned char *host, *in, *out, *source;
    size_t block; /* of a round and tag in `source`, of a rank and tag in `out` */
} rig;

static hd_status make_rig(rig *r, hd_mpi_path path)
{
    const hd_mpi_options options = {.path = path};
    int device;
    memset(r, 0, sizeof *r);
    r->block = MOST + GUARD;
    HD_TRY(hd_mpi_create(MPI_COMM_WORLD, &options, &r->mpi));
    device = hd_mpi_device(r->mpi);
    HD_TRY(hd_stream_create(device, &r->stream));
    HD_TRY(hd_alloc(&r->in, TAGS * r->block, device));
    HD_TRY(hd_alloc(&r->source, ROUNDS * TAGS * r->block, device));
    HD_TRY(hd_alloc(&r->out, (size_t)(ROUNDS * size * TAGS) * r->block, device));
    r->host = malloc((size_t)(ROUNDS * size * TAGS) * r->block);
    return r->host ? HD_OK : HD_ERR_NO_MEMORY;
}

static void free_rig(rig *r)
{
    CHECK_STATUS(hd_free(r->in), HD_OK);
    CHECK_STATUS(hd_free(r->source), HD_OK);
    CHECK_STATUS(hd_free(r->out), HD_OK);
    free(r->host);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
    CHECK_STATUS(hd_mpi_destroy(r->mpi), HD_OK);
}

/* What this rank sends in each round lies in `source`; `out` is poisoned. */
static hd_status prepare(rig *r)
{
    const size_t all = (size_t)(ROUNDS * TAGS) * r->block;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int tag = 0; tag < TAGS; tag++)
            for (size_t i = 0; i < r->block; i++)
                r->host[(round * TAGS + (unsigned)tag) * r->block + i] = byte_of(round, rank, tag,
                                                                                 i);
    HD_TRY(hd_copy_blocking(r->source, r->host, all, r->stream));
    return hd_fill_bytes(r->out, 0xa5, 1, (size_t)(ROUNDS * size * TAGS) * r->block, r->stream);
}

static unsigned char *place(const rig *r, unsigned round, int from, int tag, unsigned char *base)
{
    return base + ((size_t)((int)round * size + from) * TAGS + (size_t)tag) * r->block;
}

/* One round: nothing waits for the device but what the exchange itself waits for. */
static hd_status exchange(rig *r, unsigned round, int halves)
{
    hd_mpi_message messages[64 * TAGS];
    size_t count = 0;
    HD_TRY(hd_copy(r->in, r->source + round * TAGS * r->block, TAGS * r->block, r->stream));
    for (int peer = 0; peer < size; peer++) {
        for (int tag = 0; tag < TAGS; tag++) {
            hd_mpi_message *m = &messages[count++];
            m->peer = peer;
            m->send_tag = m->receive_tag = tag;
            m->send = r->in + (size_t)tag * r->block;
            m->send_bytes = length(round, rank, peer, tag);
            m->receive = place(r, round, peer, tag, r->out);
            m->receive_bytes = length(round, peer, rank, tag);
        }
    }
    if (!halves)
        return hd_mpi_exchange(r->mpi, messages, count, r->stream);
    HD_TRY(hd_mpi_exchange_begin(r->mpi, messages, count, r->stream));
    return hd_mpi_exchange_end(r->mpi);
}

static size_t count_wrong(const rig *r)
{
    size_t wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int from = 0; from < size; from++)
            for (int tag = 0; tag < TAGS; tag++) {
                const unsigned char *got = place(r, round, from, tag, r->host);
                const size_t bytes = length(round, from, rank, tag);
                for (size_t i = 0; i < r->block; i++)
                    wrong += got[i] != (i < bytes ? byte_of(round, from, tag, i) : 0xa5);
            }
    return wrong;
}

static void run_rounds(hd_mpi_path path, size_t chunk)
{
    rig r;
    hd_status status = make_rig(&r, path);
    hd__mpi_forced.chunk_bytes = chunk;
    CHECK_STATUS(status, HD_OK);
    if (status >= 0)
        CHECK_STATUS(status = prepare(&r), HD_OK);
    for (unsigned round = 0; round < ROUNDS && status >= 0; round++)
        CHECK_STATUS(status = exchange(&r, round, (int)round & 1), HD_OK);
    if (status >= 0) {
        CHECK_STATUS(
            hd_copy_blocking(r.host, r.out, (size_t)(ROUNDS * size * TAGS) * r.block, r.stream),
            HD_OK);
        CHECK_EQ_U64(count_wrong(&r), 0);
    }
    hd__mpi_forced.chunk_bytes = 0;
    free_rig(&r);
}

TEST(staged)
{
    run_rounds(HD_MPI_STAGED, 0);
}

TEST(staged_in_chunks)
{
    run_rounds(HD_MPI_STAGED, 4096);
    run_rounds(HD_MPI_STAGED, 1000);
}

TEST(device_or_what_there_is)
{
    run_rounds(HD_MPI_AUTO, 0);
}

/* Memory that is not symmetric travels as with AUTO. */
TEST(on_path_shmem)
{
    const hd_mpi_options options = {.path = HD_MPI_SHMEM};
    hd_mpi *mpi = NULL;
    const hd_status status = hd_mpi_create(MPI_COMM_WORLD, &options, &mpi);
    if (status == HD_ERR_UNSUPPORTED && strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("no SHMEM for ranks with a GPU each");
    CHECK_STATUS(status, HD_OK);
    CHECK_EQ_I64(hd_mpi_path_used(mpi, NULL), HD_MPI_SHMEM);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
    run_rounds(HD_MPI_SHMEM, 0);
    run_rounds(HD_MPI_SHMEM, 4096); /* test_exchange.sh: one rank may not give MPI device memory */
}

/* With what stands in for the vendor's library, and with that where it is there. */
static void with_library(void (*body)(void))
{
    hd__mpi_forced.library = &library_stand_in;
    body();
    hd__mpi_forced.library = NULL;
    if (library_is_there())
        body();
}

static void rounds_by_library(void)
{
    run_rounds(HD_MPI_LIBRARY, 0);
}

TEST(by_library)
{
    with_library(rounds_by_library);
}

/* In whole slots, in pieces that go through all slots again and again, in odd ones. */
TEST(by_peers)
{
    if (!ranks_have(HD_MPI_PEER))
        SKIP("ranks do not reach each other's memory");
    run_rounds(HD_MPI_PEER, 0);
    run_rounds(HD_MPI_PEER, 4096);
    run_rounds(HD_MPI_PEER, 777);
}

/* Ranks of different parity, and of different pairs, as if on different nodes. */
TEST(peers_beside_others)
{
    if (!ranks_have(HD_MPI_PEER) || size < 3)
        SKIP("too few ranks reach each other's memory");
    for (hd__mpi_forced.apart = 1; hd__mpi_forced.apart < 3; hd__mpi_forced.apart++) {
        rig r;
        CHECK_STATUS(make_rig(&r, HD_MPI_PEER), HD_OK);
        for (int peer = 0; peer < size; peer++)
            CHECK_EQ_I64(hd__mpi_reaches(r.mpi, peer),
                         peer != rank && !((unsigned)(peer ^ rank) & hd__mpi_forced.apart));
        CHECK_EQ_I64(r.mpi->puts, 0);
        free_rig(&r);
        run_rounds(HD_MPI_PEER, 4096);
    }
    hd__mpi_forced.apart = 0;
}

/* Messages one way: `count` of `bytes` each, at odd places. */
typedef struct batch {
    unsigned count;
    size_t bytes;
} batch;

enum { LIMIT = 4096, BATCH_MAX = 9, BATCH_ROOM = 6 * LIMIT };

static size_t batch_place(const batch *b, unsigned i)
{
    return i * (b->bytes + 5) + i % 3;
}

/* Each rank sends the batch to the next one, which has another batch for the one behind it. */
static hd_status exchange_batches(rig *r, const batch *sent, const batch *received, unsigned round)
{
    hd_mpi_message messages[2 * BATCH_MAX] = {{0}};
    for (unsigned i = 0; i < sent->count; i++) {
        messages[i].peer = (rank + 1) % size;
        messages[i].send_tag = messages[i].receive_tag = (int)(BATCH_MAX - i);
        messages[i].send = r->source + batch_place(sent, i);
        messages[i].send_bytes = sent->bytes;
    }
    for (unsigned i = 0; i < received->count; i++) {
        hd_mpi_message *m = &messages[sent->count + i];
        m->peer = (rank + size - 1) % size;
        m->send_tag = m->receive_tag = (int)(BATCH_MAX - i);
        m->receive = r->out + batch_place(received, i);
        m->receive_bytes = received->bytes;
    }
    for (size_t i = 0; i < BATCH_ROOM; i++)
        r->host[i] = byte_of(round, rank, 0, i);
    HD_TRY(hd_copy_blocking(r->source, r->host, BATCH_ROOM, r->stream));
    HD_TRY(hd_fill_bytes(r->out, 0xa5, 1, BATCH_ROOM, r->stream));
    HD_TRY(hd_mpi_exchange(r->mpi, messages, sent->count + received->count, r->stream));
    return hd_copy_blocking(r->host, r->out, BATCH_ROOM, r->stream);
}

static size_t wrong_in_batch(const rig *r, const batch *b, unsigned round)
{
    const int from = (rank + size - 1) % size;
    size_t wrong = 0, end = 0;
    for (unsigned i = 0; i < b->count; i++) {
        const size_t at = batch_place(b, i);
        for (size_t k = end; k < at; k++)
            wrong += r->host[k] != 0xa5;
        end = at + b->bytes;
        for (size_t k = at; k < end; k++)
            wrong += r->host[k] != byte_of(round, from, 0, k);
    }
    for (size_t k = end; k < BATCH_ROOM; k++)
        wrong += r->host[k] != 0xa5;
    return wrong;
}

static int is_short(const batch *b)
{
    return b->count <= 8 && b->count * ((b->bytes + 15) / 16 * 16) <= LIMIT;
}

/* Around what is short, in bytes and in number, and around the slots there are; even ranks send
   one kind while odd ones send another. */
TEST(peers_at_limits)
{
    static const batch batches[] = {{1, LIMIT},      {1, LIMIT + 1},     {8, LIMIT / 8},
                                    {9, 16},         {8, LIMIT / 8 + 1}, {1, 4 * LIMIT},
                                    {1, 1},          {1, 4 * LIMIT + 1}, {2, LIMIT / 2},
                                    {1, 5 * LIMIT},  {9, LIMIT / 2 + 3}, {3, 1000},
                                    {1, LIMIT + 16}, {8, LIMIT / 8 - 9}, {7, 577}};
    enum { BATCHES = sizeof batches / sizeof *batches };
    uint64_t shorts = 0;
    rig r;
    if (!ranks_have(HD_MPI_PEER) || size % 2)
        SKIP("ranks do not reach each other's memory, or are not in pairs");
    CHECK_STATUS(make_rig(&r, HD_MPI_PEER), HD_OK);
    hd__mpi_forced.chunk_bytes = LIMIT;
    for (unsigned round = 0; round < 3 * BATCHES; round++) {
        const batch *even = &batches[round % BATCHES], *odd = &batches[round * 5 % BATCHES];
        const batch *sent = rank % 2 ? odd : even, *received = rank % 2 ? even : odd;
        CHECK_STATUS(exchange_batches(&r, sent, received, round), HD_OK);
        CHECK_EQ_U64(wrong_in_batch(&r, received, round), 0);
        shorts += (unsigned)is_short(sent);
    }
    CHECK_EQ_U64(r.mpi->direct->flows[2 * ((rank + 1) % size) + 1].turn,
                 r.mpi->direct->max_short ? shorts : 0);
    hd__mpi_forced.chunk_bytes = 0;
    free_rig(&r);
}

/* Some short messages to everybody, again and again: as many as go at once, and more. What has been
   sent is written over at once, in order of nothing but the exchange's return. */
TEST(peers_in_batches)
{
    enum { TURNS = 20, EACH = 5, BYTES = 100 };
    hd_stream *other = NULL;
    rig r;
    size_t wrong = 0;
    if (!ranks_have(HD_MPI_PEER) || size < 2)
        SKIP("no ranks reach each other's memory");
    CHECK_STATUS(make_rig(&r, HD_MPI_PEER), HD_OK);
    CHECK_STATUS(hd_stream_create(hd_mpi_device(r.mpi), &other), HD_OK);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        hd_mpi_message messages[64] = {{0}};
        const unsigned each = 1 + turn % EACH;
        unsigned count = 0;
        CHECK_STATUS(hd_fill_bytes(r.source, 16 * turn % 256 + (unsigned)rank, 1, BYTES, r.stream),
                     HD_OK);
        CHECK_STATUS(hd_stream_synchronize(r.stream), HD_OK);
        for (int peer = 0; peer < size && count + each <= 64; peer++)
            for (unsigned k = 0; k < each && peer != rank; k++)
                messages[count++] = (hd_mpi_message){.peer = peer,
                                                     .send_tag = (int)k,
                                                     .receive_tag = (int)k,
                                                     .send = r.source,
                                                     .send_bytes = BYTES - k,
                                                     .receive = place(&r, k, peer, 0, r.out),
                                                     .receive_bytes = BYTES - k};
        CHECK_STATUS(hd_mpi_exchange(r.mpi, messages, count, r.stream), HD_OK);
        CHECK_STATUS(hd_fill_bytes(r.source, 0xff, 1, BYTES, other), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(other), HD_OK);
        for (int peer = 0; peer < size; peer++)
            for (unsigned k = 0; k < each && peer != rank; k++) {
                CHECK_STATUS(
                    hd_copy_blocking(r.host, place(&r, k, peer, 0, r.out), BYTES - k, r.stream),
                    HD_OK);
                for (size_t i = 0; i < BYTES - k; i++)
                    wrong += r.host[i] != (unsigned char)(16 * turn % 256 + (unsigned)peer);
            }
    }
    CHECK_EQ_U64(wrong, 0);
    for (int i = 0; i < 2 * size; i++)
        CHECK_EQ_U64(r.mpi->direct->flows[i].turn,
                     hd__mpi_reaches(r.mpi, i / 2) && r.mpi->direct->max_short ? TURNS : 0);
    CHECK_STATUS(hd_stream_destroy(other), HD_OK);
    free_rig(&r);
}

/* Pieces that go one way alone: nothing but the exchange keeps a slot until it has been emptied,
   with streams in turn, and to the end of all. */
TEST(peers_one_way)
{
    enum { TURNS = 4, BYTES = 3 * LIMIT };
    rig r;
    hd_stream *other = NULL;
    size_t wrong = 0;
    if (!ranks_have(HD_MPI_PEER) || size < 2)
        SKIP("no ranks reach each other's memory");
    CHECK_STATUS(make_rig(&r, HD_MPI_PEER), HD_OK);
    CHECK_STATUS(hd_stream_create(hd_mpi_device(r.mpi), &other), HD_OK);
    hd__mpi_forced.chunk_bytes = LIMIT;
    for (size_t i = 0; i < TURNS * BYTES; i++)
        r.host[i] = byte_of(9, rank, 0, i);
    CHECK_STATUS(hd_copy_blocking(r.source, r.host, TURNS * BYTES, r.stream), HD_OK);
    for (size_t turn = 0; turn < TURNS && rank < 2; turn++) {
        hd_mpi_message message = {.peer = 1 - rank};
        if (rank == 0) { /* what is sent is made just before, in order of the stream */
            CHECK_STATUS(hd_copy(r.in, r.source + turn * BYTES, BYTES, r.stream), HD_OK);
            message.send = r.in;
            message.send_bytes = BYTES;
        } else {
            message.receive = r.out + turn * BYTES;
            message.receive_bytes = BYTES;
        }
        CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, rank && turn % 2 ? other : r.stream),
                     HD_OK);
    }
    hd__mpi_forced.chunk_bytes = 0;
    CHECK_STATUS(hd_mpi_destroy(r.mpi), HD_OK); /* before anything has been waited for */
    r.mpi = NULL;
    CHECK_STATUS(hd_stream_synchronize(other), HD_OK);
    CHECK_STATUS(hd_copy_blocking(r.host, r.out, TURNS * BYTES, r.stream), HD_OK);
    for (size_t i = 0; i < TURNS * BYTES && rank == 1; i++)
        wrong += r.host[i] != byte_of(9, 0, 0, i);
    CHECK_EQ_U64(wrong, 0);
    CHECK_STATUS(hd_stream_destroy(other), HD_OK);
    free_rig(&r);
}

/* Rank 0 cannot put what rank 1 waits for: both fail, rank 1's device goes on, and so do both. */
TEST(a_put_that_fails)
{
    enum { EACH = 3, BYTES = 50 };
    hd_mpi_message messages[EACH] = {{0}};
    rig r;
    size_t wrong = 0;
    if (!ranks_have(HD_MPI_PEER) || size < 2)
        SKIP("no ranks reach each other's memory");
    CHECK_STATUS(make_rig(&r, HD_MPI_PEER), HD_OK);
    CHECK_STATUS(hd_fill_bytes(r.source, 7u + (unsigned)rank, 1, EACH * BYTES, r.stream), HD_OK);
    for (int k = 0; k < EACH; k++)
        messages[k] = (hd_mpi_message){.peer = 1 - rank,
                                       .send_tag = k,
                                       .receive_tag = k,
                                       .send = r.source,
                                       .send_bytes = BYTES,
                                       .receive = r.out + k * BYTES,
                                       .receive_bytes = BYTES};
    for (int bad = 1; bad >= 0 && rank < 2 && r.mpi->direct->max_short; bad--) {
        hd__mpi_forced.fail_put = bad;
        CHECK_STATUS(hd_mpi_exchange(r.mpi, messages, EACH, r.stream), !bad   ? HD_OK
                                                                       : rank ? HD_ERR_STATE
                                                                              : HD_ERR_NO_MEMORY);
        if (bad)
            CHECK_EQ_STR(hd_error_last()->message,
                         rank ? "rank 0 has failed in the middle of a message" : "forced to fail");
    }
    CHECK_STATUS(hd_copy_blocking(r.host, r.out, EACH * BYTES, r.stream), HD_OK);
    for (int i = 0; i < EACH * BYTES && rank < 2 && r.mpi->direct->max_short; i++)
        wrong += r.host[i] != 8 - rank;
    CHECK_EQ_U64(wrong, 0);
    free_rig(&r);
}

/* Rank 1 is not trusted, and does not trust. */
static void garbles(void)
{
    const hd_mpi_options options = {.path = HD_MPI_PEER};
    hd_mpi *mpi = NULL;
    if (size == 2) {
        CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_ERR_UNSUPPORTED);
        CHECK(strstr(hd_error_last()->message, "no two ranks reach each other's device memory") !=
              NULL);
        if (hd__mpi_forced.garble < 3) /* rank 0 tells */
            CHECK(strstr(hd_error_last()->message, "gets other bytes than were sent by rank 1") !=
                  NULL);
        return;
    }
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_OK);
    for (int peer = 0; peer < size && mpi; peer++)
        CHECK_EQ_I64(hd__mpi_reaches(mpi, peer), peer != rank && peer != 1 && rank != 1);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* What goes one way between rank 1 and others, or both ways, is not what was sent. */
TEST(a_peer_that_garbles)
{
    if (!ranks_have(HD_MPI_PEER) || size < 2)
        SKIP("no ranks reach each other's memory");
    hd__mpi_forced.garbles = 2;
    for (hd__mpi_forced.garble = 0; hd__mpi_forced.garble < 4; hd__mpi_forced.garble++)
        garbles();
    hd__mpi_forced.garble = 0;
    if (size > 2)
        run_rounds(HD_MPI_PEER, 4096);
    hd__mpi_forced.garbles = 0;
}

/* ---- all-to-all ------------------------------------------------------------------------------ */

static void all_to_all(rig *r, hd_mpi_algorithm algorithm, size_t bytes)
{
    const size_t all = bytes * (size_t)size;
    size_t wrong = 0;
    for (int to = 0; to < size; to++)
        for (size_t i = 0; i < bytes; i++)
            r->host[(size_t)to * bytes + i] = byte_of((unsigned)to, rank, 0, i);
    CHECK_STATUS(hd_copy_blocking(r->source, r->host, all, r->stream), HD_OK);
    CHECK_STATUS(hd_fill_bytes(r->out, 0xa5, 1, all + GUARD, r->stream), HD_OK);
    for (int twice = 0; twice < 2; twice++)
        CHECK_STATUS(hd_mpi_all_to_all(r->mpi, r->source, r->out, bytes, algorithm, r->stream),
                     HD_OK);
    CHECK_STATUS(hd_copy_blocking(r->host, r->out, all + GUARD, r->stream), HD_OK);
    for (int from = 0; from < size; from++)
        for (size_t i = 0; i < bytes; i++)
            wrong += r->host[(size_t)from * bytes + i] != byte_of((unsigned)rank, from, 0, i);
    for (size_t i = 0; i < GUARD; i++)
        wrong += r->host[all + i] != 0xa5;
    CHECK_EQ_U64(wrong, 0);
}

static void all_sizes(hd_mpi_path path)
{
    const size_t sizes[] = {0, 1, 4099, MOST / 2};
    rig r;
    CHECK_STATUS(make_rig(&r, path), HD_OK);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        all_to_all(&r, HD_MPI_PAIRS, sizes[s]);
        all_to_all(&r, HD_MPI_COLLECTIVE, sizes[s]);
    }
    free_rig(&r);
}

TEST(all_to_all)
{
    all_sizes(HD_MPI_STAGED);
    all_sizes(HD_MPI_AUTO);
}

static void sizes_by_library(void)
{
    all_sizes(HD_MPI_LIBRARY);
}

TEST(all_to_all_by_library)
{
    with_library(sizes_by_library);
}

TEST(all_to_all_by_peers)
{
    if (!ranks_have(HD_MPI_PEER))
        SKIP("ranks do not reach each other's memory");
    all_sizes(HD_MPI_PEER);
}

/* ---- places, failures ------------------------------------------------------------------------ */

TEST(places)
{
    hd_mpi *mpi = NULL;
    const hd_mpi_place *places;
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK);
    CHECK_EQ_I64(hd_mpi_rank(mpi), rank);
    CHECK_EQ_I64(hd_mpi_size(mpi), size);
    places = hd_mpi_places(mpi);
    for (int r = 0; r < size; r++) { /* all on this machine, in order */
        CHECK_EQ_I64(places[r].rank, r);
        CHECK_EQ_I64(places[r].node, 0);
        CHECK_EQ_I64(places[r].node_rank, r);
        CHECK_EQ_I64(places[r].node_ranks, size);
        CHECK_EQ_I64(places[r].device, r % places[r].devices);
        CHECK(places[r].warp > 0);
    }
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* Every rank gets the status and the name of the lowest rank that failed. */
TEST(agree)
{
    hd_mpi *mpi = NULL;
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK);
    CHECK_STATUS(hd_mpi_agree(mpi, HD_OK), HD_OK);
    CHECK_STATUS(hd_mpi_agree(mpi, HD_NOT_READY), HD_OK);
    for (int bad = 0; bad < size; bad++) {
        hd_status mine = HD_OK;
        char expected[64];
        if (rank == bad)
            mine = hd__fail(HD_ERR_WORKSPACE, "here", "bad luck of %d", bad);
        else if (rank > bad)
            mine = hd__fail(HD_ERR_SINGULAR, "there", "bad luck too");
        CHECK_STATUS(hd_mpi_agree(mpi, mine), HD_ERR_WORKSPACE);
        snprintf(expected, sizeof expected, "here: bad luck of %d", bad);
        CHECK(strstr(hd_error_last()->message, expected) != NULL);
        snprintf(expected, sizeof expected, "rank %d on ", bad);
        CHECK(strstr(hd_error_last()->message, expected) != NULL);
    }
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* A failure that was agreed on, and is agreed on again further up, is told as it was. */
TEST(agree_twice)
{
    hd_mpi *mpi = NULL;
    char once[1024];
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK);
    for (int bad = 0; bad < size; bad++) {
        hd_status status = HD_OK;
        if (rank == bad)
            status = hd__fail(HD_ERR_WORKSPACE, "here", "bad luck of %d", bad);
        CHECK_STATUS(status = hd_mpi_agree(mpi, status), HD_ERR_WORKSPACE);
        snprintf(once, sizeof once, "%s", hd_error_last()->message);
        CHECK_STATUS(hd_mpi_agree(mpi, status), HD_ERR_WORKSPACE);
        CHECK_EQ_STR(hd_error_last()->message, once);
    }
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* One rank asks for a device that it does not have: no rank gets a communicator. */
TEST(create_fails_for_all)
{
    hd_mpi *mpi = NULL;
    const hd_mpi_options options = {.device = rank == size - 1 ? "99" : NULL};
    const hd_mpi_options path = {.path = (hd_mpi_path)7};
    char expected[32];
    CHECK(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi) < 0);
    CHECK(mpi == NULL);
    snprintf(expected, sizeof expected, "rank %d on ", size - 1);
    CHECK(strstr(hd_error_last()->message, expected) != NULL);
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &path, &mpi), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_create(MPI_COMM_NULL, NULL, &mpi), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_destroy(NULL), HD_OK);
}

/* What is longer than what was to come is an error that says who sent it. */
static void send_too_much(hd_mpi_path path)
{
    rig r;
    hd_mpi_message message = {.send_tag = 3, .receive_tag = 3};
    int meets; /* so that the sender knows too */
    CHECK_STATUS(make_rig(&r, path), HD_OK);
    meets = hd__mpi_meets(r.mpi, rank ^ 1);
    CHECK_STATUS(hd_fill_zero(r.source, 200, r.stream), HD_OK);
    message.peer = rank ^ 1;
    if (rank == 0) {
        message.send = r.source;
        message.send_bytes = 200;
    } else {
        message.receive = r.out;
        message.receive_bytes = 100;
    }
    if (rank == 0)
        CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, r.stream), meets ? HD_ERR_STATE : HD_OK);
    if (rank == 1) {
        CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, r.stream), HD_ERR_STATE);
        CHECK_EQ_STR(hd_error_last()->message,
                     meets ? "rank 0 sends 200 bytes with tag 3, this rank expects 100"
                           : "rank 0 sent more than the 100 bytes that were to come with tag 3");
    }
    CHECK_STATUS(hd_mpi_agree(r.mpi, HD_OK), HD_OK);
    free_rig(&r);
}

TEST(too_much)
{
    if (size < 2)
        SKIP("one rank");
    send_too_much(HD_MPI_STAGED);
    send_too_much(HD_MPI_AUTO);
    if (ranks_have(HD_MPI_PEER))
        send_too_much(HD_MPI_PEER);
}

/* Both ranks of a message know before anything is enqueued; other messages go on, and so does what
   comes later. The two ranks list their messages in different orders. */
static void sizes_differ(hd_mpi_path path, int tag)
{
    rig r;
    const hd_mpi_message bad = {.peer = rank ^ 1, .send_tag = tag, .receive_tag = tag};
    char expected[100];
    const hd_mpi_message good = {.peer = rank ^ 1, .send_tag = 4, .receive_tag = 4};
    hd_mpi_message messages[2] = {rank ? good : bad, rank ? bad : good};
    hd_mpi_message *differs = &messages[rank ? 1 : 0], *fits = &messages[rank ? 0 : 1];
    unsigned char got[100] = {0};
    CHECK_STATUS(make_rig(&r, path), HD_OK);
    CHECK_STATUS(hd_fill_bytes(r.source, 0x30u + (unsigned)rank, 1, 300, r.stream), HD_OK);
    CHECK_STATUS(hd_fill_zero(r.out, 300, r.stream), HD_OK);
    differs->send = fits->send = r.source;
    differs->receive = r.out;
    fits->receive = r.out + 200;
    differs->send_bytes = rank ? 200 : 150; /* rank 1 expects 170 of rank 0 */
    differs->receive_bytes = rank ? 170 : 200;
    fits->send_bytes = fits->receive_bytes = sizeof got;
    library_mismatches = 0;
    if (rank < 2) {
        CHECK_STATUS(hd_mpi_exchange(r.mpi, messages, 2, r.stream), HD_ERR_STATE);
        snprintf(expected, sizeof expected,
                 rank ? "rank 0 sends 150 bytes with tag %d, this rank expects 170"
                      : "rank 1 expects 170 bytes with tag %d, this rank sends 150",
                 tag);
        CHECK_EQ_STR(hd_error_last()->message, expected);
        CHECK_STATUS(hd_copy_blocking(got, r.out + 200, sizeof got, r.stream), HD_OK);
        for (size_t i = 0; i < sizeof got; i++)
            CHECK_EQ_U64(got[i], 0x30u + (unsigned)(rank ^ 1));
        CHECK_EQ_U64(library_mismatches, 0);
        CHECK_STATUS(hd_mpi_exchange(r.mpi, fits, 1, r.stream), HD_OK);
    }
    CHECK_STATUS(hd_mpi_agree(r.mpi, HD_OK), HD_OK);
    free_rig(&r);
}

static void sizes_differ_by_library(void)
{
    sizes_differ(HD_MPI_LIBRARY, 9);
    sizes_differ(HD_MPI_LIBRARY, 2);
}

TEST(sizes_that_differ_are_found_before_anybody_waits)
{
    if (size < 2)
        SKIP("one rank");
    with_library(sizes_differ_by_library);
    for (int tag = 2; tag < 10 && ranks_have(HD_MPI_PEER); tag += 7) {
        sizes_differ(HD_MPI_PEER, tag);
        hd__mpi_forced.chunk_bytes = 64; /* pieces */
        sizes_differ(HD_MPI_PEER, tag);
        hd__mpi_forced.chunk_bytes = 0;
    }
}

/* The group of calls is ended all the same, and the library is not used again. */
TEST(a_library_that_fails)
{
    rig r;
    hd_mpi_message to_oneself = {.peer = rank, .send_bytes = 100, .receive_bytes = 100};
    hd__mpi_forced.library = &library_stand_in;
    CHECK_STATUS(make_rig(&r, HD_MPI_LIBRARY), HD_OK);
    CHECK_STATUS(hd_fill_zero(r.source, 100, r.stream), HD_OK);
    to_oneself.send = r.source;
    to_oneself.receive = r.out;
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &to_oneself, 1, r.stream), HD_OK);
    library_fails = 1;
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &to_oneself, 1, r.stream), HD_ERR_BACKEND);
    CHECK_EQ_STR(hd_error_last()->message, "forced to fail");
    CHECK_EQ_I64(library_is_open, 0);
    library_fails = 0;
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &to_oneself, 1, r.stream), HD_ERR_STATE);
    hd__mpi_forced.library = NULL;
    free_rig(&r);
}

/* What a collective has staged for one stream outlasts an exchange on another. */
TEST(all_that_is_staged_stays_until_it_is_copied)
{
    enum { BYTES = 4000 };
    rig r;
    hd_stream *other = NULL;
    hd_mpi_message to_oneself = {.peer = rank, .send_bytes = 100, .receive_bytes = 100};
    const size_t all = (size_t)size * BYTES;
    unsigned char *first, *second;
    size_t wrong = 0;
    hd__mpi_forced.library = &library_stand_in;
    CHECK_STATUS(make_rig(&r, HD_MPI_LIBRARY), HD_OK);
    CHECK_STATUS(hd_stream_create(hd_mpi_device(r.mpi), &other), HD_OK);
    first = r.out;
    second = r.out + all;
    to_oneself.send = r.in;
    to_oneself.receive = r.in + 200;
    CHECK_STATUS(hd_fill_zero(r.in, 200, other), HD_OK);
    CHECK_STATUS(hd_fill_bytes(r.source, 0x11, 1, all, r.stream), HD_OK);
    CHECK_STATUS(hd_mpi_all_to_all(r.mpi, r.source, first, BYTES, HD_MPI_COLLECTIVE, r.stream),
                 HD_OK);
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &to_oneself, 1, other), HD_OK);
    CHECK_STATUS(hd_fill_bytes(r.source + all, 0x77, 1, all, other), HD_OK);
    CHECK_STATUS(hd_mpi_all_to_all(r.mpi, r.source + all, second, BYTES, HD_MPI_COLLECTIVE, other),
                 HD_OK);
    CHECK_STATUS(hd_copy_blocking(r.host, first, all, r.stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(r.host + all, second, all, other), HD_OK);
    for (size_t i = 0; i < 2 * all; i++)
        wrong += r.host[i] != (i < all ? 0x11 : 0x77);
    CHECK_EQ_U64(wrong, 0);
    hd__mpi_forced.library = NULL;
    CHECK_STATUS(hd_stream_destroy(other), HD_OK);
    free_rig(&r);
}

/* On the CPU engine device memory is the host's: every MPI takes it, and is given it, unless some
   rank's environment speaks against it, or the checker has to see what is written. */
TEST(device_memory_goes_to_mpi_where_it_takes_it)
{
    static const hd_mpi_path asked[] = {HD_MPI_AUTO, HD_MPI_DEVICE};
    const char *said = getenv("HEDDLE_MPI_DEVICE");
    int silent = !said || !*said, all_silent = 0;
    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("whether MPI takes device memory is MPI's matter");
    MPI_Allreduce(&silent, &all_silent, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_silent)
        SKIP("HEDDLE_MPI_DEVICE is set");
    for (int k = 0; k < 2; k++) {
        const hd_mpi_options options = {.path = asked[k]};
        const int refused = CHECKED && asked[k] == HD_MPI_DEVICE;
        const char *reason = "";
        hd_mpi *mpi = NULL;
        CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi),
                     refused ? HD_ERR_UNSUPPORTED : HD_OK);
        if (!mpi)
            continue;
        CHECK_EQ_I64(hd_mpi_path_used(mpi, &reason), CHECKED ? HD_MPI_STAGED : HD_MPI_DEVICE);
        CHECK(reason != NULL && *reason);
        for (int r = 0; r < size; r++)
            CHECK_EQ_I64(hd_mpi_places(mpi)[r].device_path, !CHECKED);
        CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
    }
}

/* Where ranks ask for different paths all take the one that needs nothing. */
TEST(paths_that_differ)
{
    const hd_mpi_path others[] = {HD_MPI_STAGED, HD_MPI_AUTO};
    if (size < 2)
        SKIP("one rank");
    hd__mpi_forced.library = &library_stand_in;
    for (int k = 0; k < 2; k++) {
        const hd_mpi_options options = {.path = rank == size - 1 ? HD_MPI_LIBRARY : others[k]};
        hd_mpi *mpi = NULL;
        CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_OK);
        CHECK_EQ_I64(hd_mpi_path_used(mpi, NULL), HD_MPI_STAGED);
        CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
    }
    hd__mpi_forced.library = NULL;
    if (strcmp(hd_backend_name(), "cpu") == 0) {
        for (hd_mpi_path path = HD_MPI_SHMEM; path <= HD_MPI_PEER; path++) {
            const hd_mpi_options options = {.path = rank ? path : HD_MPI_AUTO};
            hd_mpi *mpi = NULL;
            CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_OK);
            CHECK_EQ_I64(hd_mpi_path_used(mpi, NULL), HD_MPI_STAGED);
            CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
        }
    }
}

/* Without a library, or with ranks on one device, nobody gets a communicator, and all know why. */
TEST(no_library)
{
    const hd_mpi_options options = {.path = HD_MPI_LIBRARY};
    hd_mpi *mpi = NULL;
    if (library_is_there())
        SKIP("it is there");
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_ERR_UNSUPPORTED);
    CHECK(mpi == NULL);
    CHECK(strstr(hd_error_last()->message, "library of collectives") != NULL);
    CHECK(strstr(hd_error_last()->message, "rank 0 on ") != NULL);
}

TEST(arguments)
{
    rig r;
    hd_mpi_message message = {.peer = size};
    CHECK_STATUS(make_rig(&r, HD_MPI_AUTO), HD_OK);
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, r.stream), HD_ERR_ARGUMENT);
    message = (hd_mpi_message){.peer = 0, .send_tag = 1024};
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, r.stream), HD_ERR_ARGUMENT);
    message = (hd_mpi_message){.peer = 0, .send_bytes = 1};
    CHECK_STATUS(hd_mpi_exchange(r.mpi, &message, 1, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_exchange(r.mpi, NULL, 1, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_exchange(r.mpi, NULL, 0, r.stream), HD_OK);
    CHECK_STATUS(hd_mpi_exchange(NULL, NULL, 0, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_exchange_end(r.mpi), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_exchange_begin(r.mpi, NULL, 0, r.stream), HD_OK);
    CHECK_STATUS(hd_mpi_exchange_begin(r.mpi, NULL, 0, r.stream), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_exchange_end(r.mpi), HD_OK);
    CHECK_STATUS(hd_mpi_all_to_all(r.mpi, NULL, r.out, 1, HD_MPI_PAIRS, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_all_to_all(r.mpi, r.in, r.out, 1, (hd_mpi_algorithm)5, r.stream),
                 HD_ERR_ARGUMENT);
    free_rig(&r);
}

int main(int argc, char **argv)
{
    hd_mpi *mpi = NULL;
    int result = 1;
    if (hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi) != HD_ERR_STATE) /* MPI has not begun */
        return 3;
    if (!ranks_begin(&argc, &argv))
        return 2;
    result = test_main(argc, argv);
    MPI_Finalize();
    return result;
}
