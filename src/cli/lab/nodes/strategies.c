/* SPDX-License-Identifier: Apache-2.0 */
/* strategies.c - strategies to run small kernels: launches one after another, streams with events
   between them, a graph built from nodes, a graph captured from streams. */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/lab/kernels/nodes.h"
#include "cli/app/progress.h"

static hd_launch_config shape_of(const nodes *n, hd_stream *stream)
{
    return hd_launch_with(hd_dim(n->blocks, 1, 1), hd_dim(n->threads, 1, 1), 0, stream);
}

static unsigned edges_of(const nodes *n, size_t node)
{
    return (unsigned)(n->first[node + 1] - n->first[node]);
}

static hd_status launch(const nodes *n, size_t node, hd_stream *stream)
{
    if (n->empty)
        return hd_launch(node_nothing, shape_of(n, stream));
    return hd_launch(node_step, shape_of(n, stream), n->cells,
                     (const uint32_t *)(n->device_list + n->first[node]), edges_of(n, node),
                     (unsigned)node, n->turns);
}

static nodes_strategy *add(nodes *n, hd_status (*pass)(nodes *, const nodes_strategy *),
                           unsigned streams)
{
    nodes_strategy *strategy = &n->strategies[n->strategy_count++];

    memset(strategy, 0, sizeof *strategy);
    strategy->pass = pass;
    strategy->streams = streams;
    return strategy;
}

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status pass_launches(nodes *n, const nodes_strategy *strategy)
{
    (void)strategy;
    for (size_t i = 0; i < n->count; i++)
        HD_TRY(launch(n, i, n->job.stream));
    return HD_OK;
}

hd_status nodes_add_launches(nodes *n)
{
    snprintf(add(n, pass_launches, 1)->name, NODES_NAME, "launches");
    return HD_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Nodes on which a node in another stream depends. NULL: no memory. */
static bool *find_awaited(const nodes *n, unsigned streams)
{
    bool *awaited = calloc(n->count, sizeof *awaited);

    for (size_t i = 0; awaited && i < n->count; i++)
        for (size_t k = n->first[i]; k < n->first[i + 1]; k++)
            if (n->list[k] % streams != i % streams)
                awaited[n->list[k]] = true;
    return awaited;
}

static hd_status pass_streams(nodes *n, const nodes_strategy *strategy)
{
    HD_TRY(hd_event_record(n->fork, n->stream[0]));
    for (unsigned s = 1; s < strategy->streams; s++)
        HD_TRY(hd_stream_wait(n->stream[s], n->fork));
    for (size_t i = 0; i < n->count; i++) {
        hd_stream *stream = n->stream[i % strategy->streams];
        for (size_t k = n->first[i]; k < n->first[i + 1]; k++)
            if (n->list[k] % strategy->streams != i % strategy->streams)
                HD_TRY(hd_stream_wait(stream, n->done[n->list[k]]));
        HD_TRY(launch(n, i, stream));
        if (strategy->awaited[i])
            HD_TRY(hd_event_record(n->done[i], stream));
    }
    for (unsigned s = 1; s < strategy->streams; s++) {
        HD_TRY(hd_event_record(n->join[s], n->stream[s]));
        HD_TRY(hd_stream_wait(n->stream[0], n->join[s]));
    }
    return HD_OK;
}

hd_status nodes_add_streams(nodes *n, unsigned streams)
{
    nodes_strategy *strategy = add(n, pass_streams, streams);

    snprintf(strategy->name, NODES_NAME, "%u stream%s%s", streams, streams == 1 ? "" : "s",
             n->shape == NODES_INDEPENDENT ? "" : " and events");
    strategy->awaited = find_awaited(n, streams);
    return strategy->awaited ? HD_OK : cli_no_memory("a graph of %zu nodes", n->count);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static hd_status pass_graph(nodes *n, const nodes_strategy *strategy)
{
    return hd_graph_launch(strategy->exec, n->job.stream);
}

static hd_status build_node(const nodes *n, hd_graph *graph, hd_graph_node **made, size_t node,
                            hd_graph_node **after)
{
    const unsigned count = edges_of(n, node);

    for (unsigned k = 0; k < count; k++)
        after[k] = made[n->list[n->first[node] + k]];
    if (n->empty)
        return hd_graph_kernel(graph, after, count, &made[node], node_nothing,
                               shape_of(n, n->job.stream));
    return hd_graph_kernel(graph, after, count, &made[node], node_step, shape_of(n, n->job.stream),
                           n->cells, (const uint32_t *)(n->device_list + n->first[node]), count,
                           (unsigned)node, n->turns);
}

/* Sets every node's arguments to the values they already have, and measures the time. */
static hd_status time_update(nodes *n, hd_graph_exec *exec, hd_graph_node **made)
{
    const double began = cli_now();

    for (size_t i = 0; i < n->count && !n->empty; i++)
        HD_TRY(hd_graph_exec_set_kernel(exec, made[i], node_step, shape_of(n, n->job.stream),
                                        n->cells, (const uint32_t *)(n->device_list + n->first[i]),
                                        edges_of(n, i), (unsigned)i, n->turns));
    n->update = n->empty ? 0.0 : (cli_now() - began) / (double)n->count;
    return HD_OK;
}

static hd_status make_graph(nodes *n, hd_graph *graph, nodes_strategy *strategy,
                            hd_graph_node **made, hd_graph_node **after)
{
    double began = cli_now();

    for (size_t i = 0; i < n->count; i++)
        HD_TRY(build_node(n, graph, made, i, after));
    n->build = (cli_now() - began) / (double)n->count;
    began = cli_now();
    HD_TRY(hd_graph_instantiate(graph, &strategy->exec));
    n->instantiate = (cli_now() - began) / (double)n->count;
    return time_update(n, strategy->exec, made);
}

hd_status nodes_add_graph(nodes *n)
{
    nodes_strategy *strategy = add(n, pass_graph, 1);
    hd_graph_node **made = calloc(2 * n->count, sizeof(hd_graph_node *));
    hd_graph *graph = NULL;
    hd_status status = made ? hd_graph_create(n->job.device, &graph)
                            : cli_no_memory("a graph of %zu nodes", n->count);

    snprintf(strategy->name, NODES_NAME, "graph");
    if (status >= 0)
        status = make_graph(n, graph, strategy, made, made + n->count);
    hd_graph_destroy(graph);
    free(made);
    return status;
}

hd_status nodes_add_captured(nodes *n, unsigned streams)
{
    nodes_strategy *strategy = add(n, pass_streams, streams);
    hd_graph *graph = NULL;
    double began;
    hd_status status, ended;

    snprintf(strategy->name, NODES_NAME, "graph from %u stream%s", streams,
             streams == 1 ? "" : "s");
    strategy->awaited = find_awaited(n, streams);
    if (!strategy->awaited)
        return cli_no_memory("a graph of %zu nodes", n->count);
    began = cli_now();
    HD_TRY(hd_stream_capture_begin(n->job.stream));
    status = pass_streams(n, strategy);
    ended = hd_stream_capture_end(n->job.stream, &graph);
    n->capture = (cli_now() - began) / (double)n->count;
    if (status >= 0)
        status = ended;
    if (status >= 0)
        status = hd_graph_instantiate(graph, &strategy->exec);
    hd_graph_destroy(graph);
    strategy->pass = pass_graph;
    return status;
}
