/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - what a Jacobi problem should take on many devices: the parameters, and the times that
   follow from them (docs/mpi.md). */
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
    unsigned depth;       /* sweeps of a pass */
    double rate;          /* cells per second of one device, at this depth */
    int rate_assumed;     /* not given */
    double launch;        /* seconds that a pass costs beside its cells */
    model_link node, net; /* between devices of a node, and of two nodes */
    unsigned per_node;
    size_t norm_every; /* 0: no norms */
    int overlap;       /* rows travel while the rows between are swept */
} model;

/* Times of a sweep on `devices` devices, in seconds. */
typedef struct model_times {
    unsigned devices, nodes, tiles_x, tiles_y;
    size_t nx, ny;   /* cells of the largest part */
    double edges;    /* its outermost bands, which are swept first */
    double between;  /* its other cells */
    double exchange; /* rows and columns of neighbours */
    double norms;    /* their gathering */
    double sweep;    /* all together */
    double alone;    /* the same cells on one device: of the whole field, or of one part */
    double speedup;  /* strong: alone / sweep; weak: devices * alone / sweep */
    double efficiency;
} model_times;

/* Strong: the field of the model over `devices`. HD_ERR_ARGUMENT where it cannot be cut so. */
hd_status model_strong(const model *m, unsigned devices, model_times *times);
/* Weak: a field of `devices` times as many rows. */
hd_status model_weak(const model *m, unsigned devices, model_times *times);

#endif
