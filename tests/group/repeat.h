/* SPDX-License-Identifier: Apache-2.0 */
/* repeat.h - many operations of changing kind, size, type and data on one group, several of them on
   their way at once, from one host thread or from one for each rank. */
#ifndef HEDDLE_TESTS_GROUP_REPEAT_H
#define HEDDLE_TESTS_GROUP_REPEAT_H

#include "ranks.h"

#include <heddle/graph.h>

#include <pthread.h>

enum { BATCH = 6, SLAB = 40000 /* bytes of an operation on a rank */ };

typedef enum what {
    ALL_REDUCE,
    REDUCE,
    BROADCAST,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    SEND_RECEIVE,
    BARRIER,
    KINDS
} what;

typedef struct operation {
    what kind;
    size_t n; /* for a message to each rank, of all of them */
    hd_type type;
    hd_reduce_op op;
    unsigned root;
    int in_place;
} operation;

typedef struct repeat {
    hd_group *group;
    unsigned count;
    rank_arrays in, out;
    operation batch[BATCH];
    hd_graph_exec *exec[RANKS]; /* of a batch that was captured */
} repeat;

static operation any_operation(uint64_t *state, unsigned count)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_I32, HD_U8,   HD_F16, HD_I64,
                                    HD_U16, HD_U32, HD_U64, HD_BF16, HD_I8,  HD_I16};
    static const hd_reduce_op ops[] = {HD_SUM, HD_PROD, HD_MIN, HD_MAX};
    operation o;
    const uint64_t r = test_next(state);
    const unsigned bits = (unsigned)(r >> 40) % 13;

    o.kind = (what)((r & 15) < 6 ? ALL_REDUCE : (r & 15) % KINDS);
    o.in_place = (int)(r >> 50 & 1);
    o.type = types[(r >> 8) % (sizeof types / sizeof *types)];
    o.op = ops[(r >> 16) % 4];
    o.root = (unsigned)((r >> 24) % count);
    o.n = 1 + test_next(state) % ((size_t)1 << bits);
    if (o.kind >= ALL_GATHER)
        o.n = o.n / count + 1;
    return o;
}

/* A message to the next rank but one, one back to the rank before, and one at home. */
static hd_status send_and_receive(const repeat *w, unsigned r, size_t at, size_t bytes)
{
    hd_group_message messages[3 * RANKS];
    size_t used = 0;

    for (unsigned p = 0; p < w->count; p++) {
        const unsigned to[] = {p, (p + 2) % w->count, (p + w->count - 1) % w->count};
        for (unsigned k = 0; k < 3; k++)
            if (k == 0 || (to[k] != p && (k == 1 || to[2] != to[1])))
                messages[used++] = (hd_group_message){p, to[k],
                                                      w->in.device[p] + at + to[k] * bytes,
                                                      w->out.device[to[k]] + at + p * bytes, bytes};
    }
    return hd_group_send_receive_rank(w->group, r, messages, used, NULL);
}

static int sends(const repeat *w, unsigned from, unsigned to)
{
    return to == from || to == (from + 2) % w->count || to == (from + w->count - 1) % w->count;
}

static hd_status enqueue_one(repeat *w, unsigned r, unsigned i)
{
    const operation *o = &w->batch[i];
    const size_t bytes = o->n * hd_type_bytes(o->type);
    unsigned char *out = w->out.device[r] + i * (size_t)SLAB;
    const unsigned char *in = o->in_place ? out : w->in.device[r] + i * (size_t)SLAB;

    if (o->in_place && o->kind == ALL_GATHER)
        in += r * bytes;
    if (o->in_place && o->kind == REDUCE_SCATTER)
        out += r * bytes;
    switch (o->kind) {
    case ALL_REDUCE:
        return hd_group_all_reduce_rank(w->group, r, in, out, o->n, o->type, o->op, NULL);
    case REDUCE:
        return hd_group_reduce_rank(w->group, r, in, out, o->n, o->type, o->op, o->root, NULL);
    case BROADCAST:
        return hd_group_broadcast_rank(w->group, r, out, o->n, o->type, o->root, NULL);
    case ALL_GATHER:
        return hd_group_all_gather_rank(w->group, r, in, out, o->n, o->type, NULL);
    case REDUCE_SCATTER:
        return hd_group_reduce_scatter_rank(w->group, r, in, out, o->n, o->type, o->op, NULL);
    case ALL_TO_ALL:
        return hd_group_all_to_all_rank(w->group, r, in, out, o->n, o->type, NULL);
    case SEND_RECEIVE:
        return send_and_receive(w, r, i * (size_t)SLAB, bytes);
    default:
        return hd_group_barrier_rank(w->group, r, NULL);
    }
}

/* The batch on rank r. */
static void enqueue_batch(repeat *w, unsigned r)
{
    for (unsigned i = 0; i < BATCH; i++)
        CHECK_STATUS(enqueue_one(w, r, i), HD_OK);
}

