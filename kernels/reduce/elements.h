/* SPDX-License-Identifier: Apache-2.0 */
/* elements.h - how the reduction kernels read elements and compare them: element e of a
   16-byte vector, float keys, 128-bit sums. */
#ifndef HEDDLE_KERNELS_REDUCE_ELEMENTS_H
#define HEDDLE_KERNELS_REDUCE_ELEMENTS_H

#include <heddle/kernel.h>
#include "reduce.h"

#if HD_SERIAL_THREADS
#include <heddle/backend/lanes.h>
#endif

#define RED_NAME_(a, b, c) a##_##b##_##c
#define RED_NAME(a, b, c) RED_NAME_(a, b, c)
/* Appends operation and type to a name. */
#define TYPED(name) RED_NAME(name, RED_OP, RED_TYPE)

/* 16 bytes of elements, by element size: words, or elements of 8 bytes. hd_i32x4 rather than
   hd_u32x4: the AMD compiler extracts its words with fewer registers. */
typedef hd_i32x4 red_vector_1;
typedef hd_i32x4 red_vector_2;
typedef hd_i32x4 red_vector_4;
typedef hd_u64x2 red_vector_8;

/* e is a constant at each call once loops are unrolled. */
HD_DEVICE uint32_t red_word(hd_i32x4 v, unsigned i)
{
    return (uint32_t)(i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w);
}

HD_DEVICE uint8_t red_get_u8(hd_i32x4 v, unsigned e)
{
    return (uint8_t)(red_word(v, e / 4) >> e % 4 * 8);
}

HD_DEVICE int8_t red_get_i8(hd_i32x4 v, unsigned e)
{
    return (int8_t)red_get_u8(v, e);
}

HD_DEVICE uint16_t red_get_u16(hd_i32x4 v, unsigned e)
{
    return (uint16_t)(red_word(v, e / 2) >> e % 2 * 16);
}

HD_DEVICE int16_t red_get_i16(hd_i32x4 v, unsigned e)
{
    return (int16_t)red_get_u16(v, e);
}

HD_DEVICE uint32_t red_get_u32(hd_i32x4 v, unsigned e)
{
    return red_word(v, e);
}

HD_DEVICE int32_t red_get_i32(hd_i32x4 v, unsigned e)
{
    return (int32_t)red_word(v, e);
}

HD_DEVICE uint64_t red_get_u64(hd_u64x2 v, unsigned e)
{
    return e == 0 ? v.x : v.y;
}

HD_DEVICE int64_t red_get_i64(hd_u64x2 v, unsigned e)
{
    return (int64_t)red_get_u64(v, e);
}

HD_DEVICE uint16_t red_get_f16(hd_i32x4 v, unsigned e)
{
    return red_get_u16(v, e);
}

HD_DEVICE float red_get_f32(hd_i32x4 v, unsigned e)
{
    return hd_f32_from_bits(red_word(v, e));
}

HD_DEVICE double red_get_f64(hd_u64x2 v, unsigned e)
{
    return hd_f64_from_bits(red_get_u64(v, e));
}

/* binary16 as f32. Where one thread computes all slots, the loop is vectorised only without
   branches: an exact product adjusts the exponent, also for subnormals. */
HD_DEVICE float red_from_f16(uint16_t bits)
{
#if HD_SERIAL_THREADS
    const uint32_t a = bits & 0x7fffu;
    const uint32_t magnitude = hd_f32_bits(hd_f32_from_bits(a << 13) * 0x1p112f);
    const uint32_t special = a >= 0x7c00u ? 0x7f800000u : 0u;
    return hd_f32_from_bits((uint32_t)(bits & 0x8000u) << 16 | special | magnitude);
#else
    return hd_f16_to_f32(hd_f16_from_bits(bits));
#endif
}

/* Exclusive or of the lane numbers of partners in a warp's tree, after the strides below `stride`.
   All `stride` lanes of the other half then hold the same value, so that the partner may be the
   mirrored lane of the 2 * stride lanes, which AMD hardware reads by DPP within rows of 16. */
HD_DEVICE unsigned red_partner(unsigned stride)
{
    return 2 * stride - 1;
}

HD_DEVICE hd_offset red_rows(unsigned rows)
{
    return rows * (hd_offset)HD__REDUCE_ROW_BYTES;
}

/* Address tile + own + more; `more` is a constant. `tile` is uniform over a warp: on AMD a load
   adds a 32-bit offset per lane to a base in scalar registers, without 64-bit additions. On other
   devices the constant is the instruction's immediate offset. */
