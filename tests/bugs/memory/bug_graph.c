/* SPDX-License-Identifier: Apache-2.0 */
/* bug_graph.c - graphs with an edge too few: nothing else orders two nodes. */
#include <heddle/graph.h>

#include "kern_memory.h"
#include "zoo.h"

enum { N = 256 };

static uint32_t element(size_t i)
{
    return x(i);
}

static uint32_t seven(size_t i)
{
    (void)i;
    return 7;
}

static hd_launch_config one_block(hd_stream *stream)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(N, 1, 1), 0, stream);
}

static hd_graph *new_graph(void)
{
    hd_graph *graph = NULL;

    MUST(hd_graph_create(0, &graph));
    MUST(hd_stream_synchronize(zoo_stream));
    return graph;
}

/* Launches the graph twice, and takes it down. */
static void run(hd_graph *graph)
{
    hd_graph_exec *exec = NULL;

    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, zoo_stream));
    MUST(hd_graph_launch(exec, zoo_stream));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
}

/* A kernel reads what another one writes. */
void run_graph_edge(void)
{
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);
    hd_graph *graph = new_graph();
    hd_graph_node *set = NULL;

    MUST(hd_graph_kernel(graph, NULL, 0, &set, memory_set, one_block(NULL), data, 7u));
    MUST(hd_graph_kernel(graph, &set, zoo_bug ? 0 : 1, NULL, memory_copy, one_block(NULL),
                         (const uint32_t *)data, out));
    run(graph);
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
}

/* A kernel overwrites what a copy reads; the fill before both orders neither. */
void run_graph_copy(void)
{
    uint32_t *data = zoo_input(N), *out = zoo_raw(N);
    hd_graph *graph = new_graph();
    hd_graph_node *clear = NULL, *copy = NULL;

    MUST(hd_graph_fill_bytes(graph, NULL, 0, &clear, out, 0, 4, N));
    MUST(hd_graph_copy(graph, &clear, 1, &copy, out, (const uint32_t *)data, /* BUG graph_copy */
                       N));
    MUST(hd_graph_kernel(graph, zoo_bug ? &clear : &copy, 1, NULL, memory_set, one_block(NULL),
                         data, 7u));
    run(graph);
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
}

/* Two halves are made by two nodes; the one that reads both waits for one of them. */
void run_graph_join(void)
{
    uint32_t *data = zoo_zeroed(2 * N), *out = zoo_zeroed(N);
    hd_graph *graph = new_graph();
    hd_graph_node *half[2] = {NULL, NULL}, *join = NULL;

    MUST(hd_graph_kernel(graph, NULL, 0, &half[0], memory_set, one_block(NULL), data, 5u));
    MUST(hd_graph_kernel(graph, NULL, 0, &half[1], memory_set, one_block(NULL), data + N, 7u));
    MUST(hd_graph_join(graph, half, zoo_bug ? 1 : 2, &join));
    MUST(hd_graph_kernel(graph, &join, 1, NULL, memory_copy, one_block(NULL),
                         (const uint32_t *)(data + N), out));
    run(graph);
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
}

/* A captured stream forks before the kernel whose result the other one reads. */
void run_graph_fork(void)
{
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);
    hd_stream *second = NULL;
    hd_event *event = NULL;
    hd_graph *graph = NULL;

    MUST(hd_event_create(0, 0, &event));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_stream_capture_begin(zoo_stream));
    if (zoo_bug)
        MUST(hd_event_record(event, zoo_stream));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u));
    if (!zoo_bug)
        MUST(hd_event_record(event, zoo_stream));
    MUST(hd_stream_wait(second, event));
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_event_record(event, second));
    MUST(hd_stream_wait(zoo_stream, event));
    MUST(hd_stream_capture_end(zoo_stream, &graph));
    run(graph);
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(second));
}

/* The host reads what a node copies before it has waited for the graph. */
void run_graph_early(void)
{
    uint32_t *data = zoo_input(N), *pinned = NULL, last;
    hd_graph *graph = new_graph();
    hd_graph_exec *exec = NULL;

    MUST(hd_alloc_kind(&pinned, N, HD_MEM_PINNED, 0));
    MUST(hd_graph_copy(graph, NULL, 0, NULL, pinned, (const uint32_t *)data, /* BUG graph_early */
                       N));
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, zoo_stream));
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    last = pinned[N - 1]; /* BUG graph_early */
    MUST(hd_stream_synchronize(zoo_stream));
    zoo_expect_value("the last element", last, element(N - 1));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_free(pinned));
    zoo_drop(data);
}
