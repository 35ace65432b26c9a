/* SPDX-License-Identifier: Apache-2.0 */
/* kern_arith.c - double-double and complex arithmetic on the device. */
#include <heddle/kernel.h>

#include "arith.h"

HD_KERNEL void dd_arithmetic(size_t n, const hd_dd *HD_RESTRICT a, const hd_dd *HD_RESTRICT b,
                             hd_dd *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[DD_ADD * n + i] = hd_dd_add(a[i], b[i]);
        out[DD_SUB * n + i] = hd_dd_sub(a[i], b[i]);
        out[DD_MUL * n + i] = hd_dd_mul(a[i], b[i]);
        out[DD_DIV * n + i] = hd_dd_div(a[i], b[i]);
        out[DD_SQRT * n + i] = hd_dd_sqrt(a[i].hi < 0 ? hd_dd_neg(a[i]) : a[i]);
        out[DD_TWO_SUM * n + i] = hd_two_sum(a[i].hi, b[i].hi);
        out[DD_TWO_PROD * n + i] = hd_two_prod(a[i].hi, b[i].hi);
    }
}
HD_DEFINE(dd_arithmetic)

#define C c32
#include "complex.inc"
#define C c64
#include "complex.inc"

HD_KERNEL void multiply_add_f32(size_t n, const float *HD_RESTRICT a, const float *HD_RESTRICT b,
                                const float *HD_RESTRICT c, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[i] = a[i] * b[i] + c[i];
        out[n + i] = hd_fma(a[i], b[i], c[i]);
    }
}
HD_DEFINE(multiply_add_f32)

HD_KERNEL void multiply_add_f64(size_t n, const double *HD_RESTRICT a, const double *HD_RESTRICT b,
                                const double *HD_RESTRICT c, double *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[i] = a[i] * b[i] + c[i];
        out[n + i] = hd_fma(a[i], b[i], c[i]);
    }
}
HD_DEFINE(multiply_add_f64)
