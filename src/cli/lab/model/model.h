/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - a performance model of the Jacobi problem on many devices: parameters, and the times
   that follow from them (docs/mpi.md). */
#ifndef HEDDLE_CLI_LAB_MODEL_H
#define HEDDLE_CLI_LAB_MODEL_H

#include <heddle/data.h>

#include "cli/app/output.h"

/* A message takes alpha + bytes / rate seconds. */
typedef struct model_link {
    double alpha, rate;
} model_link;

typedef struct model {
    size_t nx, ny;
    hd_type type;
    unsigned depth;       /* sweeps per pass */
    double rate;          /* cells per second of one device, at this depth */
    int rate_assumed;     /* not given: the built-in rate */
    double launch;        /* overhead of a pass, in seconds */
    model_link node, net; /* between devices of a node, and between nodes */
    unsigned per_node;
    size_t norm_every; /* 0: no norms */
    int overlap;       /* halo exchange overlaps the sweep of inner rows */
} model;

/* Times per sweep on `devices` devices, in seconds. */
typedef struct model_times {
    unsigned devices, nodes, tiles_x, tiles_y;
    size_t nx, ny;   /* cells of the largest part */
    double edges;    /* its outermost bands, which are swept first */
    double between;  /* its other cells */
    double exchange; /* halo rows and columns */
    double norms;    /* reduction of the norms */
    double sweep;    /* total */
    double alone;    /* the same cells on one device: the whole field, or one part */
    double speedup;  /* strong: alone / sweep; weak: devices * alone / sweep */
    double efficiency;
} model_times;

/* Strong scaling: the model's field over `devices`. HD_ERR_ARGUMENT if it cannot be split that
   way. */
hd_status model_strong(const model *m, unsigned devices, model_times *times);
/* Weak scaling: a field with `devices` times as many rows. */
hd_status model_weak(const model *m, unsigned devices, model_times *times);

#endif
