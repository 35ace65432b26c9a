/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - merges sorted runs of keys. */
#include <heddle/kernel.h>

#include "sort.h"

#define SO_NAME_(a, b) a##_##b
#define SO_NAME(a, b) SO_NAME_(a, b)
#define KEYED(name) SO_NAME(name, SO_KEY_BYTES)

#define SO_KEY_BYTES 4
#define SO_KEY uint32_t
#define SO_VECTOR hd_u32x4
#include "keys.inc"
#include "merge.inc"

#define SO_KEY_BYTES 8
#define SO_KEY uint64_t
#define SO_VECTOR hd_u64x2
#include "keys.inc"
#include "merge.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__sort_merge_4)
HD_INSTANCE(hd__sort_merge_8)
