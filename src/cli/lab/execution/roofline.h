/* SPDX-License-Identifier: Apache-2.0 */
/* roofline.h - the kernels of `heddle lab roofline` and their places under the roof. */
#ifndef HEDDLE_CLI_LAB_EXECUTION_ROOFLINE_H
#define HEDDLE_CLI_LAB_EXECUTION_ROOFLINE_H

#include "ceilings.h"

typedef struct roofline roofline;

/* A kernel of heddle. Flops and bytes are those that the result needs: every array moved once, and
   the operations of the sequential algorithm. */
typedef struct roofline_case {
    const char *name;
    double flops, bytes;                              /* of one run */
    hd_status (*run)(void *state, hd_stream *stream); /* state: the roofline */
    float expected;                                   /* element `at` of the result, */
    size_t at;
    float tolerance; /* relatively so exact */
} roofline_case;

enum { ROOFLINE_CASES = 9 };

/* What the runs work on: arrays of n elements, filled with 1 (x, y, z) and 4 (four), the result,
   and a matrix with three entries per row. */
struct roofline {
    lab lab;
    ceilings roof;
    size_t n, side; /* side: of a square field of n elements */
    float *x, *y, *z, *four, *result;
    float *last; /* where the last run left its result: `result` or y */
    uint64_t *singular;
    struct hd_spmv_plan *plan;
    void *offsets, *column, *value; /* of the matrix */
    size_t rows, entries;
    roofline_case cases[ROOFLINE_CASES];
    double gflops[ROOFLINE_CASES]; /* measured; 0: not */
};

/* cases.c: memory and the list. Call roofline_close in either case. */
hd_status roofline_open(roofline *r);
void roofline_close(roofline *r);

/* draw.c: CLI_DONE, or CLI_FAILED after a line. */
int roofline_draw(const roofline *r, const char *path);

#endif
