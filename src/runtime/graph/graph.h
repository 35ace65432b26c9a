/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - the handles of graphs, as the files about them see them. */
#ifndef HEDDLE_RUNTIME_GRAPH_H
#define HEDDLE_RUNTIME_GRAPH_H

#include <heddle/graph.h>

#include "runtime/runtime.h"

struct hd_graph_node {
    hd_graph *graph;
    size_t index;
    hd__node_kind kind;
    hd_graph_node **after; /* edges, for the search for cycles */
    size_t after_count, after_room;
    const hd_kernel *kernel;
    hd_event *event; /* that it records */
    uint64_t stamp;  /* of the last call that named it */
    void *native;
};

struct hd_graph {
    uint64_t serial; /* of all graphs of the process */
    int device, ordinal;
    hd_graph_node **nodes; /* explicit ones */
    size_t count, room;
    uint64_t stamp;
    hd__tasks *tasks;
    void *native;
};

struct hd_graph_exec {
    uint64_t serial; /* of its graph */
    size_t nodes;    /* explicit ones, then */
    int device, ordinal;
    hd_event **events; /* that its nodes record */
    size_t event_count;
    hd__tasks *tasks;
    hd_event *last; /* recorded behind the last launch; only where there are tasks */
    void *native;
};

/* A handle for a graph of the backend's; takes the tasks over. NULL: no memory. */
hd_graph *hd__graph_wrap(int device, int ordinal, void *native, hd__tasks *tasks);
/* HD_ERR_ARGUMENT for NULL, and what is wrong with its device. */
hd_status hd__graph_use(const char *call, const hd_graph *graph);
/* Where a node goes. */
typedef struct hd__place {
    const char *call;
    hd_graph *graph;
    hd_graph_node *const *after;
    size_t count;
    hd_graph_node **node;
} hd__place;
hd_status hd__place_check(const hd__place *at);
/* The place is good; what a vendor cannot know of the work has been checked. */
hd_status hd__node_add(const hd__place *at, hd__node_work work);

/* Node `node` of `exec` gets a new configuration and arguments. */
hd_status hd__graph_exec_kernel(hd_graph_exec *exec, hd_graph_node *node, const hd_kernel *kernel,
                                hd_launch_config *config, void **args);

#endif
