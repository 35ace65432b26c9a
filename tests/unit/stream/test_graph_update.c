/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_update.c - graphs that are changed, destroyed while they run, refused, or fail.
   labels: lazy */
#include <heddle/graph.h>
#include <stdlib.h>

#include "park.h"

enum { N = 1000 };

static hd_launch_config wide(void)
{
    return hd_launch_1d(N, 128, NULL);
}

static void expect_first(const int *x, int expected)
{
    int back = 0;

    MUST(hd_copy_blocking(&back, x, 1, rig_stream));
    CHECK_EQ_I64(back, expected);
}

/* x = value, then x += 10 */
static hd_graph *set_and_add(int *x, int value, hd_graph_node **set)
{
    hd_graph *graph = NULL;

    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_kernel(graph, NULL, 0, set, unit_set, wide(), (size_t)N, x, value));
    MUST(hd_graph_kernel(graph, set, 1, NULL, unit_add, wide(), (size_t)N, (const int *)x, x, 10));
    return graph;
}

TEST(kernel_nodes_get_other_arguments)
{
    hd_graph *graph;
    hd_graph_node *set = NULL;
    hd_graph_exec *exec = NULL;
    int *x, *y;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    y = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    graph = set_and_add(x, 1, &set);
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 11);
    MUST(hd_graph_exec_set_kernel(exec, set, unit_set, hd_launch_1d(N, 64, NULL), (size_t)N, x, 2));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 12);
    MUST(hd_graph_launch(exec, rig_stream)); /* not affected by what follows */
    MUST(hd_graph_exec_set_kernel(exec, set, unit_set, wide(), (size_t)N, y, 3));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 22);
    expect_first(y, 3);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_instantiate(graph, &exec)); /* the graph is as it was */
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 11);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
    rig_drop(y);
}

TEST(whole_graphs_are_replaced)
{
    hd_graph *graph, *other, *longer;
    hd_graph_node *set = NULL, *last = NULL;
    hd_graph_exec *exec = NULL;
    int *x, *y;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    y = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    graph = set_and_add(x, 1, &set);
    other = set_and_add(y, 5, &last);
    longer = set_and_add(y, 6, &last);
    MUST(
        hd_graph_kernel(longer, &last, 1, NULL, unit_add, wide(), (size_t)N, (const int *)y, y, 1));
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_graph_exec_update(exec, other));
    MUST(hd_graph_destroy(other));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 11);
    expect_first(y, 15);
    CHECK_STATUS(hd_graph_exec_update(exec, longer), HD_ERR_STATE);
    MUST(hd_graph_launch(exec, rig_stream)); /* as before */
    expect_first(y, 15);
    MUST(hd_graph_exec_set_kernel(exec, set, unit_set, wide(), (size_t)N, y, 30));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(y, 40);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_graph_destroy(longer));
    rig_drop(x);
    rig_drop(y);
}

static hd_status count_calls(void *argument)
{
    ++*(int *)argument;
    return HD_OK;
}

/* What was launched runs to its end, tasks too. */
TEST(destroyed_while_it_runs)
{
    hd_graph *graph;
    hd_graph_node *set = NULL;
    hd_graph_exec *exec = NULL;
    int *x, calls = 0, turn;
    park parked;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("a sanitizer may wait for one kernel before it launches the next");
    rig_open();
    x = rig_zeroed(N * sizeof(int));
    for (turn = 0; turn < 3; turn++) {
        graph = set_and_add(x, turn, &set);
        MUST(hd_graph_host_try(graph, &set, 1, NULL, count_calls, &calls));
        MUST(hd_graph_instantiate(graph, &exec));
        MUST(hd_stream_synchronize(rig_stream));
        park_begin(&parked, rig_stream);
        MUST(hd_graph_launch(exec, rig_stream));
        CHECK_EQ_I64(calls, turn);
        park_go_soon(&parked); /* a vendor may wait before it destroys */
        MUST(hd_graph_exec_destroy(exec));
        MUST(hd_graph_destroy(graph));
        expect_first(x, turn + 10);
        park_join(&parked);
        CHECK_EQ_I64(calls, turn + 1);
        MUST(hd_free(parked.flag));
    }
    MUST(hd_graph_destroy(NULL));
    MUST(hd_graph_exec_destroy(NULL));
    rig_drop(x);
}

