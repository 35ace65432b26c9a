/* SPDX-License-Identifier: Apache-2.0 */
/* launch_cxx.h (CPU) - kernels that C++ files launch without HD_DEFINE (detail/launch_cxx.h): for
   each an instance of the loop over the threads of a block. Included there. */
#ifndef HEDDLE_BACKEND_LAUNCH_CXX_H
#define HEDDLE_BACKEND_LAUNCH_CXX_H

#include <utility>

/* A call of the kernel by its name at the launch, where it is known at compile time and therefore
   inlined into the loop. */
#define HD_LAUNCH_CALL_(kernel)                                                                    \
    [&](auto &&...hd_arguments_) __attribute__((always_inline))                                    \
    {                                                                                              \
        return (kernel)(hd_arguments_...);                                                         \
    }

template <class F, class... A>
constexpr bool hd_closure_takes_ = std::is_invocable_v<const F &, const A &...>;

/* Internal linkage: each file's loops set the file's own variables of the running thread. */
namespace
{

/* The arguments of a launch, copied once per call of a loop. */
template <size_t i, class T> struct hd_cpu_argument_ {
    T value;
};
template <class I, class... P> struct hd_cpu_arguments_;
template <size_t... i, class... P>
struct hd_cpu_arguments_<std::index_sequence<i...>, P...> : hd_cpu_argument_<i, P>... {
};
#define HD_CPU_ARGUMENT_AT_(given, i, P) (given).hd_cpu_argument_<i, P>::value

/* The kernels of this file that have a handle, by the address of their function. */
struct hd_cpu_known_ {
    hd_cpu_known_ *next;
    void (*function)(void);
    const hd_kernel *kernel;
};

hd_cpu_known_ *hd_cpu_known_kernels_ HD_UNUSED_;

/* The handle that the function has, or else mine->kernel, which it has from now on. */
inline const hd_kernel *hd_cpu_know_(hd_cpu_known_ *mine)
{
    for (const hd_cpu_known_ *k = __atomic_load_n(&hd_cpu_known_kernels_, __ATOMIC_ACQUIRE); k;
         k = k->next)
        if (k->function == mine->function)
            return k->kernel;
    mine->next = __atomic_load_n(&hd_cpu_known_kernels_, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&hd_cpu_known_kernels_, &mine->next, mine, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return mine->kernel;
}

#define HD_CPU_MODULE_                                                                             \
    {                                                                                              \
        nullptr, &hd_defined_, &hd_bounds_, 0, HD_CPU_MAX_THREADS, 0, HD_CPU_CHECK, 0,             \
            __start_hd_cpu_outside, __stop_hd_cpu_outside                                          \
    }

template <class Call, class... P> struct hd_function_kernel_ {
    template <size_t... i>
    static HD_CPU_RUNNER_ void run(const hd_cpu_block *block, void *const *args, unsigned from,
                                   unsigned to, std::index_sequence<i...>)
    {
        const hd_cpu_arguments_<std::index_sequence<i...>, P...> given = {{*(P *)args[i]}...};
        HD_CPU_RUN_(block, from, to,
                    (*(const Call *)(const void *)&given)(HD_CPU_ARGUMENT_AT_(given, i, P)...));
    }

    static HD_CPU_RUNNER_ void entry(const hd_cpu_block *block, void *const *args, unsigned from,
                                     unsigned to)
    {
        run(block, args, from, to, std::index_sequence_for<P...>());
    }

    static const hd_kernel *handle(void (*function)(P...), hd_launch_place_ at)
    {
        static_assert(std::is_empty_v<Call>, "hd_launch: write the name of the kernel or a "
                                             "closure, not a variable that points to a function");
        static hd_module module = HD_CPU_MODULE_;
        static const uint32_t sizes[] = {(uint32_t)sizeof(P)..., 0};
        static char name[128];
        static const hd_kernel kernel = {hd_launch_name_(at, name, sizeof name),
                                         hd_launch_types_<P...>(),
                                         (void (*)(void))entry,
                                         &module,
                                         (unsigned)sizeof...(P),
                                         sizes};
        static hd_cpu_known_ mine = {nullptr, (void (*)(void))function, &kernel};
        static const hd_kernel *const known = hd_cpu_know_(&mine);
        return known;
    }
};

#if HD_CPU_CHECK
/* Instrumented, whereas the loop is not. The closure is a copy on the thread's own stack. */
#define HD_CPU_CLOSURE_CALL_ __attribute__((noinline))
#else
#define HD_CPU_CLOSURE_CALL_ __attribute__((always_inline))
#endif
#if defined(__clang__) && __clang_major__ > 14 /* of a statement */
#define HD_CPU_INLINED_CALL_ [[clang::always_inline]]
#else
#define HD_CPU_INLINED_CALL_
#endif

template <class F, class... A> struct hd_closure_kernel_ {
    HD_CPU_CLOSURE_CALL_ static void call(const F closure, const A... arguments)
    {
        HD_CPU_INLINED_CALL_ closure(arguments...);
    }

    template <size_t... i>
    static HD_CPU_RUNNER_ void run(const hd_cpu_block *block, void *const *args, unsigned from,
                                   unsigned to, std::index_sequence<i...>)
    {
        const hd_cpu_arguments_<std::index_sequence<i...>, A...> given = {{*(A *)args[1 + i]}...};
        const F closure = *(const F *)args[0];
        HD_CPU_RUN_(block, from, to, call(closure, HD_CPU_ARGUMENT_AT_(given, i, A)...));
        (void)given;
    }

    static HD_CPU_RUNNER_ void entry(const hd_cpu_block *block, void *const *args, unsigned from,
                                     unsigned to)
    {
        run(block, args, from, to, std::index_sequence_for<A...>());
    }

    static const hd_kernel *handle(hd_launch_place_ at)
    {
        static hd_module module = HD_CPU_MODULE_;
        static const uint32_t sizes[] = {(uint32_t)sizeof(F), (uint32_t)sizeof(A)..., 0};
        static char name[128];
        static const hd_kernel kernel = {hd_launch_name_(at, name, sizeof name),
                                         hd_launch_types_<F, A...>(),
                                         (void (*)(void))entry,
                                         &module,
                                         (unsigned)sizeof...(A) + 1,
                                         sizes};
        return &kernel;
    }
};

} // namespace

#endif
