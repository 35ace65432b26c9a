/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what tests and tuning reach of the driver of select, partition and unique. */
#ifndef HEDDLE_DRIVERS_SELECT_PLAN_H
#define HEDDLE_DRIVERS_SELECT_PLAN_H

#include <heddle/select.h>

#include "kernels/select/select.h"

/* 1: blocks as on a GPU, also where the threads of a block run one after another. */
extern int hd__select_force_blocks;
/* 1: run lengths by the kernels for more elements than 32 bits count. */
extern int hd__select_force_many;

#endif
