/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what the files of the histogram driver share: how values become rows, and the
   shape of the launch. */
#ifndef HEDDLE_DRIVERS_HISTOGRAM_PLAN_H
#define HEDDLE_DRIVERS_HISTOGRAM_PLAN_H

#include <heddle/histogram.h>

#include "kernels/histogram/histogram.h"

typedef struct hd__histogram_plan {
    hd__histogram_task task; /* all but the pointers */
    const hd_kernel *kernel;
    unsigned threads, blocks;
    size_t shared_bytes;
    size_t workspace_bytes;
} hd__histogram_plan;

/* For tests and tuning: 0 lets the driver choose; else blocks of so many threads, also where the
   threads of a block run one after another. */
extern unsigned hd__histogram_force_threads;

/* Checks type and bins; sets what the task says of values, and the kernel (map.c). */
hd_status hd__histogram_map(const char *call, size_t n, hd_type type, const hd_bins *bins,
                            hd__histogram_plan *plan);
hd_status hd__histogram_map_closed(const char *call, size_t n, hd_type type,
                                   const hd_closed_bins *bins, hd__histogram_plan *plan);
/* Whether threads run one after another; then the plan is complete with this. */
int hd__histogram_serial(size_t n, hd__histogram_plan *plan);
/* The shape on a device whose threads run side by side. */
hd_status hd__histogram_shape(size_t n, hd_type type, int device, hd__histogram_plan *plan);

#endif
