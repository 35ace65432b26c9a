/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Operations on the four bytes or two halves of a 32-bit word, dot products of bytes, byte
 *  permutation and funnel shifts. Host and kernels, C11 and C++17.
 *
 *  The names are those of CUDA's SIMD intrinsics with hd_ in front; a name ends in 4 (bytes) or 2
 *  (halves of 16 bits), and an operation computes each part independently. packed_ops.inc
 *  defines, for N = 2 and 4, s = signed and u = unsigned:
 *    hd_vaddN, hd_vsubN (wrap around), hd_vaddssN, hd_vsubssN, hd_vaddusN, hd_vsubusN (saturate);
 *    hd_vabsN, hd_vnegN (wrap around), hd_vabsssN, hd_vnegssN (saturate);
 *    hd_vmaxsN, hd_vmaxuN, hd_vminsN, hd_vminuN;
 *    hd_vabsdiffsN, hd_vabsdiffuN: |a - b| as an unsigned number; hd_vsadsN, hd_vsaduN: their sum;
 *    hd_vavguN: (a + b + 1) / 2; hd_vhadduN: (a + b) / 2; hd_vavgsN: (a + b) / 2, halves rounded
 *    away from zero;
 *    hd_vcmpeqN, hd_vcmpneN, hd_vcmp{lt,le,gt,ge}{s,u}N: all bits set if true, else 0;
 *    hd_vseteqN ...: the same with 1 instead of all bits.
 */
#ifndef HEDDLE_DEVICE_PACKED_H
#define HEDDLE_DEVICE_PACKED_H

#include <heddle/device/bits.h>

/** @defgroup packed Packed integers
 *  @brief Bytes and halves of a word; the same on every backend; host and kernels.
 *  @{
 */

/* The backend's instructions, in device code only: hd_prim_dp4a_i32_, hd_prim_dp4a_u32_,
   hd_prim_byte_perm_, hd_prim_sad4_. */
#ifndef HD_NATIVE_DP4A_
#define HD_NATIVE_DP4A_ 0
#endif
#ifndef HD_NATIVE_BYTE_PERM_
#define HD_NATIVE_BYTE_PERM_ 0
#endif
#ifndef HD_NATIVE_SAD4_
#define HD_NATIVE_SAD4_ 0
#endif

/** Adds the dot product of four signed bytes to an integer: c + a0 * b0 + ... + a3 * b3.
 *
 *  @param a  Four signed bytes.
 *  @param b  Four signed bytes.
 *  @param c  The integer.
 *  @return The sum; wraps around.
 */
HD_BOTH int32_t hd_dp4a_i32(int32_t a, int32_t b, int32_t c)
{
#if HD_NATIVE_DP4A_
    return hd_prim_dp4a_i32_(a, b, c);
#else
    uint32_t sum = (uint32_t)c;

    for (int i = 0; i < 32; i += 8)
        sum += (uint32_t)((int8_t)(uint8_t)((uint32_t)a >> i) *
                          (int8_t)(uint8_t)((uint32_t)b >> i));
    return (int32_t)sum;
#endif
}

/** Adds the dot product of four unsigned bytes to an integer: c + a0 * b0 + ... + a3 * b3.
 *
 *  @param a  Four bytes.
 *  @param b  Four bytes.
 *  @param c  The integer.
 *  @return The sum; wraps around.
 */
HD_BOTH uint32_t hd_dp4a_u32(uint32_t a, uint32_t b, uint32_t c)
{
#if HD_NATIVE_DP4A_
    return hd_prim_dp4a_u32_(a, b, c);
#else
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xffu) * (b >> i & 0xffu);
    return c;
#endif
}

/** Selects four of eight bytes.
 *
 *  @param x         Bytes 0 to 3, byte 0 in the lowest bits.
 *  @param y         Bytes 4 to 7.
 *  @param selector  Bits 0 to 2 are the number of the byte that becomes the lowest of the result,
 *                   bits 4 to 6, 8 to 10 and 12 to 14 those of the others; other bits are ignored.
 *  @return The bytes.
 */
HD_BOTH uint32_t hd_byte_perm(uint32_t x, uint32_t y, uint32_t selector)
{
#if HD_NATIVE_BYTE_PERM_
    return hd_prim_byte_perm_(x, y, selector);
#else
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t result = 0;

    for (int i = 0; i < 4; i++)
        result |= (uint32_t)(bytes >> (selector >> 4 * i & 7u) * 8 & 0xffu) << 8 * i;
    return result;
#endif
}

/** Shifts a word of 64 bits to the left and returns its upper half.
 *
 *  @param low    The lower half.
 *  @param high   The upper half.
 *  @param shift  Number of bits, taken modulo 32.
 *  @return The upper half of the shifted word.
 */
HD_BOTH uint32_t hd_funnel_shift_left(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << (shift & 31u) >> 32);
}

/** Shifts a word of 64 bits to the right and returns its lower half.
 *
 *  @param low    The lower half.
 *  @param high   The upper half.
 *  @param shift  Number of bits, taken modulo 32.
 *  @return The lower half of the shifted word.
 */
HD_BOTH uint32_t hd_funnel_shift_right(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31u));
}

/** As hd_funnel_shift_left, but shifts of more than 32 bits are shifts of 32.
 *
 *  @param low    The lower half.
 *  @param high   The upper half.
 *  @param shift  Number of bits; at most 32 take effect.
 *  @return The upper half of the shifted word.
 */
HD_BOTH uint32_t hd_funnel_shift_left_clamp(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << (shift < 32u ? shift : 32u) >> 32);
}

/** As hd_funnel_shift_right, but shifts of more than 32 bits are shifts of 32.
 *
 *  @param low    The lower half.
 *  @param high   The upper half.
 *  @param shift  Number of bits; at most 32 take effect.
 *  @return The lower half of the shifted word.
 */
HD_BOTH uint32_t hd_funnel_shift_right_clamp(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift < 32u ? shift : 32u));
}

/* For packed_ops.inc: HD_PACKED_N_ is the number of parts, HD_PACKED_BITS_ their width,
   HD_PACKED_ONES_ has the lowest bit of each set. */
#define HD_PACKED_CAT__(a, b) hd_##a##b
#define HD_PACKED_CAT_(a, b) HD_PACKED_CAT__(a, b)
#define HD_PACKED_(name) HD_PACKED_CAT_(name, HD_PACKED_N_)
#define HD_PACKED_OWN__(a, b) hd_packed_##a##b##_
#define HD_PACKED_OWN_2_(a, b) HD_PACKED_OWN__(a, b)
#define HD_PACKED_OWN_(name) HD_PACKED_OWN_2_(name, HD_PACKED_N_)

#define HD_PACKED_N_ 2
#define HD_PACKED_BITS_ 16
#define HD_PACKED_ONES_ 0x00010001u
#include <heddle/detail/arithmetic/packed_ops.inc>

#define HD_PACKED_N_ 4
#define HD_PACKED_BITS_ 8
#define HD_PACKED_ONES_ 0x01010101u
#include <heddle/detail/arithmetic/packed_ops.inc>

/** @} */

#endif
