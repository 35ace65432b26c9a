/* SPDX-License-Identifier: Apache-2.0 */
/* amd_half.h - the arithmetic of half.h on AMD hardware, on bits of numbers and of pairs; included
   by decl.h of HIP.

   binary16: gfx9 and newer have packed instructions, which keep subnormals in the compiler's
   default mode. They pass on the payload of a NaN: every result is replaced by the NaN of half.h if
   it is one. Minimum and maximum stay those of half.h, since v_min_f16 ignores a NaN. */
#ifndef HEDDLE_BACKEND_AMD_HALF_H
#define HEDDLE_BACKEND_AMD_HALF_H

#ifdef __HIP_DEVICE_COMPILE__

#define HD_AMD_HALF_ static __device__ inline __attribute__((always_inline, unused))
#define HD_NATIVE_F16_ 1

typedef _Float16 hd_amd_f16x2_ __attribute__((ext_vector_type(2)));
typedef short hd_amd_i16x2_ __attribute__((ext_vector_type(2)));

HD_AMD_HALF_ _Float16 hd_amd_f16_(uint16_t bits)
{
    return __builtin_bit_cast(_Float16, bits);
}
HD_AMD_HALF_ hd_amd_f16x2_ hd_amd_f16_(uint32_t bits)
{
    return __builtin_bit_cast(hd_amd_f16x2_, bits);
}

/* The bits of d, or of the NaN of half.h. In pairs by integers: 0x7c00 minus the magnitude is
   negative for NaNs. */
HD_AMD_HALF_ uint16_t hd_amd_number_(_Float16 d)
{
    return d == d ? __builtin_bit_cast(uint16_t, d) : (uint16_t)0x7e00u;
}
HD_AMD_HALF_ uint32_t hd_amd_number_(hd_amd_f16x2_ d)
{
    const uint32_t bits = __builtin_bit_cast(uint32_t, d);
    const hd_amd_i16x2_ magnitude = __builtin_bit_cast(hd_amd_i16x2_, bits & 0x7fff7fffu);
    const uint32_t mask = __builtin_bit_cast(uint32_t, ((short)0x7c00 - magnitude) >> (short)15);
    return (bits & ~mask) | (0x7e007e00u & mask);
}

#define HD_AMD_ARITHMETIC_(format, type)                                                           \
    HD_AMD_OPERATION_(format, add, type, +)                                                        \
    HD_AMD_OPERATION_(format, sub, type, -)                                                        \
    HD_AMD_OPERATION_(format, mul, type, *)
#define HD_AMD_OPERATION_(format, name, type, op)                                                  \
    HD_AMD_HALF_ type hd_prim_##format##_##name##_(type a, type b)                                 \
    {                                                                                              \
        return hd_amd_number_(hd_amd_f16_(a) op hd_amd_f16_(b));                                   \
    }
HD_AMD_ARITHMETIC_(f16, uint16_t)
HD_AMD_ARITHMETIC_(f16x2, uint32_t)
#undef HD_AMD_OPERATION_
#undef HD_AMD_ARITHMETIC_

HD_AMD_HALF_ uint16_t hd_prim_f16_fma_(uint16_t a, uint16_t b, uint16_t c)
{
    return hd_amd_number_(__ocml_fma_f16(hd_amd_f16_(a), hd_amd_f16_(b), hd_amd_f16_(c)));
}
HD_AMD_HALF_ uint32_t hd_prim_f16x2_fma_(uint32_t a, uint32_t b, uint32_t c)
{
    return hd_amd_number_(__ocml_fma_2f16(hd_amd_f16_(a), hd_amd_f16_(b), hd_amd_f16_(c)));
}

#define HD_AMD_COMPARE_(name, op)                                                                  \
    HD_AMD_HALF_ int hd_prim_f16_##name##_(uint16_t a, uint16_t b)                                 \
    {                                                                                              \
        return hd_amd_f16_(a) op hd_amd_f16_(b);                                                   \
    }
HD_AMD_COMPARE_(lt, <)
HD_AMD_COMPARE_(le, <=)
HD_AMD_COMPARE_(eq, ==)
#undef HD_AMD_COMPARE_

/* x is not NaN. */
HD_AMD_HALF_ uint16_t hd_prim_f16_narrow_(float x)
{
    return __builtin_bit_cast(uint16_t, (_Float16)x);
}
HD_AMD_HALF_ float hd_prim_f16_widen_(uint16_t h)
{
    return (float)hd_amd_f16_(h);
}

#undef HD_AMD_HALF_

#endif
#endif
