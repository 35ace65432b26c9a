/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_packed.h - the instructions behind packed.h on NVIDIA hardware; included by decl.h of CUDA
   and HIP. The compiler itself finds the funnel shifts. */
#ifndef HEDDLE_BACKEND_PTX_PACKED_H
#define HEDDLE_BACKEND_PTX_PACKED_H

#ifdef __CUDA_ARCH__

#define HD_NATIVE_DP4A_ 1
#define HD_NATIVE_BYTE_PERM_ 1
#define HD_NATIVE_SAD4_ 1

static __device__ __forceinline__ __attribute__((unused)) int32_t
hd_prim_dp4a_i32_(int32_t a, int32_t b, int32_t c)
{
    return __dp4a(a, b, c);
}
static __device__ __forceinline__ __attribute__((unused)) uint32_t
hd_prim_dp4a_u32_(uint32_t a, uint32_t b, uint32_t c)
{
    return __dp4a(a, b, c);
}
/* The top bit of a selector would replicate the sign of the byte. */
static __device__ __forceinline__ __attribute__((unused)) uint32_t
hd_prim_byte_perm_(uint32_t x, uint32_t y, uint32_t selector)
{
    return __byte_perm(x, y, selector & 0x7777u);
}
static __device__ __forceinline__ __attribute__((unused)) uint32_t hd_prim_sad4_(uint32_t a,
                                                                                 uint32_t b)
{
    return __vsadu4(a, b);
}

#endif
#endif
