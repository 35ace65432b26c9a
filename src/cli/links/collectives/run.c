/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - times and checks one collective: one host thread per rank, operations back to back, as in
   the vendors' test programs. */
#include "collectives.h"

#include <heddle/graph.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define COLLECTIVE_TEXT(name, text, parts, numerator) text,
const char *const collective_names[COLLECTIVE_COUNT_] = {COLLECTIVE_LIST(COLLECTIVE_TEXT)};

#undef COLLECTIVE_TEXT

size_t collective_parts(collective what, unsigned ranks)
{
#define COLLECTIVE_PARTS(name, text, parts, numerator) parts,
    static const unsigned char of_ranks[] = {COLLECTIVE_LIST(COLLECTIVE_PARTS)};
    return of_ranks[what] ? ranks : 1;
}

double collective_bus(collective what, unsigned ranks)
{
#define COLLECTIVE_NUMERATOR(name, text, parts, numerator) numerator,
    static const unsigned char numerators[] = {COLLECTIVE_LIST(COLLECTIVE_NUMERATOR)};
    return numerators[what] ? numerators[what] * (ranks - 1.0) / ranks : 1;
}

enum { ROUNDS = 7 };

typedef struct bench {
    const collective_case *c;
    size_t in_bytes, out_bytes;
    unsigned char *in[HD_GROUP_MAX_RANKS], *out[HD_GROUP_MAX_RANKS]; /* both the same if in place */
    pthread_barrier_t gate;
    hd_group_message messages[HD_GROUP_MAX_RANKS];
    double seconds[HD_GROUP_MAX_RANKS][ROUNDS];
    hd_status status[HD_GROUP_MAX_RANKS];
} bench;

typedef struct part {
    bench *b;
    unsigned rank;
} part;

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hd_status once(const bench *b, unsigned r)
{
    const collective_case *c = b->c;
    hd_group *g = c->group;

    switch (c->what) {
    case COLLECTIVE_ALL_REDUCE:
        return hd_group_all_reduce_rank(g, r, b->in[r], b->out[r], c->count, c->type, c->op, NULL);
    case COLLECTIVE_REDUCE:
        return hd_group_reduce_rank(g, r, b->in[r], b->out[r], c->count, c->type, c->op, 0, NULL);
    case COLLECTIVE_REDUCE_SCATTER:
        return hd_group_reduce_scatter_rank(g, r, b->in[r], b->out[r], c->count, c->type, c->op,
                                            NULL);
    case COLLECTIVE_ALL_GATHER:
        return hd_group_all_gather_rank(g, r, b->in[r], b->out[r], c->count, c->type, NULL);
    case COLLECTIVE_BROADCAST:
        return hd_group_broadcast_rank(g, r, b->out[r], c->count, c->type, 0, NULL);
    case COLLECTIVE_ALL_TO_ALL:
        return hd_group_all_to_all_rank(g, r, b->in[r], b->out[r], c->count, c->type, NULL);
    default:
        return hd_group_send_receive_rank(g, r, b->messages, hd_group_size(g), NULL);
    }
}

/* Captures operations of this rank as a graph. */
static hd_status record(const bench *b, unsigned r, hd_graph_exec **exec)
{
    hd_stream *stream = hd_group_stream(b->c->group, r);
    hd_graph *graph = NULL;
    hd_status status = hd_stream_capture_begin(stream), ended;

    if (status < 0)
        return status;
    for (size_t i = 0; i < b->c->in_graph && status >= 0; i++)
        status = once(b, r);
    ended = hd_stream_capture_end(stream, &graph);
    if (status >= 0)
        status = ended;
    if (status >= 0)
        status = hd_graph_instantiate(graph, exec);
    (void)hd_graph_destroy(graph);
    return status;
}

static hd_status several(const bench *b, unsigned r, hd_graph_exec *exec, size_t times)
{
    for (size_t i = 0; i < times; i++)
        HD_TRY(exec ? hd_graph_launch(exec, hd_group_stream(b->c->group, r)) : once(b, r));
    return hd_group_synchronize_rank(b->c->group, r);
}

/* A rank that fails informs the others, and still passes every barrier. */
static void *run_rank(void *argument)
{
    const part *p = argument;
    bench *b = p->b;
    const size_t each = b->c->in_graph ? b->c->in_graph : 1;
    const size_t times = (b->c->runs + each - 1) / each;
    hd_graph_exec *exec = NULL;
    hd_status status = hd_device_bind_thread(hd_group_device(b->c->group, p->rank));

    if (status >= 0 && b->c->in_graph) { /* the vendors' libraries connect in the first operation */
        status = several(b, p->rank, NULL, 1);
        if (status >= 0)
            status = record(b, p->rank, &exec);
    }
    for (int round = -1; round < ROUNDS; round++) {
        double begin;
        (void)pthread_barrier_wait(&b->gate);
        begin = seconds_now();
        if (status >= 0)
            status = several(b, p->rank, exec, round < 0 ? 1 : times);
        if (round >= 0)
            b->seconds[p->rank][round] = (seconds_now() - begin) / (double)(times * each);
        if (status < 0)
            (void)hd_group_abort(b->c->group);
    }
    (void)hd_graph_exec_destroy(exec);
    b->status[p->rank] = status;
    return NULL;
}

