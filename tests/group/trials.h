/* SPDX-License-Identifier: Apache-2.0 */
/* trials.h - any collective once, from one host thread or from one for each rank, or out of graphs,
   and what all arrays hold afterwards, by its definition. */
#ifndef HEDDLE_TESTS_GROUP_TRIALS_H
#define HEDDLE_TESTS_GROUP_TRIALS_H

#include "ranks.h"

#include <heddle/graph.h>

#include <pthread.h>

typedef struct trial {
    hd__group_kind kind;
    int in_place;
    size_t n;
    hd_type type;
    hd_reduce_op op;
    unsigned root;
    test_values values;
} trial;

/* Both arrays hold R * n elements on every rank, whatever is used of them. */
typedef struct scene {
    hd_group *group;
    unsigned count;
    trial t;
    size_t bytes; /* of n elements */
    rank_arrays in, out;
    hd_group_message messages[RANKS * RANKS]; /* of HD__GROUP_SEND_RECEIVE */
    size_t message_count;
} scene;

static const char *const trial_names[] = {"all-reduce",   "reduce",    "reduce-scatter",
                                          "all-gather",   "broadcast", "all-to-all",
                                          "send-receive", "barrier"};

TEST_UNUSED static int trial_reduces(hd__group_kind kind)
{
    return kind == HD__GROUP_ALL_REDUCE || kind == HD__GROUP_REDUCE ||
           kind == HD__GROUP_REDUCE_SCATTER;
}

