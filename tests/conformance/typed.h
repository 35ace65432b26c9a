/* SPDX-License-Identifier: Apache-2.0 */
/* typed.h - the element types of the typed test kernels, listed once. */
#ifndef HEDDLE_TESTS_TYPED_H
#define HEDDLE_TESTS_TYPED_H

#include <stdint.h>

/* X(suffix, type). The last two are the other 64-bit integers of C. */
#define TYPED_LIST(X)                                                                              \
    X(i32, int32_t)                                                                                \
    X(u32, uint32_t)                                                                               \
    X(i64, int64_t)                                                                                \
    X(u64, uint64_t)                                                                               \
    X(f32, float)                                                                                  \
    X(f64, double)                                                                                 \
    X(ll, long long)                                                                               \
    X(ull, unsigned long long)

#define TYPED_INTEGER_LIST(X)                                                                      \
    X(i32, int32_t)                                                                                \
    X(u32, uint32_t)                                                                               \
    X(i64, int64_t)                                                                                \
    X(u64, uint64_t)                                                                               \
    X(ll, long long)                                                                               \
    X(ull, unsigned long long)

/* Inside a typed body: TYPED(name) is name_<suffix>. */
#define TYPED(name) HD_CAT(name##_, TS)
/* TYPED_TEST(name): TEST(name_<suffix>). */
#define TYPED_TEST(name) TYPED_TEST_(name, TS)
#define TYPED_TEST_(name, suffix) TYPED_TEST__(name, suffix)
#define TYPED_TEST__(name, suffix) TEST(name##_##suffix)

#endif