static hd_status run_all(bench *b)
{
    const unsigned ranks = hd_group_size(b->c->group);
    pthread_t thread[HD_GROUP_MAX_RANKS];
    part parts[HD_GROUP_MAX_RANKS];
    unsigned started = 0;

    if (pthread_barrier_init(&b->gate, NULL, ranks) != 0)
        return cli_no_memory("threads of %u ranks", ranks);
    for (unsigned r = 0; r < ranks; r++)
        parts[r] = (part){b, r};
    while (started < ranks &&
           pthread_create(&thread[started], NULL, run_rank, &parts[started]) == 0)
        started++;
    if (started < ranks) /* started threads wait at the barrier until the tool ends */
        return cli_no_memory("threads of %u ranks", ranks);
    for (unsigned r = 0; r < ranks; r++)
        (void)pthread_join(thread[r], NULL);
    (void)pthread_barrier_destroy(&b->gate);
    for (unsigned r = 0; r < ranks; r++)
        if (b->status[r] < 0) /* once more, to set the detail in this thread */
            return hd_group_synchronize(b->c->group);
    return HD_OK;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const bench *b)
{
    double slowest[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        slowest[round] = 0;
        for (unsigned r = 0; r < hd_group_size(b->c->group); r++)
            if (b->seconds[r][round] > slowest[round])
                slowest[round] = b->seconds[r][round];
    }
    qsort(slowest, ROUNDS, sizeof *slowest, by_size);
    return slowest[ROUNDS / 2];
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Offsets of this rank's parts in the array that is used in place. */
static void place(bench *b, unsigned r)
{
    const collective_case *c = b->c;
    const size_t part_bytes = c->count * hd_type_bytes(c->type);

    if (c->what == COLLECTIVE_REDUCE_SCATTER)
        b->out[r] = b->in[r] + r * part_bytes;
    else if (c->what == COLLECTIVE_ALL_GATHER)
        b->in[r] = b->out[r] + r * part_bytes;
    else
        b->out[r] = b->in[r];
}

static hd_status upload(bench *b, unsigned r, void *host)
{
    const size_t n = b->in_bytes / hd_type_bytes(b->c->type);
    void *to = b->c->what == COLLECTIVE_BROADCAST ? b->out[r] : b->in[r];

    collective_fill(b->c, r, host, n);
    return hd_copy_blocking_bytes(to, host, 1, b->in_bytes, hd_group_stream(b->c->group, r));
}

static hd_status look(bench *b, void *host, collective_result *result)
{
    const unsigned ranks = hd_group_size(b->c->group);
    const size_t bytes = b->out_bytes;

    if (!b->c->in_graph || b->c->in_place) { /* otherwise the last graph's results are checked */
        for (unsigned r = 0; r < ranks; r++)
            HD_TRY(upload(b, r, host));
        for (unsigned r = 0; r < ranks; r++)
            HD_TRY(once(b, r));
        HD_TRY(hd_group_synchronize(b->c->group));
    }
    for (unsigned r = 0; r < ranks; r++) {
        if (b->c->what == COLLECTIVE_REDUCE && r > 0)
            break;
        HD_TRY(hd_copy_blocking_bytes(host, b->out[r], 1, bytes, hd_group_stream(b->c->group, r)));
        result->wrong += collective_wrong(b->c, r, host);
    }
    result->checked = 1;
    return HD_OK;
}

static hd_status measure(bench *b, void *host, collective_result *result)
{
    const unsigned ranks = hd_group_size(b->c->group);

    for (unsigned r = 0; r < ranks; r++) {
        const unsigned next = (r + 1) % ranks;
        b->messages[r] = (hd_group_message){r, next, b->in[r], b->out[next], b->in_bytes};
        HD_TRY(upload(b, r, host));
    }
    HD_TRY(run_all(b));
    result->seconds = median(b);
    return b->c->check ? look(b, host, result) : HD_OK;
}

hd_status collective_run(const collective_case *c, collective_result *result)
{
    const unsigned ranks = hd_group_size(c->group);
    const size_t part_bytes = c->count * hd_type_bytes(c->type);
    const size_t whole = part_bytes * collective_parts(c->what, ranks);
    const int in_whole = c->what == COLLECTIVE_REDUCE_SCATTER || c->what == COLLECTIVE_ALL_TO_ALL;
    const int out_whole = c->what == COLLECTIVE_ALL_GATHER || c->what == COLLECTIVE_ALL_TO_ALL;
    unsigned char *memory[2][HD_GROUP_MAX_RANKS] = {{NULL}};
    void *host = malloc(whole + 1);
    bench *b = calloc(1, sizeof *b);
    hd_status status = host && b ? HD_OK : cli_no_memory("%zu bytes on the host", whole + 1);

    *result = (collective_result){0};
    for (unsigned r = 0; r < ranks && status >= 0; r++) {
        const int device = hd_group_device(c->group, r);
        status = hd_alloc(&memory[0][r], whole, device);
        if (status >= 0 && !c->in_place)
            status = hd_alloc(&memory[1][r], whole, device);
        b->in[r] = memory[0][r];
        b->out[r] = c->in_place ? memory[0][r] : memory[1][r];
        b->c = c;
        if (c->in_place && status >= 0)
            place(b, r);
    }
    if (status >= 0) {
        b->in_bytes = in_whole ? whole : part_bytes;
        b->out_bytes = out_whole ? whole : part_bytes;
        status = measure(b, host, result);
    }
    for (unsigned r = 0; r < ranks; r++) {
        (void)hd_free(memory[0][r]);
        (void)hd_free(memory[1][r]);
    }
    free(host);
    free(b);
    return status;
}
