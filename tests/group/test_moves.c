/* SPDX-License-Identifier: Apache-2.0 */
/* test_moves.c - the other collectives against the host. labels: lazy few */
#include "ranks.h"

enum { MOST = 30011 };
static const size_t sizes[] = {1, 7, 64, 1001, 4097, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const void *const *as_in(const rank_arrays *a)
{
    return (const void *const *)(const void *)a->device;
}
static void *const *as_out(const rank_arrays *a)
{
    return (void *const *)(const void *)a->device;
}

typedef struct rig {
    hd_group *group;
    unsigned count;
    rank_arrays in, out;
    unsigned char *expected;
} rig;

static void rig_open(rig *g, hd_group *group, size_t in_bytes, size_t out_bytes, hd_type type,
                     size_t shift)
{
    g->group = group;
    g->count = hd_group_size(group);
    g->expected = malloc(out_bytes + 1);
    REQUIRE(g->expected != NULL);
    ranks_make(&g->in, group, in_bytes, shift);
    ranks_make(&g->out, group, out_bytes, shift);
    ranks_fill(&g->in, group, type, VALUES_RANDOM, in_bytes + 1);
    ranks_fill(&g->out, group, type, VALUES_SMALL, 3);
}

static void rig_close(rig *g)
{
    ranks_free(&g->in);
    ranks_free(&g->out);
    free(g->expected);
}

static void reduce(hd_group *group, size_t n, unsigned root)
{
    const size_t bytes = n * sizeof(float);
    rig g;

    rig_open(&g, group, bytes, bytes, HD_F32, 4);
    CHECK_STATUS(
        hd_group_reduce(group, as_in(&g.in), g.out.device[root], n, HD_F32, HD_SUM, root, NULL),
        HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    ranks_fold(&g.in, 0, n, HD_F32, HD_SUM, g.expected);
    for (unsigned r = 0; r < g.count; r++) {
        ranks_check(&g.out, group, r, r == root ? g.expected : g.out.host[r], "reduce");
        ranks_check(&g.in, group, r, g.in.host[r], "reduce: in");
    }
    rig_close(&g);
}

static void reduce_scatter(hd_group *group, size_t n, int in_place)
{
    const unsigned count = hd_group_size(group);
    void *out[RANKS];
    rig g;

    rig_open(&g, group, n * count * 2, n * 2, HD_I16, 2);
    for (unsigned r = 0; r < count; r++)
        out[r] = in_place ? g.in.device[r] + r * n * 2 : g.out.device[r];
    CHECK_STATUS(hd_group_reduce_scatter(group, as_in(&g.in), out, n, HD_I16, HD_MAX, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < count; r++) {
        ranks_fold(&g.in, r * n, n, HD_I16, HD_MAX, g.expected);
        if (!in_place)
            ranks_check(&g.out, group, r, g.expected, "reduce-scatter");
    }
    for (unsigned r = 0; r < count && in_place; r++) {
        unsigned char *whole = malloc(n * count * 2);
        memcpy(whole, g.in.host[r], n * count * 2);
        ranks_fold(&g.in, r * n, n, HD_I16, HD_MAX, whole + r * n * 2);
        ranks_check(&g.in, group, r, whole, "reduce-scatter in place");
        free(whole);
    }
    rig_close(&g);
}

static void all_gather(hd_group *group, size_t n, int in_place)
{
    const unsigned count = hd_group_size(group);
    const void *in[RANKS];
    rig g;

    rig_open(&g, group, n, n * count, HD_U8, 1);
    for (unsigned r = 0; r < count; r++) {
        in[r] = in_place ? g.out.device[r] + r * n : g.in.device[r];
        memcpy(g.expected + r * n, in_place ? g.out.host[r] + r * n : g.in.host[r], n);
    }
    CHECK_STATUS(hd_group_all_gather(group, in, as_out(&g.out), n, HD_U8, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < count; r++)
        ranks_check(&g.out, group, r, g.expected, "all-gather");
    rig_close(&g);
}

static void broadcast(hd_group *group, size_t n, unsigned root)
{
    rig g;

    rig_open(&g, group, n * 8, n * 8, HD_F64, 8);
    CHECK_STATUS(hd_group_broadcast(group, as_out(&g.in), n, HD_F64, root, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < g.count; r++)
        ranks_check(&g.in, group, r, g.in.host[root], "broadcast");
    rig_close(&g);
}

static void all_to_all(hd_group *group, size_t n, int in_place)
{
    const unsigned count = hd_group_size(group);
    rig g;

    rig_open(&g, group, n * count * 4, n * count * 4, HD_U32, 0);
    CHECK_STATUS(hd_group_all_to_all(group, as_in(&g.in), as_out(in_place ? &g.in : &g.out), n,
                                     HD_U32, NULL),
                 HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < count; r++) {
        for (unsigned p = 0; p < count; p++)
            memcpy(g.expected + p * n * 4, g.in.host[p] + r * n * 4, n * 4);
        ranks_check(in_place ? &g.in : &g.out, group, r, g.expected, "all-to-all");
    }
    rig_close(&g);
}

/* Round the ring both ways with different lengths, and a copy at home. */
static void send_receive(hd_group *group, size_t n)
{
    const unsigned count = hd_group_size(group);
    hd_group_message messages[3 * RANKS];
    size_t used = 0;
    rig g;

    rig_open(&g, group, 3 * n, 3 * n, HD_U8, 0);
    for (unsigned r = 0; r < count; r++) {
        const unsigned up = (r + 1) % count, down = (r + count - 1) % count;
        if (up != r)
            messages[used++] = (hd_group_message){r, up, g.in.device[r], g.out.device[up], n};
        if (down != up)
            messages[used++] = (hd_group_message){r, down, g.in.device[r] + n,
                                                  g.out.device[down] + n, n / 2 + r};
        messages[used++] = (hd_group_message){r, r, g.in.device[r] + 2 * n, g.out.device[r] + 2 * n,
                                              n};
    }
    CHECK_STATUS(hd_group_send_receive(group, messages, used, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < count; r++) {
        const unsigned up = (r + 1) % count, down = (r + count - 1) % count;
        memcpy(g.expected, g.out.host[r], 3 * n);
        if (down != r)
            memcpy(g.expected, g.in.host[down], n);
        if (down != up)
            memcpy(g.expected + n, g.in.host[up] + n, n / 2 + up);
        memcpy(g.expected + 2 * n, g.in.host[r] + 2 * n, n);
        ranks_check(&g.out, group, r, g.expected, "send-receive");
    }
    rig_close(&g);
}

static void everything(const hd_group_options *options)
{
    for (unsigned count = 1; count <= ranks_count(); count++) {
        hd_group *group = ranks_group(count, options);
        REQUIRE(group != NULL);
        for (unsigned i = 0; i < test_watched(SIZES, SIZES - 1); i++) {
            reduce(group, sizes[i], i % count);
            reduce_scatter(group, sizes[i], i % 2);
            all_gather(group, sizes[i], i % 2 == 0);
            broadcast(group, sizes[i], (i + 1) % count);
            all_to_all(group, sizes[i], i % 2);
            send_receive(group, sizes[i] + 16);
            CHECK_STATUS(hd_group_barrier(group, NULL), HD_OK);
        }
        CHECK_STATUS(hd_group_synchronize(group), HD_OK);
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

TEST(everything_by_size)
{
    everything(NULL);
}

TEST(everything_through_the_host)
{
    everything(&(hd_group_options){.p2p = HD_GROUP_P2P_OFF});
}

/* Blocks of many threads, as on a GPU, small chunks, long broadcasts in pieces. */
TEST(everything_with_many_threads)
{
    hd__group_forced = (hd__group_tuning){.channels = 3,
                                          .units = 128,
                                          .chunk = 512,
                                          .least_chunk = 256,
                                          .word_threads = 64,
                                          .chunk_threads = 96,
                                          .broadcast_pieces = 5000};
    everything(NULL);
    everything(&(hd_group_options){.algorithm = HD_GROUP_TWO_SHOT});
    hd__group_forced = (hd__group_tuning){0};
}

/* Bytes through the host are those that the definition of the algorithm says. */
TEST(bytes_through_the_host)
{
    const unsigned count = ranks_count();
    hd_group *group = ranks_group(count, &(hd_group_options){.p2p = HD_GROUP_P2P_OFF});
    hd_peer_path path = HD_PATH_DIRECT;
    uint64_t before = 0, bytes = 0;

    if (count < 2)
        SKIP("one rank");
    REQUIRE(group != NULL);
    CHECK_STATUS(hd_group_path(group, 0, 1, &path), HD_OK);
    CHECK_EQ_I64(path, HD_PATH_STAGED);
    all_to_all(group, 1000, 0);
    CHECK_STATUS(hd_group_staged_bytes(group, 0, 1, &before), HD_OK);
    CHECK_EQ_U64(before, 4000);
    all_gather(group, 300, 0);
    CHECK_STATUS(hd_group_staged_bytes(group, 0, 1, &bytes), HD_OK);
    CHECK_EQ_U64(bytes - before, 300);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* Pieces of 344 of 1000 bytes for three others, of 1000 for one. */
TEST(a_broadcast_in_pieces_sends_every_byte_once_from_its_root)
{
    const unsigned count = ranks_count() < FEW_RANKS ? ranks_count() : FEW_RANKS;
    const uint64_t piece = (1000 / (count > 1 ? count - 1 : 1) + 15) / 16 * 16;
    hd_group *group;

    if (count < 3)
        SKIP("two ranks");
    hd__group_forced = (hd__group_tuning){.broadcast_pieces = 1};
    group = ranks_group(count, &(hd_group_options){.p2p = HD_GROUP_P2P_OFF});
    hd__group_forced = (hd__group_tuning){0};
    REQUIRE(group != NULL);
    broadcast(group, 125, 1);
    for (unsigned r = 0; r < count; r++)
        for (unsigned p = 0; p < count; p++) {
            const unsigned relay = ((r == 1 ? p : r) + count - 2) % count;
            const uint64_t share = relay + 2 == count ? 1000 - piece * relay : piece;
            uint64_t bytes = 0;
            if (p == r)
                continue;
            CHECK_STATUS(hd_group_staged_bytes(group, r, p, &bytes), HD_OK);
            CHECK_EQ_U64(bytes, p == 1 ? 0 : share);
        }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST_MAIN
