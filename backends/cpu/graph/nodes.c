/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.c - sets of nodes, and the predecessors of nodes in a graph. */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of nodes --------------------------------------------------------------------------- */

int hd_cpu_nodes_add(hd_cpu_nodes *nodes, hd_cpu_node *node)
{
    if (nodes->count == nodes->room) {
        size_t room = nodes->room ? 2 * nodes->room : 4;
        hd_cpu_node **more = realloc(nodes->at, room * sizeof(hd_cpu_node *));

        if (!more)
            return 0;
        nodes->at = more;
        nodes->room = room;
    }
    nodes->at[nodes->count++] = node;
    return 1;
}

int hd_cpu_nodes_copy(hd_cpu_nodes *nodes, const hd_cpu_nodes *from)
{
    nodes->at = malloc((from->count + 1) * sizeof(hd_cpu_node *));
    if (!nodes->at)
        return 0;
    if (from->count)
        memcpy(nodes->at, from->at, from->count * sizeof(hd_cpu_node *));
    nodes->count = from->count;
    nodes->room = from->count + 1;
    return 1;
}

int hd_cpu_nodes_join(hd_cpu_nodes *nodes, const hd_cpu_nodes *from)
{
    for (size_t i = 0; i < from->count; i++) {
        size_t k = 0;

        while (k < nodes->count && nodes->at[k] != from->at[i])
            k++;
        if (k == nodes->count && !hd_cpu_nodes_add(nodes, from->at[i]))
            return 0;
    }
    return 1;
}

int hd_cpu_nodes_before(const hd_cpu_graph *graph, const hd_cpu_nodes *nodes, char *seen)
{
    hd_cpu_node **stack = malloc((graph->nodes.count + 1) * sizeof(hd_cpu_node *));
    size_t depth = 0;

    if (!stack)
        return 0;
    for (const hd_cpu_nodes *more = nodes; more;) {
        for (size_t i = 0; i < more->count; i++)
            if (!seen[more->at[i]->index]) {
                seen[more->at[i]->index] = 1;
                stack[depth++] = more->at[i];
            }
        more = depth ? &stack[--depth]->after : NULL;
    }
    free(stack);
    return 1;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

hd_cpu_graph *hd_cpu_graph_make(void)
{
    return calloc(1, sizeof(hd_cpu_graph));
}

static void node_free(hd_cpu_node *node)
{
    if (node->op) {
        (void)pthread_mutex_lock(&hd_cpu.lock);
        hd_cpu_op_release(node->op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
    }
    free(node->after.at);
    free(node);
}

void hd_cpu_graph_free(hd_cpu_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        node_free(graph->nodes.at[i]);
    free(graph->nodes.at);
    free(graph);
}

hd_cpu_node *hd_cpu_node_make(hd_cpu_graph *graph, hd_cpu_op_kind kind, int device, hd_cpu_op *op,
                              const hd_cpu_nodes *after)
{
    hd_cpu_node *node = calloc(1, sizeof *node);

    if (!node)
        return NULL;
    node->index = graph->nodes.count;
    node->device = device;
    node->kind = kind;
    if (!hd_cpu_nodes_copy(&node->after, after) || !hd_cpu_nodes_add(&graph->nodes, node)) {
        free(node->after.at);
        free(node);
        return NULL;
    }
    node->op = op;
    return node;
}
