/* SPDX-License-Identifier: Apache-2.0 */
/* complex.h - CUDA's complex numbers, pairs of float and double, in C11 and C++17. */
#ifndef HEDDLE_BACKEND_PORT_COMPLEX_H
#define HEDDLE_BACKEND_PORT_COMPLEX_H

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Division scales by the larger part of the divisor, so that squares do not overflow. */
#define HD_PORT_COMPLEX_(Complex, T, f)                                                            \
    HD_DEVICE Complex make_##Complex(T x, T y)                                                     \
    {                                                                                              \
        const Complex made = {x, y};                                                               \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE T cuCreal##f(Complex a)                                                              \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    HD_DEVICE T cuCimag##f(Complex a)                                                              \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    HD_DEVICE Complex cuConj##f(Complex a)                                                         \
    {                                                                                              \
        const Complex made = {a.x, -a.y};                                                          \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE Complex cuCadd##f(Complex a, Complex b)                                              \
    {                                                                                              \
        const Complex made = {a.x + b.x, a.y + b.y};                                               \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE Complex cuCsub##f(Complex a, Complex b)                                              \
    {                                                                                              \
        const Complex made = {a.x - b.x, a.y - b.y};                                               \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE Complex cuCmul##f(Complex a, Complex b)                                              \
    {                                                                                              \
        const Complex made = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                       \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE Complex cuCfma##f(Complex a, Complex b, Complex c)                                   \
    {                                                                                              \
        return cuCadd##f(cuCmul##f(a, b), c);                                                      \
    }                                                                                              \
    HD_DEVICE Complex cuCdiv##f(Complex a, Complex b)                                              \
    {                                                                                              \
        const T size = fabs##f(b.x) + fabs##f(b.y), ax = a.x / size, ay = a.y / size;              \
        const T bx = b.x / size, by = b.y / size, square = bx * bx + by * by;                      \
        const Complex made = {(ax * bx + ay * by) / square, (ay * bx - ax * by) / square};         \
        return made;                                                                               \
    }                                                                                              \
    HD_DEVICE T cuCabs##f(Complex a)                                                               \
    {                                                                                              \
        return hypot##f(a.x, a.y);                                                                 \
    }
HD_PORT_COMPLEX_(cuFloatComplex, float, f)
HD_PORT_COMPLEX_(cuDoubleComplex, double, )
#undef HD_PORT_COMPLEX_
HD_DEVICE cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
HD_DEVICE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}
HD_DEVICE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}

#endif
