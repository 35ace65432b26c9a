/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph.c - graphs of explicit nodes: the order of edges, every kind of node, launches one
   after another, updates, what is refused. labels: lazy sanitizer */
#include <heddle/graph.h>
#include <stdlib.h>
#include <unistd.h>

#include "park.h"

enum { N = 1000, NODES = 60, GARBAGE = 0xdeadbeef & 0x7fffffff };

static hd_launch_config one(hd_stream *stream)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, stream);
}

static hd_launch_config wide(void)
{
    return hd_launch_1d(N, 128, NULL);
}

static hd_graph *new_graph(void)
{
    hd_graph *graph = NULL;

    rig_open();
    MUST(hd_graph_create(0, &graph));
    return graph;
}

static hd_graph_exec *instantiated(hd_graph *graph)
{
    hd_graph_exec *exec = NULL;

    MUST(hd_graph_instantiate(graph, &exec));
    return exec;
}

/* Every element of x is `expected`. */
static void expect_all(const char *what, const int *x, int expected)
{
    int back[N], i, wrong = 0;

    MUST(hd_copy_blocking(back, x, N, rig_stream));
    for (i = 0; i < N; i++)
        wrong += back[i] != expected;
    if (wrong)
        test_fail(__FILE__, __LINE__, "%s: %d of %d are not %d; the first is %d", what, wrong, N,
                  expected, back[0]);
}

TEST(a_chain_of_kernels_again_and_again)
{
    hd_graph *graph = new_graph();
    hd_graph_node *last = NULL;
    hd_graph_exec *exec;
    size_t count = 0;
    int *x = rig_zeroed(N * sizeof(int)), i;

    for (i = 0; i < 40; i++)
        MUST(hd_graph_kernel(graph, &last, i != 0, &last, unit_add, wide(), (size_t)N,
                             (const int *)x, x, i));
    MUST(hd_graph_node_count(graph, &count));
    CHECK_EQ_U64(count, 40);
    exec = instantiated(graph);
    MUST(hd_graph_destroy(graph)); /* what was made of it stays */
    MUST(hd_graph_launch(exec, rig_stream));
    expect_all("one launch", x, 780);
    for (i = 0; i < 5; i++)
        MUST(hd_graph_launch(exec, rig_stream));
    expect_all("six launches", x, 6 * 780);
    MUST(hd_graph_exec_destroy(exec));
    rig_drop(x);
}

/* ---- random graphs --------------------------------------------------------------------------- */

typedef struct dag {
    unsigned count[NODES], list[NODES][NODES];
    unsigned *lists; /* the same on the device */
    unsigned *cells;
    hd_graph_node *node[NODES];
} dag;

/* Node i comes after some of those before it; a fill comes before all. */
static void dag_make(dag *d, hd_graph *graph, uint64_t seed, unsigned salt)
{
    hd_graph_node *clear = NULL;

    MUST(hd_graph_fill_bytes(graph, NULL, 0, &clear, d->cells, GARBAGE, 4, NODES));
    for (unsigned i = 0; i < NODES; i++) {
        hd_graph_node *after[NODES];

        d->count[i] = 0;
        for (unsigned k = i > 12 ? i - 12 : 0; k < i; k++)
            if (rig_random(&seed) % 4 == 0)
                d->list[i][d->count[i]++] = k;
        for (unsigned k = 0; k < d->count[i]; k++)
            after[k] = d->node[d->list[i][k]];
        if (d->count[i] == 0)
            after[0] = clear;
        MUST(hd_graph_kernel(graph, after, d->count[i] ? d->count[i] : 1, &d->node[i], unit_mix,
                             one(NULL), d->cells, (const unsigned *)(d->lists + i * NODES),
                             d->count[i], i, i + salt));
    }
    MUST(hd_copy_blocking(d->lists, (const unsigned *)d->list, NODES * NODES, rig_stream));
}

static void dag_expect(const dag *d, unsigned salt)
{
    unsigned cells[NODES], back[NODES], wrong = 0;

    for (unsigned i = 0; i < NODES; i++) {
        cells[i] = (i + salt) * 2654435761u;
        for (unsigned k = 0; k < d->count[i]; k++)
            cells[i] = (cells[i] ^ cells[d->list[i][k]]) * 16777619u + 1u;
    }
    rig_download(back, d->cells, sizeof back);
    for (unsigned i = 0; i < NODES; i++)
        wrong += back[i] != cells[i];
    CHECK_EQ_U64(wrong, 0);
}

