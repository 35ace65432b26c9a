/* SPDX-License-Identifier: Apache-2.0 */
/* test_copies.c - reductions by copies: sizes around chunks and slots, any alignment, captured, and
   between operations that use the same memory otherwise. labels: lazy */
#include <heddle/graph.h>

#include "ranks.h"

#include "drivers/group/plan.h"

enum { CHUNK = 256, DEPTH = HD__GROUP_COPY_DEPTH };

/* A group whose reductions go in chunks of 256 bytes by copies, broadcasts in those chunks whose
   memory the copies have; NULL where not all pairs are direct. */
static hd_group *copying(unsigned count, unsigned threads)
{
    const hd_group_options options = {.algorithm = HD_GROUP_COPIES};
    hd_group_algorithm algorithm = HD_GROUP_BY_SIZE;
    hd_group *group;

    hd__group_forced = (hd__group_tuning){.copy_least = CHUNK,
                                          .copy_parts = 1000,
                                          .move_word_bytes = 64,
                                          .channels = 2,
                                          .chunk = 768,
                                          .least_chunk = CHUNK,
                                          .chunk_threads = threads};
    group = ranks_group(count, &options);
    hd__group_forced = (hd__group_tuning){0};
    if (!group)
        return NULL;
    CHECK_STATUS(hd_group_algorithm_of(group, 100, HD_F32, &algorithm), HD_OK);
    if (algorithm == HD_GROUP_COPIES)
        return group;
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    return NULL;
}

typedef struct rig {
    rank_arrays in, out;
    unsigned char *expected;
} rig;

static void rig_open(rig *g, hd_group *group, size_t in_bytes, size_t out_bytes, hd_type type,
                     size_t shift)
{
    ranks_make(&g->in, group, in_bytes, shift);
    ranks_make(&g->out, group, out_bytes, shift);
    ranks_fill(&g->in, group, type, VALUES_RANDOM, in_bytes + shift);
    g->expected = malloc(in_bytes + 1);
    REQUIRE(g->expected != NULL);
}

static void rig_close(rig *g)
{
    ranks_free(&g->in);
    ranks_free(&g->out);
    free(g->expected);
}

static void all_reduce(hd_group *group, size_t n, hd_type type, size_t shift, int in_place)
{
    const size_t bytes = n * hd_type_bytes(type);
    char what[80];
    rig g;

    snprintf(what, sizeof what, "%zu %s%s", n, hd_type_name(type), in_place ? " in place" : "");
    rig_open(&g, group, bytes, bytes, type, shift);
    rank_arrays *out = in_place ? &g.in : &g.out;
    ranks_fold(&g.in, 0, n, type, HD_SUM, g.expected);
    CHECK_STATUS(hd_group_all_reduce(group, (const void *const *)(const void *)g.in.device,
                                     (void *const *)(void *)out->device, n, type, HD_SUM, NULL),
                 HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < hd_group_size(group); r++)
        ranks_check(out, group, r, g.expected, what);
    for (unsigned r = 0; r < hd_group_size(group) && !in_place; r++)
        ranks_check(&g.in, group, r, g.in.host[r], "in");
    rig_close(&g);
}

