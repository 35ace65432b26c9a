/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_atomics.h - fences, ordered loads and stores, waits, atomics; included by gpu_dialect.h.

   Primitives of the backend, S one of the scopes below:
     hd_prim_load_<S, acquire>(const W *), hd_prim_store_<S, release>(W *, W)
     hd_prim_add_<S>(unsigned, unsigned long long, float, double), hd_prim_min_<S>, hd_prim_max_<S>
     (int, unsigned, long long, unsigned long long), hd_prim_exch_<S>, hd_prim_and_<S>,
     hd_prim_or_<S>, hd_prim_xor_<S>(W *, W), hd_prim_cas_<S>(W *, W, W), hd_prim_inc_<S>,
     hd_prim_dec_<S>(unsigned), hd_prim_acquire_<S>(), hd_prim_release_<S>() (half fences),
     hd_prim_pause_(turn) between polls, hd_prim_sleep_(nanoseconds). */
#ifndef HEDDLE_BACKEND_GPU_ATOMICS_H
#define HEDDLE_BACKEND_GPU_ATOMICS_H

/* ---- loads and stores ------------------------------------------------------------------------ */

#define HD_GPU_LOAD_(name, S, acquire)                                                             \
    template <class T> HD_DEVICE T name(const T *p)                                                \
    {                                                                                              \
        return hd_gpu_of_bits_<T>(hd_prim_load_<S, acquire>((const hd_word_<T> *)p));              \
    }
#define HD_GPU_STORE_(name, S, release)                                                            \
    template <class T> HD_DEVICE void name(T *p, hd_same_<T> v)                                    \
    {                                                                                              \
        hd_prim_store_<S, release>((hd_word_<T> *)p, hd_gpu_bits_<T>(v));                          \
    }
HD_GPU_LOAD_(hd_load_relaxed_block, HD_SCOPE_BLOCK_, 0)
HD_GPU_LOAD_(hd_load_relaxed, HD_SCOPE_DEVICE_, 0)
HD_GPU_LOAD_(hd_load_relaxed_system, HD_SCOPE_SYSTEM_, 0)
HD_GPU_LOAD_(hd_load_acquire_block, HD_SCOPE_BLOCK_, 1)
HD_GPU_LOAD_(hd_load_acquire, HD_SCOPE_DEVICE_, 1)
HD_GPU_LOAD_(hd_load_acquire_system, HD_SCOPE_SYSTEM_, 1)
HD_GPU_STORE_(hd_store_relaxed_block, HD_SCOPE_BLOCK_, 0)
HD_GPU_STORE_(hd_store_relaxed, HD_SCOPE_DEVICE_, 0)
HD_GPU_STORE_(hd_store_relaxed_system, HD_SCOPE_SYSTEM_, 0)
HD_GPU_STORE_(hd_store_release_block, HD_SCOPE_BLOCK_, 1)
HD_GPU_STORE_(hd_store_release, HD_SCOPE_DEVICE_, 1)
HD_GPU_STORE_(hd_store_release_system, HD_SCOPE_SYSTEM_, 1)
#undef HD_GPU_LOAD_
#undef HD_GPU_STORE_

/* ---- waits ----------------------------------------------------------------------------------- */

/* Relaxed polls, then one acquire: an acquire in each poll would invalidate a cache every time. */
#define HD_GPU_WAIT_(name, S, compare)                                                             \
    template <class T> HD_DEVICE T name(const T *p, hd_same_<T> v)                                 \
    {                                                                                              \
        T seen = hd_gpu_of_bits_<T>(hd_prim_load_<S, 0>((const hd_word_<T> *)p));                  \
        for (unsigned turn = 0; !(seen compare v); turn++) {                                       \
            hd_prim_pause_(turn);                                                                  \
            seen = hd_gpu_of_bits_<T>(hd_prim_load_<S, 0>((const hd_word_<T> *)p));                \
        }                                                                                          \
        hd_prim_acquire_seen_<S>((const hd_word_<T> *)p, hd_gpu_bits_(seen));                      \
        return seen;                                                                               \
    }