static void dag_open(dag *d)
{
    rig_open();
    d->lists = rig_zeroed(sizeof d->list);
    d->cells = rig_zeroed(NODES * sizeof(unsigned));
    MUST(hd_stream_synchronize(rig_stream));
}

TEST(random_graphs_keep_their_edges)
{
    static dag d;
    unsigned seeds = (unsigned)rig_size(12, 2);

    dag_open(&d);
    for (unsigned seed = 0; seed < seeds; seed++) {
        hd_graph *graph = new_graph();
        hd_graph_exec *exec;

        dag_make(&d, graph, seed, seed);
        exec = instantiated(graph);
        for (int turn = 0; turn < 3; turn++) {
            MUST(hd_graph_launch(exec, rig_stream));
            dag_expect(&d, seed);
        }
        MUST(hd_graph_exec_destroy(exec));
        MUST(hd_graph_destroy(graph));
    }
    rig_drop(d.lists);
    rig_drop(d.cells);
}

/* The same exec on two streams: one launch waits for the other; what comes behind waits for all. */
TEST(launches_of_one_exec_do_not_overlap)
{
    hd_graph *graph = new_graph();
    hd_graph_node *first = NULL, *both[2] = {NULL, NULL};
    hd_graph_exec *exec;
    hd_stream *second = NULL;
    int *x = rig_zeroed(N * sizeof(int)), *y = rig_zeroed(N * sizeof(int)), i;

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(
        hd_graph_kernel(graph, NULL, 0, &first, unit_add, wide(), (size_t)N, (const int *)x, x, 1));
    for (i = 0; i < 2; i++)
        MUST(hd_graph_kernel(graph, &first, 1, &both[i], unit_add, wide(), (size_t)(N / 2),
                             (const int *)(x + i * (N / 2)), y + i * (N / 2), 10));
    MUST(hd_graph_kernel(graph, both, 2, NULL, unit_add, wide(), (size_t)N, (const int *)y, x, -9));
    exec = instantiated(graph);
    for (i = 0; i < 30; i++)
        MUST(hd_graph_launch(exec, i % 3 ? rig_stream : second));
    MUST(hd_stream_synchronize(second));
    expect_all("thirty launches", x, 60);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
    rig_drop(y);
}

/* A launch that has not begun, behind a kernel that waits, is waited for like one that runs. */
TEST(a_launch_waits_for_one_that_has_not_begun)
{
    hd_graph *graph = new_graph();
    hd_graph_exec *exec;
    hd_stream *second = NULL;
    park parked;
    int *x = rig_zeroed(N * sizeof(int));

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_graph_kernel(graph, NULL, 0, NULL, unit_add, wide(), (size_t)N, (const int *)x, x, 1));
    exec = instantiated(graph);
    MUST(hd_graph_launch(exec, second));
    MUST(hd_stream_synchronize(second));
    park_begin(&parked, rig_stream);
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_graph_launch(exec, second));
    usleep(50000);
    CHECK_STATUS(hd_stream_query(second), HD_NOT_READY);
    park_go(&parked);
    MUST(hd_stream_synchronize(second));
    expect_all("three launches", x, 3);
    MUST(hd_free(parked.flag));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
}

/* ---- what kernel nodes cannot have ----------------------------------------------------------- */

static hd_launch_config block_of(unsigned threads, size_t shared)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(threads, 1, 1), shared, NULL);
}

/* Over the launch bounds, or over the device's shared memory together with what is static: the node
   is refused where it is added or changed, and the device goes on. */
TEST(kernel_nodes_over_their_limits)
{
    hd_graph *graph;
    hd_graph_node *node = NULL;
    hd_graph_exec *exec;
    int *x, i;
    int64_t limit = 0;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("memcheck counts what the vendor refuses as an error");
    graph = new_graph();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &limit));
    CHECK_STATUS(hd_graph_kernel(graph, NULL, 0, NULL, unit_narrow, block_of(65, 0), x),
                 HD_ERR_LAUNCH_CONFIG);
    CHECK(strstr(hd_error_last()->message, "unit_narrow") != NULL);
    if (!rig_on_cpu()) /* the engine learns of static memory when blocks use it */
        CHECK_STATUS(
            hd_graph_kernel(graph, NULL, 0, NULL, unit_shared, block_of(64, (size_t)limit - 16), x),
            HD_ERR_LAUNCH_CONFIG);
    MUST(hd_graph_kernel(graph, NULL, 0, &node, unit_narrow, block_of(64, 0), x));
    exec = instantiated(graph);
    CHECK_STATUS(hd_graph_exec_set_kernel(exec, node, unit_narrow, block_of(128, 0), x),
                 HD_ERR_LAUNCH_CONFIG);
    for (i = 0; i < 2; i++)
        MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_copy_blocking(&i, (const int *)(x + 63), 1, rig_stream));
    CHECK_EQ_I64(i, 64);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
}

