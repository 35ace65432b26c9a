/* SPDX-License-Identifier: Apache-2.0 */
/* complex.hpp - CUDA's complex numbers: pairs of float and double. */
#ifndef HEDDLE_BACKEND_PORT_COMPLEX_HPP
#define HEDDLE_BACKEND_PORT_COMPLEX_HPP

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Division scales by the larger part of the divisor, so that squares do not overflow. */
#define HD_PORT_COMPLEX_(Complex, T, f)                                                            \
    HD_DEVICE Complex make_##Complex(T x, T y)                                                     \
    {                                                                                              \
        return {x, y};                                                                             \
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
        return {a.x, -a.y};                                                                        \
    }                                                                                              \
    HD_DEVICE Complex cuCadd##f(Complex a, Complex b)                                              \
    {                                                                                              \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    HD_DEVICE Complex cuCsub##f(Complex a, Complex b)                                              \
    {                                                                                              \
        return {a.x - b.x, a.y - b.y};                                                             \
    }                                                                                              \
    HD_DEVICE Complex cuCmul##f(Complex a, Complex b)                                              \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    HD_DEVICE Complex cuCfma##f(Complex a, Complex b, Complex c)                                   \
    {                                                                                              \
        return cuCadd##f(cuCmul##f(a, b), c);                                                      \
    }                                                                                              \
    HD_DEVICE Complex cuCdiv##f(Complex a, Complex b)                                              \
    {                                                                                              \
        const T size = fabs##f(b.x) + fabs##f(b.y), ax = a.x / size, ay = a.y / size;              \
        const T bx = b.x / size, by = b.y / size, square = bx * bx + by * by;                      \
        return {(ax * bx + ay * by) / square, (ay * bx - ax * by) / square};                       \
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
    return {x, y};
}
HD_DEVICE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return {a.x, a.y};
}
HD_DEVICE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return {(float)a.x, (float)a.y};
}

#endif
