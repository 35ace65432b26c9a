/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_half.h - the arithmetic of half.h on NVIDIA hardware, on bits of numbers and of pairs;
   included by decl.h of CUDA and HIP.

   binary16 has all instructions on sm_70 except minimum and maximum, which came with sm_80.
   bfloat16 has fma from sm_80 on, which also adds (a * 1 + b) and multiplies (a * b + -0, which
   keeps the sign of a zero). No instruction here flushes subnormals or is contracted (.rn). The
   hardware's NaN is 0x7fff: every result is replaced by the NaN of half.h if it is one. */
#ifndef HEDDLE_BACKEND_PTX_HALF_H
#define HEDDLE_BACKEND_PTX_HALF_H

#ifdef __CUDA_ARCH__

#define HD_PTX_HALF_ static __device__ __forceinline__ __attribute__((unused))

/* d, or the NaN of half.h if d is one: `mask` is all ones for a NaN. */
HD_PTX_HALF_ uint16_t hd_prim_f16_number_(uint16_t d)
{
    uint32_t mask;

    asm("set.nan.u32.f16 %0, %1, %1;" : "=r"(mask) : "h"(d));
    return (uint16_t)((d & ~mask) | (0x7e00u & mask));
}
HD_PTX_HALF_ uint32_t hd_prim_f16x2_number_(uint32_t d)
{
    uint32_t mask;

    asm("set.nan.u32.f16x2 %0, %1, %1;" : "=r"(mask) : "r"(d));
    return (d & ~mask) | (0x7e007e00u & mask);
}

/* Two operands, of numbers ("h" registers) and pairs ("r" registers). */
#define HD_PTX_HALF2_(format, name, text, type, reg)                                               \
    HD_PTX_HALF_ type hd_prim_##format##_##name##_(type a, type b)                                 \
    {                                                                                              \
        type d;                                                                                    \
        asm(text " %0, %1, %2;" : "=" reg(d) : reg(a), reg(b));                                    \
        return hd_prim_##format##_number_(d);                                                      \
    }
#define HD_PTX_HALF3_(format, text, type, reg)                                                     \
    HD_PTX_HALF_ type hd_prim_##format##_fma_(type a, type b, type c)                              \
    {                                                                                              \
        type d;                                                                                    \
        asm(text " %0, %1, %2, %3;" : "=" reg(d) : reg(a), reg(b), reg(c));                        \
        return hd_prim_##format##_number_(d);                                                      \
    }
#define HD_PTX_COMPARE_(format, name)                                                              \
    HD_PTX_HALF_ int hd_prim_##format##_##name##_(uint16_t a, uint16_t b)                          \
    {                                                                                              \
        uint32_t mask;                                                                             \
        asm("set." #name ".u32." #format " %0, %1, %2;" : "=r"(mask) : "h"(a), "h"(b));            \
        return (int)(mask & 1u);                                                                   \
    }

/* ---- binary16 -------------------------------------------------------------------------------- */

#define HD_NATIVE_F16_ 1
HD_PTX_HALF2_(f16, add, "add.rn.f16", uint16_t, "h")
HD_PTX_HALF2_(f16, sub, "sub.rn.f16", uint16_t, "h")
HD_PTX_HALF2_(f16, mul, "mul.rn.f16", uint16_t, "h")
HD_PTX_HALF3_(f16, "fma.rn.f16", uint16_t, "h")
HD_PTX_HALF2_(f16x2, add, "add.rn.f16x2", uint32_t, "r")
HD_PTX_HALF2_(f16x2, sub, "sub.rn.f16x2", uint32_t, "r")
HD_PTX_HALF2_(f16x2, mul, "mul.rn.f16x2", uint32_t, "r")
HD_PTX_HALF3_(f16x2, "fma.rn.f16x2", uint32_t, "r")
HD_PTX_COMPARE_(f16, lt)
HD_PTX_COMPARE_(f16, le)
HD_PTX_COMPARE_(f16, eq)

#if __CUDA_ARCH__ >= 800
#define HD_NATIVE_F16_MINMAX_ 1
HD_PTX_HALF2_(f16, min, "min.NaN.f16", uint16_t, "h")
HD_PTX_HALF2_(f16, max, "max.NaN.f16", uint16_t, "h")
HD_PTX_HALF2_(f16x2, min, "min.NaN.f16x2", uint32_t, "r")
HD_PTX_HALF2_(f16x2, max, "max.NaN.f16x2", uint32_t, "r")
#endif

/* x is not NaN. */
HD_PTX_HALF_ uint16_t hd_prim_f16_narrow_(float x)
{
    uint16_t d;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(d) : "f"(x));
    return d;
}
HD_PTX_HALF_ float hd_prim_f16_widen_(uint16_t h)
{
    float d;

    asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(h));
    return d;
}

