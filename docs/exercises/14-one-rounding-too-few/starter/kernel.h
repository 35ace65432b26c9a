/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* n, a[n], b[n], c[n]: complex numbers, x is the real part, y the imaginary part */
HD_DECLARE(conjugate_products, size_t, const hd_f32x2 *, const hd_f32x2 *, hd_f32x2 *)

#endif
