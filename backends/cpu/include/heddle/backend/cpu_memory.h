/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_memory.h - fences, ordered loads and stores, atomics, cache hints on the CPU. All scopes are
   equivalent here, because the caches of a CPU are coherent. Included by dialect.h. */
#ifndef HEDDLE_BACKEND_CPU_MEMORY_H
#define HEDDLE_BACKEND_CPU_MEMORY_H

#if HD_CPU_CHECK
#define hd_fence_block() hd_cpu_check_fence(0)
#define hd_fence_device() hd_cpu_check_fence(1)
#define hd_fence_system() hd_cpu_check_fence(2)
/* Passes the scope of `access` to the checker. */
#define HD_CPU_BLOCK_(access) HD_CPU_SCOPED_(0, access)
#define HD_CPU_SYSTEM_(access) HD_CPU_SCOPED_(2, access)
#define HD_CPU_SCOPED_(scope, access) HD_CPU_SCOPED2_(scope, access, HD_CAT(hd_got_, __COUNTER__))
#define HD_CPU_SCOPED2_(scope, access, got)                                                        \
    __extension__({                                                                                \
        hd_cpu_check_scope(scope);                                                                 \
        HD_CPU_AUTO_ got = (access);                                                               \
        hd_cpu_check_scope(1);                                                                     \
        got;                                                                                       \
    })
#else
#define hd_fence_block() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define hd_fence_device() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define hd_fence_system() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define HD_CPU_BLOCK_(access) (access)
#define HD_CPU_SYSTEM_(access) (access)
#endif

/* ---- loads and stores ------------------------------------------------------------------------ */

