/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - graphs and their explicit nodes: checks, and handles for the backend's objects. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- graphs --------------------------------------------------------------------------------- */

hd_status hd__graph_use(const char *call, const hd_graph *graph)
{
    if (!graph)
        return hd__null(call, "graph");
    if (HD__HANDLES_CHECKED)
        HD_TRY(hd__handle_use(call, graph, "graph"));
    return hd__lost(call, graph->device);
}

hd_graph *hd__graph_wrap(int device, int ordinal, void *native, hd__tasks *tasks)
{
    static atomic_ullong serials;
    hd_graph *made = hd__handle_make(sizeof *made);
    if (!made)
        return NULL;
    made->serial = atomic_fetch_add(&serials, 1) + 1;
    made->device = device;
    made->ordinal = ordinal;
    made->native = native;
    made->tasks = tasks;
    return made;
}

hd_status hd_graph_create(int device, hd_graph **graph)
{
    static const char call[] = "hd_graph_create";
    hd__device *entry;
    void *native = NULL;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!graph)
        return hd__null(call, "graph");
    status = hd__device_limits(entry);
    if (status >= 0)
        status = hdb_graph_create(entry->ordinal, &native);
    if (status < 0)
        return hd__settle(call, device, status);
    hd_graph *made = hd__graph_wrap(device, entry->ordinal, native, NULL);
    if (!made) {
        (void)hdb_graph_destroy(native);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a graph");
    }
    *graph = made;
    return HD_OK;
}

static void node_free(hd_graph_node *node)
{
    if (node)
        free(node->after);
    free(node);
}

hd_status hd_graph_destroy(hd_graph *graph)
{
    static const char call[] = "hd_graph_destroy";
    HD__RELEASING;
    if (!graph)
        return HD_OK;
    HD_TRY(hd__handle_claim(call, graph, "graph"));
    int device = graph->device;
    hd_status status = hdb_graph_destroy(graph->native);
    for (size_t i = 0; i < graph->count; i++)
        node_free(graph->nodes[i]);
    free(graph->nodes);
    hd__tasks_release(graph->tasks);
    hd__handle_free(graph);
    return hd__settle(call, device, status);
}

