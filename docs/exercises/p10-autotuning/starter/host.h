/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host function of this practical, which host.c defines. */
#ifndef AUTOTUNING_HOST_H
#define AUTOTUNING_HOST_H

#include <heddle/heddle.h>

enum { RUNS = 5 }; /* timed runs of a candidate */

typedef enum variant { CELLS, QUADS, SHORT } variant;

typedef enum outcome {
    OUTCOME_NONE,    /* not tried */
    OUTCOME_RIGHT,   /* ran, and every cell has the bits of the reference */
    OUTCOME_WRONG,   /* ran, and some cell has not */
    OUTCOME_REFUSED, /* the launch is not possible on this device: HD_ERR_LAUNCH_CONFIG */
} outcome;

/* A way to run the step, and what the tuner finds out about it. */
typedef struct candidate {
    variant variant;
    hd_dim3 shape; /* of a block */
    outcome outcome;
    float milliseconds; /* median of RUNS runs, of right candidates only; otherwise unchanged */
} candidate;

typedef struct problem {
    size_t nx, ny;
    const float *from;     /* device memory, nx * ny */
    float *to;             /* device memory, nx * ny; any content */
    const float *expected; /* host memory: the right result */
    float *result;         /* host memory, nx * ny, for results to compare */
} problem;

/* Tries every candidate: runs it once and compares every cell with the reference, bit by bit. Only
   candidates that are right are timed: RUNS times by events, after the run that was compared. Sets
   outcome and milliseconds of each candidate; *best receives the index of the fastest right one.
   Returns HD_ERR_UNSUPPORTED if none is right, and any other error than HD_ERR_LAUNCH_CONFIG at
   once. */
hd_status tune(hd_stream *stream, const problem *p, candidate *candidates, int count, int *best);

#endif
