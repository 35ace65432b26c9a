/* SPDX-License-Identifier: Apache-2.0 */
/* philox.c - arrays filled by Philox 4x32-10, one kernel per distribution and type. */
#include "values.h"

#define RND_BODY "kernels/random/philox.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__random_philox_bits_u32)
HD_INSTANCE(hd__random_philox_bits_u64)
HD_INSTANCE(hd__random_philox_uniform_f32)
HD_INSTANCE(hd__random_philox_normal_f32)
HD_INSTANCE(hd__random_philox_lognormal_f32)
HD_INSTANCE(hd__random_philox_uniform_f64)
HD_INSTANCE(hd__random_philox_normal_f64)
HD_INSTANCE(hd__random_philox_lognormal_f64)
