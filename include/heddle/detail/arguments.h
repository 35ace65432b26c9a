/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.h - counts and maps lists of 0 to 24 macro arguments; used only by HD_DECLARE. */
#ifndef HEDDLE_DETAIL_ARGUMENTS_H
#define HEDDLE_DETAIL_ARGUMENTS_H

#define HD_CAT_(a, b) a##b
#define HD_CAT(a, b) HD_CAT_(a, b)

/* HD_ARG_COUNT(name, types...): the number of types after the name. */
#define HD_ARG_COUNT(...)                                                                          \
    HD_ARG_COUNT_(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8,   \
                  7, 6, 5, 4, 3, 2, 1, 0)
#define HD_ARG_COUNT_(name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,  \
                      a16, a17, a18, a19, a20, a21, a22, a23, n, ...)                              \
    n

/* HD_ARG_LIST(name, types...): the types, or void if there are none. */
#define HD_ARG_LIST(...) HD_CAT(HD_ARG_LIST_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__)
#define HD_ARG_LIST_0(name) void
#define HD_ARG_LIST_1(name, ...) __VA_ARGS__
#define HD_ARG_SOME(...)                                                                           \
    HD_ARG_COUNT_(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,   \
                  1, 1, 0)

/* HD_ARG_MAP(M, name, types...): M(0, type0) M(1, type1) ..., no separator. */
#define HD_ARG_MAP(M, ...) HD_CAT(HD_ARG_MAP_, HD_ARG_COUNT(__VA_ARGS__))(M, __VA_ARGS__)
#define HD_ARG_MAP_0(M, name)
#define HD_ARG_MAP_1(M, name, a0) HD_ARG_MAP_0(M, name) M(0, a0)
#define HD_ARG_MAP_2(M, name, a0, a1) HD_ARG_MAP_1(M, name, a0) M(1, a1)
#define HD_ARG_MAP_3(M, name, a0, a1, a2) HD_ARG_MAP_2(M, name, a0, a1) M(2, a2)
#define HD_ARG_MAP_4(M, name, a0, a1, a2, a3) HD_ARG_MAP_3(M, name, a0, a1, a2) M(3, a3)
#define HD_ARG_MAP_5(M, name, a0, a1, a2, a3, a4) HD_ARG_MAP_4(M, name, a0, a1, a2, a3) M(4, a4)
#define HD_ARG_MAP_6(M, name, a0, a1, a2, a3, a4, a5)                                              \
    HD_ARG_MAP_5(M, name, a0, a1, a2, a3, a4) M(5, a5)
#define HD_ARG_MAP_7(M, name, a0, a1, a2, a3, a4, a5, a6)                                          \
    HD_ARG_MAP_6(M, name, a0, a1, a2, a3, a4, a5) M(6, a6)
#define HD_ARG_MAP_8(M, name, a0, a1, a2, a3, a4, a5, a6, a7)                                      \
    HD_ARG_MAP_7(M, name, a0, a1, a2, a3, a4, a5, a6) M(7, a7)
#define HD_ARG_MAP_9(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8)                                  \
    HD_ARG_MAP_8(M, name, a0, a1, a2, a3, a4, a5, a6, a7) M(8, a8)
#define HD_ARG_MAP_10(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9)                             \
    HD_ARG_MAP_9(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8) M(9, a9)
#define HD_ARG_MAP_11(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)                        \
    HD_ARG_MAP_10(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) M(10, a10)
#define HD_ARG_MAP_12(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)                   \
    HD_ARG_MAP_11(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) M(11, a11)
#define HD_ARG_MAP_13(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)              \
    HD_ARG_MAP_12(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) M(12, a12)
#define HD_ARG_MAP_14(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13)         \
    HD_ARG_MAP_13(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) M(13, a13)
#define HD_ARG_MAP_15(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14)    \
    HD_ARG_MAP_14(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) M(14, a14)
#define HD_ARG_MAP_16(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15)                                                                         \
    HD_ARG_MAP_15(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14)        \
    M(15, a15)
#define HD_ARG_MAP_17(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16)                                                                    \
    HD_ARG_MAP_16(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15)   \
    M(16, a16)
#define HD_ARG_MAP_18(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17)                                                               \
    HD_ARG_MAP_17(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16)                                                                             \
    M(17, a17)
#define HD_ARG_MAP_19(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18)                                                          \
    HD_ARG_MAP_18(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17)                                                                        \
    M(18, a18)
#define HD_ARG_MAP_20(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18, a19)                                                     \
    HD_ARG_MAP_19(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17, a18)                                                                   \
    M(19, a19)
#define HD_ARG_MAP_21(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18, a19, a20)                                                \
    HD_ARG_MAP_20(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17, a18, a19)                                                              \
    M(20, a20)
#define HD_ARG_MAP_22(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18, a19, a20, a21)                                           \
    HD_ARG_MAP_21(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17, a18, a19, a20)                                                         \
    M(21, a21)
#define HD_ARG_MAP_23(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18, a19, a20, a21, a22)                                      \
    HD_ARG_MAP_22(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17, a18, a19, a20, a21)                                                    \
    M(22, a22)
#define HD_ARG_MAP_24(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,    \
                      a15, a16, a17, a18, a19, a20, a21, a22, a23)                                 \
    HD_ARG_MAP_23(M, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,   \
                  a16, a17, a18, a19, a20, a21, a22)                                               \
    M(23, a23)

#endif
