/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h - the kernels of `heddle lab precision`: one recurrence in single and in double
   precision. */
#ifndef HEDDLE_CLI_LAB_KERNELS_ARITHMETIC_PRECISION_H
#define HEDDLE_CLI_LAB_KERNELS_ARITHMETIC_PRECISION_H

#include <heddle/kernel_decl.h>

/* out[i] = v after `turns` steps v = factor * v + in[i] with one rounding each, from v = 0, for n
   elements. */
HD_DECLARE(precision_f32, size_t, uint32_t, float, const float *, float *)
HD_DECLARE(precision_f64, size_t, uint32_t, double, const double *, double *)

#endif