HD_GPU_WAIT_(hd_wait_ge_block, HD_SCOPE_BLOCK_, >=)
HD_GPU_WAIT_(hd_wait_eq_block, HD_SCOPE_BLOCK_, ==)
HD_GPU_WAIT_(hd_wait_ne_block, HD_SCOPE_BLOCK_, !=)
HD_GPU_WAIT_(hd_wait_ge, HD_SCOPE_DEVICE_, >=)
HD_GPU_WAIT_(hd_wait_eq, HD_SCOPE_DEVICE_, ==)
HD_GPU_WAIT_(hd_wait_ne, HD_SCOPE_DEVICE_, !=)
/* Waits for a store by another block of the same launch. */
#define hd_wait_ge_grid(p, v) hd_wait_ge(p, v)
#define hd_wait_eq_grid(p, v) hd_wait_eq(p, v)
#define hd_wait_ne_grid(p, v) hd_wait_ne(p, v)
HD_GPU_WAIT_(hd_wait_ge_system, HD_SCOPE_SYSTEM_, >=)
HD_GPU_WAIT_(hd_wait_eq_system, HD_SCOPE_SYSTEM_, ==)
HD_GPU_WAIT_(hd_wait_ne_system, HD_SCOPE_SYSTEM_, !=)
#undef HD_GPU_WAIT_

/* For hd_sync_grid: waits until the highest bit of *p differs from that of `before`. The bit flips
   back only after this block has arrived again, so that the acquire load sees the flipped bit; it
   costs less than a fence. */
HD_DEVICE void hd_gpu_wait_flip_(const unsigned *p, unsigned before)
{
    for (unsigned turn = 0; ((hd_load_relaxed(p) ^ before) >> 31) == 0; turn++)
        hd_prim_pause_(turn);
    (void)hd_load_acquire(p);
}
#define HD_WAIT_FLIP_(p, before) hd_gpu_wait_flip_(p, before)

/* Limited to a number of polls that takes about a millisecond. */
enum { HD_GPU_TRY_POLLS_ = 1024 };
#define HD_GPU_TRY_(name, compare)                                                                 \
    template <class T> HD_DEVICE T name(const T *p, hd_same_<T> v)                                 \
    {                                                                                              \
        for (unsigned turn = 0;; turn++) {                                                         \
            T seen = hd_gpu_of_bits_<T>(                                                           \
                hd_prim_load_<HD_SCOPE_SYSTEM_, 0>((const hd_word_<T> *)p));                       \
            if (seen compare v) {                                                                  \
                hd_prim_acquire_seen_<HD_SCOPE_SYSTEM_>((const hd_word_<T> *)p,                    \
                                                        hd_gpu_bits_(seen));                       \
                return seen;                                                                       \
            }                                                                                      \
            if (turn == HD_GPU_TRY_POLLS_)                                                         \
                return seen;                                                                       \
            hd_prim_pause_(turn);                                                                  \
        }                                                                                          \
    }
HD_GPU_TRY_(hd_try_wait_ge_system, >=)
HD_GPU_TRY_(hd_try_wait_eq_system, ==)
#undef HD_GPU_TRY_

/* Pauses for about that long between two polls. */
HD_DEVICE void hd_pause(unsigned nanoseconds)
{
    hd_prim_sleep_(nanoseconds);
}

/* ---- atomics --------------------------------------------------------------------------------- */

template <int S, class T> HD_DEVICE T hd_gpu_exch_(T *p, T v)
{
    return hd_gpu_of_bits_<T>(hd_prim_exch_<S>((hd_word_<T> *)p, hd_gpu_bits_(v)));
}

template <int S, class T> HD_DEVICE T hd_gpu_cas_(T *p, T expected, T v)
{
    return hd_gpu_of_bits_<T>(
        hd_prim_cas_<S>((hd_word_<T> *)p, hd_gpu_bits_(expected), hd_gpu_bits_(v)));
}

/* For operations that the hardware lacks: a compare-and-swap loop. Stops early if the value would
   not change. */
