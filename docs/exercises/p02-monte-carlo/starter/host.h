/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host function of this practical, which host.c defines. */
#ifndef MONTE_CARLO_HOST_H
#define MONTE_CARLO_HOST_H

#include <heddle/heddle.h>

#include "kernel.h"

/* What a simulation needs, all in device memory. */
typedef struct simulation {
    size_t paths;
    float *normals; /* paths * STEPS */
    float *payoffs; /* paths */
    float *sum;     /* one element */
} simulation;

/* Writes the option to constant memory, draws the normal numbers, computes the payoffs, adds them
   up (hd_reduce), all on `stream`. *price receives the mean payoff. Waits for the result. */
hd_status simulate(hd_stream *stream, const option *o, uint64_t seed, const simulation *s,
                   float *price);

#endif
