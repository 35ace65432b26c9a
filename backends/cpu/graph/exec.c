/* SPDX-License-Identifier: Apache-2.0 */
/* exec.c - executable graphs. The nodes are sorted topologically and divided into lanes, which are
   streams: a node continues the lane of a predecessor that is the last node there, or begins a new
   lane. The order within a lane is therefore always that of edges; an edge between lanes becomes a
   mark that one lane sets and the other waits for. Lazy stream orders and the checker then see
   exactly the graph's order.

       graph   A --> B --> D        lane 0   A   B   wait C   D
                \         ^         lane 1   wait A   C
                 --> C --/ */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

static hd_status no_memory(void)
{
    return hd__fail(HD_ERR_NO_MEMORY, "hd_graph_instantiate", "no memory for the graph");
}

/* ---- from a graph to steps ------------------------------------------------------------------- */

/* Sorts the nodes topologically into order[], by index. 0: out of memory. */
static int order_nodes(const hd_cpu_graph *graph, size_t *order)
{
    size_t n = graph->nodes.count, edges = 0, head = 0, tail = 0;
    size_t *left, *first, *later;

    for (size_t i = 0; i < n; i++)
        edges += graph->nodes.at[i]->after.count;
    left = calloc(2 * n + 2 + edges, sizeof *left);
    if (!left)
        return 0;
    first = left + n;
    later = first + n + 2;
    for (size_t i = 0; i < n; i++) {
        left[i] = graph->nodes.at[i]->after.count;
        for (size_t k = 0; k < left[i]; k++)
            first[graph->nodes.at[i]->after.at[k]->index + 2]++;
        if (!left[i])
            order[tail++] = i;
    }
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < left[i]; k++)
            later[first[graph->nodes.at[i]->after.at[k]->index + 1]++] = i;
    for (; head < tail; head++)
        for (size_t k = first[order[head]]; k < first[order[head] + 1]; k++)
            if (--left[later[k]] == 0)
                order[tail++] = later[k];
    free(left);
    return 1;
}

/* The step continues the lane of a predecessor that is the last step there. last[]: last step of
   each lane. */
static void choose_lane(hd_cpu_exec *e, const hd_cpu_node *node, size_t at, size_t *last)
{
    hd_cpu_step *s = &e->steps[at];

    s->root = node->after.count == 0;
    s->lane = e->lane_count;
    for (size_t k = node->after.count; k-- > 0;) {
        size_t p = e->step_of[node->after.at[k]->index];

        if (last[e->steps[p].lane] == p && e->steps[p].device == s->device) {
            s->lane = e->steps[p].lane;
            break;
        }
    }
    if (s->lane == e->lane_count)
        e->lane_count++;
    last[s->lane] = at;
}

static void plan_step(hd_cpu_exec *e, const hd_cpu_node *node, size_t at, size_t *last,
                      size_t *waits)
{
    hd_cpu_step *s = &e->steps[at];

    s->kind = node->kind;
    s->event = node->event;
    s->device = node->device;
    s->op = node->op;
    if (s->op)
        s->op->refs++;
    s->last = 1; /* cleared if another step follows it */
    e->step_of[node->index] = at;
    choose_lane(e, node, at, last);
    s->from = *waits;
    for (size_t k = 0; k < node->after.count; k++) {
        size_t p = e->step_of[node->after.at[k]->index];

        if (e->steps[p].lane != s->lane)
            e->waits[(*waits)++] = p;
        e->edges[e->edge_first[node->index] + k] = node->after.at[k]->index;
    }
    s->upto = *waits;
}

/* Steps without successors, or that another lane waits for, set a mark. */
static void choose_marks(hd_cpu_exec *e)
{
    for (size_t i = 0; i < e->edge_first[e->count]; i++)
        e->steps[e->step_of[e->edges[i]]].last = 0;
    for (size_t i = 0; i < e->count; i++)
        e->steps[i].marked = e->steps[i].last;
    for (size_t i = 0; i < e->count; i++)
        for (size_t k = e->steps[i].from; k < e->steps[i].upto; k++)
            e->steps[e->waits[k]].marked = 1;
}

static int exec_room(hd_cpu_exec *e, const hd_cpu_graph *graph)
{
    size_t n = e->count = graph->nodes.count;

    e->steps = calloc(n + 1, sizeof *e->steps);
    e->step_of = calloc(n + 1, sizeof *e->step_of);
    e->edge_first = calloc(n + 1, sizeof *e->edge_first);
    if (!e->steps || !e->step_of || !e->edge_first)
        return 0;
    for (size_t i = 0; i < n; i++)
        e->edge_first[i + 1] = e->edge_first[i] + graph->nodes.at[i]->after.count;
    e->edges = calloc(e->edge_first[n] + 1, sizeof *e->edges);
    e->waits = calloc(e->edge_first[n] + 1, sizeof *e->waits);
    return e->edges && e->waits;
}

