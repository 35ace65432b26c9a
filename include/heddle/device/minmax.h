/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Minimum and maximum with one meaning on every backend. Host and kernels, C11 and C++17.
 *
 *  Floats: NaN if either is NaN, always the quiet NaN without sign or payload (0x7fc00000,
 *  0x7ff8000000000000); -0.0 is below +0.0. So both are commutative and associative, and a minimum
 *  over many values does not depend on the order. This is minimum and maximum of IEEE 754-2019.
 */
#ifndef HEDDLE_DEVICE_MINMAX_H
#define HEDDLE_DEVICE_MINMAX_H

#include <heddle/device/bits.h>

/** @defgroup minmax Minimum and maximum
 *  @brief The same on every backend, also for NaN and zeros; host and kernels.
 *  @{
 */

#define HD_F32_NAN_BITS 0x7fc00000u         /**< Bits of the canonical quiet NaN in binary32. */
#define HD_F64_NAN_BITS 0x7ff8000000000000u /**< Bits of the canonical quiet NaN in binary64. */

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum. The canonical NaN if either is NaN; -0.0 is below +0.0.
 */
HD_BOTH float hd_min_f32(float a, float b)
{
    if (a != a || b != b)
        return hd_f32_from_bits(HD_F32_NAN_BITS);
    if (a < b)
        return a;
    if (b < a)
        return b;
    return hd_f32_from_bits(hd_f32_bits(a) | hd_f32_bits(b)); /* equal: only zeros can differ */
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum. The canonical NaN if either is NaN; -0.0 is below +0.0.
 */
HD_BOTH float hd_max_f32(float a, float b)
{
    if (a != a || b != b)
        return hd_f32_from_bits(HD_F32_NAN_BITS);
    if (a < b)
        return b;
    if (b < a)
        return a;
    return hd_f32_from_bits(hd_f32_bits(a) & hd_f32_bits(b));
}

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum. The canonical NaN if either is NaN; -0.0 is below +0.0.
 */
HD_BOTH double hd_min_f64(double a, double b)
{
    if (a != a || b != b)
        return hd_f64_from_bits(HD_F64_NAN_BITS);
    if (a < b)
        return a;
    if (b < a)
        return b;
    return hd_f64_from_bits(hd_f64_bits(a) | hd_f64_bits(b));
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum. The canonical NaN if either is NaN; -0.0 is below +0.0.
 */
HD_BOTH double hd_max_f64(double a, double b)
{
    if (a != a || b != b)
        return hd_f64_from_bits(HD_F64_NAN_BITS);
    if (a < b)
        return b;
    if (b < a)
        return a;
    return hd_f64_from_bits(hd_f64_bits(a) & hd_f64_bits(b));
}

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum.
 */
HD_BOTH int32_t hd_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum.
 */
HD_BOTH int32_t hd_max_i32(int32_t a, int32_t b)
{
    return a < b ? b : a;
}

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum.
 */
HD_BOTH uint32_t hd_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum.
 */
HD_BOTH uint32_t hd_max_u32(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum.
 */
HD_BOTH int64_t hd_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum.
 */
HD_BOTH int64_t hd_max_i64(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

/** Returns the smaller of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The minimum.
 */
HD_BOTH uint64_t hd_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/** Returns the larger of two values.
 *
 *  @param a  A value.
 *  @param b  The other value.
 *  @return The maximum.
 */
HD_BOTH uint64_t hd_max_u64(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

/** @} */

#endif