/* A broadcast always is; messages and barriers never are. */
TEST_UNUSED static int trial_may_be_in_place(hd__group_kind kind)
{
    return kind != HD__GROUP_BROADCAST && kind != HD__GROUP_SEND_RECEIVE &&
           kind != HD__GROUP_BARRIER;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Bytes of the message from one rank to another; most pairs have one. */
static size_t scene_message(const scene *s, unsigned from, unsigned to)
{
    return (from + 2 * to) % 4 == 3 ? 0 : s->bytes - (from * 5 + to * 3) % (s->bytes + 1);
}

static void scene_messages(scene *s)
{
    for (unsigned k = 0; k < s->count * s->count; k++) {
        const unsigned from = (k / s->count + 1) % s->count, to = k % s->count;
        const size_t bytes = scene_message(s, from, to);
        if (bytes || k % 2) /* messages of nothing too */
            s->messages[s->message_count++] = (hd_group_message){
                from, to, s->in.device[from] + to * s->bytes, s->out.device[to] + from * s->bytes,
                bytes};
    }
}

static void scene_open(scene *s, hd_group *group, trial t)
{
    const size_t shift = t.n % 3 * hd_type_bytes(t.type);

    memset(s, 0, sizeof *s);
    s->group = group;
    s->count = hd_group_size(group);
    s->t = t;
    s->bytes = t.n * hd_type_bytes(t.type);
    ranks_make(&s->in, group, s->bytes * s->count, shift);
    ranks_make(&s->out, group, s->bytes * s->count, shift);
    scene_messages(s);
}

static void scene_fill(scene *s, uint64_t seed)
{
    ranks_fill(&s->in, s->group, s->t.type, s->t.values, seed);
    ranks_fill(&s->out, s->group, s->t.type, s->t.values, seed + 77);
}

static void scene_close(scene *s)
{
    ranks_free(&s->in);
    ranks_free(&s->out);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static const void *scene_in(const scene *s, unsigned r)
{
    const int part = s->t.in_place && s->t.kind == HD__GROUP_ALL_GATHER;
    return s->in.device[r] + (part ? r * s->bytes : 0);
}

static void *scene_out(const scene *s, unsigned r)
{
    const int part = s->t.in_place && s->t.kind == HD__GROUP_REDUCE_SCATTER;
    return (s->t.in_place ? s->in : s->out).device[r] + (part ? r * s->bytes : 0);
}

TEST_UNUSED static hd_status scene_enqueue_rank(const scene *s, unsigned r)
{
    const trial *t = &s->t;
    const void *in = scene_in(s, r);
    void *out = scene_out(s, r);

    switch (t->kind) {
    case HD__GROUP_ALL_REDUCE:
        return hd_group_all_reduce_rank(s->group, r, in, out, t->n, t->type, t->op, NULL);
    case HD__GROUP_REDUCE:
        return hd_group_reduce_rank(s->group, r, in, out, t->n, t->type, t->op, t->root, NULL);
    case HD__GROUP_REDUCE_SCATTER:
        return hd_group_reduce_scatter_rank(s->group, r, in, out, t->n, t->type, t->op, NULL);
    case HD__GROUP_ALL_GATHER:
        return hd_group_all_gather_rank(s->group, r, in, out, t->n, t->type, NULL);
    case HD__GROUP_BROADCAST:
        return hd_group_broadcast_rank(s->group, r, out, t->n, t->type, t->root, NULL);
    case HD__GROUP_ALL_TO_ALL:
        return hd_group_all_to_all_rank(s->group, r, in, out, t->n, t->type, NULL);
    case HD__GROUP_SEND_RECEIVE:
        return hd_group_send_receive_rank(s->group, r, s->messages, s->message_count, NULL);
    default:
        return hd_group_barrier_rank(s->group, r, NULL);
    }
}

TEST_UNUSED static hd_status scene_enqueue(const scene *s)
{
    const trial *t = &s->t;
    const void *in[RANKS];
    void *out[RANKS];

    for (unsigned r = 0; r < s->count; r++) {
        in[r] = scene_in(s, r);
        out[r] = scene_out(s, r);
    }
    switch (t->kind) {
    case HD__GROUP_ALL_REDUCE:
        return hd_group_all_reduce(s->group, in, out, t->n, t->type, t->op, NULL);
    case HD__GROUP_REDUCE:
        return hd_group_reduce(s->group, in, out[t->root], t->n, t->type, t->op, t->root, NULL);
    case HD__GROUP_REDUCE_SCATTER:
        return hd_group_reduce_scatter(s->group, in, out, t->n, t->type, t->op, NULL);
    case HD__GROUP_ALL_GATHER:
        return hd_group_all_gather(s->group, in, out, t->n, t->type, NULL);
    case HD__GROUP_BROADCAST:
        return hd_group_broadcast(s->group, out, t->n, t->type, t->root, NULL);
    case HD__GROUP_ALL_TO_ALL:
        return hd_group_all_to_all(s->group, in, out, t->n, t->type, NULL);
    case HD__GROUP_SEND_RECEIVE:
        return hd_group_send_receive(s->group, s->messages, s->message_count, NULL);
    default:
        return hd_group_barrier(s->group, NULL);
    }
}

/* ---- the definition -------------------------------------------------------------------------- */

/* What the operation writes on rank r, over what the array held. */
static void scene_expect(const scene *s, unsigned r, unsigned char *to)
{
    const trial *t = &s->t;
    const size_t bytes = s->bytes;
    const rank_arrays *in = &s->in;

    switch (t->kind) {
    case HD__GROUP_REDUCE:
        if (r != t->root)
            break;
        /* fall through */
    case HD__GROUP_ALL_REDUCE:
        ranks_fold(in, 0, t->n, t->type, t->op, to);
        break;
    case HD__GROUP_REDUCE_SCATTER:
        ranks_fold(in, r * t->n, t->n, t->type, t->op, to + (t->in_place ? r * bytes : 0));
        break;
    case HD__GROUP_BROADCAST:
        memcpy(to, s->out.host[t->root], bytes);
        break;
    case HD__GROUP_BARRIER:
        break;
    default:
        for (unsigned p = 0; p < s->count; p++)
            memcpy(to + p * bytes,
                   in->host[p] + (t->kind != HD__GROUP_ALL_GATHER ? r * bytes
                                  : t->in_place                   ? p * bytes
                                                                  : 0),
                   t->kind == HD__GROUP_SEND_RECEIVE ? scene_message(s, p, r) : bytes);
    }
}

static void scene_check(scene *s, const char *how)
{
    const size_t whole = s->bytes * s->count;
    rank_arrays *to = s->t.in_place ? &s->in : &s->out;
    unsigned char *expected = malloc(whole + 1);
    char what[128];

    REQUIRE(expected != NULL);
    snprintf(what, sizeof what, "%s%s, %zu %s %s, %s", trial_names[s->t.kind],
             s->t.in_place ? " in place" : "", s->t.n, hd_type_name(s->t.type),
             hd_reduce_op_name(s->t.op), how);
    for (unsigned r = 0; r < s->count; r++) {
        memcpy(expected, to->host[r], whole);
        scene_expect(s, r, expected);
        ranks_check(to, s->group, r, expected, what);
        if (!s->t.in_place)
            ranks_check(&s->in, s->group, r, s->in.host[r], what);
    }
    free(expected);
}

/* ---- a trial --------------------------------------------------------------------------------- */

static void scene_run(scene *s, uint64_t seed, const char *how)
{
    scene_fill(s, seed);
    CHECK_STATUS(scene_enqueue(s), HD_OK);
    CHECK_STATUS(hd_group_synchronize(s->group), HD_OK);
    scene_check(s, how);
}

typedef struct scene_part {
    const scene *s;
    unsigned rank;
} scene_part;

static void *scene_thread(void *argument)
{
    const scene_part *p = argument;

    CHECK_STATUS(scene_enqueue_rank(p->s, p->rank), HD_OK);
    CHECK_STATUS(hd_group_synchronize_rank(p->s->group, p->rank), HD_OK);
    return NULL;
}

TEST_UNUSED static void scene_run_threads(scene *s, uint64_t seed, const char *how)
{
    pthread_t thread[RANKS];
    scene_part parts[RANKS];

    scene_fill(s, seed);
    for (unsigned r = 0; r < s->count; r++) {
        parts[r] = (scene_part){s, r};
        REQUIRE(pthread_create(&thread[r], NULL, scene_thread, &parts[r]) == 0);
    }
    for (unsigned r = 0; r < s->count; r++)
        (void)pthread_join(thread[r], NULL);
    scene_check(s, how);
}

/* Captured rank by rank, and replayed so many times, each with other data. */
static void scene_replay(scene *s, unsigned times, uint64_t seed, const char *how)
{
    hd_graph_exec *exec[RANKS] = {NULL};

    for (unsigned r = 0; r < s->count; r++) {
        hd_stream *stream = hd_group_stream(s->group, r);
        hd_graph *graph = NULL;
        REQUIRE(hd_stream_capture_begin(stream) == HD_OK);
        CHECK_STATUS(scene_enqueue_rank(s, r), HD_OK);
        REQUIRE(hd_stream_capture_end(stream, &graph) == HD_OK);
        CHECK_STATUS(hd_graph_instantiate(graph, &exec[r]), HD_OK);
        CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    }
    for (unsigned i = 0; i < times; i++) {
        scene_fill(s, seed + 1 + i);
        for (unsigned r = 0; r < s->count; r++)
            CHECK_STATUS(hd_graph_launch(exec[r], hd_group_stream(s->group, r)), HD_OK);
        CHECK_STATUS(hd_group_synchronize(s->group), HD_OK);
        scene_check(s, how);
    }
    for (unsigned r = 0; r < s->count; r++)
        CHECK_STATUS(hd_graph_exec_destroy(exec[r]), HD_OK);
}

/* Called once, which also connects what connects late, then out of a graph. */
TEST_UNUSED static void trial_in_all_ways(hd_group *group, trial t, unsigned replays, uint64_t seed,
                                          const char *how)
{
    scene s;

    scene_open(&s, group, t);
    scene_run(&s, seed, how);
    if (replays)
        scene_replay(&s, replays, seed, how);
    scene_close(&s);
}

#endif