/* The failure of a node is that of a launch; other nodes and later launches run. */
TEST(nodes_that_fail)
{
    hd_graph *graph = NULL;
    hd_graph_node *set = NULL, *insist = NULL;
    hd_graph_exec *exec = NULL;
    int *x, turn;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_kernel(graph, NULL, 0, &set, unit_set, wide(), (size_t)N, x, 1));
    MUST(hd_graph_kernel(graph, &set, 1, &insist, unit_insist,
                         hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, NULL),
                         (const int *)(x + N - 1), 7));
    MUST(hd_graph_kernel(graph, &insist, 1, NULL, unit_add, wide(), (size_t)N, (const int *)x, x,
                         100));
    MUST(hd_graph_instantiate(graph, &exec));
    for (turn = 0; turn < 3; turn++) {
        hd_status expected = turn < 2 ? HD_ERR_ASSERT : HD_OK;

        if (turn == 2)
            MUST(hd_graph_exec_set_kernel(exec, set, unit_set, wide(), (size_t)N, x, 7));
        MUST(hd_graph_launch(exec, rig_stream));
        CHECK_STATUS(hd_stream_synchronize(rig_stream), expected);
        if (expected < 0)
            CHECK(strstr(hd_error_last()->message, "unit_insist") != NULL);
        CHECK_STATUS(hd_device_state(0), HD_OK);
        expect_first(x, turn < 2 ? 101 : 107);
    }
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
}

/* All blocks at once, in a node and in a captured launch. */
TEST(cooperative_nodes)
{
    enum { BLOCKS = 4 };
    hd_launch_config config = hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(64, 1, 1), 0, NULL);
    hd_graph *graph[2] = {NULL, NULL};
    hd_graph_exec *exec = NULL;
    hd_stream *stream = NULL;
    unsigned *words, back[BLOCKS] = {0};
    hd_status status;
    size_t nodes = 0;
    int64_t cooperative = 0;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_COOPERATIVE_LAUNCH, &cooperative));
    if (!cooperative)
        SKIP("no cooperative launch");
    words = rig_zeroed((3 + BLOCKS) * sizeof(unsigned));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create(0, &stream));
    config.flags = HD_LAUNCH_COOPERATIVE;
    MUST(hd_graph_create(0, &graph[0]));
    status = hd_graph_kernel(graph[0], NULL, 0, NULL, unit_meet, config, words, words + 2,
                             words + 3);
    if (status == HD_ERR_UNSUPPORTED) {
        MUST(hd_graph_node_count(graph[0], &nodes));
        CHECK_EQ_U64(nodes, 0);
        MUST(hd_graph_destroy(graph[0]));
        MUST(hd_stream_destroy(stream));
        rig_drop(words);
        SKIP("this version of the backend's runtime has no cooperative nodes");
    }
    MUST(status);
    config.stream = stream;
    MUST(hd_stream_capture_begin(stream));
    MUST(hd_launch(unit_meet, config, words, words + 2, words + 3));
    MUST(hd_stream_capture_end(stream, &graph[1]));
    for (unsigned turn = 1; turn <= 4; turn++) {
        MUST(hd_graph_instantiate(graph[turn % 2], &exec));
        MUST(hd_graph_launch(exec, rig_stream));
        MUST(hd_graph_exec_destroy(exec));
        rig_download(back, words + 3, sizeof back);
        for (unsigned i = 0; i < BLOCKS; i++)
            CHECK_EQ_U64(back[i], turn * BLOCKS);
    }
    MUST(hd_graph_destroy(graph[0]));
    MUST(hd_graph_destroy(graph[1]));
    MUST(hd_stream_destroy(stream));
    rig_drop(words);
}

/* The CPU engine knows what memory is there; a GPU would only fault. */
TEST(memory_that_is_gone)
{
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;
    int *x, *y;

    rig_open();
    if (!rig_on_cpu())
        SKIP("only the CPU engine knows");
    x = rig_zeroed(N * sizeof(int));
    y = rig_zeroed(N * sizeof(int));
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_copy(graph, NULL, 0, NULL, y, (const int *)x, N));
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    rig_drop(y);
    CHECK_STATUS(hd_graph_launch(exec, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_graph_copy(graph, NULL, 0, NULL, y, (const int *)x, N), HD_ERR_POINTER);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
}

TEST(empty_graphs)
{
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;
    size_t count = 9;

    rig_open();
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_node_count(graph, &count));
    CHECK_EQ_U64(count, 0);
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
}

