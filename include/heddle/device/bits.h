/* SPDX-License-Identifier: Apache-2.0 */
/* bits.h - integer intrinsics and bit casts for host and kernels. C11 and C++17.

   Shift counts and results are unsigned. The functions carry their type in the name; kernels also
   have the type-generic names of docs/dialect.md (hd_popcount, hd_clz, hd_ctz, hd_bit_reverse,
   hd_mulhi), which agree with these in every bit. */
#ifndef HEDDLE_DEVICE_BITS_H
#define HEDDLE_DEVICE_BITS_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/backend/decl.h>

/* Number of set bits. */
HD_BOTH unsigned hd_popcount_u64(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

HD_BOTH unsigned hd_popcount_u32(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

/* Zero bits above the highest set one; the width of the type for 0. */
HD_BOTH unsigned hd_clz_u64(uint64_t x)
{
    return x != 0 ? (unsigned)__builtin_clzll(x) : 64u;
}

HD_BOTH unsigned hd_clz_u32(uint32_t x)
{
    return x != 0 ? (unsigned)__builtin_clz(x) : 32u;
}

/* Zero bits below the lowest set one; the width of the type for 0. Written over the count of
   leading zeros because that builtin is the one every device compiler has. */
HD_BOTH unsigned hd_ctz_u64(uint64_t x)
{
    return x != 0 ? 63u - hd_clz_u64(x & (~x + 1u)) : 64u;
}

HD_BOTH unsigned hd_ctz_u32(uint32_t x)
{
    return x != 0 ? 31u - hd_clz_u32(x & (~x + 1u)) : 32u;
}

/* Bit i goes to bit width - 1 - i. */
HD_BOTH uint32_t hd_bit_reverse_u32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

HD_BOTH uint64_t hd_bit_reverse_u64(uint64_t x)
{
    uint64_t low = hd_bit_reverse_u32((uint32_t)(x >> 32));

    return (uint64_t)hd_bit_reverse_u32((uint32_t)x) << 32 | low;
}

/* The upper half of the product of two numbers, whose width is twice that of the operands. */
HD_BOTH uint32_t hd_mulhi_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

HD_BOTH int32_t hd_mulhi_i32(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}

__extension__ typedef unsigned __int128 hd_u128_;
__extension__ typedef __int128 hd_i128_;

HD_BOTH uint64_t hd_mulhi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((hd_u128_)a * b >> 64);
}

HD_BOTH int64_t hd_mulhi_i64(int64_t a, int64_t b)
{
    return (int64_t)((hd_i128_)a * b >> 64);
}

/* The bits of a floating point number and back; every NaN survives unchanged. */
HD_BOTH uint32_t hd_f32_bits(float x)
{
    uint32_t bits;

    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD_BOTH float hd_f32_from_bits(uint32_t bits)
{
    float x;

    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

HD_BOTH uint64_t hd_f64_bits(double x)
{
    uint64_t bits;

    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD_BOTH double hd_f64_from_bits(uint64_t bits)
{
    double x;

    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* Takes `bytes` bytes out of one block of memory that several arrays share: returns the offset of
   the new array, a multiple of 16, and moves *at past it. *at starts at 0; after the last call it
   is the size of the whole, again a multiple of 16. For the layout functions of dynamic shared
   memory, which host and kernel call alike. */
HD_BOTH size_t hd_carve(size_t *at, size_t bytes)
{
    size_t offset = (*at + 15) & ~(size_t)15;

    *at = (offset + bytes + 15) & ~(size_t)15;
    return offset;
}

#endif
