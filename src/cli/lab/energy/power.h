/* SPDX-License-Identifier: Apache-2.0 */
/* power.h - average power of a device while it does the same work again and again. */
#ifndef HEDDLE_CLI_LAB_ENERGY_POWER_H
#define HEDDLE_CLI_LAB_ENERGY_POWER_H

#include "cli/lab/experiment/lab.h"

typedef enum power_source { POWER_UNKNOWN, POWER_COUNTER, POWER_SAMPLES } power_source;

typedef struct power {
    double watts;   /* average; 0: the driver does not report it */
    double seconds; /* of a launch, over all of them; idle: of the measurement; 0: not timed */
    power_source source;
} power;

/* Keeps the device busy with launches for at least so many seconds, or idle if `launch` is NULL.
   The energy counter of the driver is read where it changes, which is every 20 to 100 ms; without
   one, samples of the power are averaged after the first second, over which drivers average too.
   All 0 on the CPU. */
hd_status power_measure(lab *l, const lab_launch *launch, double seconds, power *out);

/* What the device may draw; 0: unknown. */
double power_limit(const lab *l);

#endif
