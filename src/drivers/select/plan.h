/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - settings for tests and tuning of select, partition and unique. */
#ifndef HEDDLE_DRIVERS_SELECT_PLAN_H
#define HEDDLE_DRIVERS_SELECT_PLAN_H

#include <heddle/select.h>

#include "kernels/select/select.h"

/* 1: blocks as on a GPU, even if the threads of a block run one after another. */
extern int hd__select_force_blocks;
/* 1: run lengths use the kernels for more than 2^32 elements. */
extern int hd__select_force_many;

#endif
