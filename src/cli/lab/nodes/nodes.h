/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.h - many small kernels, dependent in some shape or independent, enqueued by several
   strategies: what `heddle graph` measures. */
#ifndef HEDDLE_CLI_LAB_NODES_H
#define HEDDLE_CLI_LAB_NODES_H

#include <heddle/graph.h>

#include "cli/app/job.h"

enum { NODES_STRATEGIES = 16, NODES_RUNS = 1001, NODES_NAME = 32 };

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

/* A strategy: enqueues all kernels on or between the streams; waiting for the first stream waits
   for all of them. */
typedef struct nodes_strategy {
    char name[NODES_NAME];
    hd_status (*pass)(nodes *n, const struct nodes_strategy *strategy);
    unsigned streams;    /* number of streams that it uses */
    bool *awaited;       /* per node: a node in another stream depends on it */
    hd_graph_exec *exec; /* graph that it launches */
    double call[NODES_RUNS], alone[NODES_RUNS], row[NODES_RUNS]; /* seconds per node, sorted */
} nodes_strategy;

struct nodes {
    cli_job job;
    nodes_shape shape;
    size_t count;
    unsigned blocks, threads, turns;
    bool empty;         /* kernels are empty */
    unsigned streams;   /* limit */
    size_t passes;      /* consecutive passes */
    hd_stream **stream; /* the first is the job's */
    hd_event **done;    /* per node: recorded if another stream waits for it */
    hd_event *fork, **join;
    size_t *first; /* node i depends on list[first[i]] to before list[first[i + 1]] */
    uint32_t *list;
    uint32_t *device_list, *cells;
    uint32_t *expected, *found;
    nodes_strategy strategies[NODES_STRATEGIES];
    size_t strategy_count;
    double build, instantiate, capture, update; /* seconds per node; 0: not measured */
    size_t compared;                            /* strategies whose result was compared */
    const char *wrong;                          /* the strategy whose result differs */
    size_t wrong_at;
};

const char *nodes_shape_name(nodes_shape shape);

/* Reads the options of `heddle graph`, and sets up everything except the strategies. CLI_DONE, or
   an exit status after a line; call nodes_close in either case. `count` and `turns` are
   defaults. */
int nodes_open(nodes *n, const cli_arguments *arguments, nodes_shape shape, size_t count,
               unsigned turns, unsigned streams);
void nodes_close(nodes *n);

/* Strategies (strategies.c). Each adds one row. */
hd_status nodes_add_launches(nodes *n);
hd_status nodes_add_streams(nodes *n, unsigned streams);
hd_status nodes_add_graph(nodes *n);
hd_status nodes_add_captured(nodes *n, unsigned streams);

/* Runs every strategy once over garbage cells and compares, then measures them in turn. */
int nodes_measure(nodes *n);
/* The table, JSON or CSV; CLI_FAILED after a line if a result was wrong. */
int nodes_print(nodes *n);

/* Runs a command from its arguments to its output: `add_strategies` adds the strategies. Returns
   the exit status. */
int nodes_run(const cli_arguments *arguments, nodes_shape shape, size_t count, unsigned turns,
              unsigned streams, hd_status (*add_strategies)(nodes *n));

#endif
