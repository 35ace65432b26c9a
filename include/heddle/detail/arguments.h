/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.h - counts and maps lists of 0 to 64 macro arguments; used only by HD_DECLARE. */
#ifndef HEDDLE_DETAIL_ARGUMENTS_H
#define HEDDLE_DETAIL_ARGUMENTS_H

#define HD_CAT_(a, b) a##b
#define HD_CAT(a, b) HD_CAT_(a, b)

/* ISO C wants at least one argument for each `...`: ~ stands for none. */

/* HD_ARG_COUNT(name, types...): the number of types after the name. */
#define HD_ARG_COUNT(...)                                                                          \
    HD_ARG_COUNT_(__VA_ARGS__, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, \
                  47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28,  \
                  27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, \
                  6, 5, 4, 3, 2, 1, 0, ~)
#define HD_ARG_COUNT_(name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,  \
                      a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30,   \
                      a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45,   \
                      a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60,   \
                      a61, a62, a63, n, ...)                                                       \
    n

/* HD_ARG_LIST(name, types...): the types, or void if there are none. */
#define HD_ARG_LIST(...) HD_CAT(HD_ARG_LIST_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__)
#define HD_ARG_LIST_0(name) void
#define HD_ARG_LIST_1(name, ...) __VA_ARGS__
/* HD_ARG_FIRST(name, types...): the name. HD_ARG_TEXT: the types as a string. HD_ARG_REST: `, types`
   or nothing. */
#define HD_ARG_FIRST(...) HD_ARG_FIRST_(__VA_ARGS__, ~)
#define HD_ARG_FIRST_(name, ...) name
#define HD_ARG_TEXT(...) HD_CAT(HD_ARG_TEXT_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__)
#define HD_ARG_TEXT_0(name) ""
#define HD_ARG_TEXT_1(name, ...) #__VA_ARGS__
#define HD_ARG_REST(...) HD_CAT(HD_ARG_REST_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__)
#define HD_ARG_REST_0(name)
#define HD_ARG_REST_1(name, ...) , __VA_ARGS__
#define HD_ARG_SOME(...)                                                                           \
    HD_ARG_COUNT_(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,   \
                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)

/* HD_ARG_MAP(M, name, types...): M(0, type0) M(1, type1) ..., no separator. Each step passes the
   number of the next argument on. */
#define HD_ARG_MAP(M, ...) HD_CAT(HD_ARG_MAP_, HD_ARG_COUNT(__VA_ARGS__))(M, 0, __VA_ARGS__)
#define HD_ARG_MAP_0(M, i, name)
#define HD_ARG_MAP_1(M, i, name, a) M(i, a) HD_ARG_MAP_0(M, HD_ARG_NEXT(i), name)
#define HD_ARG_MAP_2(M, i, name, a, ...) M(i, a) HD_ARG_MAP_1(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_3(M, i, name, a, ...) M(i, a) HD_ARG_MAP_2(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_4(M, i, name, a, ...) M(i, a) HD_ARG_MAP_3(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_5(M, i, name, a, ...) M(i, a) HD_ARG_MAP_4(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_6(M, i, name, a, ...) M(i, a) HD_ARG_MAP_5(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_7(M, i, name, a, ...) M(i, a) HD_ARG_MAP_6(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_8(M, i, name, a, ...) M(i, a) HD_ARG_MAP_7(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_9(M, i, name, a, ...) M(i, a) HD_ARG_MAP_8(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_10(M, i, name, a, ...) M(i, a) HD_ARG_MAP_9(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_11(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_10(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_12(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_11(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_13(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_12(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_14(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_13(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_15(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_14(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_16(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_15(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_17(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_16(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_18(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_17(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_19(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_18(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_20(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_19(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_21(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_20(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_22(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_21(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_23(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_22(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_24(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_23(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_25(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_24(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_26(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_25(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_27(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_26(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_28(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_27(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_29(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_28(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_30(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_29(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_31(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_30(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_32(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_31(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_33(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_32(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_34(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_33(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_35(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_34(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_36(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_35(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_37(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_36(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_38(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_37(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_39(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_38(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_40(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_39(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_41(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_40(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_42(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_41(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_43(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_42(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_44(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_43(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_45(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_44(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_46(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_45(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_47(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_46(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_48(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_47(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_49(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_48(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_50(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_49(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_51(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_50(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_52(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_51(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_53(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_52(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_54(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_53(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_55(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_54(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_56(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_55(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_57(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_56(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_58(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_57(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_59(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_58(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_60(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_59(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_61(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_60(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_62(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_61(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_63(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_62(M, HD_ARG_NEXT(i), name, __VA_ARGS__)
#define HD_ARG_MAP_64(M, i, name, a, ...)                                                          \
    M(i, a) HD_ARG_MAP_63(M, HD_ARG_NEXT(i), name, __VA_ARGS__)

