/* SPDX-License-Identifier: Apache-2.0 */
/* intrinsics.hpp - what C++ adds to intrinsics.h: minima of mixed types, dot products of bytes,
   loads with hints. */
#ifndef HEDDLE_BACKEND_PORT_INTRINSICS_HPP
#define HEDDLE_BACKEND_PORT_INTRINSICS_HPP

#include <type_traits>

#include <heddle/backend/port/intrinsics.h>

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
