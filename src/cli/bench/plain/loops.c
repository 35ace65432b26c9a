/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c - plain C loops that the CPU engine is compared with. They are among the kernels so that
   they are compiled with exactly the kernels' flags. Host code, C11 and C++17. */
#include <heddle/kernel.h>

#include "cli/bench/kernels/bench.h"

/* Accumulators of a loop: four vector registers of 32 bytes for f32. */
enum { PLAIN_LANES = 32 };

HD_EXTERN void plain_axpy_f32(size_t n, float a, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

HD_EXTERN void plain_store_f64(double value, void *to)
{
    *(double *)to = value;
}

HD_EXTERN void plain_store_u64(uint64_t value, void *to)
{
    *(uint64_t *)to = value;
}

#define REAL float
#define WIDE float
#define NAME(what) HD_CAT(what, f32)
#include "loops.inc"

#define REAL double
#define WIDE double
#define NAME(what) HD_CAT(what, f64)
#include "loops.inc"

#define REAL int32_t
#define WIDE int64_t
#define NAME(what) HD_CAT(what, i32)
#include "loops.inc"
