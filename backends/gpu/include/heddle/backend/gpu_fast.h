/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_fast.h - fast approximations of f32; included by gpu_dialect.h. docs/dialect.md states their
   error bounds, which tests/conformance/arithmetic/test_fast.c verifies.

   Primitives of the backend, each one instruction or two: hd_prim_fast_exp2_, hd_prim_fast_log2_,
   hd_prim_fast_rcp_, hd_prim_fast_rsqrt_, hd_prim_fast_sqrt_, hd_prim_fast_sin_, hd_prim_fast_cos_
   (float), hd_prim_fast_div_(float, float). */
#ifndef HEDDLE_BACKEND_GPU_FAST_H
#define HEDDLE_BACKEND_GPU_FAST_H

HD_DEVICE float hd_fast_exp2(float x)
{
    return hd_prim_fast_exp2_(x);
}
HD_DEVICE float hd_fast_exp(float x)
{
    return hd_prim_fast_exp2_(x * 1.44269504f);
}
HD_DEVICE float hd_fast_log2(float x)
{
    return hd_prim_fast_log2_(x);
}
HD_DEVICE float hd_fast_log(float x)
{
    return hd_prim_fast_log2_(x) * 0.693147181f;
}
HD_DEVICE float hd_fast_sin(float x)
{
    return hd_prim_fast_sin_(x);
}
HD_DEVICE float hd_fast_cos(float x)
{
    return hd_prim_fast_cos_(x);
}
HD_DEVICE float hd_fast_pow(float x, float y)
{
    return hd_prim_fast_exp2_(y * hd_prim_fast_log2_(x));
}
HD_DEVICE float hd_fast_rcp(float x)
{
    return hd_prim_fast_rcp_(x);
}
HD_DEVICE float hd_fast_div(float x, float y)
{
    return hd_prim_fast_div_(x, y);
}
HD_DEVICE float hd_fast_sqrt(float x)
{
    return hd_prim_fast_sqrt_(x);
}
HD_DEVICE float hd_fast_rsqrt(float x)
{
    return hd_prim_fast_rsqrt_(x);
}

#endif
