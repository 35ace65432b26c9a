/* SPDX-License-Identifier: Apache-2.0 */
/* batch_reference.h - the steps of hd_batch_heat in plain C. */
#ifndef HEDDLE_CLI_BENCH_BATCH_REFERENCE_H
#define HEDDLE_CLI_BENCH_BATCH_REFERENCE_H

#include <heddle/batch.h>

/* The first problem whose last state differs from `result` in any bit (two NaNs are equal);
   batch->problems if none does, SIZE_MAX without memory. */
size_t batch_reference(const hd_heat_batch *batch, hd_type type, const void *in,
                       const void *result);

/* Advances all problems from `in` to `out`; `spare` has room for one problem. */
void batch_plain(const hd_heat_batch *batch, hd_type type, const void *in, void *out, void *spare);

#endif
