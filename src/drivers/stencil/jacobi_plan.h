/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_plan.h - internal interface of the Jacobi driver. */
#ifndef HEDDLE_DRIVERS_STENCIL_JACOBI_PLAN_H
#define HEDDLE_DRIVERS_STENCIL_JACOBI_PLAN_H

#include <heddle/laplace.h>

#include "kernels/stencil/jacobi.h"

/* For tests and tuning; 0: the driver chooses. `lanes`: the kernels for warps, on the CPU too;
   `chunks`: number of shares of the rows (2-D) or planes (3-D); `unit_rows`: rows of a unit of work
   if one launch makes several passes. */
typedef struct hd__jacobi_force {
    int lanes;
    unsigned chunks;
    unsigned unit_rows;
} hd__jacobi_force;
extern hd__jacobi_force hd__jacobi_forced;

/* A call after its checks. */
typedef struct hd__jacobi_call {
    const char *call;
    const hd_jacobi *problem;
    unsigned dimensions;
    size_t pitch, plane, held_pitch; /* defaults filled in */
    uint32_t extent[3];              /* nz is 1 in 2-D */
    uint32_t quads;
    uint32_t band;
    uint32_t bands;
    uint64_t sweep_sums; /* partial sums of one sweep */
    uint32_t tiles;      /* each of HD__JACOBI_TILE partial sums */
    unsigned depth;      /* limit of sweeps per pass */
    int halo;            /* at least one side is a halo */
    void *field[2];
    const uint8_t *held;
    double *norms;
    void *partials; /* partial sums; only with norms or held cells */
    double *tile_sums;
    uint32_t *tickets;
    uint32_t aligned;
    hd_stream *stream;
} hd__jacobi_call;

/* Sweeps of the next pass if `left` remain: the largest number that a kernel supports. */
unsigned hd__jacobi_depth(const hd__jacobi_call *c, size_t left);
/* Sweeps of the first pass of hd_jacobi2d or hd_jacobi3d, which is the deepest. */
unsigned hd__jacobi_first_depth(const hd_jacobi *problem, unsigned dimensions);
/* One pass of `depth` sweeps from field[turn] to the other one. */
hd_status hd__jacobi2d_pass(const hd__jacobi_call *c, unsigned depth, unsigned turn);
/* One pass over the rectangle described by the task's fields up to `bands`; `kind` as in
   HD__JACOBI2D_LIST. Halo sides need at least `depth` cells in memory. */
hd_status hd__jacobi2d_sweep(const char *call, hd_type type, unsigned depth, char kind,
                             hd__jacobi2d_task *task, hd_stream *stream);
/* The same, linked to neighbours: one pass, or links->passes passes in one launch. links->done has
   a word for each band, but at least two. */
hd_status hd__jacobi2d_sweep_linked(const char *call, hd_type type, unsigned depth, char kind,
                                    hd__jacobi2d_linked *links, hd_stream *stream);
hd_status hd__jacobi3d_pass(const hd__jacobi_call *c, unsigned depth, unsigned turn);
/* Whether the kernels for warps run, or those with one thread per block. */
int hd__jacobi_lanes(void);
/* The number of shares into which `bands` bands of `band` planes are split, if there are `columns`
   columns of work, `slots` units run at once, and each share costs `extra` additional planes. */
uint32_t hd__jacobi_chunks(uint32_t bands, uint32_t band, uint64_t columns, uint64_t slots,
                           uint32_t extra);
/* Units of work (warps or blocks) that are resident on the stream's device. */
hd_status hd__jacobi_slots(const hd_kernel *kernel, unsigned threads, size_t shared_bytes,
                           hd_stream *stream, uint64_t *blocks);

#endif
