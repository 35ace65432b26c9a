/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Integer intrinsics and bit casts for host and kernels. C11 and C++17.
 *
 *  Shift counts and results are unsigned. The functions have their type in the name; kernels also
 *  have the type-generic names of docs/dialect.md (hd_popcount, hd_clz, hd_ctz, hd_bit_reverse,
 *  hd_mulhi), which give the same bits.
 */
#ifndef HEDDLE_DEVICE_BITS_H
#define HEDDLE_DEVICE_BITS_H

#include <stddef.h>
#include <stdint.h>

/** @defgroup bits Bits
 *  @brief Integer intrinsics, bit casts and layout of shared memory; host and kernels.
 *  @{
 */

#include <heddle/backend/decl.h>

/** Counts the set bits.
 *
 *  @param x  The value.
 *  @return 0 to 64.
 */
HD_BOTH unsigned hd_popcount_u64(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

/** Counts the set bits.
 *
 *  @param x  The value.
 *  @return 0 to 32.
 */
HD_BOTH unsigned hd_popcount_u32(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

/** Counts the zero bits above the highest set one.
 *
 *  @param x  The value.
 *  @return 0 to 64; 64 for x = 0.
 */
HD_BOTH unsigned hd_clz_u64(uint64_t x)
{
    return x != 0 ? (unsigned)__builtin_clzll(x) : 64u;
}

/** Counts the zero bits above the highest set one.
 *
 *  @param x  The value.
 *  @return 0 to 32; 32 for x = 0.
 */
HD_BOTH unsigned hd_clz_u32(uint32_t x)
{
    return x != 0 ? (unsigned)__builtin_clz(x) : 32u;
}

/** Counts the zero bits below the lowest set one.
 *
 *  @param x  The value.
 *  @return 0 to 64; 64 for x = 0.
 */
HD_BOTH unsigned hd_ctz_u64(uint64_t x)
{
    return x != 0 ? 63u - hd_clz_u64(x & (~x + 1u)) : 64u;
}

/** Counts the zero bits below the lowest set one.
 *
 *  @param x  The value.
 *  @return 0 to 32; 32 for x = 0.
 */
HD_BOTH unsigned hd_ctz_u32(uint32_t x)
{
    return x != 0 ? 31u - hd_clz_u32(x & (~x + 1u)) : 32u;
}

/** Reverses the order of bits: bit i becomes bit 31 - i.
 *
 *  @param x  The value.
 *  @return The reversed value.
 */
HD_BOTH uint32_t hd_bit_reverse_u32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

/** Reverses the order of bits: bit i becomes bit 63 - i.
 *
 *  @param x  The value.
 *  @return The reversed value.
 */
HD_BOTH uint64_t hd_bit_reverse_u64(uint64_t x)
{
    uint64_t low = hd_bit_reverse_u32((uint32_t)(x >> 32));

    return (uint64_t)hd_bit_reverse_u32((uint32_t)x) << 32 | low;
}

/** Returns the upper half of the 64-bit product.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return Bits 32 to 63 of a * b.
 */
HD_BOTH uint32_t hd_mulhi_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

/** Returns the upper half of the 64-bit product.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return Bits 32 to 63 of a * b.
 */
HD_BOTH int32_t hd_mulhi_i32(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}

__extension__ typedef unsigned __int128 hd_u128_;
__extension__ typedef __int128 hd_i128_;

/** Returns the upper half of the 128-bit product.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return Bits 64 to 127 of a * b.
 */
HD_BOTH uint64_t hd_mulhi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((hd_u128_)a * b >> 64);
}

/** Returns the upper half of the 128-bit product.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return Bits 64 to 127 of a * b.
 */
HD_BOTH int64_t hd_mulhi_i64(int64_t a, int64_t b)
{
    return (int64_t)((hd_i128_)a * b >> 64);
}

/** Returns the bits of a binary32 number.
 *
 *  @param x  The number.
 *  @return Its bits; those of every NaN are kept.
 */
HD_BOTH uint32_t hd_f32_bits(float x)
{
    uint32_t bits;

    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

/** Returns the binary32 number with given bits.
 *
 *  @param bits  The bits.
 *  @return The number; every NaN is kept.
 */
HD_BOTH float hd_f32_from_bits(uint32_t bits)
{
    float x;

    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/** Returns the bits of a binary64 number.
 *
 *  @param x  The number.
 *  @return Its bits; those of every NaN are kept.
 */
HD_BOTH uint64_t hd_f64_bits(double x)
{
    uint64_t bits;

    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

/** Returns the binary64 number with given bits.
 *
 *  @param bits  The bits.
 *  @return The number; every NaN is kept.
 */
HD_BOTH double hd_f64_from_bits(uint64_t bits)
{
    double x;

    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/** Takes the memory of one array from a block of memory that several arrays share.
 *
 *  For the layout functions of dynamic shared memory, which host and kernel both call.
 *
 *  @param at     Bytes taken so far: 0 at first; moved past the new array, to a multiple of 16.
 *                After the last call it is the size of the whole.
 *  @param bytes  Size of the new array in bytes.
 *  @return Offset of the new array, a multiple of 16.
 */
HD_BOTH size_t hd_carve(size_t *at, size_t bytes)
{
    size_t offset = (*at + 15) & ~(size_t)15;

    *at = (offset + bytes + 15) & ~(size_t)15;
    return offset;
}

/** @} */

#endif
