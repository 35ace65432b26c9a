/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.c - reductions over ranks, in chunks. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"
#include "rounds.inc"

#define GROUP_BODY "kernels/group/chunks.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__group_direct_u8)
HD_INSTANCE(hd__group_chain_u8)
HD_INSTANCE(hd__group_direct_u16)
HD_INSTANCE(hd__group_chain_u16)
HD_INSTANCE(hd__group_direct_u32)
HD_INSTANCE(hd__group_chain_u32)
HD_INSTANCE(hd__group_direct_u64)
HD_INSTANCE(hd__group_chain_u64)
HD_INSTANCE(hd__group_direct_f16)
HD_INSTANCE(hd__group_chain_f16)
HD_INSTANCE(hd__group_direct_bf16)
HD_INSTANCE(hd__group_chain_bf16)
HD_INSTANCE(hd__group_direct_f32)
HD_INSTANCE(hd__group_chain_f32)
HD_INSTANCE(hd__group_direct_f64)
HD_INSTANCE(hd__group_chain_f64)
