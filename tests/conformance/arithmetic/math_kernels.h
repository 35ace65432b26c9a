/* SPDX-License-Identifier: Apache-2.0 */
/* math_kernels.h - declares the kernels of kern_math.c and lists the functions they call. */
#ifndef HEDDLE_TESTS_MATH_KERNELS_H
#define HEDDLE_TESTS_MATH_KERNELS_H

#include <heddle/kernel_decl.h>

/* X(function, least, greatest argument, bound in units of the last place for f32, for f64). The
   bounds are those that the vendors' libraries promise at most (OpenCL C 3.0, 7.4); 0 is exact. */
#define MATH_LIST(X)                                                                               \
    X(sqrt, 0.0, 1e30, 0, 0)                                                                       \
    X(rsqrt, 1e-30, 1e30, 2, 2)                                                                    \
    X(floor, -1e6, 1e6, 0, 0)                                                                      \
    X(ceil, -1e6, 1e6, 0, 0)                                                                       \
    X(round, -1e4, 1e4, 0, 0)                                                                      \
    X(exp, -80.0, 80.0, 3, 3)                                                                      \
    X(log, 1e-30, 1e30, 3, 3)                                                                      \
    X(sin, -1000.0, 1000.0, 4, 4)                                                                  \
    X(cos, -1000.0, 1000.0, 4, 4)                                                                  \
    X(tanh, -12.0, 12.0, 5, 5)

enum {
#define MATH_ROW_(name, low, high, bound32, bound64) MATH_##name,
    MATH_LIST(MATH_ROW_)
#undef MATH_ROW_
        MATH_ROWS
};
enum { FAST_EXP, FAST_LOG, FAST_SIN, FAST_COS, FAST_ROWS };
enum { BINARY_POW, BINARY_FMA, BINARY_SIN, BINARY_COS, BINARY_ROWS };
enum { SMALL_MIN, SMALL_MAX, SMALL_ABS, SMALL_CLAMP, SMALL_ROWS };

/* Row r of in goes through function r into row r of out. */
HD_DECLARE(math_f32, size_t, const float *, float *)
HD_DECLARE(math_f64, size_t, const double *, double *)
HD_DECLARE(math_fast, size_t, const float *, float *)
/* pow(a, b), fma(a, b, c), sincospi(a). */
HD_DECLARE(math_binary_f32, size_t, const float *, const float *, const float *, float *)
HD_DECLARE(math_binary_f64, size_t, const double *, const double *, const double *, double *)
/* min(a, b), max(a, b), abs(a), clamp(c, min(a, b), max(a, b)). */
#define SMALL_LIST(X)                                                                              \
    X(i32, int32_t)                                                                                \
    X(u32, uint32_t)                                                                               \
    X(i64, int64_t)                                                                                \
    X(u64, uint64_t)                                                                               \
    X(f32, float)                                                                                  \
    X(f64, double)
#define SMALL_DECLARE(suffix, type)                                                                \
    HD_DECLARE(small_##suffix, size_t, const type *, const type *, const type *, type *)
SMALL_LIST(SMALL_DECLARE)
enum { BITS_POPCOUNT, BITS_CLZ, BITS_CTZ, BITS_REVERSE, BITS_MULHI, BITS_MULHI_SIGNED, BITS_ROWS };
HD_DECLARE(bits_u32, size_t, const uint32_t *, const uint32_t *, uint32_t *)
HD_DECLARE(bits_u64, size_t, const uint64_t *, const uint64_t *, uint64_t *)

#endif
