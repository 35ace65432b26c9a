/* SPDX-License-Identifier: Apache-2.0 */
/* kern_plain.h - declares the kernels of kern_plain.c. */
#ifndef HEDDLE_TESTS_CHECKER_KERN_PLAIN_H
#define HEDDLE_TESTS_CHECKER_KERN_PLAIN_H

#include <heddle/kernel_decl.h>

enum { PLAIN_N = 128 }; /* rows and columns of the arrays */

HD_DECLARE(plain_stencil, const float *, float *)
HD_DECLARE(plain_transpose, const float *, float *)
HD_DECLARE(plain_product, const float *, const float *, float *)
HD_DECLARE(plain_sum, const float *, float *)
HD_DECLARE(plain_histogram, const float *, unsigned *)
HD_DECLARE(plain_rows, const float *, float *)
HD_DECLARE(plain_vector, const float *, float *)
HD_DECLARE(plain_pack, const float *, float *, unsigned *)
HD_DECLARE(plain_tail, size_t, const float *, float *)

#endif
