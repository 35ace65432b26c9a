/* SPDX-License-Identifier: Apache-2.0 */
/* half.hpp - __half, __nv_bfloat16 and their pairs over heddle's 16-bit types. Each
   operation is the one of float, rounded once to 16 bits, which is correct for + - * / sqrt; fma
   rounds the exact sum of a double. */
#ifndef HEDDLE_BACKEND_PORT_HALF_HPP
#define HEDDLE_BACKEND_PORT_HALF_HPP

#include <heddle/device/half.h>

#include <type_traits>

#define HD_PORT_16_(Half, bits16, from_f32, from_f64, to_f32)                                      \
    struct Half {                                                                                  \
        bits16 value;                                                                              \
        Half() = default;                                                                          \
        Half(bits16 v) : value(v)                                                                  \
        {                                                                                          \
        }                                                                                          \
        Half(float x) : value(from_f32(x))                                                         \
        {                                                                                          \
        }                                                                                          \
        Half(double x) : value(from_f64(x))                                                        \
        {                                                                                          \
        }                                                                                          \
        template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0>                       \
        Half(I x) : value(from_f64((double)x))                                                     \
        {                                                                                          \
        }                                                                                          \
        operator float() const                                                                     \
        {                                                                                          \
            return to_f32(value);                                                                  \
        }                                                                                          \
    };                                                                                             \
    struct alignas(4) Half##2_                                                                     \
    {                                                                                              \
        Half x, y;                                                                                 \
    };                                                                                             \
    HD_PORT_16_OPERATOR_(Half, +)                                                                  \
    HD_PORT_16_OPERATOR_(Half, -)                                                                  \
    HD_PORT_16_OPERATOR_(Half, *)                                                                  \
    HD_PORT_16_OPERATOR_(Half, /)                                                                  \
    HD_DEVICE Half operator-(Half a)                                                               \
    {                                                                                              \
        return Half(-(float)a);                                                                    \
    }                                                                                              \
    HD_DEVICE Half##2_ operator-(Half##2_ a)                                                       \
    {                                                                                              \
        return {-a.x, -a.y};                                                                       \
    }                                                                                              \
    HD_PORT_16_STEPS_(Half, Half(1.0f))                                                            \
    HD_PORT_16_STEPS_(Half##2_, (Half##2_ {Half(1.0f), Half(1.0f)}))                               \
    HD_PORT_16_FUNCTION_(Half, __hadd, +)                                                          \
    HD_PORT_16_FUNCTION_(Half, __hsub, -)                                                          \
    HD_PORT_16_FUNCTION_(Half, __hmul, *)                                                          \
    HD_PORT_16_FUNCTION_(Half, __hdiv, /)                                                          \
    HD_PORT_16_COMPARE_(Half, __hlt, <)                                                            \
    HD_PORT_16_COMPARE_(Half, __hle, <=)                                                           \
    HD_PORT_16_COMPARE_(Half, __hgt, >)                                                            \
    HD_PORT_16_COMPARE_(Half, __hge, >=)                                                           \
    HD_PORT_16_COMPARE_(Half, __heq, ==)                                                           \
    HD_PORT_16_COMPARE_(Half, __hne, !=)                                                           \
    HD_DEVICE bool __hisnan(Half a)                                                                \
    {                                                                                              \
        return (float)a != (float)a;                                                               \
    }                                                                                              \
    HD_DEVICE Half __hneg(Half a)                                                                  \
    {                                                                                              \
        return -a;                                                                                 \
    }                                                                                              \
    HD_DEVICE Half __habs(Half a)                                                                  \
    {                                                                                              \
        return Half(fabsf((float)a));                                                              \
    }                                                                                              \
    HD_DEVICE Half __hmax(Half a, Half b)                                                          \
    {                                                                                              \
        return Half(fmaxf((float)a, (float)b));                                                    \
    }                                                                                              \
    HD_DEVICE Half __hmin(Half a, Half b)                                                          \
    {                                                                                              \
        return Half(fminf((float)a, (float)b));                                                    \
    }                                                                                              \
    HD_DEVICE Half __hfma(Half a, Half b, Half c)                                                  \
    {                                                                                              \
        return Half(from_f64(hd_add_to_odd_((double)(float)a * (float)b, (double)(float)c)));      \
    }                                                                                              \
    HD_PORT_16_BOTH_(Half, __hneg)                                                                 \
    HD_PORT_16_BOTH_(Half, __habs)                                                                 \
    HD_PORT_16_PAIR_(Half, __hmax)                                                                 \
    HD_PORT_16_PAIR_(Half, __hmin)                                                                 \
    HD_DEVICE Half##2_ __hfma2(Half##2_ a, Half##2_ b, Half##2_ c)                                 \
    {                                                                                              \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
    }                                                                                              \
    HD_PORT_16_ROOT_(Half, hsqrt, sqrtf(x))                                                        \
    HD_PORT_16_ROOT_(Half, hrsqrt, 1 / sqrtf(x))                                                   \
    HD_PORT_16_ROOT_(Half, hrcp, 1 / x)                                                            \
    HD_PORT_16_ROOT_(Half, hexp, expf(x))                                                          \
    HD_PORT_16_ROOT_(Half, hexp2, exp2f(x))                                                        \
    HD_PORT_16_ROOT_(Half, hlog, logf(x))                                                          \
    HD_PORT_16_ROOT_(Half, hsin, sinf(x))                                                          \
    HD_PORT_16_ROOT_(Half, hcos, cosf(x))                                                          \
    HD_PORT_16_ROOT_(Half, hfloor, floorf(x))                                                      \
    HD_PORT_16_ROOT_(Half, hceil, ceilf(x))

#define HD_PORT_16_OPERATOR_(Half, op)                                                             \
    HD_DEVICE Half operator op(Half a, Half b)                                                     \
    {                                                                                              \
        return Half((float)a op(float) b);                                                         \
    }                                                                                              \
    HD_DEVICE Half##2_ operator op(Half##2_ a, Half##2_ b)                                         \
    {                                                                                              \
        return {a.x op b.x, a.y op b.y};                                                           \
    }                                                                                              \
    HD_DEVICE Half &operator op##=(Half &a, Half b)                                                \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    HD_DEVICE Half##2_ &operator op##=(Half##2_ & a, Half##2_ b)                                   \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
/* Unary plus, and steps by one. */
#define HD_PORT_16_STEPS_(Value, one)                                                              \
    HD_DEVICE Value operator+(Value a)                                                             \
    {                                                                                              \
        return a;                                                                                  \
    }                                                                                              \
    HD_DEVICE Value &operator++(Value &a)                                                          \
    {                                                                                              \
        return a += one;                                                                           \
    }                                                                                              \
    HD_DEVICE Value &operator--(Value &a)                                                          \
    {                                                                                              \
        return a -= one;                                                                           \
    }                                                                                              \
    HD_DEVICE Value operator++(Value &a, int)                                                      \
    {                                                                                              \
        const Value before = a;                                                                    \
        a += one;                                                                                  \
        return before;                                                                             \
    }                                                                                              \
    HD_DEVICE Value operator--(Value &a, int)                                                      \
    {                                                                                              \
        const Value before = a;                                                                    \
        a -= one;                                                                                  \
        return before;                                                                             \
    }
#define HD_PORT_16_FUNCTION_(Half, name, op)                                                       \
    HD_DEVICE Half name(Half a, Half b)                                                            \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    HD_DEVICE Half##2_ name##2(Half##2_ a, Half##2_ b)                                             \
    {                                                                                              \
        return a op b;                                                                             \
    }
#define HD_PORT_16_COMPARE_(Half, name, op)                                                        \
    HD_DEVICE bool name(Half a, Half b)                                                            \
    {                                                                                              \
        return (float)a op(float) b;                                                               \
    }                                                                                              \
    HD_DEVICE bool operator op(Half a, Half b)                                                     \
    {                                                                                              \
        return (float)a op(float) b;                                                               \
    }                                                                                              \
    /* Of pairs: whether it holds for both. */                                                     \
    HD_DEVICE bool operator op(Half##2_ a, Half##2_ b)                                             \
    {                                                                                              \
        return a.x op b.x && a.y op b.y;                                                           \
    }                                                                                              \
    HD_DEVICE Half##2_ name##2(Half##2_ a, Half##2_ b)                                             \
    {                                                                                              \
        return {Half(name(a.x, b.x) ? 1.0f : 0.0f), Half(name(a.y, b.y) ? 1.0f : 0.0f)};           \
    }
#define HD_PORT_16_BOTH_(Half, name)                                                               \
    HD_DEVICE Half##2_ name##2(Half##2_ a)                                                         \
    {                                                                                              \
        return {name(a.x), name(a.y)};                                                             \
    }
#define HD_PORT_16_PAIR_(Half, name)                                                               \
    HD_DEVICE Half##2_ name##2(Half##2_ a, Half##2_ b)                                             \
    {                                                                                              \
        return {name(a.x, b.x), name(a.y, b.y)};                                                   \
    }
#define HD_PORT_16_ROOT_(Half, name, expression)                                                   \
    HD_DEVICE Half name(Half a)                                                                    \
    {                                                                                              \
        const float x = (float)a;                                                                  \
        return Half((float)(expression));                                                          \
    }

HD_PORT_16_(__half, hd_f16, hd_f16_from_f32, hd_f16_from_f64, hd_f16_to_f32)
HD_PORT_16_(__nv_bfloat16, hd_bf16, hd_bf16_from_f32, hd_bf16_from_f64, hd_bf16_to_f32)
typedef __half half;
typedef __half2_ __half2;
typedef __half2_ half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162_ __nv_bfloat162;
typedef __nv_bfloat162_ nv_bfloat162;
#undef HD_PORT_16_
#undef HD_PORT_16_OPERATOR_
#undef HD_PORT_16_STEPS_
#undef HD_PORT_16_FUNCTION_
#undef HD_PORT_16_COMPARE_
#undef HD_PORT_16_BOTH_
#undef HD_PORT_16_PAIR_
#undef HD_PORT_16_ROOT_

#define HD_PORT_CONVERT_16_(name, to, from, expression)                                            \
    HD_DEVICE to name(from x)                                                                      \
    {                                                                                              \
        return expression;                                                                         \
    }
HD_PORT_CONVERT_16_(__half2float, float, __half, (float)x)
HD_PORT_CONVERT_16_(__float2half, __half, float, __half(x))
HD_PORT_CONVERT_16_(__float2half_rn, __half, float, __half(x))
HD_PORT_CONVERT_16_(__double2half, __half, double, __half(x))
HD_PORT_CONVERT_16_(__int2half_rn, __half, int, __half(x))
HD_PORT_CONVERT_16_(__half2int_rn, int, __half, (int)rintf((float)x))
HD_PORT_CONVERT_16_(__half2int_rz, int, __half, (int)(float)x)
HD_PORT_CONVERT_16_(__ushort_as_half, __half, unsigned short, __half(hd_f16_from_bits(x)))
HD_PORT_CONVERT_16_(__short_as_half, __half, short, __half(hd_f16_from_bits((unsigned short)x)))
HD_PORT_CONVERT_16_(__half_as_ushort, unsigned short, __half, hd_f16_bits(x.value))
HD_PORT_CONVERT_16_(__half_as_short, short, __half, (short)hd_f16_bits(x.value))
HD_PORT_CONVERT_16_(__float2half2_rn, __half2, float, (__half2{__half(x), __half(x)}))
HD_PORT_CONVERT_16_(__half2half2, __half2, __half, (__half2{x, x}))
HD_PORT_CONVERT_16_(__low2half, __half, __half2, x.x)
HD_PORT_CONVERT_16_(__high2half, __half, __half2, x.y)
HD_PORT_CONVERT_16_(__low2float, float, __half2, (float)x.x)
HD_PORT_CONVERT_16_(__high2float, float, __half2, (float)x.y)
HD_PORT_CONVERT_16_(__half22float2, float2, __half2, (float2{(float)x.x, (float)x.y}))
HD_PORT_CONVERT_16_(__float22half2_rn, __half2, float2, (__half2{__half(x.x), __half(x.y)}))
HD_PORT_CONVERT_16_(__bfloat162float, float, __nv_bfloat16, (float)x)
HD_PORT_CONVERT_16_(__float2bfloat16, __nv_bfloat16, float, __nv_bfloat16(x))
HD_PORT_CONVERT_16_(__float2bfloat16_rn, __nv_bfloat16, float, __nv_bfloat16(x))
HD_PORT_CONVERT_16_(__double2bfloat16, __nv_bfloat16, double, __nv_bfloat16(x))
HD_PORT_CONVERT_16_(__ushort_as_bfloat16, __nv_bfloat16, unsigned short,
                    __nv_bfloat16(hd_bf16_from_bits(x)))
HD_PORT_CONVERT_16_(__bfloat16_as_ushort, unsigned short, __nv_bfloat16, hd_bf16_bits(x.value))
HD_PORT_CONVERT_16_(__float2bfloat162_rn, __nv_bfloat162, float,
                    (__nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(x)}))
HD_PORT_CONVERT_16_(__bfloat162bfloat162, __nv_bfloat162, __nv_bfloat16, (__nv_bfloat162{x, x}))
HD_PORT_CONVERT_16_(__low2bfloat16, __nv_bfloat16, __nv_bfloat162, x.x)
HD_PORT_CONVERT_16_(__high2bfloat16, __nv_bfloat16, __nv_bfloat162, x.y)
HD_PORT_CONVERT_16_(__bfloat1622float2, float2, __nv_bfloat162, (float2{(float)x.x, (float)x.y}))
HD_PORT_CONVERT_16_(__float22bfloat162_rn, __nv_bfloat162, float2,
                    (__nv_bfloat162{__nv_bfloat16(x.x), __nv_bfloat16(x.y)}))
#undef HD_PORT_CONVERT_16_
HD_DEVICE __half2 __floats2half2_rn(float a, float b)
{
    return {__half(a), __half(b)};
}
HD_DEVICE __half2 __h2div(__half2 a, __half2 b)
{
    return a / b;
}
HD_DEVICE __half2 __halves2half2(__half a, __half b)
{
    return {a, b};
}
HD_DEVICE __half2 make_half2(__half a, __half b)
{
    return {a, b};
}
HD_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
HD_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return {a, b};
}
HD_DEVICE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return {a, b};
}

#endif
