/* SPDX-License-Identifier: Apache-2.0 */
/* amd_packed.h - the instructions behind packed.h on AMD hardware; included by decl.h of HIP. The
   compiler itself finds the funnel shifts (v_alignbit_b32). */
#ifndef HEDDLE_BACKEND_AMD_PACKED_H
#define HEDDLE_BACKEND_AMD_PACKED_H

#ifdef __HIP_DEVICE_COMPILE__

#define HD_NATIVE_SAD4_ 1
static __device__ inline __attribute__((always_inline, unused)) uint32_t hd_prim_sad4_(uint32_t a,
                                                                                       uint32_t b)
{
    return __builtin_amdgcn_sad_u8(a, b, 0u);
}

#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) ||    \
    defined(__gfx950__)
#define HD_NATIVE_DP4A_ 1
#define HD_AMD_DOT_(a, b, c) __builtin_amdgcn_sdot4(a, b, c, false)
#elif defined(__GFX11__) || defined(__GFX12__)
#define HD_NATIVE_DP4A_ 1
#define HD_AMD_DOT_(a, b, c) __builtin_amdgcn_sudot4(true, a, true, b, c, false)
#endif
#ifdef HD_NATIVE_DP4A_
static __device__ inline __attribute__((always_inline, unused)) int32_t
hd_prim_dp4a_i32_(int32_t a, int32_t b, int32_t c)
{
    return HD_AMD_DOT_(a, b, c);
}
static __device__ inline __attribute__((always_inline, unused)) uint32_t
hd_prim_dp4a_u32_(uint32_t a, uint32_t b, uint32_t c)
{
    return __builtin_amdgcn_udot4(a, b, c, false);
}
#endif

/* v_perm_b32 takes one selector per byte; x is its second operand, whose bytes have the numbers 0
   to 3. */
#define HD_NATIVE_BYTE_PERM_ 1
static __device__ inline __attribute__((always_inline, unused)) uint32_t
hd_prim_byte_perm_(uint32_t x, uint32_t y, uint32_t selector)
{
    uint32_t spread = (selector & 0x77u) | (selector & 0x7700u) << 8;

    spread = (spread & 0x00070007u) | (spread & 0x00700070u) << 4;
    return __builtin_amdgcn_perm(y, x, spread);
}

#endif
#endif
