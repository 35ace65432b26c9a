/* SPDX-License-Identifier: Apache-2.0 */
/* decl.h (CPU) - the backend's definitions for kernel_decl.h, in host files and kernel files. */
#ifndef HEDDLE_BACKEND_DECL_H
#define HEDDLE_BACKEND_DECL_H

#ifdef __cplusplus
#define HD_EXTERN extern "C"
#define HD_CXX 1
#else
#define HD_EXTERN extern
#define HD_CXX 0
#endif

#define HD_BOTH static inline __attribute__((unused))
#define HD_METHOD_BOTH
/* 1 if the threads of a block run one after another on one core: a kernel may then give one thread
   the work of a whole block. 0 with the checker, which must see the accesses that GPUs make. */
#if defined(HD_CPU_CHECK) && HD_CPU_CHECK
#define HD_SERIAL_THREADS 0
#else
#define HD_SERIAL_THREADS 1
#endif
/* Number of lanes that share a line of words.h. The tag is written last, so a line is always
   whole. */
#if HD_SERIAL_THREADS
#define HD_LINE_LANES 1
#else
#define HD_LINE_LANES 8
#endif
#define HD_LINES_WHOLE 1
#define HD_ALIGN(n) __attribute__((aligned(n)))

/* HD_DECLARE_BACKEND_(name, types...): a struct of the arguments. A kernel file copies them from
   the launch once and calls the kernel with them once per thread. */
#define HD_DECLARE_BACKEND_(...) HD_CPU_DECLARE_(HD_ARG_FIRST(__VA_ARGS__), __VA_ARGS__)
#define HD_CPU_DECLARE_(...) HD_CPU_DECLARE__(__VA_ARGS__)
#define HD_CPU_DECLARE__(name, ...)                                                                \
    struct name##_args_ {                                                                          \
        HD_ARG_MAP(HD_CPU_FIELD_, __VA_ARGS__)                                                     \
        int end_;                                                                                  \
    };                                                                                             \
    HD_CPU_ALWAYS_ struct name##_args_ name##_unpack_(void *const *args)                           \
    {                                                                                              \
        struct name##_args_ given = {HD_ARG_MAP(HD_CPU_UNPACK_, __VA_ARGS__)(args == 0)};          \
        return given;                                                                              \
    }                                                                                              \
    HD_CPU_ALWAYS_ void name##_call_(name##_fn *kernel, const struct name##_args_ given)           \
    {                                                                                              \
        kernel(HD_CPU_TAIL_(given.end_ HD_ARG_MAP(HD_CPU_PASS_, __VA_ARGS__)));                    \
        (void)given;                                                                               \
    }
#define HD_CPU_ALWAYS_ static inline __attribute__((always_inline, unused))
#define HD_CPU_FIELD_(i, type) type p##i;
#define HD_CPU_UNPACK_(i, type) *(type *)args[i],
#define HD_CPU_PASS_(i, type) , given.p##i
#define HD_CPU_TAIL_(...) HD_CAT(HD_CPU_TAIL_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__)
#define HD_CPU_TAIL_0(first)
#define HD_CPU_TAIL_1(first, ...) __VA_ARGS__

#endif
