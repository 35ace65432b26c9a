/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - reductions over ranks, in words. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"

#define GROUP_BODY "kernels/group/words.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__group_one_shot_u8)
HD_INSTANCE(hd__group_two_shot_u8)
HD_INSTANCE(hd__group_one_shot_u16)
HD_INSTANCE(hd__group_two_shot_u16)
HD_INSTANCE(hd__group_one_shot_u32)
HD_INSTANCE(hd__group_two_shot_u32)
HD_INSTANCE(hd__group_one_shot_u64)
HD_INSTANCE(hd__group_two_shot_u64)
HD_INSTANCE(hd__group_one_shot_f16)
HD_INSTANCE(hd__group_two_shot_f16)
HD_INSTANCE(hd__group_one_shot_bf16)
HD_INSTANCE(hd__group_two_shot_bf16)
HD_INSTANCE(hd__group_one_shot_f32)
HD_INSTANCE(hd__group_two_shot_f32)
HD_INSTANCE(hd__group_one_shot_f64)
HD_INSTANCE(hd__group_two_shot_f64)