template <int S, class Change, class T> HD_DEVICE T hd_gpu_update_(T *p, T operand)
{
    hd_word_<T> *word = (hd_word_<T> *)p;
    hd_word_<T> old = hd_prim_load_<S, 0>(word);
    for (;;) {
        hd_word_<T> wanted = hd_gpu_bits_(Change::apply(hd_gpu_of_bits_<T>(old), operand));
        if (wanted == old)
            break;
        hd_word_<T> seen = hd_prim_cas_<S>(word, old, wanted);
        if (seen == old)
            break;
        old = seen;
    }
    return hd_gpu_of_bits_<T>(old);
}

struct hd_gpu_add_op_ {
    template <class T> static HD_GPU_INLINE_ T apply(T a, T b)
    {
        return (T)((hd_sum_<T>)a + (hd_sum_<T>)b);
    }
};
struct hd_gpu_min_op_ {
    template <class T> static HD_GPU_INLINE_ T apply(T a, T b)
    {
        return hd_min(a, b);
    }
};
struct hd_gpu_max_op_ {
    template <class T> static HD_GPU_INLINE_ T apply(T a, T b)
    {
        return hd_max(a, b);
    }
};

template <int S, class T> HD_DEVICE T hd_gpu_add_(T *p, T v)
{
    if constexpr (hd_gpu_type_<T>::is_float && !HD_GPU_FLOAT_ADD_(S, T))
        return hd_gpu_update_<S, hd_gpu_add_op_>(p, v);
    else
        return (T)hd_prim_add_<S>((hd_sum_<T> *)p, (hd_sum_<T>)v);
}

template <int S, class T> HD_DEVICE T hd_gpu_sub_(T *p, T v)
{
    return hd_gpu_add_<S, T>(p, (T)(-(hd_sum_<T>)v));
}

template <int S, class T> HD_DEVICE T hd_gpu_min_(T *p, T v)
{
    if constexpr (hd_gpu_type_<T>::is_float)
        return hd_gpu_update_<S, hd_gpu_min_op_>(p, v);
    else
        return (T)hd_prim_min_<S>((hd_order_<T> *)p, (hd_order_<T>)v);
}

template <int S, class T> HD_DEVICE T hd_gpu_max_(T *p, T v)
{
    if constexpr (hd_gpu_type_<T>::is_float)
        return hd_gpu_update_<S, hd_gpu_max_op_>(p, v);
    else
        return (T)hd_prim_max_<S>((hd_order_<T> *)p, (hd_order_<T>)v);
}

template <int S, class T> HD_DEVICE T hd_gpu_and_(T *p, T v)
{
    return (T)hd_prim_and_<S>((hd_word_<T> *)p, (hd_word_<T>)v);
}

template <int S, class T> HD_DEVICE T hd_gpu_or_(T *p, T v)
{
    return (T)hd_prim_or_<S>((hd_word_<T> *)p, (hd_word_<T>)v);
}

template <int S, class T> HD_DEVICE T hd_gpu_xor_(T *p, T v)
{
    return (T)hd_prim_xor_<S>((hd_word_<T> *)p, (hd_word_<T>)v);
}

#define HD_GPU_ATOMIC_(name, suffix, S)                                                            \
    template <class T> HD_DEVICE T hd_atomic_##name##suffix(T *p, hd_same_<T> v)                   \
    {                                                                                              \
        return hd_gpu_##name##_<S, T>(p, v);                                                       \
    }
#define HD_GPU_ATOMICS_(name)                                                                      \
    HD_GPU_ATOMIC_(name, _block, HD_SCOPE_BLOCK_)                                                  \
    HD_GPU_ATOMIC_(name, , HD_SCOPE_DEVICE_)                                                       \
    HD_GPU_ATOMIC_(name, _system, HD_SCOPE_SYSTEM_)
HD_GPU_ATOMICS_(add)
HD_GPU_ATOMICS_(sub)
HD_GPU_ATOMICS_(min)
HD_GPU_ATOMICS_(max)
HD_GPU_ATOMICS_(exch)
HD_GPU_ATOMICS_(and)
HD_GPU_ATOMICS_(or)
HD_GPU_ATOMICS_(xor)
#undef HD_GPU_ATOMICS_
#undef HD_GPU_ATOMIC_

