/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - select, partition, unique and run lengths of every element type. */
#include "select_before.h"

HD_DEVICE uint32_t select_word(hd_u32x4 v, unsigned i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

#define SELECT_4(v, e) select_word(v, e)
#define SELECT_8(v, e)                                                                             \
    ((uint64_t)select_word(v, 2 * (e) + 1) << 32 | (uint64_t)select_word(v, 2 * (e)))

#define SEL_TYPE u8
#define SEL_ELEM uint8_t
#define SEL_WIDE uint32_t
#define SEL_GET(v, e) ((uint8_t)(select_word(v, (e) / 4) >> (e) % 4 * 8))
#define SEL_FROM_BITS(b) ((uint8_t)(b))
#include "select_modes.inc"

#define SEL_TYPE i32
#define SEL_ELEM int32_t
#define SEL_WIDE int32_t
#define SEL_GET(v, e) ((int32_t)SELECT_4(v, e))
#define SEL_FROM_BITS(b) ((int32_t)(uint32_t)(b))
#include "select_modes.inc"

#define SEL_TYPE u32
#define SEL_ELEM uint32_t
#define SEL_WIDE uint32_t
#define SEL_GET(v, e) SELECT_4(v, e)
#define SEL_FROM_BITS(b) ((uint32_t)(b))
#include "select_modes.inc"

#define SEL_TYPE i64
#define SEL_ELEM int64_t
#define SEL_WIDE int64_t
#define SEL_GET(v, e) ((int64_t)SELECT_8(v, e))
#define SEL_FROM_BITS(b) ((int64_t)(b))
#include "select_modes.inc"

#define SEL_TYPE u64
#define SEL_ELEM uint64_t
#define SEL_WIDE uint64_t
#define SEL_GET(v, e) SELECT_8(v, e)
#define SEL_FROM_BITS(b) (b)
#include "select_modes.inc"

#define SEL_TYPE f32
#define SEL_ELEM float
#define SEL_WIDE float
#define SEL_GET(v, e) hd_f32_from_bits(SELECT_4(v, e))
#define SEL_FROM_BITS(b) hd_f32_from_bits((uint32_t)(b))
#include "select_modes.inc"

#define SEL_TYPE f64
#define SEL_ELEM double
#define SEL_WIDE double
#define SEL_GET(v, e) hd_f64_from_bits(SELECT_8(v, e))
#define SEL_FROM_BITS(b) hd_f64_from_bits(b)
#include "select_modes.inc"
