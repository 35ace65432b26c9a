/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - `heddle graph`: many small kernels as launches, on streams, as graphs. Dependent ones
   are also captured from streams with events; independent ones run on 2, 4, 8 ... streams. */
#include <string.h>

#include "cli/app/words.h"
#include "nodes.h"

enum { NODES = 100, STREAMS = 4 };
/* Independent kernels, each too small to fill the device. */
enum { SMALL_NODES = 256, SMALL_STREAMS = 32, SMALL_TURNS_CPU = 500, SMALL_TURNS_GPU = 20000 };

static hd_status add_dependent(nodes *n)
{
    HD_TRY(nodes_add_launches(n));
    HD_TRY(nodes_add_streams(n, n->streams));
    HD_TRY(nodes_add_graph(n));
    return nodes_add_captured(n, n->streams);
}

static hd_status add_independent(nodes *n)
{
    HD_TRY(nodes_add_launches(n));
    for (unsigned s = 2; s < n->streams; s *= 2)
        HD_TRY(nodes_add_streams(n, s));
    if (n->streams > 1)
        HD_TRY(nodes_add_streams(n, n->streams));
    return nodes_add_graph(n);
}

static int run(const cli_arguments *arguments)
{
    const unsigned turns = strcmp(hd_backend_name(), "cpu") == 0 ? SMALL_TURNS_CPU
                                                                 : SMALL_TURNS_GPU;
    const char *shapes[NODES_SHAPE_COUNT];
    size_t shape = 0;
    int status;

    for (int i = 0; i < NODES_SHAPE_COUNT; i++)
        shapes[i] = nodes_shape_name((nodes_shape)i);
    status = cli_word_read(arguments, "shape", shapes, NODES_SHAPE_COUNT, NODES_CHAIN, &shape);
    if (status != CLI_DONE)
        return status;
    return shape == NODES_INDEPENDENT
               ? nodes_run(arguments, NODES_INDEPENDENT, SMALL_NODES, turns, SMALL_STREAMS,
                           add_independent)
               : nodes_run(arguments, (nodes_shape)shape, NODES, 0, STREAMS, add_dependent);
}

static const cli_option options[] = {
    {"shape", "SHAPE", "dependencies: chain (default), fan, diamond or independent (none)"},
    {"nodes", "N", "number of kernels (default 100; independent: 256)"},
    {"blocks", "B", "blocks per kernel (default 1)"},
    {"threads", "T", "threads per block (default 32)"},
    {"turns", "W", "loop iterations per thread (default 0; independent: 20000, on the CPU 500)"},
    {"empty", NULL, "launch empty kernels (nothing to verify)"},
    {"streams", "S", "number of streams (default 4); independent: 2, 4, 8 ... S (default 32)"},
    {"passes", "P", "back-to-back passes per measurement (default 10)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_graph = {
    "graph",
    "time small kernels launched on one stream, on several, and as a graph",
    NULL,
    options,
    "chain: each kernel depends on the one before. fan: all depend on the first, the last on all.\n"
    "diamond: one kernel, two concurrent ones, one that depends on both, two ... independent: no\n"
    "dependencies; a kernel of one block fills a small part of a GPU, so several run at once\n"
    "unless launching takes longer than they do. Kernel i runs on stream i modulo S.\n"
    "calls: host time to enqueue all kernels. alone: until they have completed. in a row: the\n"
    "same for P passes and one wait. speedup: launches in a row over this strategy in a row.\n\n"
    "JSON keys (seconds per kernel): shape nodes blocks threads turns empty rows (strategy calls\n"
    "alone seconds p10 p90 verified speedup) add instantiate update capture verified\n",
    "  heddle graph\n"
    "  heddle graph --empty --nodes 100 --runs 101\n"
    "  heddle graph --shape diamond --nodes 1000 --turns 500 --json\n"
    "  heddle graph --shape independent --nodes 1000 --turns 20000 --streams 128\n",
    run};
