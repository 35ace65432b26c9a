/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - graphs: what the files here share. A graph is used by one thread
   at a time; one that a capture records is guarded by hd_cpu.lock. */
#ifndef HEDDLE_CPU_GRAPH_GRAPH_H
#define HEDDLE_CPU_GRAPH_GRAPH_H

#include "stream/stream.h"

/* A node is an operation that was not enqueued: each launch enqueues a copy of it. */
typedef struct hd_cpu_node {
    size_t index;
    int device;
    hd_cpu_op_kind kind; /* RECORD and WAIT: of `event` */
    hd_cpu_op *op;       /* a launch, copy, fill or function; else NULL */
    hd_cpu_event *event; /* RECORD, WAIT; NULL: the node does nothing */
    hd_cpu_nodes after;
} hd_cpu_node;

typedef struct hd_cpu_graph {
    hd_cpu_nodes nodes;
} hd_cpu_graph;

/* A node of the graph, in the order of execution. */
typedef struct hd_cpu_step {
    hd_cpu_op_kind kind;
    hd_cpu_op *op;
    hd_cpu_event *event;
    int device;
    unsigned lane;
    int marked;        /* others wait for it, or the end does: */
    int last;          /* no other one comes after it */
    int root;          /* waits for the beginning */
    size_t from, upto; /* in waits: steps of other lanes that it waits for */
} hd_cpu_step;

typedef struct hd_cpu_exec {
    size_t count;
    hd_cpu_step *steps;
    size_t *step_of;    /* node by index: its step */
    size_t *edge_first; /* node by index, and one more: the nodes it comes after, in edges */
    size_t *edges;
    size_t *waits;
    hd_cpu_stream **lanes;
    unsigned lane_count;
    hd_cpu_mark *end; /* of the last launch */
} hd_cpu_exec;

/* 0: no memory. */
int hd_cpu_nodes_add(hd_cpu_nodes *nodes, hd_cpu_node *node);
/* The set is empty. */
int hd_cpu_nodes_copy(hd_cpu_nodes *nodes, const hd_cpu_nodes *from);
/* Adds those of `from` that are not among them yet. */
int hd_cpu_nodes_join(hd_cpu_nodes *nodes, const hd_cpu_nodes *from);
/* Every node of the graph that one of `nodes` is or comes after is marked in seen[index], which
   holds zeros. 0: no memory. */
int hd_cpu_nodes_before(const hd_cpu_graph *graph, const hd_cpu_nodes *nodes, char *seen);

hd_cpu_graph *hd_cpu_graph_make(void); /* NULL: no memory */
void hd_cpu_graph_free(hd_cpu_graph *graph);
/* A node that comes after the others; takes the operation over. NULL: no memory. */
hd_cpu_node *hd_cpu_node_make(hd_cpu_graph *graph, hd_cpu_op_kind kind, int device, hd_cpu_op *op,
                              const hd_cpu_nodes *after);
/* `record` of a capture. */
hd_status hd_cpu_graph_record(hd_cpu_op *op);
/* The node that the work becomes in the graph. */
hd_status hd_cpu_node_of(hd_cpu_graph *graph, const hd__node_work *work, const hd_cpu_nodes *after,
                         hd_cpu_node **node);

#endif
