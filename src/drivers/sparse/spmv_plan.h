/* SPDX-License-Identifier: Apache-2.0 */
/* spmv_plan.h - plans of products with parts of a matrix, for drivers that are built on them. */
#ifndef HEDDLE_DRIVERS_SPARSE_SPMV_PLAN_H
#define HEDDLE_DRIVERS_SPARSE_SPMV_PLAN_H

#include <heddle/sparse.h>

#include "kernels/sparse/spmv.h"

struct hd_spmv_plan {
    hd__spmv_task task; /* complete except for x and y */
    hd_type offset_type, type;
    size_t columns;
    size_t result_rows; /* elements of y */
    int device;
    void *memory;
};

/* For tests: 1 asks for blocks of many threads even if threads run one after another. */
typedef struct hd__spmv_force {
    int lanes;
} hd__spmv_force;
extern hd__spmv_force hd__spmv_forced;

/* Checks the dimensions of a matrix and its pointers, not the arrays' contents. */
hd_status hd__csr_shape(const char *call, const hd_csr *matrix);

/* hd_spmv_plan_create for a matrix whose row r is y[row_of[r]] (device memory, or NULL: y[r]); y
   has result_rows elements. */
hd_status hd__spmv_plan_make(const char *call, const hd_csr *matrix, const int32_t *row_of,
                             size_t result_rows, hd_stream *stream, hd_spmv_plan **plan);
/* The product without checks of x and y; `stop` (device memory, or NULL): does nothing if *stop is
   not 0. */
hd_status hd__spmv_launch(const hd_spmv_plan *plan, const void *x, void *y, const uint32_t *stop,
                          hd_stream *stream);

#endif
