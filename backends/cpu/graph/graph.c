/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - graphs and their nodes. An explicit node is created by the call that would enqueue its
   operation, on a stream in capture. */
#include "graph/graph.h"

#include <stdlib.h>

/* ---- from work to nodes ---------------------------------------------------------------------- */

static hd_status enqueue(const hd__node_work *work, hd_stream *stream)
{
    hd_launch_config config;

    switch (work->kind) {
    case HD__NODE_KERNEL:
        config = *work->config;
        config.stream = stream;
        return hdb_launch(work->kernel, &config, work->args);
    case HD__NODE_COPY:
        return hdb_copy(work->to, work->from, work->bytes, stream);
    case HD__NODE_FILL:
        return hdb_fill(work->to, work->value, work->size, work->count, stream);
    default:
        return hdb_stream_host_function(stream, work->function, work->argument);
    }
}

static hd_status no_memory(void)
{
    return hd__fail(HD_ERR_NO_MEMORY, "hd_graph", "no memory for a node");
}

hd_status hd_cpu_node_of(hd_cpu_graph *graph, const hd__node_work *work, const hd_cpu_nodes *after,
                         hd_cpu_node **node)
{
    hd_cpu_capture capture = {.graph = graph, .record = hd_cpu_graph_record};
    hd_cpu_stream stream = {.device = work->ordinal, .capture = &capture};
    hd_stream handle = {.ordinal = work->ordinal, .native = &stream};
    hd_status status;

    if (work->kind >= HD__NODE_RECORD) {
        *node = hd_cpu_node_make(graph,
                                 work->kind == HD__NODE_RECORD ? HD_CPU_OP_RECORD : HD_CPU_OP_WAIT,
                                 work->ordinal, NULL, after);
        if (*node && work->event)
            (*node)->event = work->event->native;
        return *node ? HD_OK : no_memory();
    }
    if (!hd_cpu_nodes_copy(&stream.tail, after))
        return no_memory();
    status = enqueue(work, &handle);
    if (status >= 0)
        *node = graph->nodes.at[graph->nodes.count - 1];
    free(stream.tail.at);
    return status;
}

/* ---- the interface --------------------------------------------------------------------------- */

hd_status hdb_graph_create(int ordinal, void **graph)
{
    hd_status status = hd_cpu_ready("hd_graph_create");

    (void)ordinal;
    if (status < 0)
        return status;
    *graph = hd_cpu_graph_make();
    return *graph ? HD_OK : no_memory();
}

hd_status hdb_graph_destroy(void *graph)
{
    hd_cpu_graph_free(graph);
    return HD_OK;
}

hd_status hdb_graph_add(void *graph, const hd__node_work *work, void *const *after, size_t count,
                        void **node)
{
    hd_cpu_nodes nodes = {.count = 0};
    hd_cpu_node *made = NULL;
    hd_status status = HD_OK;

    for (size_t i = 0; i < count && status >= 0; i++)
        if (!hd_cpu_nodes_add(&nodes, after[i]))
            status = no_memory();
    if (status >= 0)
        status = hd_cpu_node_of(graph, work, &nodes, &made);
    free(nodes.at);
    if (status >= 0)
        *node = made;
    return status;
}

hd_status hdb_graph_depend(void *graph, void *node, void *after)
{
    hd_cpu_node *later = node;

    (void)graph;
    return hd_cpu_nodes_add(&later->after, after) ? HD_OK : no_memory();
}

hd_status hdb_graph_size(void *graph, size_t *nodes)
{
    *nodes = ((hd_cpu_graph *)graph)->nodes.count;
    return HD_OK;
}
