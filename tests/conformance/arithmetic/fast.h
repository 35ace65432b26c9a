/* SPDX-License-Identifier: Apache-2.0 */
/* fast.h - declares the kernel of kern_fast.c. */
#ifndef HEDDLE_TESTS_FAST_H
#define HEDDLE_TESTS_FAST_H

#include <heddle/kernel_decl.h>

enum {
    FAST_EXP,
    FAST_EXP2,
    FAST_LOG,
    FAST_LOG2,
    FAST_SIN,
    FAST_COS,
    FAST_POW,
    FAST_DIV,
    FAST_RCP,
    FAST_SQRT,
    FAST_RSQRT,
    FAST_FUNCTIONS
};

/* n, function, x, y, results. */
HD_DECLARE(fast_values, size_t, unsigned, const float *, const float *, float *)

#endif
