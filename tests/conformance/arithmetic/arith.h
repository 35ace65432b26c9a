/* SPDX-License-Identifier: Apache-2.0 */
/* arith.h - declares the kernels of kern_arith.c. */
#ifndef HEDDLE_TESTS_ARITH_H
#define HEDDLE_TESTS_ARITH_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { DD_ADD, DD_SUB, DD_MUL, DD_DIV, DD_SQRT, DD_TWO_SUM, DD_TWO_PROD, DD_OPS };
enum { COMPLEX_ADD, COMPLEX_SUB, COMPLEX_MUL, COMPLEX_DIV, COMPLEX_CONJ, COMPLEX_ABS, COMPLEX_OPS };
/* out: one row of n per operation; sqrt of |a|; two_sum, two_prod of the upper parts; the absolute
   value in both elements. */
HD_DECLARE(dd_arithmetic, size_t, const hd_dd *, const hd_dd *, hd_dd *)
HD_DECLARE(c32_arithmetic, size_t, const hd_c32 *, const hd_c32 *, hd_c32 *)
HD_DECLARE(c64_arithmetic, size_t, const hd_c64 *, const hd_c64 *, hd_c64 *)
/* a * b + c in two operations, and by hd_fma; one row of n each. */
HD_DECLARE(multiply_add_f32, size_t, const float *, const float *, const float *, float *)
HD_DECLARE(multiply_add_f64, size_t, const double *, const double *, const double *, double *)

#endif
