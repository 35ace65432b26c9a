/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - internal interface of the reduction driver: tiles, launches and checks of arguments. */
#ifndef HEDDLE_DRIVERS_REDUCE_PLAN_H
#define HEDDLE_DRIVERS_REDUCE_PLAN_H

#include <heddle/reduce.h>

#include "drivers/array.h"
#include "kernels/reduce/reduce.h"
#include "drivers/scratch.h"
#include "drivers/tune/choice.h"

/* The operations that have kernels: those of hd_reduce_op, then the dot product. */
enum { HD__REDUCE_DOT = HD_REDUCE_COUNT_, HD__REDUCE_KERNEL_OPS };

/* How n elements of a type are split. */
typedef struct hd__reduce_plan {
    size_t tile;  /* elements per tile */
    size_t tiles; /* at least 1 */
    size_t workspace_bytes;
} hd__reduce_plan;

/* For tests and tuning: blocks of 1, 2 or 4 groups of 256 threads, on the CPU too; 0: the driver
   chooses. */
extern unsigned hd__reduce_force_groups;

/* Checks type and op (op may be HD__REDUCE_DOT). */
hd_status hd__reduce_check(const char *call, hd_type type, int op);
/* Splits n elements into tiles; HD_ERR_OVERFLOW if they do not fit in the address space. */
hd_status hd__reduce_split(const char *call, size_t n, hd_type type, hd__reduce_plan *plan);
/* Bytes of a result, also of HD__REDUCE_DOT. type and op must have been checked. */
size_t hd__reduce_result_bytes(hd_type type, int op);
/* The workspace, with its ticket 0: see hd__scratch. */
hd_status hd__reduce_memory(const char *call, size_t bytes, hd_workspace *workspace,
                            hd_stream *stream, void **memory);
/* The tuned choice for n elements. */
hd__tune_choice hd__reduce_choice(size_t n, hd_type type, int op, const hd_stream *stream);
/* Launches the kernel of (op, type); sets the task's `aligned`, `cached` and `flip`. */
hd_status hd__reduce_launch_as(hd__tune_choice choice, hd__reduce_task *task, hd_type type, int op,
                               hd_stream *stream);
/* The same with the choice for task->count elements; the task has partials and a ticket. */
hd_status hd__reduce_launch(hd__reduce_task *task, hd_type type, int op, hd_stream *stream);
/* Whether one block reduces all tiles, so that neither partials nor a ticket are needed. */
int hd__reduce_one_block(hd__tune_choice choice, size_t tiles);
/* Writes the result for zero elements. */
hd_status hd__reduce_nothing(const char *call, hd_type type, int op, void *out, hd_stream *stream);

/* A variant for comparison. Everything must have been checked except whether the variant exists. */
hd_status hd__reduce_variant(hd_reduce_algorithm algorithm, const hd__reduce_task *task,
                             hd_type type, int op, hd_stream *stream);

#endif
