/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <heddle/kernel_decl.h>

enum { COLUMNS = 40 };

/* rows, x[rows * COLUMNS], sums[rows] */
HD_DECLARE(row_sums, size_t, const float *, float *)

#endif
