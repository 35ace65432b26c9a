/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <stdint.h>

#include <heddle/kernel_decl.h>

/* particles, cell[particles], weight[particles], charge per cell (mapped host memory) */
HD_DECLARE(deposit, size_t, const uint32_t *, const float *, float *)

#endif
