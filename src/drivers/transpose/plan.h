/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - settings for tests and tuning of the transposition driver. */
#ifndef HEDDLE_DRIVERS_TRANSPOSE_PLAN_H
#define HEDDLE_DRIVERS_TRANSPOSE_PLAN_H

#include <heddle/transpose.h>

/* 1: blocks of 256 threads even if these run one after another; limit on the number of blocks, 0:
   the driver's. */
extern unsigned hd__transpose_force_threads, hd__transpose_force_blocks;

#endif