HD_DEVICE const void *red_at(const void *tile, hd_offset own, hd_offset more)
{
    if (sizeof(hd_offset) == sizeof(size_t))
        return (const char *)tile + own + more;
    return (const char *)tile + (hd_offset)(own + more);
}

/* Loads a vector. An input that fits in the cache may be there already and may be read again, so
   its lines are not marked evict-first; a larger input is streamed. */
#define RED_LOAD(p, cached) ((cached) ? hd_load_l2(p) : hd_load_stream(p))

#if HD_SERIAL_THREADS
enum { RED_AHEAD = 16384 };

/* Prefetches `bytes` bytes, RED_AHEAD bytes after p. */
HD_DEVICE void red_ahead(const void *p, size_t bytes)
{
    const char *from = (const char *)p;
    HD_UNROLL_N(8)
    for (size_t i = 0; i < bytes; i += 64)
        hd_lanes_prefetch(from, RED_AHEAD + i, 0);
}
#endif

/* Keys of floats are integers in the same order: -inf < ... < -0 < +0 < ... < +inf; flip = -1
   reverses the order. All NaN have one key, below all others. */
HD_DEVICE int32_t red_key_f32(float x, int32_t flip)
{
    int32_t t = (int32_t)hd_f32_bits(x);
    t ^= (t >> 31) & INT32_MAX;
    return x != x ? INT32_MIN : t ^ flip;
}

HD_DEVICE int64_t red_key_f64(double x, int64_t flip)
{
    int64_t t = (int64_t)hd_f64_bits(x);
    t ^= (t >> 63) & INT64_MAX;
    return x != x ? INT64_MIN : t ^ flip;
}

/* The lowest of several doubles, compared as doubles: a third of the instructions of 64-bit keys.
   -0 and +0 are distinguished at the end: if the lowest is 0, a set sign bit can only come from a
   -0. For the highest, flip = -1 inverts all signs. */
typedef struct red_low_f64 {
    double low;
    uint32_t signs; /* top bit: or of the sign bits of all elements */
} red_low_f64;

HD_DEVICE red_low_f64 red_low_f64_none(void)
{
    red_low_f64 c;
    c.low = hd_f64_from_bits(0x7ff0000000000000u);
    c.signs = 0;
    return c;
}

HD_DEVICE red_low_f64 red_low_f64_join(red_low_f64 c, double x, int32_t flip)
{
    const uint64_t sign = (uint64_t)((uint32_t)flip & 0x80000000u) << 32;
    const double v = hd_f64_from_bits(hd_f64_bits(x) ^ sign);
    c.low = v < c.low || v != v ? v : c.low;
    c.signs |= (uint32_t)(hd_f64_bits(v) >> 32);
    return c;
}

/* red_key_f64 of the element, with the same flip. */
HD_DEVICE int64_t red_low_f64_key(red_low_f64 c)
{
    if (c.low == 0)
        return (c.signs & 0x80000000u) != 0 ? -1 : 0;
    return red_key_f64(c.low, 0);
}

HD_DEVICE float red_from_key_f32(int32_t key, int32_t flip)
{
    int32_t t = key ^ flip;
    t ^= (t >> 31) & INT32_MAX;
    return hd_f32_from_bits(key == INT32_MIN ? 0x7fc00000u : (uint32_t)t);
}

HD_DEVICE double red_from_key_f64(int64_t key, int64_t flip)
{
    int64_t t = key ^ flip;
    t ^= (t >> 63) & INT64_MAX;
    return hd_f64_from_bits(key == INT64_MIN ? 0x7ff8000000000000u : (uint64_t)t);
}

HD_DEVICE float red_canonical_f32(float x)
{
    return x != x ? hd_f32_from_bits(0x7fc00000u) : x;
}

HD_DEVICE double red_canonical_f64(double x)
{
    return x != x ? hd_f64_from_bits(0x7ff8000000000000u) : x;
}

/* high * 2^64 + low, correctly rounded: the top 64 bits with a sticky last bit, scaled. */
HD_DEVICE double red_u128_to_f64(uint64_t low, uint64_t high)
{
    unsigned shift;
    uint64_t top;
    if (high == 0)
        return (double)low;
    shift = 64u - (unsigned)hd_clz(high);
    top = shift == 64 ? high : high << (64 - shift) | low >> shift;
    if (shift == 64 ? low != 0 : low << (64 - shift) != 0)
        top |= 1;
    return (double)top * hd_f64_from_bits((uint64_t)(1023 + shift) << 52);
}

#endif