hd_status hd_graph_node_count(hd_graph *graph, size_t *count)
{
    static const char call[] = "hd_graph_node_count";
    size_t got = 0;
    hd_status status = hd__graph_use(call, graph);
    if (status < 0)
        return status;
    if (!count)
        return hd__null(call, "count");
    status = hdb_graph_size(graph->native, &got);
    if (status >= 0)
        *count = got;
    return hd__settle(call, graph->device, status);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

hd_status hd__place_check(const hd__place *at)
{
    hd_status status = hd__graph_use(at->call, at->graph);
    if (status < 0)
        return status;
    if (at->count && !at->after)
        return hd__null(at->call, "after");
    uint64_t stamp = ++at->graph->stamp;
    for (size_t i = 0; i < at->count; i++) {
        if (!at->after[i])
            return hd__fail(HD_ERR_ARGUMENT, at->call, "after[%zu] is NULL", i);
        if (at->after[i]->graph != at->graph)
            return hd__fail(HD_ERR_ARGUMENT, at->call, "after[%zu] is a node of another graph", i);
        if (at->after[i]->stamp == stamp)
            return hd__fail(HD_ERR_ARGUMENT, at->call, "after[%zu] is listed twice", i);
        at->after[i]->stamp = stamp;
    }
    return HD_OK;
}

/* Allocates the handle, and room for it in the graph. NULL: out of memory. */
static hd_graph_node *node_make(const hd__place *at)
{
    hd_graph *graph = at->graph;
    hd_graph_node *made = calloc(1, sizeof *made);
    if (made && at->count)
        made->after = malloc(at->count * sizeof(hd_graph_node *));
    if (graph->count == graph->room) {
        size_t room = graph->room ? 2 * graph->room : 16;
        hd_graph_node **more = realloc(graph->nodes, room * sizeof(hd_graph_node *));
        if (more) {
            graph->nodes = more;
            graph->room = room;
        }
    }
    if (!made || (at->count && !made->after) || graph->count == graph->room) {
        node_free(made);
        return NULL;
    }
    if (at->count)
        memcpy(made->after, at->after, at->count * sizeof(hd_graph_node *));
    made->after_count = made->after_room = at->count;
    made->graph = graph;
    made->index = graph->count;
    return made;
}

hd_status hd__node_add(const hd__place *at, hd__node_work work)
{
    void **after = at->count ? malloc(at->count * sizeof *after) : NULL;
    hd_graph_node *made = node_make(at);
    hd_status status;
    if (!made || (at->count && !after)) {
        free(after);
        node_free(made);
        return hd__fail(HD_ERR_NO_MEMORY, at->call, "no memory for a node");
    }
    work.call = at->call;
    for (size_t i = 0; i < at->count; i++)
        after[i] = at->after[i]->native;
    made->kind = work.kind;
    made->kernel = work.kernel;
    made->event = work.kind == HD__NODE_RECORD ? work.event : NULL;
    status = hdb_graph_add(at->graph->native, &work, after, at->count, &made->native);
    free(after);
    if (status < 0) {
        node_free(made);
        return hd__settle(at->call, at->graph->device, status);
    }
    at->graph->nodes[at->graph->count++] = made;
    if (at->node)
        *at->node = made;
    return HD_OK;
}

static hd_status join_add(const hd__place *at)
{
    const hd__node_work work = {.kind = HD__NODE_JOIN, .ordinal = at->graph->ordinal};
    return hd__node_add(at, work);
}

hd_status hd_graph_join(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node)
{
    const hd__place at = {"hd_graph_join", graph, after, after_count, node};
    hd_status status = hd__place_check(&at);
    return status < 0 ? status : join_add(&at);
}

/* Plain host memory may be freed before the graph runs, and no vendor specifies when it is read. */
static hd_status copy_check(const hd__place *at, const void *pointer, const char *name)
{
    hd_pointer_info info;
    if (!pointer)
        return hd__null(at->call, name);
    hd_status status = hd_pointer_get(pointer, &info);
    if (status >= 0 && info.kind == HD_MEM_UNKNOWN)
        return hd__fail(HD_ERR_POINTER, at->call,
                        "`%s` is plain host memory; nodes use pinned and device memory", name);
    return status;
}

hd_status hd_graph_copy_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, const void *from, size_t count,
                              size_t size)
{
    const hd__place at = {"hd_graph_copy_bytes", graph, after, after_count, node};
    size_t bytes = hd_bytes(count, size);
    hd_status status = hd__place_check(&at);
    if (status < 0)
        return status;
    if (bytes == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, at.call, "%zu elements of %zu bytes do not fit in memory",
                        count, size);
    if (bytes == 0)
        return join_add(&at);
    status = copy_check(&at, to, "to");
    if (status >= 0)
        status = copy_check(&at, from, "from");
    if (status < 0)
        return status;
    const hd__node_work work = {
        .kind = HD__NODE_COPY, .ordinal = graph->ordinal, .to = to, .from = from, .bytes = bytes};
    return hd__node_add(&at, work);
}

hd_status hd_graph_fill_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, uint32_t value, size_t size,
                              size_t count)
{
    const hd__place at = {"hd_graph_fill_bytes", graph, after, after_count, node};
    hd_status status = hd__place_check(&at);
    if (status < 0)
        return status;
    if (size != 1 && size != 2 && size != 4)
        return hd__fail(HD_ERR_ARGUMENT, at.call, "elements of %zu bytes; 1, 2 or 4 are possible",
                        size);
    if (hd_bytes(count, size) == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, at.call, "%zu elements of %zu bytes do not fit in memory",
                        count, size);
    if (count == 0)
        return join_add(&at);
    if (!to)
        return hd__null(at.call, "to");
    if ((uintptr_t)to % size != 0)
        return hd__fail(HD_ERR_ARGUMENT, at.call, "the address is not a multiple of %zu", size);
    status = copy_check(&at, to, "to");
    if (status < 0)
        return status;
    const hd__node_work work = {.kind = HD__NODE_FILL,
                                .ordinal = graph->ordinal,
                                .to = to,
                                .value = value,
                                .size = size,
                                .count = count};
    return hd__node_add(&at, work);
}

