/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing.c - reads of 4, 8 and 16 bytes per lane. */
#include <heddle/kernel.h>

#include "coalescing.h"

#define READ_NAME coalescing_4
#define READ_T uint32_t
#define READ_FOLD(v) (v)
#include "coalescing.inc"

#define READ_NAME coalescing_8
#define READ_T hd_u32x2
#define READ_FOLD(v) ((v).x | (v).y)
#include "coalescing.inc"

#define READ_NAME coalescing_16
#define READ_T hd_u32x4
#define READ_FOLD(v) ((v).x | (v).y | (v).z | (v).w)
#include "coalescing.inc"
