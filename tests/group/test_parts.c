/* SPDX-License-Identifier: Apache-2.0 */
/* test_parts.c - reductions of one array that lies in parts on several devices, against a scalar
   program that knows of no parts. labels: lazy few */
#include <pthread.h>

#include <heddle/graph.h>

#include "drivers/primitives/reduce_reference.h"
#include "ranks.h"

enum { RESULT = 16, MOST = 300000, RATHER = 4 << 20 };

/* Elements in all; a tile of the shorter ones has 16 KiB. */
static const size_t sizes[] = {0, 1, 1000, 4096, 4097, 40000, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* What is reduced. */
typedef struct problem {
    hd_type type;
    hd_reduce_op op;
    int dot; /* instead of op */
    size_t n;
    const unsigned char *x, *y;
    size_t counts[RANKS];
} problem;

/* A problem on the devices of a group. */
typedef struct rig {
    hd_group *group;
    unsigned ranks;
    unsigned char *x[RANKS], *y[RANKS], *out[RANKS];
} rig;

static const void *const *as_in(unsigned char *const *pointers)
{
    return (const void *const *)(const void *)pointers;
}

static void *const *as_out(unsigned char *const *pointers)
{
    return (void *const *)(const void *)pointers;
}

static unsigned char *on_device(const rig *g, unsigned r, const unsigned char *from, size_t bytes)
{
    unsigned char *made = NULL;

    CHECK_STATUS(hd_alloc(&made, bytes + 1, hd_group_device(g->group, r)), HD_OK);
    CHECK_STATUS(hd_copy_blocking(made, from, bytes, hd_group_stream(g->group, r)), HD_OK);
    return made;
}

static void place(rig *g, const problem *p)
{
    const size_t size = hd_type_bytes(p->type);
    size_t at = 0;

    for (unsigned r = 0; r < g->ranks; r++) {
        static const unsigned char poison[RESULT] = {ARRAY_POISON};
        g->x[r] = on_device(g, r, p->x + at, p->counts[r] * size);
        g->y[r] = on_device(g, r, p->y + at, p->counts[r] * size);
        g->out[r] = on_device(g, r, poison, RESULT);
        at += p->counts[r] * size;
    }
}

static void take_away(rig *g)
{
    for (unsigned r = 0; r < g->ranks; r++) {
        CHECK_STATUS(hd_free(g->x[r]), HD_OK);
        CHECK_STATUS(hd_free(g->y[r]), HD_OK);
        CHECK_STATUS(hd_free(g->out[r]), HD_OK);
    }
}

static size_t expected_of(const problem *p, unsigned char expected[RESULT])
{
    return ref_reduce(p->x, p->y, p->n, hd_type_name(p->type),
                      p->dot ? "dot" : hd_reduce_op_name(p->op), expected);
}

static void check_results(const rig *g, const problem *p)
{
    unsigned char expected[RESULT] = {0}, got[RESULT];
    const size_t bytes = expected_of(p, expected);

    for (unsigned r = 0; r < g->ranks; r++) {
        CHECK_STATUS(hd_copy_blocking(got, g->out[r], RESULT, hd_group_stream(g->group, r)), HD_OK);
        if (memcmp(got, expected, bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s of %zu %s on %u ranks, rank %u",
                      p->dot ? "dot" : hd_reduce_op_name(p->op), p->n, hd_type_name(p->type),
                      g->ranks, r);
    }
}

static hd_status enqueue(const rig *g, const problem *p)
{
    return p->dot ? hd_group_dot_parts(g->group, as_in(g->x), as_in(g->y), p->counts, p->type,
                                       as_out(g->out), NULL)
                  : hd_group_reduce_parts(g->group, as_in(g->x), p->counts, p->type, p->op,
                                          as_out(g->out), NULL);
}

static hd_status enqueue_rank(const rig *g, const problem *p, unsigned r)
{
    return p->dot ? hd_group_dot_parts_rank(g->group, r, g->x[r], g->y[r], p->counts, p->type,
                                            g->out[r], NULL)
                  : hd_group_reduce_parts_rank(g->group, r, g->x[r], p->counts, p->type, p->op,
                                               g->out[r], NULL);
}

static int has_result(const problem *p)
{
    return p->n > 0 || p->dot ||
           !(p->op == HD_MIN || p->op == HD_MAX || p->op == HD_ARGMIN || p->op == HD_ARGMAX);
}

static void reduce(rig *g, const problem *p)
{
    place(g, p);
    CHECK_STATUS(enqueue(g, p), has_result(p) ? HD_OK : HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_synchronize(g->group), HD_OK);
    if (has_result(p))
        check_results(g, p);
    take_away(g);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Ranks take turns at random numbers of tiles, often none. */
static void cut_anywhere(problem *p, unsigned ranks, uint64_t *state)
{
    size_t tile = 0, left = p->n;

    CHECK_STATUS(hd_reduce_tile(p->n, p->type, &tile), HD_OK);
    for (unsigned r = 0; r < ranks; r++) {
        const size_t some = test_next(state) % 3 == 0 ? 0
                                                      : test_next(state) % (left / tile + 2) * tile;
        p->counts[r] = r + 1 == ranks || some > left ? left : some;
        left -= p->counts[r];
    }
}

static void check_even(const rig *g, const problem *p)
{
    size_t tile = 0, sum = 0;

    CHECK_STATUS(hd_reduce_tile(p->n, p->type, &tile), HD_OK);
    for (unsigned r = 0; r < g->ranks; r++) {
        CHECK(sum + p->counts[r] == p->n || p->counts[r] % tile == 0);
        CHECK(p->counts[r] <= p->counts[0] && p->counts[0] <= p->counts[r] + 2 * tile);
        sum += p->counts[r];
    }
    CHECK_EQ_U64(sum, p->n);
}

static int open_rig(rig *g)
{
    memset(g, 0, sizeof *g);
    g->ranks = ranks_count();
    g->group = ranks_group(g->ranks, NULL);
    return g->group != NULL;
}

/* Of the problem's type and length. */
static void fill(problem *p, unsigned char *x, unsigned char *y, uint64_t seed)
{
    const test_values values = seed % 4 == 3 ? VALUES_SPECIAL : VALUES_RANDOM;

    test_fill(x, p->n, p->type, values, seed);
    test_fill(y, p->n, p->type, VALUES_RANDOM, seed + 1);
    p->x = x;
    p->y = y;
}

TEST(every_type_and_operation)
{
    unsigned char *x = malloc((size_t)8 * MOST), *y = malloc((size_t)8 * MOST);
    uint64_t seed = 1;
    rig g;

    REQUIRE(x && y && open_rig(&g));
    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        for (int op = 0; op <= HD_REDUCE_COUNT_ && type != HD_BF16; op++) {
            problem p = {.type = (hd_type)type, .op = (hd_reduce_op)op};
            p.dot = op == HD_REDUCE_COUNT_;
            p.n = sizes[(unsigned)(type + op) % SIZES];
            fill(&p, x, y, seed++);
            CHECK_STATUS(hd_group_parts(g.group, p.n, p.type, p.counts), HD_OK);
            check_even(&g, &p);
            reduce(&g, &p);
            cut_anywhere(&p, g.ranks, &seed);
            reduce(&g, &p);
        }
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    free(x);
    free(y);
}

/* Tiles of more rows, and as many as one fold has columns. */
TEST(long_arrays)
{
    const size_t n = test_watched(RATHER + 12345, MOST);
    unsigned char *x = malloc(4 * n);
    problem p = {.type = HD_F32, .op = HD_SUM, .n = n};
    rig g;

    REQUIRE(x && open_rig(&g));
    fill(&p, x, x, 4);
    p.y = p.x;
    CHECK_STATUS(hd_group_parts(g.group, p.n, p.type, p.counts), HD_OK);
    check_even(&g, &p);
    reduce(&g, &p);
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    free(x);
}

/* ---- how it is called ------------------------------------------------------------------------ */

typedef struct caller {
    const rig *g;
    const problem *p;
    unsigned rank, times;
} caller;

static void *call(void *argument)
{
    const caller *c = argument;

    for (unsigned i = 0; i < c->times; i++)
        CHECK_STATUS(enqueue_rank(c->g, c->p, c->rank), HD_OK);
    return NULL;
}

/* Again and again, with nothing in between. */
TEST(a_thread_for_each_rank)
{
    unsigned char *x = malloc((size_t)8 * MOST);
    problem p = {.type = HD_F64, .op = HD_NORM2, .n = MOST};
    caller callers[RANKS];
    pthread_t threads[RANKS];
    rig g;

    REQUIRE(x && open_rig(&g));
    test_fill(x, p.n, p.type, VALUES_RANDOM, 21);
    p.x = p.y = x;
    CHECK_STATUS(hd_group_parts(g.group, p.n, p.type, p.counts), HD_OK);
    place(&g, &p);
    for (unsigned r = 0; r < g.ranks; r++) {
        callers[r] = (caller){&g, &p, r, (unsigned)test_watched(20, 3)};
        REQUIRE(pthread_create(&threads[r], NULL, call, &callers[r]) == 0);
    }
    for (unsigned r = 0; r < g.ranks; r++)
        (void)pthread_join(threads[r], NULL);
    CHECK_STATUS(hd_group_synchronize(g.group), HD_OK);
    check_results(&g, &p);
    take_away(&g);
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    free(x);
}

static void replay(rig *g, problem *p, hd_graph_exec *const *exec, unsigned char *x, uint64_t seed)
{
    size_t at = 0;

    test_fill(x, p->n, p->type, VALUES_RANDOM, seed);
    for (unsigned r = 0; r < g->ranks; r++) {
        const size_t bytes = p->counts[r] * hd_type_bytes(p->type);
        hd_stream *stream = hd_group_stream(g->group, r);
        CHECK_STATUS(hd_copy_blocking(g->x[r], x + at, bytes, stream), HD_OK);
        at += bytes;
    }
    for (unsigned r = 0; r < g->ranks; r++)
        CHECK_STATUS(hd_graph_launch(exec[r], hd_group_stream(g->group, r)), HD_OK);
    CHECK_STATUS(hd_group_synchronize(g->group), HD_OK);
    check_results(g, p);
}

TEST(captured_and_replayed)
{
    unsigned char *x = calloc(4, MOST);
    problem p = {.type = HD_F32, .op = HD_SUM, .n = MOST};
    hd_graph_exec *exec[RANKS] = {NULL};
    rig g;

    REQUIRE(x && open_rig(&g));
    p.x = p.y = x;
    CHECK_STATUS(hd_group_parts(g.group, p.n, p.type, p.counts), HD_OK);
    place(&g, &p);
    for (unsigned r = 0; r < g.ranks; r++) {
        hd_graph *graph = NULL;
        REQUIRE(hd_stream_capture_begin(hd_group_stream(g.group, r)) == HD_OK);
        CHECK_STATUS(enqueue_rank(&g, &p, r), HD_OK);
        REQUIRE(hd_stream_capture_end(hd_group_stream(g.group, r), &graph) == HD_OK);
        CHECK_STATUS(hd_graph_instantiate(graph, &exec[r]), HD_OK);
        CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    }
    for (uint64_t seed = 31; seed < 34; seed++)
        replay(&g, &p, exec, x, seed);
    for (unsigned r = 0; r < g.ranks; r++)
        CHECK_STATUS(hd_graph_exec_destroy(exec[r]), HD_OK);
    take_away(&g);
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    free(x);
}

/* ---- what is refused, before anything is enqueued -------------------------------------------- */

static void refuse(const rig *g, problem p, hd_status status, const char *text)
{
    CHECK_STATUS(enqueue(g, &p), status);
    CHECK(strstr(hd_error_last()->message, text) != NULL);
}

static void refuse_words(const rig *g, const problem *good)
{
    problem p = *good;

    p.type = HD_BF16;
    refuse(g, p, HD_ERR_UNSUPPORTED, "bf16");
    p = *good;
    p.op = HD_REDUCE_COUNT_;
    refuse(g, p, HD_ERR_ARGUMENT, "unknown reduction");
    p = *good;
    p.counts[0] = SIZE_MAX;
    refuse(g, p, HD_ERR_OVERFLOW, "elements");
    p = *good;
    p.counts[0]--;
    if (g->ranks > 1)
        refuse(g, p, HD_ERR_ARGUMENT, "not a multiple of the tile");
}

static void refuse_arrays(rig *g, const problem *p)
{
    unsigned char *kept = g->out[g->ranks - 1];
    const void *const *in = as_in(g->x);

    g->out[g->ranks - 1] = NULL;
    refuse(g, *p, HD_ERR_ARGUMENT, "out");
    g->out[g->ranks - 1] = kept;
    kept = g->x[0];
    g->x[0] = NULL;
    refuse(g, *p, HD_ERR_ARGUMENT, "in");
    REQUIRE(hd_alloc_bytes((void **)&g->x[0], p->counts[0] - 1, hd_type_bytes(p->type),
                           HD_MEM_DEVICE, hd_group_device(g->group, 0)) == HD_OK);
    refuse(g, *p, HD_ERR_POINTER, "in"); /* one element short */
    CHECK_STATUS(hd_free(g->x[0]), HD_OK);
    g->x[0] = kept;
    CHECK_STATUS(
        hd_group_reduce_parts(g->group, NULL, p->counts, p->type, p->op, as_out(g->out), NULL),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_reduce_parts(g->group, in, NULL, p->type, p->op, as_out(g->out), NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_reduce_parts(NULL, in, p->counts, p->type, p->op, as_out(g->out), NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_dot_parts(g->group, in, NULL, p->counts, p->type, as_out(g->out), NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_reduce_parts_rank(g->group, g->ranks, g->x[0], p->counts, p->type, p->op,
                                            g->out[0], NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_parts(g->group, 5, HD_F32, NULL), HD_ERR_ARGUMENT);
}

TEST(refused)
{
    unsigned char *x = calloc(4, MOST);
    problem p = {.type = HD_F32, .op = HD_SUM, .n = MOST};
    rig g;

    REQUIRE(x && open_rig(&g));
    p.x = p.y = x;
    CHECK_STATUS(hd_group_parts(g.group, p.n, p.type, p.counts), HD_OK);
    place(&g, &p);
    refuse_words(&g, &p);
    refuse_arrays(&g, &p);
    CHECK_STATUS(enqueue(&g, &p), HD_OK); /* the group is as it was */
    CHECK_STATUS(hd_group_synchronize(g.group), HD_OK);
    check_results(&g, &p);
    take_away(&g);
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    free(x);
}

TEST_MAIN