#define HD_CPU_ORDERED_(T, S)                                                                      \
    HD_CPU_ALWAYS_ T hd_cpu_load_relaxed_##S(const volatile T *p)                                  \
    {                                                                                              \
        T v;                                                                                       \
        __atomic_load(p, &v, __ATOMIC_RELAXED);                                                    \
        return v;                                                                                  \
    }                                                                                              \
    HD_CPU_ALWAYS_ T hd_cpu_load_acquire_##S(const volatile T *p)                                  \
    {                                                                                              \
        T v;                                                                                       \
        __atomic_load(p, &v, __ATOMIC_ACQUIRE);                                                    \
        return v;                                                                                  \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_cpu_store_relaxed_##S(volatile T *p, T v)                               \
    {                                                                                              \
        __atomic_store(p, &v, __ATOMIC_RELAXED);                                                   \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_cpu_store_release_##S(volatile T *p, T v)                               \
    {                                                                                              \
        __atomic_store(p, &v, __ATOMIC_RELEASE);                                                   \
    }
HD_CPU_TYPES_(HD_CPU_ORDERED_)
#undef HD_CPU_ORDERED_

#define hd_load_relaxed(p) HD_CPU_OF_(hd_cpu_load_relaxed, *(p))(p)
#define hd_load_relaxed_block(p) HD_CPU_BLOCK_(hd_load_relaxed(p))
#define hd_load_relaxed_system(p) HD_CPU_SYSTEM_(hd_load_relaxed(p))
#define hd_load_acquire(p) HD_CPU_OF_(hd_cpu_load_acquire, *(p))(p)
#define hd_load_acquire_block(p) HD_CPU_BLOCK_(hd_load_acquire(p))
#define hd_load_acquire_system(p) HD_CPU_SYSTEM_(hd_load_acquire(p))
#define hd_store_relaxed(p, v) HD_CPU_OF_(hd_cpu_store_relaxed, *(p))(p, v)
#define hd_store_relaxed_block(p, v) ((void)HD_CPU_BLOCK_((hd_store_relaxed(p, v), 0)))
#define hd_store_relaxed_system(p, v) ((void)HD_CPU_SYSTEM_((hd_store_relaxed(p, v), 0)))
#define hd_store_release(p, v) HD_CPU_OF_(hd_cpu_store_release, *(p))(p, v)
#define hd_store_release_block(p, v) ((void)HD_CPU_BLOCK_((hd_store_release(p, v), 0)))
#define hd_store_release_system(p, v) ((void)HD_CPU_SYSTEM_((hd_store_release(p, v), 0)))

#if HD_CPU_CHECK && (defined __x86_64__ || defined __aarch64__)
/* Compilers split a vector access into its elements; this reports one access to the checker. */
HD_EXTERN void __tsan_read16(void *address);
HD_EXTERN void __tsan_write16(void *address);

typedef float hd_cpu_wide_ __attribute__((vector_size(16), aligned(4), may_alias));

HD_CPU_ALWAYS_ void hd_cpu_read_wide_(void *to, const void *from)
{
    hd_cpu_wide_ v;
    __tsan_read16((void *)(uintptr_t)from);
#ifdef __x86_64__
    __asm__("movups %1, %0" : "=x"(v) : "m"(*(const hd_cpu_wide_ *)from));
#else
    __asm__("ldr %q0, %1" : "=w"(v) : "m"(*(const hd_cpu_wide_ *)from));
#endif
    __builtin_memcpy(to, &v, sizeof v);
}

HD_CPU_ALWAYS_ void hd_cpu_write_wide_(void *to, const void *from)
{
    hd_cpu_wide_ v;
    __builtin_memcpy(&v, from, sizeof v);
    __tsan_write16(to);
#ifdef __x86_64__
    __asm__("movups %1, %0" : "=m"(*(hd_cpu_wide_ *)to) : "x"(v));
#else
    __asm__("str %q1, %0" : "=m"(*(hd_cpu_wide_ *)to) : "w"(v));
#endif
}

#define HD_CPU_READ_(p)                                                                            \
    HD_CPU_READ2_(p, HD_CAT(hd_from_, __COUNTER__), HD_CAT(hd_got_, __COUNTER__))
#define HD_CPU_READ2_(p, from, got)                                                                \
    __extension__({                                                                                \
        const HD_CPU_AUTO_ from = (p);                                                             \
        HD_CPU_TYPE_(*from) got;                                                                   \
        if (sizeof got == sizeof(hd_cpu_wide_))                                                    \
            hd_cpu_read_wide_(&got, from);                                                         \
        else                                                                                       \
            got = *from;                                                                           \
        got;                                                                                       \
    })
#define HD_CPU_WRITE_(p, v)                                                                        \
    HD_CPU_WRITE2_(p, v, HD_CAT(hd_to_, __COUNTER__), HD_CAT(hd_put_, __COUNTER__))
#define HD_CPU_WRITE2_(p, v, to, put)                                                              \
    __extension__({                                                                                \
        const HD_CPU_AUTO_ to = (p);                                                               \
        const HD_CPU_TYPE_(*to) put = (v);                                                         \
        if (sizeof put == sizeof(hd_cpu_wide_))                                                    \
            hd_cpu_write_wide_(to, &put);                                                          \
        else                                                                                       \
            *to = put;                                                                             \
        (void)0;                                                                                   \
    })
#else
#define HD_CPU_READ_(p) (*(p))
#define HD_CPU_WRITE_(p, v) ((void)(*(p) = (v)))
#endif

/* T and the vector types; on the CPU only the prefetch hints have an effect. */
#define hd_load_readonly(p) HD_CPU_READ_(p)
#define hd_load_cached(p) HD_CPU_READ_(p)
#define hd_load_l2(p) HD_CPU_READ_(p)
#define hd_load_stream(p) HD_CPU_READ_(p)
#define hd_load_ahead(p) __builtin_prefetch((p), 0, 2)
#define hd_store_cached(p, v) HD_CPU_WRITE_(p, v)
#define hd_store_l2(p, v) HD_CPU_WRITE_(p, v)
#define hd_store_stream(p, v) HD_CPU_WRITE_(p, v)

/* ---- atomics --------------------------------------------------------------------------------- */

/* An operation without a machine instruction: read, compute, compare and exchange. */
#define HD_CPU_UPDATE_(name, T, S, expression)                                                     \
    HD_CPU_ALWAYS_ T hd_cpu_atomic_##name##_##S(volatile T *p, T v)                                \
    {                                                                                              \
        T old, next;                                                                               \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                  \
        do {                                                                                       \
            next = (expression);                                                                   \
        } while (                                                                                  \
            !__atomic_compare_exchange(p, &old, &next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));    \
        return old;                                                                                \
    }
/* The name ends in an underscore, because `and`, `or` and `xor` are keywords in C++. */
#define HD_CPU_FETCH_(name, builtin, T, S)                                                         \
    HD_CPU_ALWAYS_ T hd_cpu_atomic_##name##S(volatile T *p, T v)                                   \
    {                                                                                              \
        return builtin(p, v, __ATOMIC_RELAXED);                                                    \
    }

#define HD_CPU_INTEGER_ATOMICS_(T, S)                                                              \
    HD_CPU_FETCH_(add_, __atomic_fetch_add, T, S)                                                  \
    HD_CPU_FETCH_(sub_, __atomic_fetch_sub, T, S)                                                  \
    HD_CPU_FETCH_(and_, __atomic_fetch_and, T, S)                                                  \
    HD_CPU_FETCH_(or_, __atomic_fetch_or, T, S)                                                    \
    HD_CPU_FETCH_(xor_, __atomic_fetch_xor, T, S)                                                  \
    HD_CPU_UPDATE_(min, T, S, v < old ? v : old)                                                   \
    HD_CPU_UPDATE_(max, T, S, v > old ? v : old)
HD_CPU_INTEGERS_(HD_CPU_INTEGER_ATOMICS_)
#undef HD_CPU_INTEGER_ATOMICS_

#define HD_CPU_FLOAT_ATOMICS_(T, S)                                                                \
    HD_CPU_UPDATE_(add, T, S, old + v)                                                             \
    HD_CPU_UPDATE_(sub, T, S, old - v)                                                             \
    HD_CPU_UPDATE_(min, T, S, hd_min_##S(old, v))                                                  \
    HD_CPU_UPDATE_(max, T, S, hd_max_##S(old, v))
HD_CPU_FLOAT_ATOMICS_(float, f32)
HD_CPU_FLOAT_ATOMICS_(double, f64)
#undef HD_CPU_FLOAT_ATOMICS_

#define HD_CPU_EXCHANGES_(T, S)                                                                    \
    HD_CPU_ALWAYS_ T hd_cpu_atomic_exch_##S(volatile T *p, T v)                                    \
    {                                                                                              \
        T old;                                                                                     \
        __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED);                                          \
        return old;                                                                                \
    }                                                                                              \
    HD_CPU_ALWAYS_ T hd_cpu_atomic_cas_##S(volatile T *p, T expected, T v)                         \
    {                                                                                              \
        __atomic_compare_exchange(p, &expected, &v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);        \
        return expected;                                                                           \
    }
HD_CPU_TYPES_(HD_CPU_EXCHANGES_)
#undef HD_CPU_EXCHANGES_

HD_CPU_UPDATE_(inc, unsigned, u32, old >= v ? 0u : old + 1u)
HD_CPU_UPDATE_(dec, unsigned, u32, old == 0u || old > v ? v : old - 1u)
#undef HD_CPU_UPDATE_
#undef HD_CPU_FETCH_

#define hd_atomic_add(p, v) HD_CPU_OF_(hd_cpu_atomic_add, *(p))(p, v)
#define hd_atomic_add_block(p, v) HD_CPU_BLOCK_(hd_atomic_add(p, v))
#define hd_atomic_add_system(p, v) HD_CPU_SYSTEM_(hd_atomic_add(p, v))
#define hd_atomic_sub(p, v) HD_CPU_OF_(hd_cpu_atomic_sub, *(p))(p, v)
#define hd_atomic_sub_block(p, v) HD_CPU_BLOCK_(hd_atomic_sub(p, v))
#define hd_atomic_sub_system(p, v) HD_CPU_SYSTEM_(hd_atomic_sub(p, v))
#define hd_atomic_min(p, v) HD_CPU_OF_(hd_cpu_atomic_min, *(p))(p, v)
#define hd_atomic_min_block(p, v) HD_CPU_BLOCK_(hd_atomic_min(p, v))
#define hd_atomic_min_system(p, v) HD_CPU_SYSTEM_(hd_atomic_min(p, v))
#define hd_atomic_max(p, v) HD_CPU_OF_(hd_cpu_atomic_max, *(p))(p, v)
#define hd_atomic_max_block(p, v) HD_CPU_BLOCK_(hd_atomic_max(p, v))
#define hd_atomic_max_system(p, v) HD_CPU_SYSTEM_(hd_atomic_max(p, v))
#define hd_atomic_exch(p, v) HD_CPU_OF_(hd_cpu_atomic_exch, *(p))(p, v)
#define hd_atomic_exch_block(p, v) HD_CPU_BLOCK_(hd_atomic_exch(p, v))
#define hd_atomic_exch_system(p, v) HD_CPU_SYSTEM_(hd_atomic_exch(p, v))
#define hd_atomic_cas(p, expected, v) HD_CPU_OF_(hd_cpu_atomic_cas, *(p))(p, expected, v)
#define hd_atomic_cas_block(p, expected, v) HD_CPU_BLOCK_(hd_atomic_cas(p, expected, v))
#define hd_atomic_cas_system(p, expected, v) HD_CPU_SYSTEM_(hd_atomic_cas(p, expected, v))
#define hd_atomic_and(p, v) HD_CPU_INTEGER_OF_(hd_cpu_atomic_and, *(p))(p, v)
#define hd_atomic_and_block(p, v) HD_CPU_BLOCK_(hd_atomic_and(p, v))
#define hd_atomic_and_system(p, v) HD_CPU_SYSTEM_(hd_atomic_and(p, v))
#define hd_atomic_or(p, v) HD_CPU_INTEGER_OF_(hd_cpu_atomic_or, *(p))(p, v)
#define hd_atomic_or_block(p, v) HD_CPU_BLOCK_(hd_atomic_or(p, v))
#define hd_atomic_or_system(p, v) HD_CPU_SYSTEM_(hd_atomic_or(p, v))
#define hd_atomic_xor(p, v) HD_CPU_INTEGER_OF_(hd_cpu_atomic_xor, *(p))(p, v)
#define hd_atomic_xor_block(p, v) HD_CPU_BLOCK_(hd_atomic_xor(p, v))
#define hd_atomic_xor_system(p, v) HD_CPU_SYSTEM_(hd_atomic_xor(p, v))
#define hd_atomic_inc(p, top) hd_cpu_atomic_inc_u32(p, top)
#define hd_atomic_inc_block(p, top) HD_CPU_BLOCK_(hd_atomic_inc(p, top))
#define hd_atomic_inc_system(p, top) HD_CPU_SYSTEM_(hd_atomic_inc(p, top))
#define hd_atomic_dec(p, top) hd_cpu_atomic_dec_u32(p, top)
#define hd_atomic_dec_block(p, top) HD_CPU_BLOCK_(hd_atomic_dec(p, top))
#define hd_atomic_dec_system(p, top) HD_CPU_SYSTEM_(hd_atomic_dec(p, top))

#endif
