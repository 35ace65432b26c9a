/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for host files and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <heddle/kernel_decl.h>

/* n, x[n], what it makes of them */
HD_DECLARE(add_up, size_t, const float *, float *)

#endif
