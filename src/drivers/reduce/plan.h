/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what the files of the reduction driver share: how a reduction is cut and
   launched, and the checks of its arguments. */
#ifndef HEDDLE_DRIVERS_REDUCE_PLAN_H
#define HEDDLE_DRIVERS_REDUCE_PLAN_H

#include <heddle/reduce.h>

#include "drivers/array.h"
#include "kernels/reduce/reduce.h"
#include "drivers/scratch.h"

/* The operations that kernels have: hd_reduce_op and, after them, the dot product. */
enum { HD__REDUCE_DOT = HD_REDUCE_COUNT_, HD__REDUCE_KERNEL_OPS };

/* How n elements of a type are cut. */
typedef struct hd__reduce_plan {
    size_t tile;  /* elements */
    size_t tiles; /* at least 1 */
    size_t workspace_bytes;
} hd__reduce_plan;

/* For tests and tuning: 0 lets the driver choose the launch shape; 1, 2 or 4 asks for blocks of so
   many groups of 256 threads, on the CPU too. */
extern unsigned hd__reduce_force_groups;

/* Checks type and op (op may be HD__REDUCE_DOT). */
hd_status hd__reduce_check(const char *call, hd_type type, int op);
/* Cuts; HD_ERR_OVERFLOW when n elements have more bytes than an address. */
hd_status hd__reduce_cut(const char *call, size_t n, hd_type type, hd__reduce_plan *plan);
/* Bytes of a result, also of HD__REDUCE_DOT; type and op are checked. */
size_t hd__reduce_result_bytes(hd_type type, int op);
/* The memory to work in, with its ticket 0: see hd__scratch. */
hd_status hd__reduce_memory(const char *call, size_t bytes, hd_workspace *workspace,
                            hd_stream *stream, void **memory);
/* Launches the kernel of (op, type); sets the task's `aligned` and `flip`. */
hd_status hd__reduce_launch(hd__reduce_task *task, hd_type type, int op, hd_stream *stream);
/* Whether one block does all tiles, so that neither partials nor a ticket are needed. */
int hd__reduce_one_block(size_t tiles);
/* Writes the result of no elements. */
hd_status hd__reduce_nothing(const char *call, hd_type type, int op, void *out, hd_stream *stream);

/* One of the variants for comparison; everything is checked but whether it exists. */
hd_status hd__reduce_variant(hd_reduce_algorithm algorithm, const hd__reduce_task *task,
                             hd_type type, int op, hd_stream *stream);

#endif
