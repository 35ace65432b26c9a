/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - transposition of matrices of every element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#if HD_SERIAL_THREADS
#include <heddle/backend/lanes.h>
#endif

#define TR_NAME_(a, b) a##_##b
#define TR_NAME(a, b) TR_NAME_(a, b)
/* Appends the element size to a name. */
#define SIZED(name) TR_NAME(name, TR_BYTES)

/* Byte or 16-bit element e of a row of words; e is a constant once loops are unrolled. */
HD_DEVICE uint32_t tr_part(const uint32_t *row, unsigned e, unsigned bytes)
{
    return row[e * bytes / 4] >> e * bytes % 4 * 8 & (bytes == 1 ? 0xffu : 0xffffu);
}

#define TR_BYTES 1
#define TR_ELEM uint8_t
#define TR_K 8
#define TR_UNITS 16
#include "tile.inc"
#define TR_BYTES 2
#define TR_ELEM uint16_t
#define TR_K 8
#define TR_UNITS 16
#include "tile.inc"
#define TR_BYTES 4
#define TR_ELEM uint32_t
#define TR_K 4
#define TR_UNITS 16
#include "tile.inc"
#define TR_BYTES 8
#define TR_ELEM uint64_t
#define TR_K 2
#define TR_UNITS 32
#include "tile.inc"
#define TR_BYTES 16
#define TR_ELEM hd_u32x4
#define TR_K 1
#define TR_UNITS 32
#include "tile.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__transpose_1)
HD_INSTANCE(hd__transpose_swap_1)
HD_INSTANCE(hd__transpose_2)
HD_INSTANCE(hd__transpose_swap_2)
HD_INSTANCE(hd__transpose_4)
HD_INSTANCE(hd__transpose_swap_4)
HD_INSTANCE(hd__transpose_8)
HD_INSTANCE(hd__transpose_swap_8)
HD_INSTANCE(hd__transpose_16)
HD_INSTANCE(hd__transpose_swap_16)
