/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - reductions over ranks, in lines. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"

#include "line.inc"

#define GROUP_BODY "kernels/group/lines.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__group_one_shot_lines_u8)
HD_INSTANCE(hd__group_two_shot_lines_u8)
HD_INSTANCE(hd__group_one_shot_lines_u16)
HD_INSTANCE(hd__group_two_shot_lines_u16)
HD_INSTANCE(hd__group_one_shot_lines_u32)
HD_INSTANCE(hd__group_two_shot_lines_u32)
HD_INSTANCE(hd__group_one_shot_lines_u64)
HD_INSTANCE(hd__group_two_shot_lines_u64)
HD_INSTANCE(hd__group_one_shot_lines_f16)
HD_INSTANCE(hd__group_two_shot_lines_f16)
HD_INSTANCE(hd__group_one_shot_lines_bf16)
HD_INSTANCE(hd__group_two_shot_lines_bf16)
HD_INSTANCE(hd__group_one_shot_lines_f32)
HD_INSTANCE(hd__group_two_shot_lines_f32)
HD_INSTANCE(hd__group_one_shot_lines_f64)
HD_INSTANCE(hd__group_two_shot_lines_f64)
