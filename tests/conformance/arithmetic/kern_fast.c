/* SPDX-License-Identifier: Apache-2.0 */
/* kern_fast.c - the fast approximations. */
#include <heddle/kernel.h>

#include "fast.h"

HD_DEVICE float fast_value(unsigned function, float x, float y)
{
    switch (function) {
    case FAST_EXP:
        return hd_fast_exp(x);
    case FAST_EXP2:
        return hd_fast_exp2(x);
    case FAST_LOG:
        return hd_fast_log(x);
    case FAST_LOG2:
        return hd_fast_log2(x);
    case FAST_SIN:
        return hd_fast_sin(x);
    case FAST_COS:
        return hd_fast_cos(x);
    case FAST_POW:
        return hd_fast_pow(x, y);
    case FAST_DIV:
        return hd_fast_div(x, y);
    case FAST_RCP:
        return hd_fast_rcp(x);
    case FAST_SQRT:
        return hd_fast_sqrt(x);
    default:
        return hd_fast_rsqrt(x);
    }
}

HD_KERNEL void fast_values(size_t n, unsigned function, const float *x, const float *y, float *out)
{
    HD_FOR(i, n)
        out[i] = fast_value(function, x[i], y[i]);
}
HD_DEFINE(fast_values)