#define HD_GPU_ATOMIC_(suffix, S)                                                                  \
    template <class T>                                                                             \
    HD_DEVICE T hd_atomic_cas##suffix(T *p, hd_same_<T> expected, hd_same_<T> v)                   \
    {                                                                                              \
        return hd_gpu_cas_<S, T>(p, expected, v);                                                  \
    }                                                                                              \
    HD_DEVICE unsigned hd_atomic_inc##suffix(unsigned *p, unsigned top)                            \
    {                                                                                              \
        return hd_prim_inc_<S>(p, top);                                                            \
    }                                                                                              \
    HD_DEVICE unsigned hd_atomic_dec##suffix(unsigned *p, unsigned top)                            \
    {                                                                                              \
        return hd_prim_dec_<S>(p, top);                                                            \
    }
HD_GPU_ATOMIC_(_block, HD_SCOPE_BLOCK_)
HD_GPU_ATOMIC_(, HD_SCOPE_DEVICE_)
HD_GPU_ATOMIC_(_system, HD_SCOPE_SYSTEM_)
#undef HD_GPU_ATOMIC_

/* ---- ordered atomics ------------------------------------------------------------------------- */

/* Declared in order.h, whose generic form, with full fences, is replaced: a half fence beside the
   relaxed operation costs less. */
#define HD_HAS_ORDERED_ATOMICS_ 1

#define HD_GPU_ORDERED_(name, suffix, S, parameters, arguments)                                    \
    template <class T> HD_DEVICE T hd_atomic_##name##_acquire##suffix parameters                   \
    {                                                                                              \
        T old = hd_gpu_##name##_<S, T> arguments;                                                  \
        hd_prim_acquire_<S>();                                                                     \
        return old;                                                                                \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_atomic_##name##_release##suffix parameters                   \
    {                                                                                              \
        hd_prim_release_<S>();                                                                     \
        return hd_gpu_##name##_<S, T> arguments;                                                   \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_atomic_##name##_acq_rel##suffix parameters                   \
    {                                                                                              \
        hd_prim_release_<S>();                                                                     \
        T old = hd_gpu_##name##_<S, T> arguments;                                                  \
        hd_prim_acquire_<S>();                                                                     \
        return old;                                                                                \
    }
#define HD_GPU_ORDEREDS_(suffix, S)                                                                \
    HD_GPU_ORDERED_(add, suffix, S, (T * p, hd_same_<T> v), (p, v))                                \
    HD_GPU_ORDERED_(exch, suffix, S, (T * p, hd_same_<T> v), (p, v))                               \
    HD_GPU_ORDERED_(cas, suffix, S, (T * p, hd_same_<T> expected, hd_same_<T> v), (p, expected, v))
HD_GPU_ORDEREDS_(_block, HD_SCOPE_BLOCK_)
HD_GPU_ORDEREDS_(, HD_SCOPE_DEVICE_)
HD_GPU_ORDEREDS_(_system, HD_SCOPE_SYSTEM_)
#undef HD_GPU_ORDEREDS_

/* T is unsigned: the templates above serve inc and dec too. */
template <int S, class T> HD_DEVICE T hd_gpu_inc_(T *p, T top)
{
    return hd_prim_inc_<S>(p, top);
}
template <int S, class T> HD_DEVICE T hd_gpu_dec_(T *p, T top)
{
    return hd_prim_dec_<S>(p, top);
}
#define HD_GPU_WRAPS_(suffix, S)                                                                   \
    HD_GPU_ORDERED_(inc, suffix, S, (T * p, hd_same_<T> top), (p, top))                            \
    HD_GPU_ORDERED_(dec, suffix, S, (T * p, hd_same_<T> top), (p, top))
HD_GPU_WRAPS_(_block, HD_SCOPE_BLOCK_)
HD_GPU_WRAPS_(, HD_SCOPE_DEVICE_)
HD_GPU_WRAPS_(_system, HD_SCOPE_SYSTEM_)
#undef HD_GPU_WRAPS_
#undef HD_GPU_ORDERED_

#endif
