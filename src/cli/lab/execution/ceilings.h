/* SPDX-License-Identifier: Apache-2.0 */
/* ceilings.h - what the experiments on execution share: the device's highest rates, and the
   operations that a launch did, from its results. */
#ifndef HEDDLE_CLI_LAB_EXECUTION_CEILINGS_H
#define HEDDLE_CLI_LAB_EXECUTION_CEILINGS_H

#include "cli/lab/experiment/lab.h"

/* Per second; 0: unknown. */
typedef struct ceilings {
    double flops; /* f32; a multiply-add counts two */
    double bytes; /* read from device memory */
} ceilings;

/* Measures both on a GPU: multiply-adds in 8 chains per thread at full occupancy, and coalesced
   reads of 16 bytes per lane. On the CPU: the peak rates of --device-model. */
hd_status ceilings_find(lab *l, ceilings *c);
/* The roof at this intensity: the lower of both ceilings. */
double ceilings_at(const ceilings *c, double flops_per_byte);
/* Where both meet. */
double ceilings_ridge(const ceilings *c);

/* The sum of n words in device memory; they are whole numbers. */
hd_status ceilings_sum(lab *l, const float *words, size_t n, double *sum_out);
/* The operations of launches are counted from their results; only unless --no-verify. */
void ceilings_count_results(lab *l);

#endif
