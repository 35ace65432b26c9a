/* SPDX-License-Identifier: Apache-2.0 */
/* intrinsics.hpp - CUDA's intrinsics over C++ and heddle's dialect, on every backend that has none
   of its own: minima of mixed types, conversions with a direction, roots, dot products of bytes,
   loads with hints. */
#ifndef HEDDLE_BACKEND_PORT_INTRINSICS_HPP
#define HEDDLE_BACKEND_PORT_INTRINSICS_HPP

#include <math.h>

#include <type_traits>

/* ---- constants ------------------------------------------------------------------------------- */

#define CUDART_INF_F INFINITY
#define CUDART_INF ((double)INFINITY)
#define CUDART_NAN_F NAN
#define CUDART_NAN ((double)NAN)
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_SQRT_TWO_F 1.414213562f

/* ---- min and max of mixed types -------------------------------------------------------------- */

/* The common type of two numbers; an enumerator counts as its integer. */
template <class A>
using hd_port_number_ = std::enable_if_t<std::is_arithmetic_v<A> || std::is_enum_v<A>,
                                         std::conditional_t<std::is_enum_v<A>, int, A>>;
template <class A, class B>
using hd_port_both_ = std::common_type_t<hd_port_number_<A>, hd_port_number_<B>>;
template <class A, class B> HD_DEVICE constexpr hd_port_both_<A, B> min(A a, B b)
{
    using T = hd_port_both_<A, B>;
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? (T)fminf((float)a, (float)b) : (T)fmin((double)a, (double)b);
    else
        return (T)a < (T)b ? (T)a : (T)b;
}
template <class A, class B> HD_DEVICE constexpr hd_port_both_<A, B> max(A a, B b)
{
    using T = hd_port_both_<A, B>;
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? (T)fmaxf((float)a, (float)b) : (T)fmax((double)a, (double)b);
    else
        return (T)a > (T)b ? (T)a : (T)b;
}
HD_DEVICE unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
HD_DEVICE unsigned umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* ---- conversions with a direction ------------------------------------------------------------ */

/* Integers to floating point: the nearest value, or its neighbour if that is on the wrong side. */
template <class F, class I> HD_DEVICE bool hd_port_above_(F value, I x)
{
    return value >= ldexp((F)1, (int)sizeof(I) * 8 - std::is_signed_v<I>) || (I)value > x;
}
template <class F, class I> HD_DEVICE F hd_port_down_(I x)
{
    const F value = (F)x;
    return hd_port_above_(value, x) ? std::nextafter(value, -(F)INFINITY) : value;
}
template <class F, class I> HD_DEVICE F hd_port_up_(I x)
{
    const F value = (F)x;
    return !hd_port_above_(value, x) && (I)value < x ? std::nextafter(value, (F)INFINITY) : value;
}
#define HD_PORT_FROM_(from, From, to, To)                                                          \
    HD_DEVICE To __##from##2##to##_rn(From x)                                                      \
    {                                                                                              \
        return (To)x;                                                                              \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rd(From x)                                                      \
    {                                                                                              \
        return hd_port_down_<To>(x);                                                               \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_ru(From x)                                                      \
    {                                                                                              \
        return hd_port_up_<To>(x);                                                                 \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rz(From x)                                                      \
    {                                                                                              \
        return x < 0 ? hd_port_up_<To>(x) : hd_port_down_<To>(x);                                  \
    }
HD_PORT_FROM_(int, int, float, float)
HD_PORT_FROM_(uint, unsigned, float, float)
HD_PORT_FROM_(ll, long long, float, float)
HD_PORT_FROM_(ull, unsigned long long, float, float)
HD_PORT_FROM_(ll, long long, double, double)
HD_PORT_FROM_(ull, unsigned long long, double, double)
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

/* ---- dot products of bytes ------------------------------------------------------------------- */

HD_DEVICE int __dp4a(int a, int b, int c)
{
    return hd_dp4a_i32(a, b, c);
}
HD_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return hd_dp4a_u32(a, b, c);
}

/* ---- loads with a hint ----------------------------------------------------------------------- */

#define HD_PORT_LOAD_(name)                                                                        \
    template <class T> HD_DEVICE T name(const T *from)                                             \
    {                                                                                              \
        return *from;                                                                              \
    }
HD_PORT_LOAD_(__ldg)
HD_PORT_LOAD_(__ldcg)
HD_PORT_LOAD_(__ldca)
HD_PORT_LOAD_(__ldcs)
HD_PORT_LOAD_(__ldcv)
#undef HD_PORT_LOAD_
#define HD_PORT_STORE_(name)                                                                       \
    template <class T, class U> HD_DEVICE void name(T *to, U value)                                \
    {                                                                                              \
        *to = (T)value;                                                                            \
    }
HD_PORT_STORE_(__stcg)
HD_PORT_STORE_(__stcs)
HD_PORT_STORE_(__stwb)
HD_PORT_STORE_(__stwt)
#undef HD_PORT_STORE_

#endif
