/* SPDX-License-Identifier: Apache-2.0 */
/* exec.c - executable graphs: instantiation, launch, updates. */
#include "graph.h"
#include "runtime/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cycles --------------------------------------------------------------------------------- */

/* Removes nodes without predecessors repeatedly, until no node is left or only cycles and their
   successors are. left[i]: remaining edges into node i; out_first, out: edges by their start.
   Returns the number of nodes left. */
static size_t nodes_left(const hd_graph *graph, size_t *left, size_t *out_first, size_t *out,
                         size_t *queue)
{
    size_t head = 0, tail = 0, edges = 0;
    for (size_t i = 0; i < graph->count; i++) {
        left[i] = graph->nodes[i]->after_count;
        for (size_t k = 0; k < left[i]; k++)
            out_first[graph->nodes[i]->after[k]->index + 1]++;
        if (left[i] == 0)
            queue[tail++] = i;
    }
    for (size_t i = 0; i < graph->count; i++) {
        size_t mine = out_first[i + 1];
        out_first[i + 1] = edges;
        edges += mine;
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->after_count; k++)
            out[out_first[graph->nodes[i]->after[k]->index + 1]++] = i;
    for (; head < tail; head++) {
        size_t i = queue[head];
        for (size_t k = out_first[i]; k < out_first[i + 1]; k++)
            if (--left[out[k]] == 0)
                queue[tail++] = out[k];
    }
    return graph->count - tail;
}

/* Follows edges backwards among the remaining nodes, which ends in a cycle. */
static hd_status report_cycle(const char *call, const hd_graph *graph, const size_t *left)
{
    const hd_graph_node *at = NULL;
    char text[200];
    size_t used = 0, first;
    for (size_t i = 0; i < graph->count && !at; i++)
        at = left[i] ? graph->nodes[i] : NULL;
    for (size_t steps = 0; at && steps < graph->count; steps++)
        for (size_t k = 0; k < at->after_count; k++)
            if (left[at->after[k]->index]) {
                at = at->after[k];
                break;
            }
    first = at ? at->index : 0;
    text[0] = 0;
    for (size_t turn = 0; at && used < sizeof text - 32; turn++) {
        if (turn && at->index == first)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu, ", at->index);
        for (size_t k = 0; k < at->after_count; k++)
            if (left[at->after[k]->index]) {
                at = at->after[k];
                break;
            }
    }
    return hd__fail(HD_ERR_ARGUMENT, call,
                    "the edges form a cycle: node %s%zu (each comes after the next one)", text,
                    first);
}

static hd_status cycle_check(const char *call, const hd_graph *graph)
{
    size_t n = graph->count, edges = 0;
    for (size_t i = 0; i < n; i++)
        edges += graph->nodes[i]->after_count;
    size_t *memory = calloc(3 * n + 1 + edges + 1, sizeof *memory);
    if (!memory)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory to check %zu nodes", n);
    size_t *left = memory, *out_first = left + n, *queue = out_first + n + 1, *out = queue + n;
    hd_status status = HD_OK;
    if (nodes_left(graph, left, out_first, out, queue) > 0)
        status = report_cycle(call, graph, left);
    free(memory);
    return status;
}

/* ---- instantiation -------------------------------------------------------------------------- */

static void exec_close(hd_graph_exec *exec)
{
    (void)hd_event_destroy(exec->last);
    hd__tasks_release(exec->tasks);
    free(exec->events);
}

/* The events that nodes of the graph record. 0: out of memory. */
static int events_take(const hd_graph *graph, hd_event ***events, size_t *count)
{
    hd_event **taken = calloc(graph->count + 1, sizeof(hd_event *));
    size_t found = 0;
    if (!taken)
        return 0;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->event)
            taken[found++] = graph->nodes[i]->event;
    free(*events);
    *events = taken;
    *count = found;
    return 1;
}

static hd_status exec_make(const char *call, hd_graph *graph, hd_graph_exec **exec)
{
    hd_graph_exec *made = hd__handle_make(sizeof *made);
    if (!made || !events_take(graph, &made->events, &made->event_count)) {
        hd__handle_drop(made);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an executable graph");
    }
    made->serial = graph->serial;
    made->nodes = graph->count;
    made->device = graph->device;
    made->ordinal = graph->ordinal;
    made->tasks = graph->tasks;
    hd__tasks_retain(made->tasks);
    hd_status status = HD_OK;
    if (made->tasks)
        status = hd_event_create(graph->device, 0, &made->last);
    if (status >= 0)
        status = hdb_graph_instantiate(graph->ordinal, graph->native, &made->native);
    if (status < 0) {
        exec_close(made);
        hd__handle_drop(made);
        return status;
    }
    *exec = made;
    return HD_OK;
}

