/* SPDX-License-Identifier: Apache-2.0 */
/* intrinsics.h - CUDA's intrinsics over C and heddle's dialect, in C11 and C++17, on every backend
   that has none of its own: conversions with a direction, roots. */
#ifndef HEDDLE_BACKEND_PORT_INTRINSICS_H
#define HEDDLE_BACKEND_PORT_INTRINSICS_H

#include <math.h>
#include <stdbool.h>

#include <heddle/backend/port/constants.h>

HD_DEVICE unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
HD_DEVICE unsigned umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* ---- conversions with a direction ------------------------------------------------------------ */

/* Integers to floating point: the nearest value, or its neighbour if that is on the wrong side.
   S: the suffix of functions for type To; PAST: the number after the largest integer, exact. */
#define HD_PORT_FROM_(from, From, to, To, S, PAST)                                                 \
    HD_DEVICE bool hd_port_##from##_above_##to##_(To value, From x)                                \
    {                                                                                              \
        return value >= (To)(PAST) || (From)value > x;                                             \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rn(From x)                                                      \
    {                                                                                              \
        return (To)x;                                                                              \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rd(From x)                                                      \
    {                                                                                              \
        const To value = (To)x;                                                                    \
        return hd_port_##from##_above_##to##_(value, x) ? nextafter##S(value, -(To)INFINITY)       \
                                                        : value;                                   \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_ru(From x)                                                      \
    {                                                                                              \
        const To value = (To)x;                                                                    \
        return !hd_port_##from##_above_##to##_(value, x) && (From)value < x                        \
                   ? nextafter##S(value, (To)INFINITY)                                             \
                   : value;                                                                        \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rz(From x)                                                      \
    {                                                                                              \
        return (To)x < 0 ? __##from##2##to##_ru(x) : __##from##2##to##_rd(x);                      \
    }
HD_PORT_FROM_(int, int, float, float, f, 0x1p31)
HD_PORT_FROM_(uint, unsigned, float, float, f, 0x1p32)
HD_PORT_FROM_(ll, long long, float, float, f, 0x1p63)
HD_PORT_FROM_(ull, unsigned long long, float, float, f, 0x1p64)
HD_PORT_FROM_(ll, long long, double, double, , 0x1p63)
HD_PORT_FROM_(ull, unsigned long long, double, double, , 0x1p64)
#undef HD_PORT_FROM_

/* ---- roots that are rounded to nearest, and what is clamped ---------------------------------- */

HD_DEVICE float __fsqrt_rn(float x)
{
    return sqrtf(x);
}
/* Rounding the quotient of doubles is right for every float. */
HD_DEVICE float __frsqrt_rn(float x)
{
    return (float)(1 / sqrt((double)x));
}
HD_DEVICE float __saturatef(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0; /* 0 for what is no number */
}

#endif