/* Whole chunks in each piece, and a few bytes more or less; slots are used once, and again. */
TEST(sizes_around_chunks)
{
    for (unsigned count = 2; count <= ranks_devices(); count++) {
        hd_group *group = copying(count, 0);
        if (!group)
            SKIP("not all devices reach each other");
        for (size_t chunks = 1; chunks <= test_watched(2 * DEPTH + 1, DEPTH + 1); chunks++)
            for (size_t more = 0; more <= 40; more += 20)
                all_reduce(group, (count * chunks * CHUNK + more - 20) / 4, HD_F32, chunks % 3 * 4,
                           more == 20);
        for (size_t n = 1; n < 40; n += n < 10 ? 1 : 7)
            all_reduce(group, n, HD_U8, n % 5, n % 2 == 0);
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

TEST(types_of_any_alignment)
{
    static const hd_type types[] = {HD_U8, HD_I16, HD_F16, HD_BF16, HD_I32, HD_F32, HD_U64, HD_F64};
    hd_group *group = copying(ranks_devices(), 96);

    if (!group || ranks_devices() < 2)
        SKIP("not several devices that reach each other");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t shift = 0; shift < 3; shift++)
            all_reduce(group, 1501 + 300 * t, types[t], shift * hd_type_bytes(types[t]),
                       shift == 1);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(reduce_scatter)
{
    const unsigned count = ranks_devices();
    hd_group *group = copying(count, 0);

    if (!group || count < 2)
        SKIP("not several devices that reach each other");
    for (size_t n = 1; n < test_watched(3000, 700); n = n * 3 + 1) {
        rig g;
        rig_open(&g, group, n * count * 4, n * 4, HD_F32, n % 4 * 4);
        CHECK_STATUS(hd_group_reduce_scatter(group, (const void *const *)(const void *)g.in.device,
                                             (void *const *)(void *)g.out.device, n, HD_F32, HD_SUM,
                                             NULL),
                     HD_OK);
        CHECK_STATUS(hd_group_synchronize(group), HD_OK);
        for (unsigned r = 0; r < count; r++) {
            ranks_fold(&g.in, r * n, n, HD_F32, HD_SUM, g.expected);
            ranks_check(&g.out, group, r, g.expected, "reduce-scatter");
        }
        rig_close(&g);
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* What rank r has then: part p of it is all of rank p's bytes, or its part r. */
static void expect_parts(const rank_arrays *from, unsigned r, size_t n, int to_all, size_t at,
                         unsigned char *to)
{
    for (unsigned p = 0; p < from->count; p++)
        memcpy(to + p * n, from->host[p] + (to_all ? at * p : r * n), n);
}

/* n bytes for each pair. */
static void exchange(hd_group *group, size_t n, int to_all, size_t shift, int in_place)
{
    const unsigned count = hd_group_size(group);
    const void *in[RANKS];
    rig g;

    rig_open(&g, group, n * count, n * count, HD_U8, shift);
    rank_arrays *from = in_place ? &g.out : &g.in;
    ranks_fill(&g.out, group, HD_U8, VALUES_RANDOM, n);
    for (unsigned r = 0; r < count; r++)
        in[r] = from->device[r] + (to_all && in_place ? r * n : 0);
    if (to_all)
        CHECK_STATUS(
            hd_group_all_gather(group, in, (void *const *)(void *)g.out.device, n, HD_U8, NULL),
            HD_OK);
    else
        CHECK_STATUS(
            hd_group_all_to_all(group, in, (void *const *)(void *)g.out.device, n, HD_U8, NULL),
            HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < count; r++) {
        expect_parts(from, r, n, to_all, in_place ? n : 0, g.expected);
        ranks_check(&g.out, group, r, g.expected, to_all ? "all-gather" : "all-to-all");
    }
    rig_close(&g);
}

TEST(all_gather_and_all_to_all)
{
    static const size_t sizes[] = {1, 17, CHUNK - 1, CHUNK, 2 * CHUNK + 5, 3 * CHUNK, 1999};

    for (unsigned count = 2; count <= ranks_devices(); count++) {
        hd_group *group = copying(count, 0);
        if (!group)
            SKIP("not all devices reach each other");
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (unsigned how = 0; how < 4; how++)
                exchange(group, sizes[i], how & 1, i % 3, (int)(how & 2));
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

enum { N = 4000 };

/* Copies' slots are the memory of chunks: operations of both kinds in turn, without a word between
   them from the host, and all of it twice out of a graph. */
static void enqueue_mixed(hd_group *group, rig *g, unsigned r)
{
    const size_t lengths[] = {N, 700, 3001};

    for (unsigned i = 0; i < 3; i++) {
        CHECK_STATUS(hd_group_all_reduce_rank(group, r, g->in.device[r], g->out.device[r],
                                              lengths[i], HD_I32, HD_SUM, NULL),
                     HD_OK);
        CHECK_STATUS(hd_group_broadcast_rank(group, r, g->out.device[r], N, HD_I32,
                                             i % hd_group_size(group), NULL),
                     HD_OK);
        CHECK_STATUS(hd_group_all_reduce_rank(group, r, g->out.device[r], g->out.device[r],
                                              lengths[i], HD_I32, HD_MAX, NULL),
                     HD_OK);
        CHECK_STATUS(hd_group_all_to_all_rank(group, r, g->out.device[r], g->out.device[r], 100,
                                              HD_I32, NULL),
                     HD_OK);
    }
}

/* The same on the host: out[r] of all ranks, N numbers each. */
static void expect_mixed(rig *g, unsigned count, unsigned char *out)
{
    const size_t lengths[] = {N, 700, 3001};
    unsigned char all[RANKS * 400];

    for (unsigned i = 0; i < 3; i++) {
        const unsigned root = i % count;
        for (unsigned r = 0; r < count; r++)
            ranks_fold(&g->in, 0, lengths[i], HD_I32, HD_SUM, out + (size_t)4 * N * r);
        for (unsigned r = 0; r < count; r++)
            if (r != root)
                memcpy(out + (size_t)4 * N * r, out + (size_t)4 * N * root, (size_t)4 * N);
        memcpy(all, out, sizeof all);
        for (unsigned r = 0; r < count; r++) /* of ranks that all have the same */
            for (unsigned p = 0; p < count; p++)
                memcpy(out + (size_t)4 * N * r + (size_t)400 * p, all + (size_t)400 * r, 400);
    }
}

TEST(between_others_and_captured)
{
    const unsigned count = ranks_devices();
    hd_group *group = copying(count, 0);
    hd_graph_exec *exec[RANKS] = {NULL};
    rig g;

    if (!group || count < 2)
        SKIP("not several devices that reach each other");
    rig_open(&g, group, (size_t)4 * N, (size_t)4 * N, HD_I32, 0);
    unsigned char *out = calloc(count, (size_t)4 * N);
    REQUIRE(out != NULL);
    for (unsigned r = 0; r < count; r++) {
        hd_stream *stream = hd_group_stream(group, r);
        hd_graph *graph = NULL;
        REQUIRE(hd_stream_capture_begin(stream) == HD_OK);
        enqueue_mixed(group, &g, r);
        REQUIRE(hd_stream_capture_end(stream, &graph) == HD_OK);
        CHECK_STATUS(hd_graph_instantiate(graph, &exec[r]), HD_OK);
        CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    }
    for (unsigned round = 0; round < 4; round++) {
        ranks_fill(&g.in, group, HD_I32, VALUES_RANDOM, 9 + round);
        for (unsigned r = 0; r < count; r++)
            if (round == 2)
                enqueue_mixed(group, &g, r);
            else
                CHECK_STATUS(hd_graph_launch(exec[r], hd_group_stream(group, r)), HD_OK);
        CHECK_STATUS(hd_group_synchronize(group), HD_OK);
        expect_mixed(&g, count, out);
        for (unsigned r = 0; r < count; r++)
            ranks_check(&g.out, group, r, out + (size_t)4 * N * r, "mixed");
    }
    for (unsigned r = 0; r < count; r++)
        CHECK_STATUS(hd_graph_exec_destroy(exec[r]), HD_OK);
    free(out);
    rig_close(&g);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* A message whose calls would not fit a stream's queue goes another way. */
TEST(too_many_chunks)
{
    hd_group_algorithm algorithm = HD_GROUP_BY_SIZE;
    hd_group *group = copying(ranks_devices(), 0);

    if (!group || ranks_devices() < 2)
        SKIP("not several devices that reach each other");
    CHECK_STATUS(hd_group_algorithm_of(group, 100000, HD_F32, &algorithm), HD_OK);
    CHECK_EQ_I64(algorithm, HD_GROUP_DIRECT);
    all_reduce(group, 100000, HD_F32, 0, 0);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST_MAIN