typedef struct part {
    repeat *w;
    unsigned rank;
} part;

static void *enqueue_thread(void *argument)
{
    const part *p = argument;
    enqueue_batch(p->w, p->rank);
    CHECK_STATUS(hd_group_synchronize_rank(p->w->group, p->rank), HD_OK);
    return NULL;
}

TEST_UNUSED static void run_threads(repeat *w)
{
    pthread_t thread[RANKS];
    part parts[RANKS];

    for (unsigned r = 0; r < w->count; r++) {
        parts[r] = (part){w, r};
        REQUIRE(pthread_create(&thread[r], NULL, enqueue_thread, &parts[r]) == 0);
    }
    for (unsigned r = 0; r < w->count; r++)
        (void)pthread_join(thread[r], NULL);
}

TEST_UNUSED static void run_one_thread(repeat *w)
{
    for (unsigned i = 0; i < BATCH; i++)
        for (unsigned r = 0; r < w->count; r++)
            CHECK_STATUS(enqueue_one(w, r, i), HD_OK);
    CHECK_STATUS(hd_group_synchronize(w->group), HD_OK);
}

/* What operation i leaves on rank r, over what is in `to`. */
static void expect(const repeat *w, unsigned r, unsigned i, unsigned char *to)
{
    const operation *o = &w->batch[i];
    const size_t bytes = o->n * hd_type_bytes(o->type), at = i * (size_t)SLAB;
    rank_arrays in = o->in_place && o->kind != SEND_RECEIVE ? w->out : w->in;

    for (unsigned p = 0; p < w->count; p++)
        in.host[p] += at;
    if (o->kind == ALL_REDUCE || (o->kind == REDUCE && r == o->root))
        ranks_fold(&in, 0, o->n, o->type, o->op, to);
    if (o->kind == REDUCE_SCATTER)
        ranks_fold(&in, r * o->n, o->n, o->type, o->op, to + (o->in_place ? r * bytes : 0));
    if (o->kind == BROADCAST)
        memcpy(to, w->out.host[o->root] + at, bytes);
    for (unsigned p = 0; p < w->count; p++) {
        if (o->kind == ALL_GATHER)
            memcpy(to + p * bytes, in.host[p] + (o->in_place ? p * bytes : 0), bytes);
        if (o->kind == ALL_TO_ALL || (o->kind == SEND_RECEIVE && sends(w, p, r)))
            memcpy(to + p * bytes, in.host[p] + r * bytes, bytes);
    }
}

static void check_batch(repeat *w)
{
    unsigned char *whole = malloc(BATCH * SLAB);

    for (unsigned r = 0; r < w->count; r++) {
        memcpy(whole, w->out.host[r], BATCH * SLAB);
        for (unsigned i = 0; i < BATCH; i++)
            expect(w, r, i, whole + i * (size_t)SLAB);
        ranks_check(&w->out, w->group, r, whole, "repeated operations");
    }
    free(whole);
}

static void fill_batch(repeat *w, uint64_t seed)
{
    ranks_fill(&w->in, w->group, HD_U64, VALUES_RANDOM, seed);
    ranks_fill(&w->out, w->group, HD_U64, VALUES_RANDOM, seed + 1000);
}

static int repeat_open(repeat *w, const hd_group_options *options)
{
    memset(w, 0, sizeof *w);
    w->count = ranks_count();
    w->group = ranks_group(w->count, options);
    if (!w->group)
        return 0;
    ranks_make(&w->in, w->group, BATCH * SLAB, 0);
    ranks_make(&w->out, w->group, BATCH * SLAB, 0);
    return 1;
}

static void repeat_close(repeat *w)
{
    ranks_free(&w->in);
    ranks_free(&w->out);
    CHECK_STATUS(hd_group_destroy(w->group), HD_OK);
}

TEST_UNUSED static void repeat_force(void)
{
    hd__group_forced = (hd__group_tuning){.one_shot_bytes = 1500,
                                          .two_shot_bytes = 4000,
                                          .line_bytes = 700,
                                          .move_word_bytes = 2000,
                                          .broadcast_pieces = 8000,
                                          .copies_bytes = 12000,
                                          .copy_least = 512,
                                          .chunk = 1024};
}

/* `rounds` batches, each twice the size range of all protocols. */
TEST_UNUSED static void repeat_rounds(unsigned rounds, const hd_group_options *options,
                                      void (*run)(repeat *))
{
    uint64_t state = rounds;
    repeat w;

    repeat_force();
    if (repeat_open(&w, options))
        for (unsigned i = 0; i < rounds && test_now.failures == 0; i++) {
            for (unsigned k = 0; k < BATCH; k++)
                w.batch[k] = any_operation(&state, w.count);
            fill_batch(&w, i);
            run(&w);
            check_batch(&w);
        }
    repeat_close(&w);
    hd__group_forced = (hd__group_tuning){0};
}

#endif
