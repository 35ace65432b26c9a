/* SPDX-License-Identifier: Apache-2.0 */
/* fit.h - latency and rate from measurements of several sizes. */
#ifndef HEDDLE_CLI_BENCH_FIT_H
#define HEDDLE_CLI_BENCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_FIT_LEAST = 3 }; /* sizes; a line fits any two measurements */

/* seconds = latency + bytes / rate, latency >= 0; rate 0: the time does not grow with the bytes */
typedef struct cli_fit {
    double latency, rate;
    double worst; /* largest relative error of a measurement */
    /* The fit is meaningful: there are at least CLI_FIT_LEAST sizes, the time grows with the bytes
       significantly (95 %), and the RMS relative error is at most one half. Otherwise neither
       latency nor rate is printed. */
    bool holds;
} cli_fit;

/* Least squares of the relative errors: each measurement has the weight 1 / seconds^2. If the best
   line has a negative latency, the best line through 0. */
cli_fit cli_fit_of(const size_t *bytes, const double *seconds, size_t count);

#endif
