/* SPDX-License-Identifier: Apache-2.0 */
/* bug_lint.c - what is right but not portable or not fast: shapes of the launches, results. */
#include <heddle/graph.h>

#include "kern_lint.h"
#include "zoo.h"

enum { N = 256, GRID = 4, ALL = GRID * N, KB = 1024 };

/* In blocks of n threads: the element of the mirrored thread. */
static uint32_t mirrored(size_t i, size_t n)
{
    return x(i / n * n + n - 1 - i % n);
}

static uint32_t switched(size_t i)
{
    size_t what = i % N / 64;

    return what == 0 ? x(i) * 3 : what == 1 ? x(i) + 5 : what == 2 ? x(i) ^ 7 : x(i);
}

static uint32_t paired(size_t i)
{
    return i / 64 % 2 ? x(i ^ 1) * 3 + x(i ^ 3) : x(i ^ 2) + x(i ^ 4) + x(i ^ 8);
}

/* BUG block_48 */
RUN(block_48, lint_reverse, 1, mirrored(i, 64), 3, zoo_bug ? 48 : 64, KB, 0, 192)
/* BUG shared_56k */
RUN(shared_56k, lint_reverse, 1, mirrored(i, N), GRID, N, (zoo_bug ? 56 : 40) * KB, 0, ALL)
/* BUG shared_72k */
RUN(shared_72k, lint_reverse, 1, mirrored(i, N), GRID, N, (zoo_bug ? 72 : 40) * KB, 0, ALL)
RUN(uncoalesced_stride, uncoalesced_stride, 1, x(i), GRID, N, 0, 0, ALL)
RUN(uncoalesced_columns, uncoalesced_columns, 1, x(i), GRID, N, 0, 0, ALL)
RUN(banks_pairs, banks_pairs, 1, x(i) + 1, GRID, N, 0, 0, ALL)
RUN(banks_columns, banks_columns, 1, x(i) + 1, GRID, N, 0, 0, ALL)
RUN(divergent_switch, divergent_switch, 1, switched(i), GRID, N, 0, 0, ALL)

RUN(divergent_pair, divergent_pair, 1, paired(i), GRID, N, 0, 0, ALL)
RUN(divergent_leader, divergent_leader, 1, zoo_sum(32 * i, 32), GRID, N, 0, 0, ALL / 32)
/* BUG shared_both */
RUN(shared_both, lint_both, 1, mirrored(i, N), GRID, N, (zoo_bug ? 20 : 12) * KB, 0, ALL)
/* BUG launch_threads */
RUN(launch_threads, lint_bounded, 1, x(i), GRID, zoo_bug ? 256 : 128, 0, 0, GRID * 128)
RUN(mask_half, mask_half, 1, x(i ^ 1), GRID, N, 0, 0, ALL)

static uint32_t first(size_t i)
{
    return x(i);
}

/* More rows of blocks than a vendor has. */
void run_launch_rows(void)
{
    uint32_t *in = zoo_input(1), *out = zoo_zeroed(1);
    hd_dim3 grid = zoo_bug ? hd_dim(1, 70000, 1) : hd_dim(70000, 1, 1), block = hd_dim(1, 1, 1);
    hd_launch_config config = hd_launch_with(grid, block, 0, zoo_stream);

    MUST(hd_launch(lint_rows, config, 0, (const uint32_t *)in, out)); /* BUG launch_rows */
    zoo_expect(out, 1, first);
    zoo_drop(in);
    zoo_drop(out);
}

/* More than 48 KB, as an ordinary launch or as a node of a graph; the twin asks first. */
static void run_asked(int node)
{
    const zoo_shape shape = {GRID, N, 56 * KB, 0, ALL};
    zoo_data data = zoo_begin(shape);
    hd_graph_exec *exec = NULL;
    hd_graph *graph = NULL;
    int64_t most = 0;

    if (!zoo_bug)
        MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &most));
    if (node) {
        MUST(hd_graph_create(0, &graph));
        data.config.stream = NULL;
        MUST(hd_graph_kernel(graph, NULL, 0, NULL, lint_reverse, data.config, /* BUG shared_node */
                             0, data.in, data.out));
        MUST(hd_graph_instantiate(graph, &exec));
        MUST(hd_graph_launch(exec, zoo_stream));
    } else {
        MUST(hd_launch(lint_reverse, data.config, 0, data.in, data.out)); /* BUG shared_unasked */
    }
    zoo_end(&data, want_shared_56k);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
}

void run_shared_unasked(void)
{
    run_asked(0);
}

void run_shared_node(void)
{
    run_asked(1);
}
