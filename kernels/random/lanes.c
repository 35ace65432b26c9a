/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c - arrays filled by MRG32k3a and XORWOW: 65536 generator states, one per lane, whose
   blocks are interleaved. */
#include "values.h"

#if HD_SERIAL_THREADS
#include "lanes_serial.h"
#else
/* The first block of the call that a lane generates. */
HD_DEVICE uint64_t rnd_first(const hd__random_task *task, uint64_t lane)
{
    return (lane - task->block) % HD__RANDOM_LANES;
}
#endif

#define RND_BODY "kernels/random/lanes.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__random_mrg32k3a_bits_u32)
HD_INSTANCE(hd__random_xorwow_bits_u32)
HD_INSTANCE(hd__random_mrg32k3a_bits_u64)
HD_INSTANCE(hd__random_xorwow_bits_u64)
HD_INSTANCE(hd__random_mrg32k3a_uniform_f32)
HD_INSTANCE(hd__random_xorwow_uniform_f32)
HD_INSTANCE(hd__random_mrg32k3a_normal_f32)
HD_INSTANCE(hd__random_xorwow_normal_f32)
HD_INSTANCE(hd__random_mrg32k3a_lognormal_f32)
HD_INSTANCE(hd__random_xorwow_lognormal_f32)
HD_INSTANCE(hd__random_mrg32k3a_uniform_f64)
HD_INSTANCE(hd__random_xorwow_uniform_f64)
HD_INSTANCE(hd__random_mrg32k3a_normal_f64)
HD_INSTANCE(hd__random_xorwow_normal_f64)
HD_INSTANCE(hd__random_mrg32k3a_lognormal_f64)
HD_INSTANCE(hd__random_xorwow_lognormal_f64)
