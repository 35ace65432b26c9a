/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - settings for tests of the Monte Carlo driver. */
#ifndef HEDDLE_DRIVERS_MONTECARLO_PLAN_H
#define HEDDLE_DRIVERS_MONTECARLO_PLAN_H

#include <heddle/montecarlo.h>

/* Blocks of 256 threads even if these run one after another. */
extern int hd__montecarlo_force_threads;

#endif
