/* SPDX-License-Identifier: Apache-2.0 */
/* fit.h - what latency and rate measurements of several sizes show. */
#ifndef HEDDLE_CLI_BENCH_FIT_H
#define HEDDLE_CLI_BENCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_FIT_LEAST = 3 }; /* sizes; through fewer a line goes whatever was measured */

/* seconds = latency + bytes / rate, latency >= 0; rate 0: the time does not grow with the bytes */
typedef struct cli_fit {
    double latency, rate;
    double worst; /* relative error of a measurement */
    /* The line says something: there are CLI_FIT_LEAST sizes, the time grows with the bytes by more
       than the measurements scatter (at 95 %), and they are off by half in the root mean square at
       most. Otherwise neither latency nor rate is to be printed. */
    bool holds;
} cli_fit;

/* Least squares of the relative errors: each measurement has the weight 1 / seconds^2. Where the
   best line begins below 0, the best one through 0. */
cli_fit cli_fit_of(const size_t *bytes, const double *seconds, size_t count);

#endif
