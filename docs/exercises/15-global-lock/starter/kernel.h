/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <stdint.h>

#include <heddle/kernel_decl.h>

/* The greatest element so far, and where it is. */
typedef struct greatest {
    float value;
    uint32_t index;
} greatest;

/* n, x[n], two words for a lock (zeroed), the result */
HD_DECLARE(find_greatest, size_t, const float *, unsigned *, greatest *)

#endif