/* The number after i. */
#define HD_ARG_NEXT(i) HD_CAT(HD_ARG_NEXT_, i)
#define HD_ARG_NEXT_0 1
#define HD_ARG_NEXT_1 2
#define HD_ARG_NEXT_2 3
#define HD_ARG_NEXT_3 4
#define HD_ARG_NEXT_4 5
#define HD_ARG_NEXT_5 6
#define HD_ARG_NEXT_6 7
#define HD_ARG_NEXT_7 8
#define HD_ARG_NEXT_8 9
#define HD_ARG_NEXT_9 10
#define HD_ARG_NEXT_10 11
#define HD_ARG_NEXT_11 12
#define HD_ARG_NEXT_12 13
#define HD_ARG_NEXT_13 14
#define HD_ARG_NEXT_14 15
#define HD_ARG_NEXT_15 16
#define HD_ARG_NEXT_16 17
#define HD_ARG_NEXT_17 18
#define HD_ARG_NEXT_18 19
#define HD_ARG_NEXT_19 20
#define HD_ARG_NEXT_20 21
#define HD_ARG_NEXT_21 22
#define HD_ARG_NEXT_22 23
#define HD_ARG_NEXT_23 24
#define HD_ARG_NEXT_24 25
#define HD_ARG_NEXT_25 26
#define HD_ARG_NEXT_26 27
#define HD_ARG_NEXT_27 28
#define HD_ARG_NEXT_28 29
#define HD_ARG_NEXT_29 30
#define HD_ARG_NEXT_30 31
#define HD_ARG_NEXT_31 32
#define HD_ARG_NEXT_32 33
#define HD_ARG_NEXT_33 34
#define HD_ARG_NEXT_34 35
#define HD_ARG_NEXT_35 36
#define HD_ARG_NEXT_36 37
#define HD_ARG_NEXT_37 38
#define HD_ARG_NEXT_38 39
#define HD_ARG_NEXT_39 40
#define HD_ARG_NEXT_40 41
#define HD_ARG_NEXT_41 42
#define HD_ARG_NEXT_42 43
#define HD_ARG_NEXT_43 44
#define HD_ARG_NEXT_44 45
#define HD_ARG_NEXT_45 46
#define HD_ARG_NEXT_46 47
#define HD_ARG_NEXT_47 48
#define HD_ARG_NEXT_48 49
#define HD_ARG_NEXT_49 50
#define HD_ARG_NEXT_50 51
#define HD_ARG_NEXT_51 52
#define HD_ARG_NEXT_52 53
#define HD_ARG_NEXT_53 54
#define HD_ARG_NEXT_54 55
#define HD_ARG_NEXT_55 56
#define HD_ARG_NEXT_56 57
#define HD_ARG_NEXT_57 58
#define HD_ARG_NEXT_58 59
#define HD_ARG_NEXT_59 60
#define HD_ARG_NEXT_60 61
#define HD_ARG_NEXT_61 62
#define HD_ARG_NEXT_62 63
#define HD_ARG_NEXT_63 64

#endif
