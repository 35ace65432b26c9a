/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for host files and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <stdint.h>

#include <heddle/kernel_decl.h>

/* n, x[n], y[n]: y[i] = x[i] * x[i] + 1 */
HD_DECLARE(square_plus_one, size_t, const uint32_t *, uint32_t *)

#endif
