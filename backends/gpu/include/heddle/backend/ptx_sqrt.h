/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_sqrt.h - the square root of pure_math.h on NVIDIA hardware; decl.h of both APIs includes it.

   An estimate of 1 / sqrt(x) and one step of Newton's with fma, after P. Markstein, "IA-64 and
   Elementary Functions", 2000: correctly rounded wherever nothing under- or overflows, at half the
   instructions of sqrt.rn, which also looks for the cases beyond. test_pure_math compares all
   significands with it. */
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