static int exec_plan(hd_cpu_exec *e, const hd_cpu_graph *graph)
{
    size_t *order = calloc(2 * e->count + 1, sizeof *order), waits = 0;
    int good = order && order_nodes(graph, order);

    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (size_t i = 0; good && i < e->count; i++)
        plan_step(e, graph->nodes.at[order[i]], i, order + e->count, &waits);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    free(order);
    if (good)
        choose_marks(e);
    return good;
}

static int lanes_make(hd_cpu_exec *e)
{
    e->lanes = calloc(e->lane_count + 1, sizeof(hd_cpu_stream *));
    for (size_t i = 0; e->lanes && i < e->count; i++) {
        hd_cpu_stream **lane = &e->lanes[e->steps[i].lane];

        if (!*lane && !(*lane = hd_cpu_lane_make(e->steps[i].device)))
            return 0;
    }
    return e->lanes != NULL;
}

hd_status hdb_graph_exec_destroy(void *native)
{
    hd_cpu_exec *e = native;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (size_t i = 0; e->steps && i < e->count; i++)
        if (e->steps[i].op)
            hd_cpu_op_release(e->steps[i].op);
    for (unsigned i = 0; e->lanes && i < e->lane_count; i++)
        if (e->lanes[i])
            hd_cpu_stream_drop(e->lanes[i]);
    hd_cpu_mark_release(e->end);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    free(e->steps);
    free(e->step_of);
    free(e->edge_first);
    free(e->edges);
    free(e->waits);
    free(e->lanes);
    free(e);
    return HD_OK;
}

hd_status hdb_graph_instantiate(int ordinal, void *graph, void **made)
{
    hd_cpu_exec *e = calloc(1, sizeof *e);

    (void)ordinal;
    if (!e)
        return no_memory();
    if (!exec_room(e, graph) || !exec_plan(e, graph) || !lanes_make(e)) {
        (void)hdb_graph_exec_destroy(e);
        return no_memory();
    }
    *made = e;
    return HD_OK;
}

/* ---- updates --------------------------------------------------------------------------------- */

static void step_replace(hd_cpu_step *s, hd_cpu_op *op)
{
    op->refs++;
    hd_cpu_op_release(s->op);
    s->op = op;
}

hd_status hdb_graph_set_kernel(void *native, void *node, const hd__node_work *work)
{
    hd_cpu_exec *e = native;
    hd_cpu_step *s = &e->steps[e->step_of[((hd_cpu_node *)node)->index]];
    const hd_cpu_nodes none = {.count = 0};
    hd_cpu_graph *graph = hd_cpu_graph_make();
    hd_cpu_node *made = NULL;
    hd_status status;

    if (!graph)
        return no_memory();
    if (work->ordinal != s->device)
        status = hd__fail(HD_ERR_ARGUMENT, "hd_graph_exec_set_kernel",
                          "the node is of another device");
    else
        status = hd_cpu_node_of(graph, work, &none, &made);
    if (status >= 0) {
        (void)pthread_mutex_lock(&hd_cpu.lock);
        step_replace(s, made->op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
    }
    hd_cpu_graph_free(graph);
    return status;
}

/* Whether the graph has the same nodes and edges as the one that was instantiated. */
static int same_shape(const hd_cpu_exec *e, const hd_cpu_graph *graph)
{
    if (graph->nodes.count != e->count)
        return 0;
    for (size_t i = 0; i < e->count; i++) {
        const hd_cpu_node *node = graph->nodes.at[i];
        const hd_cpu_step *s = &e->steps[e->step_of[i]];

        if (node->kind != s->kind || node->device != s->device || !node->event != !s->event ||
            node->after.count != e->edge_first[i + 1] - e->edge_first[i])
            return 0;
        for (size_t k = 0; k < node->after.count; k++)
            if (node->after.at[k]->index != e->edges[e->edge_first[i] + k])
                return 0;
    }
    return 1;
}

hd_status hdb_graph_update(int ordinal, void *native, void *graph)
{
    const hd_cpu_graph *from = graph;
    hd_cpu_exec *e = native;

    (void)ordinal;
    if (!same_shape(e, from))
        return hd__fail(HD_ERR_STATE, "hd_graph_exec_update",
                        "the graph has other nodes or edges than the one that was instantiated");
    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (size_t i = 0; i < e->count; i++) {
        hd_cpu_step *s = &e->steps[e->step_of[i]];

        s->event = from->nodes.at[i]->event;
        if (s->op)
            step_replace(s, from->nodes.at[i]->op);
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return HD_OK;
}
