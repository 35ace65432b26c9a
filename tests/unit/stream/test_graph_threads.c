/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_threads.c - eight host threads that make, capture, launch, change and destroy graphs
   on streams of their own at once, 10^5 operations: none is lost, and no memory.
   labels: lazy threads */
#include <heddle/graph.h>
#include <pthread.h>

#include "conformance/rig.h"
#include "partial.h"
#include "unit_kernels.h"

enum { THREADS = 8, NODES = 24, N = 64 };

typedef struct job {
    int *sum; /* counts every node that ran */
    int calls, rounds, launches, wrong;
    int partial; /* captures are left out */
} job;

static void count_call(void *argument)
{
    ++*(int *)argument;
}

static hd_status count_task(void *argument)
{
    ++*(int *)argument;
    return HD_OK;
}

/* Nodes in threes: one, and two that come after it. The last one calls the host. */
static hd_graph *explicit_graph(job *j, hd_graph_node **first)
{
    hd_launch_config config = hd_launch_1d(N, 64, NULL);
    hd_graph *graph = NULL;
    hd_graph_node *node = NULL, *half = NULL;

    MUST(hd_graph_create(0, &graph));
    for (int i = 0; i < NODES - 1; i += 3) {
        MUST(hd_graph_kernel(graph, &node, node != NULL, &node, unit_add, config, (size_t)N,
                             (const int *)j->sum, j->sum, 1));
        if (i == 0)
            *first = node;
        MUST(hd_graph_kernel(graph, &node, 1, &half, unit_add, config, (size_t)(N / 2),
                             (const int *)j->sum, j->sum, 1));
        if (i + 2 < NODES - 1)
            MUST(hd_graph_kernel(graph, &half, 1, &node, unit_add, config, (size_t)(N / 2),
                                 (const int *)j->sum, j->sum, 1));
        else
            MUST(hd_graph_host_try(graph, &half, 1, NULL, count_task, &j->calls));
    }
    return graph;
}

/* The same by capture, with a fork in each three. */
static hd_graph *captured_graph(job *j, hd_stream *a, hd_stream *b, hd_event *event)
{
    hd_graph *graph = NULL;

    MUST(hd_stream_capture_begin(a));
    for (int i = 0; i < NODES - 1; i += 3) {
        MUST(
            hd_launch(unit_add, hd_launch_1d(N, 64, a), (size_t)N, (const int *)j->sum, j->sum, 1));
        MUST(hd_event_record(event, a));
        MUST(hd_stream_wait(b, event));
        MUST(hd_launch(unit_add, hd_launch_1d(N, 64, b), (size_t)(N / 2), (const int *)j->sum,
                       j->sum, 1));
        MUST(hd_event_record(event, b));
        MUST(hd_stream_wait(a, event));
        if (i + 2 < NODES - 1)
            MUST(hd_launch(unit_add, hd_launch_1d(N, 64, a), (size_t)(N / 2), (const int *)j->sum,
                           j->sum, 1));
        else
            MUST(hd_stream_host_function(a, count_call, &j->calls));
    }
    MUST(hd_stream_capture_end(a, &graph));
    return graph;
}

static void round_of(job *j, int round, hd_stream *a, hd_stream *b, hd_event *event)
{
    hd_graph_node *first = NULL;
    hd_graph *graph = round % 2 || j->partial ? explicit_graph(j, &first)
                                              : captured_graph(j, a, b, event);
    hd_graph_exec *exec = NULL;

    MUST(hd_graph_instantiate(graph, &exec));
    for (int i = 0; i < j->launches; i++) {
        if (first && i % 5 == 4)
            MUST(hd_graph_exec_set_kernel(exec, first, unit_add, hd_launch_1d(N, 32, NULL),
                                          (size_t)N, (const int *)j->sum, j->sum, 1));
        MUST(hd_graph_launch(exec, a));
    }
    MUST(hd_graph_destroy(graph));
    MUST(hd_graph_exec_destroy(exec));
}

static void *work(void *argument)
{
    job *j = argument;
    hd_stream *a = NULL, *b = NULL;
    hd_event *event = NULL;
    int back = 0;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &a));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &b));
    MUST(hd_event_create(0, 0, &event));
    for (int round = 0; round < j->rounds; round++)
        round_of(j, round, a, b, event);
    MUST(hd_stream_synchronize(a));
    MUST(hd_copy_blocking(&back, (const int *)j->sum, 1, a));
    j->wrong += back != j->rounds * j->launches * (NODES - 1);
    j->wrong += j->calls != j->rounds * j->launches;
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
    return NULL;
}

TEST(graphs_of_many_threads)
{
    pthread_t threads[THREADS];
    job jobs[THREADS];
    size_t before = 0, after = 0;
    int partial = captures_partially();

    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){rig_zeroed(N * sizeof(int)), 0, 10, 52, 0, partial};
        if (rig_small())
            jobs[i].rounds = jobs[i].launches = 4;
    }
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_device_memory(0, &before, NULL));
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
        CHECK_EQ_I64(jobs[i].wrong, 0);
    }
    MUST(hd_device_memory(0, &after, NULL));
    if (rig_on_cpu()) /* others may take a GPU's meanwhile */
        CHECK_EQ_U64(after, before);
    for (int i = 0; i < THREADS; i++)
        rig_drop(jobs[i].sum);
}

TEST_MAIN
