/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.h - the kernels of `heddle lab recompute`: a factor that is computed, or read. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RECOMPUTE_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RECOMPUTE_H

#include <heddle/kernel_decl.h>

/* out[i] = in[i] w for n elements. recompute_again: w is the last of `steps` values w = w a + b,
   from 0. recompute_fetch: w is table[i]. Grid-stride. */
HD_DECLARE(recompute_again, size_t, uint32_t, float, float, const float *, float *)
HD_DECLARE(recompute_fetch, size_t, const float *, const float *, float *)

#endif
