/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - handles of graphs, for the files of this folder. */
#ifndef HEDDLE_RUNTIME_GRAPH_H
#define HEDDLE_RUNTIME_GRAPH_H

#include <heddle/graph.h>

#include "runtime/runtime.h"

struct hd_graph_node {
    hd_graph *graph;
    size_t index;
    hd__node_kind kind;
    hd_graph_node **after; /* predecessors, for the search for cycles */
    size_t after_count, after_room;
    const hd_kernel *kernel;
    hd_event *event; /* event that it records */
    uint64_t stamp;  /* last call that named it */
    void *native;
};

struct hd_graph {
    uint64_t serial; /* unique in the process */
    int device, ordinal;
    hd_graph_node **nodes; /* explicit nodes */
    size_t count, room;
    uint64_t stamp;
    hd__tasks *tasks;
    void *native;
};

struct hd_graph_exec {
    uint64_t serial; /* serial of its graph */
    size_t nodes;    /* number of explicit nodes at instantiation */
    int device, ordinal;
    hd_event **events; /* events that its nodes record */
    size_t event_count;
    hd__tasks *tasks;
    hd_event *last; /* recorded after the last launch; only if there are tasks */
    void *native;
};

/* A handle for a graph of the backend; takes ownership of the tasks. NULL: out of memory. */
hd_graph *hd__graph_wrap(int device, int ordinal, void *native, hd__tasks *tasks);
/* HD_ERR_ARGUMENT for NULL, or the error of its device. */
hd_status hd__graph_use(const char *call, const hd_graph *graph);
/* The graph and predecessors of a node. */
typedef struct hd__place {
    const char *call;
    hd_graph *graph;
    hd_graph_node *const *after;
    size_t count;
    hd_graph_node **node;
} hd__place;
hd_status hd__place_check(const hd__place *at);
/* Adds a node. The place and what a vendor cannot check have been checked. */
hd_status hd__node_add(const hd__place *at, hd__node_work work);

/* Gives node `node` of `exec` a new configuration and arguments. */
hd_status hd__graph_exec_kernel(hd_graph_exec *exec, hd_graph_node *node, const hd_kernel *kernel,
                                hd_launch_config *config, void **args);

#endif
