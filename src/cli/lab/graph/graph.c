/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - `heddle graph`: many small kernels that depend on each other, as launches, as streams
   with events, as graphs. */
#include "cli/lab/nodes/nodes.h"
#include "cli/app/words.h"

enum { NODES = 100, STREAMS = 4 };

static hd_status add_ways(nodes *n)
{
    HD_TRY(nodes_add_launches(n));
    HD_TRY(nodes_add_streams(n, n->streams));
    HD_TRY(nodes_add_graph(n));
    return nodes_add_captured(n, n->streams);
}

static int run(const cli_arguments *arguments)
{
    const char *shapes[NODES_INDEPENDENT];
    size_t shape = 0;
    int status;

    for (int i = 0; i < NODES_INDEPENDENT; i++)
        shapes[i] = nodes_shape_name((nodes_shape)i);
    status = cli_word_read(arguments, "shape", shapes, NODES_INDEPENDENT, 0, &shape);
    if (status != CLI_DONE)
        return status;
    return nodes_run(arguments, (nodes_shape)shape, NODES, 0, STREAMS, add_ways);
}

static const cli_option options[] = {
    {"nodes", "N", "kernels, 100 by default"},
    {"shape", "SHAPE", "chain (the default), fan or diamond"},
    {"streams", "S", "of the way with streams and events, 4 by default"},
    NODES_OPTIONS,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_graph = {
    "graph",
    "time small dependent kernels as launches, as streams with events, as graphs",
    NULL,
    options,
    "chain: each after the one before. fan: all after the first, the last after all. diamond:\n"
    "one, two beside each other, one after both, two ... Node i runs on stream i modulo S, where\n"
    "there are streams. calls: what the host needs to ask for all of it. alone: from the first\n"
    "call to the end of the wait. in a row: the same for several passes and one wait. The last\n"
    "column is launches in a row against it.\n\n"
    "JSON keys (seconds per kernel): shape nodes blocks threads turns empty rows (way calls\n"
    "alone seconds p10 p90 verified speedup) add instantiate update capture verified\n",
    "  heddle graph\n"
    "  heddle graph --empty --nodes 100 --runs 101\n"
    "  heddle graph --shape diamond --nodes 1000 --turns 500 --json\n",
    run};
