/* SPDX-License-Identifier: Apache-2.0 */
/* smallkernels.c - `heddle smallkernels`: many kernels that depend on nothing, each too small for
   the device, on one stream, on several, as a graph. */
#include <string.h>

#include "cli/lab/nodes/nodes.h"

enum { KERNELS = 256, STREAMS = 32, TURNS_CPU = 500, TURNS_GPU = 20000 };

static hd_status add_ways(nodes *n)
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
    const bool cpu = strcmp(hd_backend_name(), "cpu") == 0;

    return nodes_run(arguments, NODES_INDEPENDENT, KERNELS, cpu ? TURNS_CPU : TURNS_GPU, STREAMS,
                     add_ways);
}

static const cli_option options[] = {{"nodes", "N", "kernels, 256 by default"},
                                     {"streams", "S", "2, 4, 8 ... S streams, 32 by default"},
                                     NODES_OPTIONS,
                                     CLI_JOB_OPTIONS,
                                     {NULL, NULL, NULL}};

const cli_command cli_command_smallkernels = {
    "smallkernels",
    "time many small independent kernels on one stream, on several, as a graph",
    NULL,
    options,
    "A kernel of one block of 32 threads (20000 turns by default, 500 on the CPU) fills a small\n"
    "part of a GPU: side by side they take as long as one, where asking for them does not take\n"
    "longer. calls: what the host needs to ask for all of them. alone: from the first call to the\n"
    "end of the wait. in a row: the same for several passes and one wait. The last column is one\n"
    "stream in a row against it.\n\n"
    "JSON keys (seconds per kernel): shape nodes blocks threads turns empty rows (way calls\n"
    "alone seconds p10 p90 verified speedup) add instantiate update capture verified\n",
    "  heddle smallkernels\n"
    "  heddle smallkernels --nodes 1000 --turns 20000 --streams 128\n",
    run};
