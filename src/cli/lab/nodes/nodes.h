/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.h - many small kernels, dependent in some shape or independent, enqueued in several ways:
   what `heddle graph` measures. */
#ifndef HEDDLE_CLI_LAB_NODES_H
#define HEDDLE_CLI_LAB_NODES_H

#include <heddle/graph.h>

#include "cli/app/job.h"

enum { NODES_WAYS = 16, NODES_RUNS = 1001, NODES_NAME = 32 };

/* X(name, text) */
#define NODES_SHAPE_LIST(X)                                                                        \
    X(NODES_CHAIN, "chain")                                                                        \
    X(NODES_FAN, "fan")                                                                            \
    X(NODES_DIAMOND, "diamond")                                                                    \
    X(NODES_INDEPENDENT, "independent")

typedef enum nodes_shape {
#define NODES_ENUM_(name, text) name,
    NODES_SHAPE_LIST(NODES_ENUM_)
#undef NODES_ENUM_
        NODES_SHAPE_COUNT
} nodes_shape;

typedef struct nodes nodes;

/* One way to have all the kernels run: enqueues them all on or between the streams; whoever waits
   for the first stream waits for all. */
typedef struct nodes_way {
    char name[NODES_NAME];
    hd_status (*pass)(nodes *n, const struct nodes_way *way);
    unsigned streams;    /* that it uses */
    bool *awaited;       /* by node: one of another stream waits for it */
    hd_graph_exec *exec; /* that it launches */
    double call[NODES_RUNS], alone[NODES_RUNS], row[NODES_RUNS]; /* seconds per node, sorted */
} nodes_way;

struct nodes {
    cli_job job;
    nodes_shape shape;
    size_t count;
    unsigned blocks, threads, turns;
    bool empty;         /* kernels that do nothing */
    unsigned streams;   /* at most */
    size_t passes;      /* in a row */
    hd_stream **stream; /* the first is the job's */
    hd_event **done;    /* of a node, where another stream waits for it */
    hd_event *fork, **join;
    size_t *first; /* node i comes after list[first[i]] to before list[first[i + 1]] */
    uint32_t *list;
    uint32_t *device_list, *cells;
    uint32_t *expected, *found;
    nodes_way ways[NODES_WAYS];
    size_t way_count;
    double build, instantiate, capture, update; /* seconds per node; 0: not measured */
    size_t compared;                            /* ways whose result was looked at */
    const char *wrong;                          /* the way whose result differs */
    size_t wrong_at;
};

const char *nodes_shape_name(nodes_shape shape);

/* Reads the options of `heddle graph`, makes everything but the ways. CLI_DONE, or an exit status
   after a line; nodes_close may follow a failure. `count` and `turns` are defaults. */
int nodes_open(nodes *n, const cli_arguments *arguments, nodes_shape shape, size_t count,
               unsigned turns, unsigned streams);
void nodes_close(nodes *n);

/* Ways (strategies.c). Each adds one row. */
hd_status nodes_add_launches(nodes *n);
hd_status nodes_add_streams(nodes *n, unsigned streams);
hd_status nodes_add_graph(nodes *n);
hd_status nodes_add_captured(nodes *n, unsigned streams);

/* Runs every way once over cells that hold garbage and compares, then measures them in turns. */
int nodes_measure(nodes *n);
/* The table, JSON or CSV; CLI_FAILED after a line where something was wrong. */
int nodes_print(nodes *n);

/* A command from its arguments to its output: `add_ways` adds the ways. Its exit status. */
int nodes_run(const cli_arguments *arguments, nodes_shape shape, size_t count, unsigned turns,
              unsigned streams, hd_status (*add_ways)(nodes *n));

#endif
