/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - internal interface of the histogram driver: how values map to rows, and the launch
   shape. */
#ifndef HEDDLE_DRIVERS_HISTOGRAM_PLAN_H
#define HEDDLE_DRIVERS_HISTOGRAM_PLAN_H

#include <heddle/histogram.h>

#include "kernels/histogram/histogram.h"

typedef struct hd__histogram_plan {
    hd__histogram_task task; /* complete except for the pointers */
    const hd_kernel *kernel;
    unsigned threads, blocks;
    size_t shared_bytes;
    size_t workspace_bytes;
} hd__histogram_plan;

/* For tests and tuning: threads of a block, even if these run one after another; 0: the driver
   chooses. */
extern unsigned hd__histogram_force_threads;

/* map.c: checks type and bins; sets the kernel and the task's mapping of values. */
hd_status hd__histogram_map(const char *call, size_t n, hd_type type, const hd_bins *bins,
                            hd__histogram_plan *plan);
hd_status hd__histogram_map_closed(const char *call, size_t n, hd_type type,
                                   const hd_closed_bins *bins, hd__histogram_plan *plan);
/* Whether threads run one after another; if so, completes the plan. */
int hd__histogram_serial(size_t n, hd__histogram_plan *plan);
/* The launch shape if threads run in parallel. */
hd_status hd__histogram_shape(size_t n, hd_type type, int device, hd__histogram_plan *plan);

#endif