/* ---- kinds of nodes -------------------------------------------------------------------------- */

typedef struct note {
    int *pinned;
    int seen, calls;
    hd_status status;
    hd_stream *stream;
    int *device;
} note;

static void look(void *argument)
{
    note *n = argument;

    n->seen = n->pinned[N - 1];
    n->calls++;
}

TEST(copies_fills_and_host_functions)
{
    hd_graph *graph = new_graph();
    hd_graph_node *node = NULL;
    hd_graph_exec *exec;
    note n = {NULL, 0, 0, HD_OK, NULL, NULL};
    int *x = rig_zeroed(N * sizeof(int)), *y = rig_zeroed(N * sizeof(int));

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_alloc_kind(&n.pinned, N, HD_MEM_PINNED, 0));
    MUST(hd_graph_fill_bytes(graph, NULL, 0, &node, x, 0x01020304, 4, N));
    MUST(hd_graph_fill_bytes(graph, &node, 1, &node, x, 0x55aa, 2, N));
    MUST(hd_graph_fill_bytes(graph, &node, 1, &node, (char *)x + 1, 7, 1, 1));
    MUST(hd_graph_copy(graph, &node, 1, &node, y, (const int *)x, N));
    MUST(
        hd_graph_kernel(graph, &node, 1, &node, unit_add, wide(), (size_t)N, (const int *)y, y, 1));
    MUST(hd_graph_copy(graph, &node, 1, &node, n.pinned, (const int *)y, N));
    MUST(hd_graph_host_function(graph, &node, 1, &node, look, &n));
    MUST(hd_graph_copy(graph, &node, 1, &node, x, (const int *)n.pinned, 0)); /* nothing */
    MUST(hd_graph_copy(graph, &node, 1, &node, x, (const int *)n.pinned, N));
    exec = instantiated(graph);
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_I64(n.calls, 2);
    CHECK_EQ_I64(n.seen, 0x01020304 + 1);
    CHECK_EQ_I64(n.pinned[0], 0x55aa07aa + 1);
    CHECK_EQ_I64(n.pinned[1], 0x55aa55aa + 1);
    rig_download(n.pinned, x, N * sizeof(int));
    CHECK_EQ_I64(n.pinned[N / 2 - 1], 0x55aa55aa + 1);
    CHECK_EQ_I64(n.pinned[N / 2], 0x01020304 + 1);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_free(n.pinned));
    rig_drop(x);
    rig_drop(y);
}

/* May call heddle; fails when it is told to. */
static hd_status attempt(void *argument)
{
    note *n = argument;

    n->calls++;
    if (n->status < 0)
        return n->status;
    if (n->status == HD_NOT_READY) /* an error of heddle's own */
        return hd_alloc_bytes(NULL, 1, 1, HD_MEM_DEVICE, 0);
    return hd_launch(unit_set, hd_launch_1d(N, 128, n->stream), (size_t)N, n->device, n->calls);
}

TEST(host_functions_that_fail)
{
    hd_graph *graph;
    hd_graph_node *node = NULL;
    hd_graph_exec *exec;
    note n = {NULL, 0, 0, HD_OK, NULL, NULL};
    int *x;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("racecheck cannot follow a launch from another thread while a host function runs");
    graph = new_graph();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_create(0, &n.stream));
    n.device = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_graph_host_try(graph, NULL, 0, &node, attempt, &n));
    MUST(
        hd_graph_kernel(graph, &node, 1, &node, unit_add, wide(), (size_t)N, (const int *)x, x, 1));
    exec = instantiated(graph);
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_synchronize(n.stream));
    expect_all("what the function enqueued", n.device, 1);
    n.status = HD_ERR_IO;
    MUST(hd_graph_launch(exec, rig_stream));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_IO);
    MUST(hd_stream_synchronize(rig_stream)); /* once */
    n.status = HD_NOT_READY;
    MUST(hd_graph_launch(exec, rig_stream));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "hd_alloc_bytes: pointer is NULL") != NULL);
    expect_all("later nodes ran", x, 3);
    CHECK_STATUS(hd_device_state(0), HD_OK);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(n.stream));
    rig_drop(n.device);
    rig_drop(x);
}

