/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_sqrt.h - the square root of pure_math.h on NVIDIA hardware; included by decl.h of CUDA and
   HIP.

   An estimate of 1 / sqrt(x) and one Newton step with fma, after P. Markstein, "IA-64 and
   Elementary Functions", 2000. Correctly rounded if nothing under- or overflows, in half the
   instructions of sqrt.rn, which also handles the other cases. test_pure_math compares all
   significands with sqrt.rn. */
#ifndef HEDDLE_BACKEND_PTX_SQRT_H
#define HEDDLE_BACKEND_PTX_SQRT_H

static __host__ __device__ __forceinline__ __attribute__((unused)) float hd_prim_sqrt_(float x)
{
#ifdef __CUDA_ARCH__
    float y, root;

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    root = x * y;
    return fmaf(fmaf(-root, root, x), 0.5f * y, root);
#else
    return __builtin_sqrtf(x);
#endif
}
#define HD_SQRT_NORMAL_F32_(x) hd_prim_sqrt_(x)

#endif
