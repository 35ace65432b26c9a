/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - graphs: declarations shared by the files of this folder. A graph is used by one thread
   at a time; one being captured is guarded by hd_cpu.lock. */
#ifndef HEDDLE_CPU_GRAPH_GRAPH_H
#define HEDDLE_CPU_GRAPH_GRAPH_H

#include "stream/stream.h"

/* A node is an operation that is not enqueued itself: each launch enqueues a copy of it. */
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

/* A node in execution order. */
typedef struct hd_cpu_step {
    hd_cpu_op_kind kind;
    hd_cpu_op *op;
    hd_cpu_event *event;
    int device;
    unsigned lane;
    int marked;        /* sets a mark: `last`, or another lane waits for it */
    int last;          /* has no successor */
    int root;          /* waits for the start of the launch */
    size_t from, upto; /* range in `waits`: steps of other lanes to wait for */
} hd_cpu_step;

typedef struct hd_cpu_exec {
    size_t count;
    hd_cpu_step *steps;
    size_t *step_of;    /* step of each node, by index */
    size_t *edge_first; /* by node index, count + 1 entries: its first predecessor in `edges` */
    size_t *edges;
    size_t *waits;
    hd_cpu_stream **lanes;
    unsigned lane_count;
    hd_cpu_mark *end; /* set at the end of the last launch */
} hd_cpu_exec;

/* 0: out of memory. */
int hd_cpu_nodes_add(hd_cpu_nodes *nodes, hd_cpu_node *node);
/* `nodes` must be empty. */
int hd_cpu_nodes_copy(hd_cpu_nodes *nodes, const hd_cpu_nodes *from);
/* Adds the nodes of `from` that are not in the set yet. */
int hd_cpu_nodes_join(hd_cpu_nodes *nodes, const hd_cpu_nodes *from);
/* Sets seen[index], initially zeroed, for every node in `nodes` and every predecessor of one. 0:
   out of memory. */
int hd_cpu_nodes_before(const hd_cpu_graph *graph, const hd_cpu_nodes *nodes, char *seen);

hd_cpu_graph *hd_cpu_graph_make(void); /* NULL: out of memory */
void hd_cpu_graph_free(hd_cpu_graph *graph);
/* A node with the predecessors `after`; takes ownership of the operation. NULL: out of memory. */
hd_cpu_node *hd_cpu_node_make(hd_cpu_graph *graph, hd_cpu_op_kind kind, int device, hd_cpu_op *op,
                              const hd_cpu_nodes *after);
/* The `record` function of a capture. */
hd_status hd_cpu_graph_record(hd_cpu_op *op);
/* Creates the graph's node for the work. */
hd_status hd_cpu_node_of(hd_cpu_graph *graph, const hd__node_work *work, const hd_cpu_nodes *after,
                         hd_cpu_node **node);

#endif