hd_status hd_graph_host_function(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                                 hd_graph_node **node, void (*function)(void *), void *argument)
{
    const hd__place at = {"hd_graph_host_function", graph, after, after_count, node};
    hd_status status = hd__place_check(&at);
    if (status < 0)
        return status;
    if (!function)
        return hd__null(at.call, "function");
    const hd__node_work work = {.kind = HD__NODE_HOST,
                                .ordinal = graph->ordinal,
                                .function = function,
                                .argument = argument};
    return hd__node_add(&at, work);
}

hd_status hd_graph_host_try(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                            hd_graph_node **node, hd_status (*function)(void *), void *argument)
{
    const hd__place at = {"hd_graph_host_try", graph, after, after_count, node};
    hd__node_work work = {.kind = HD__NODE_HOST};
    hd_status status = hd__place_check(&at);
    if (status < 0)
        return status;
    if (!function)
        return hd__null(at.call, "function");
    work.ordinal = graph->ordinal;
    status = hd__tasks_add(at.call, &graph->tasks, graph->device, function, argument,
                           &work.function, &work.argument);
    return status < 0 ? status : hd__node_add(&at, work);
}

static hd_status event_add(const hd__place *at, hd__node_kind kind, hd_event *event)
{
    hd_status status = hd__place_check(at);
    if (status >= 0)
        status = hd__event_use(at->call, event);
    if (status < 0)
        return status;
    if (kind == HD__NODE_RECORD && event->device != at->graph->device)
        return hd__fail(HD_ERR_ARGUMENT, at->call,
                        "the event is of device %d, the graph of device %d", event->device,
                        at->graph->device);
    const hd__node_work work = {.kind = kind, .ordinal = at->graph->ordinal, .event = event};
    return hd__node_add(at, work);
}

hd_status hd_graph_record(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                          hd_graph_node **node, hd_event *event)
{
    const hd__place at = {"hd_graph_record", graph, after, after_count, node};
    return event_add(&at, HD__NODE_RECORD, event);
}

hd_status hd_graph_wait(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node, hd_event *event)
{
    const hd__place at = {"hd_graph_wait", graph, after, after_count, node};
    return event_add(&at, HD__NODE_WAIT, event);
}

hd_status hd_graph_depend(hd_graph_node *node, hd_graph_node *after)
{
    static const char call[] = "hd_graph_depend";
    if (!node || !after)
        return hd__null(call, node ? "after" : "node");
    if (node->graph != after->graph)
        return hd__fail(HD_ERR_ARGUMENT, call, "the nodes are of different graphs");
    hd_status status = hd__graph_use(call, node->graph);
    if (status < 0)
        return status;
    for (size_t i = 0; i < node->after_count; i++)
        if (node->after[i] == after)
            return HD_OK;
    if (node == after)
        return hd__fail(HD_ERR_ARGUMENT, call, "a node cannot come after itself");
    if (node->after_count == node->after_room) {
        size_t room = node->after_room ? 2 * node->after_room : 4;
        hd_graph_node **more = realloc(node->after, room * sizeof(hd_graph_node *));
        if (!more)
            return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an edge");
        node->after = more;
        node->after_room = room;
    }
    status = hdb_graph_depend(node->graph->native, node->native, after->native);
    if (status >= 0)
        node->after[node->after_count++] = after;
    return hd__settle(call, node->graph->device, status);
}
