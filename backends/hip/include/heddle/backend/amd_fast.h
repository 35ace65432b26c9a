/* SPDX-License-Identifier: Apache-2.0 */
/* amd_fast.h - approximating instructions and clocks of AMD hardware; included by amd_dialect.h.
   The instructions replace subnormal operands and results by 0. */
#ifndef HEDDLE_BACKEND_AMD_FAST_H
#define HEDDLE_BACKEND_AMD_FAST_H

/* clang 15 and 16 lack the builtins of the first two. */
HD_DEVICE float hd_prim_fast_exp2_(float x)
{
#if __has_builtin(__builtin_amdgcn_exp2f)
    return __builtin_amdgcn_exp2f(x);
#else
    return exp2f(x);
#endif
}
HD_DEVICE float hd_prim_fast_log2_(float x)
{
#if __has_builtin(__builtin_amdgcn_logf)
    return __builtin_amdgcn_logf(x);
#else
    return log2f(x);
#endif
}
HD_DEVICE float hd_prim_fast_rcp_(float x)
{
    return __builtin_amdgcn_rcpf(x);
}
HD_DEVICE float hd_prim_fast_div_(float x, float y)
{
    return x * __builtin_amdgcn_rcpf(y);
}
HD_DEVICE float hd_prim_fast_sqrt_(float x)
{
    return __builtin_amdgcn_sqrtf(x);
}
HD_DEVICE float hd_prim_fast_rsqrt_(float x)
{
    return __builtin_amdgcn_rsqf(x);
}
/* The instructions expect revolutions. */
HD_DEVICE float hd_prim_fast_sin_(float x)
{
    return __builtin_amdgcn_sinf(x * 0.159154943f);
}
HD_DEVICE float hd_prim_fast_cos_(float x)
{
    return __builtin_amdgcn_cosf(x * 0.159154943f);
}

/* The counter of constant frequency. */
HD_DEVICE uint64_t hd_amd_ticks_(void)
{
#if defined(__GFX11__) || defined(__GFX12__)
    return __builtin_amdgcn_s_sendmsg_rtnl(0x83); /* MSG_RTN_GET_REALTIME */
#else
    return __builtin_amdgcn_s_memrealtime();
#endif
}

/* Clock cycles of the compute unit; gfx11 counts only 20 bits of them: ticks of 10 ns there. */
HD_DEVICE uint64_t hd_clock(void)
{
#if defined(__GFX11__)
    return hd_amd_ticks_();
#else
    return __builtin_readcyclecounter();
#endif
}
/* The frequency is 27 MHz on gfx900, 25 MHz on other gfx9 before gfx940 except the APU gfx90c, and
   100 MHz on all others (hipDeviceAttributeWallClockRate). */
HD_DEVICE uint64_t hd_wall_clock(void)
{
    const uint64_t ticks = hd_amd_ticks_();
#if defined(__gfx900__)
    return ticks * 1000u / 27u;
#elif defined(__gfx902__) || defined(__gfx904__) || defined(__gfx906__) || defined(__gfx908__) ||  \
    defined(__gfx909__) || defined(__gfx90a__)
    return ticks * 40u;
#else
    return ticks * 10u;
#endif
}

#endif