/* ---- bfloat16 -------------------------------------------------------------------------------- */

#if __CUDA_ARCH__ >= 800
#define HD_NATIVE_BF16_ 1
#define HD_NATIVE_BF16_MINMAX_ 1

HD_PTX_HALF_ uint16_t hd_prim_bf16_number_(uint16_t d)
{
    return (d & 0x7fffu) > 0x7f80u ? (uint16_t)0x7fc0u : d;
}
HD_PTX_HALF_ uint32_t hd_prim_bf16x2_number_(uint32_t d)
{
#if __CUDA_ARCH__ >= 900
    uint32_t mask;

    asm("set.nan.u32.bf16x2 %0, %1, %1;" : "=r"(mask) : "r"(d));
    return (d & ~mask) | (0x7fc07fc0u & mask);
#else
    return hd_prim_bf16_number_((uint16_t)d) | (uint32_t)hd_prim_bf16_number_((uint16_t)(d >> 16))
                                                   << 16;
#endif
}

HD_PTX_HALF3_(bf16, "fma.rn.bf16", uint16_t, "h")
HD_PTX_HALF3_(bf16x2, "fma.rn.bf16x2", uint32_t, "r")
HD_PTX_HALF2_(bf16, min, "min.NaN.bf16", uint16_t, "h")
HD_PTX_HALF2_(bf16, max, "max.NaN.bf16", uint16_t, "h")
HD_PTX_HALF2_(bf16x2, min, "min.NaN.bf16x2", uint32_t, "r")
HD_PTX_HALF2_(bf16x2, max, "max.NaN.bf16x2", uint32_t, "r")

/* One: 0x3f80; minus one: 0xbf80; minus zero: 0x8000. */
#define HD_PTX_BF16_(format, type, both)                                                           \
    HD_PTX_HALF_ type hd_prim_##format##_add_(type a, type b)                                      \
    {                                                                                              \
        return hd_prim_##format##_fma_(a, (type)(0x3f80u * both), b);                              \
    }                                                                                              \
    HD_PTX_HALF_ type hd_prim_##format##_sub_(type a, type b)                                      \
    {                                                                                              \
        return hd_prim_##format##_fma_(b, (type)(0xbf80u * both), a);                              \
    }                                                                                              \
    HD_PTX_HALF_ type hd_prim_##format##_mul_(type a, type b)                                      \
    {                                                                                              \
        return hd_prim_##format##_fma_(a, b, (type)(0x8000u * both));                              \
    }
HD_PTX_BF16_(bf16, uint16_t, 1u)
HD_PTX_BF16_(bf16x2, uint32_t, 0x10001u)
#undef HD_PTX_BF16_

/* The upper halves of binary32 compare like the numbers. */
#define HD_PTX_BF16_COMPARE_(name, op)                                                             \
    HD_PTX_HALF_ int hd_prim_bf16_##name##_(uint16_t a, uint16_t b)                                \
    {                                                                                              \
        return __uint_as_float((unsigned)a << 16) op __uint_as_float((unsigned)b << 16);           \
    }
HD_PTX_BF16_COMPARE_(lt, <)
HD_PTX_BF16_COMPARE_(le, <=)
HD_PTX_BF16_COMPARE_(eq, ==)
#undef HD_PTX_BF16_COMPARE_

HD_PTX_HALF_ uint16_t hd_prim_bf16_narrow_(float x)
{
    uint16_t d;

    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(d) : "f"(x));
    return d;
}
#endif

#undef HD_PTX_HALF2_
#undef HD_PTX_HALF3_
#undef HD_PTX_COMPARE_
#undef HD_PTX_HALF_

#endif
#endif
