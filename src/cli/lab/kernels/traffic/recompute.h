/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.h - the kernels of `heddle lab recompute`: a factor that is computed, or read. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RECOMPUTE_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RECOMPUTE_H

#include <heddle/device/vector_types.h>
#include <heddle/kernel_decl.h>

enum { RECOMPUTE_VECTOR = 4 }; /* elements */

/* out[i] = in[i] w for so many vectors, element by element. recompute_again: w is the last of
   `steps` values w = w a + b, from 0. recompute_fetch: w is table[i]. Grid-stride. */
HD_DECLARE(recompute_again, size_t, uint32_t, float, float, const hd_f32x4 *, hd_f32x4 *)
HD_DECLARE(recompute_fetch, size_t, const hd_f32x4 *, const hd_f32x4 *, hd_f32x4 *)

#endif