TEST(cycles_are_refused)
{
    hd_graph *graph;
    hd_graph_node *set = NULL, *more[3] = {NULL, NULL, NULL};
    hd_graph_exec *exec = NULL;
    int *x, i;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    graph = set_and_add(x, 1, &set);
    for (i = 0; i < 3; i++)
        MUST(hd_graph_join(graph, i ? &more[i - 1] : &set, 1, &more[i]));
    MUST(hd_graph_depend(more[0], more[2]));
    CHECK_STATUS(hd_graph_instantiate(graph, &exec), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "cycle: node ") != NULL);
    CHECK(exec == NULL);
    CHECK_STATUS(hd_graph_depend(set, set), HD_ERR_ARGUMENT);
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
}

TEST(bad_nodes)
{
    hd_graph *graph, *other = NULL;
    hd_graph_node *set = NULL, *strange = NULL, *none = NULL, *after[2];
    hd_event *event = NULL;
    int *x, plain[4] = {0};

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    graph = set_and_add(x, 1, &set);
    MUST(hd_graph_create(0, &other));
    MUST(hd_graph_join(other, NULL, 0, &strange));
    CHECK_STATUS(hd_graph_create(-1, &graph), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_graph_create(0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_join(NULL, NULL, 0, &none), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_join(graph, NULL, 1, &none), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_join(graph, &none, 1, &none), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_join(graph, &strange, 1, &none), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_depend(set, strange), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_depend(NULL, strange), HD_ERR_ARGUMENT);
    after[0] = after[1] = set;
    CHECK_STATUS(hd_graph_join(graph, after, 2, &none), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_kernel(graph, NULL, 0, &none, unit_nothing,
                                 hd_launch_with(hd_dim(0, 1, 1), hd_dim(1, 1, 1), 0, NULL)),
                 HD_ERR_LAUNCH_CONFIG);
    CHECK_STATUS(hd_graph_kernel(graph, NULL, 0, &none, unit_nothing,
                                 hd_launch_with(hd_dim(1, 1, 1), hd_dim(100000, 1, 1), 0, NULL)),
                 HD_ERR_LAUNCH_CONFIG);
    CHECK_STATUS(hd_graph_kernel(NULL, NULL, 0, &none, unit_nothing, wide()), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_copy(graph, NULL, 0, &none, x, (const int *)plain, 4), HD_ERR_POINTER);
    CHECK_STATUS(hd_graph_copy(graph, NULL, 0, &none, plain, (const int *)x, 4), HD_ERR_POINTER);
    CHECK_STATUS(hd_graph_copy(graph, NULL, 0, &none, x, (const int *)NULL, 4), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_copy(graph, NULL, 0, &none, x, (const int *)x, SIZE_MAX),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_graph_fill_bytes(graph, NULL, 0, &none, x, 0, 3, 4), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_fill_bytes(graph, NULL, 0, &none, (char *)x + 1, 0, 4, 4),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_fill_bytes(graph, NULL, 0, &none, NULL, 0, 4, 4), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_host_function(graph, NULL, 0, &none, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_host_try(graph, NULL, 0, &none, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_record(graph, NULL, 0, &none, event), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_wait(graph, NULL, 0, &none, event), HD_ERR_ARGUMENT);
    CHECK(none == NULL);
    MUST(hd_graph_destroy(graph));
    MUST(hd_graph_destroy(other));
    rig_drop(x);
}

TEST(bad_launches_and_updates)
{
    hd_graph *graph, *other;
    hd_graph_node *set = NULL, *strange = NULL, *late = NULL;
    hd_graph_exec *exec = NULL;
    int *x;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    graph = set_and_add(x, 1, &set);
    other = set_and_add(x, 1, &strange);
    CHECK_STATUS(hd_graph_instantiate(NULL, &exec), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_instantiate(graph, NULL), HD_ERR_ARGUMENT);
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_kernel(graph, NULL, 0, &late, unit_set, wide(), (size_t)N, x, 1));
    CHECK_STATUS(hd_graph_launch(exec, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_launch(NULL, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(NULL, set, unit_set, wide(), (size_t)N, x, 2),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, NULL, unit_set, wide(), (size_t)N, x, 2),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, strange, unit_set, wide(), (size_t)N, x, 2),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, late, unit_set, wide(), (size_t)N, x, 2),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, set, unit_nothing, wide()), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, set, unit_set,
                                          hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 0, 1), 0, NULL),
                                          (size_t)N, x, 2),
                 HD_ERR_LAUNCH_CONFIG);
    CHECK_STATUS(hd_graph_exec_update(exec, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_update(NULL, graph), HD_ERR_ARGUMENT);
    MUST(hd_graph_launch(exec, rig_stream));
    expect_first(x, 11);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_graph_destroy(other));
    rig_drop(x);
}

TEST_MAIN