/* An event that a graph records lets a stream go on; one that a stream records holds a node. */
TEST(events_in_graphs)
{
    hd_graph *graph = new_graph();
    hd_graph_node *node = NULL;
    hd_graph_exec *exec;
    hd_stream *second = NULL;
    hd_event *in = NULL, *out = NULL;
    int *x = rig_zeroed(N * sizeof(int)), *y = rig_zeroed(N * sizeof(int)), i;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_event_create(0, 0, &in));
    MUST(hd_event_create(0, 0, &out));
    MUST(hd_graph_wait(graph, NULL, 0, &node, in));
    MUST(
        hd_graph_kernel(graph, &node, 1, &node, unit_add, wide(), (size_t)N, (const int *)x, y, 5));
    MUST(hd_graph_record(graph, &node, 1, &node, out));
    exec = instantiated(graph);
    MUST(hd_graph_launch(exec, rig_stream)); /* in was never recorded */
    expect_all("nothing to wait for", y, 5);
    for (i = 1; i < 10; i++) {
        MUST(hd_launch(unit_spin, one(second), x, (long)rig_size(20000, 10)));
        MUST(hd_launch(unit_set, hd_launch_1d(N, 128, second), (size_t)N, x, i));
        MUST(hd_event_record(in, second));
        MUST(hd_graph_launch(exec, rig_stream));
        MUST(hd_stream_wait(second, out));
        MUST(hd_launch(unit_add, hd_launch_1d(N, 128, second), (size_t)N, (const int *)y, y, 100));
        MUST(hd_event_synchronize(out));
        MUST(hd_stream_synchronize(second));
        expect_all("in order", y, i + 105);
    }
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_event_destroy(in));
    MUST(hd_event_destroy(out));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
    rig_drop(y);
}

TEST(joins_and_late_edges)
{
    hd_graph *graph = new_graph();
    hd_graph_node *parts[10], *join = NULL, *set = NULL;
    hd_graph_exec *exec;
    int *x = rig_zeroed(N * sizeof(int)), i;

    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < 10; i++)
        MUST(hd_graph_kernel(graph, NULL, 0, &parts[i], unit_add, wide(), (size_t)(N / 10),
                             (const int *)(x + i * (N / 10)), x + i * (N / 10), 1));
    MUST(hd_graph_join(graph, parts, 10, &join));
    MUST(
        hd_graph_kernel(graph, &join, 1, NULL, unit_add, wide(), (size_t)N, (const int *)x, x, 10));
    MUST(hd_graph_kernel(graph, NULL, 0, &set, unit_set, wide(), (size_t)N, x, 3));
    for (i = 0; i < 10; i++)
        MUST(hd_graph_depend(parts[i], set));
    MUST(hd_graph_depend(parts[0], set)); /* is there already */
    exec = instantiated(graph);
    for (i = 0; i < 5; i++)
        MUST(hd_graph_launch(exec, rig_stream));
    expect_all("set, then add, then add", x, 14);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    rig_drop(x);
}

/* A kernel of each device in turn, on peers' memory where that works, else on its own. */
TEST(nodes_of_several_devices)
{
    hd_graph *graph = new_graph();
    hd_graph_node *node = NULL;
    hd_graph_exec *exec;
    hd_stream *second = NULL;
    int devices = 0, can = 0, *x = rig_zeroed(N * sizeof(int)), i;

    MUST(hd_device_count(&devices));
    if (devices > 1)
        MUST(hd_peer_possible(1, 0, &can));
    if (!can) {
        MUST(hd_graph_destroy(graph));
        rig_drop(x);
        SKIP("no two devices that reach each other");
    }
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_peer_enable(1, 0));
    MUST(hd_stream_create(1, &second));
    for (i = 0; i < 12; i++)
        MUST(hd_graph_kernel(graph, &node, i != 0, &node, unit_add,
                             hd_launch_1d(N, 128, i % 2 ? second : NULL), (size_t)N, (const int *)x,
                             x, i));
    exec = instantiated(graph);
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_graph_launch(exec, rig_stream));
    expect_all("both devices in turn", x, 132);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
}

TEST_MAIN