hd_status hd_graph_instantiate(hd_graph *graph, hd_graph_exec **exec)
{
    static const char call[] = "hd_graph_instantiate";
    hd_status status = hd__graph_use(call, graph);
    if (status < 0)
        return status;
    if (!exec)
        return hd__null(call, "exec");
    status = cycle_check(call, graph);
    if (status >= 0)
        status = exec_make(call, graph, exec);
    return hd__settle(call, graph->device, status);
}

static hd_status exec_use(const char *call, const hd_graph_exec *exec)
{
    if (!exec)
        return hd__null(call, "exec");
    if (HD__HANDLES_CHECKED)
        HD_TRY(hd__handle_use(call, exec, "executable graph"));
    return hd__lost(call, exec->device);
}

/* Tasks that running launches may still use are released when these are done. */
static void tasks_retire(hd_graph_exec *exec)
{
    if (exec->tasks)
        hd__tasks_retire(exec->tasks, exec->last);
    exec->tasks = NULL;
    exec->last = NULL;
}

hd_status hd_graph_exec_destroy(hd_graph_exec *exec)
{
    static const char call[] = "hd_graph_exec_destroy";
    HD__RELEASING;
    if (!exec)
        return HD_OK;
    HD_TRY(hd__handle_claim(call, exec, "executable graph"));
    int device = exec->device;
    hd_status status = hdb_graph_exec_destroy(exec->native);
    tasks_retire(exec);
    exec_close(exec);
    hd__handle_free(exec);
    return hd__settle(call, device, status);
}

/* ---- launch --------------------------------------------------------------------------------- */

hd_status hd_graph_launch(hd_graph_exec *exec, hd_stream *stream)
{
    static const char call[] = "hd_graph_launch";
    hd_status status = exec_use(call, exec);
    if (status >= 0)
        status = hd__stream_use(call, stream);
    if (status >= 0)
        status = hd__capture_refuses(call, stream, "a graph cannot be launched into a capture");
    if (status < 0)
        return status;
    if (exec->last && stream->device != exec->device)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "a graph with tasks is launched on a stream of its device");
    hd__traced traced;
    hd__trace_begin(&traced, HD_TRACE_GRAPH, call, stream);
    status = hdb_graph_launch(exec->native, stream);
    hd__trace_end(&traced, status);
    for (size_t i = 0; i < exec->event_count && status >= 0; i++)
        __atomic_store_n(&exec->events[i]->recorded, 1, __ATOMIC_RELEASE);
    if (status >= 0 && exec->last)
        status = hd_event_record(exec->last, stream);
    return hd__settle(call, stream->device, status);
}

/* ---- updates -------------------------------------------------------------------------------- */

hd_status hd__graph_exec_kernel(hd_graph_exec *exec, hd_graph_node *node, const hd_kernel *kernel,
                                hd_launch_config *config, void **args)
{
    static const char call[] = "hd_graph_exec_set_kernel";
    hd_status status = exec_use(call, exec);
    if (status < 0)
        return status;
    if (!node)
        return hd__null(call, "node");
    if (node->graph->serial != exec->serial || node->index >= exec->nodes)
        return hd__fail(HD_ERR_ARGUMENT, call, "the node is of another graph");
    if (node->kind != HD__NODE_KERNEL || node->kernel != kernel)
        return hd__fail(HD_ERR_ARGUMENT, call, "node %zu does not launch the kernel %s",
                        node->index, kernel->name);
    int device = config->stream ? config->stream->device : exec->device;
    status = hd__launch_check(kernel, config, device);
    if (status < 0)
        return status;
    const hd__node_work work = {.call = call,
                                .kind = HD__NODE_KERNEL,
                                .ordinal = hd__device_at(device)->ordinal,
                                .kernel = kernel,
                                .config = config,
                                .args = args};
    return hd__settle(call, exec->device, hdb_graph_set_kernel(exec->native, node->native, &work));
}

hd_status hd_graph_exec_update(hd_graph_exec *exec, hd_graph *graph)
{
    static const char call[] = "hd_graph_exec_update";
    hd_event **events = NULL, *last = NULL;
    size_t event_count = 0;
    hd_status status = exec_use(call, exec);
    if (status >= 0)
        status = hd__graph_use(call, graph);
    if (status >= 0)
        status = cycle_check(call, graph);
    if (status >= 0 && graph->tasks)
        status = hd_event_create(exec->device, 0, &last);
    if (status >= 0 && !events_take(graph, &events, &event_count))
        status = hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an executable graph");
    if (status >= 0)
        status = hdb_graph_update(exec->ordinal, exec->native, graph->native);
    if (status < 0) {
        free(events);
        (void)hd_event_destroy(last);
        return exec ? hd__settle(call, exec->device, status) : status;
    }
    tasks_retire(exec);
    free(exec->events);
    exec->events = events;
    exec->event_count = event_count;
    exec->last = last;
    exec->tasks = graph->tasks;
    hd__tasks_retain(exec->tasks);
    return HD_OK;
}
