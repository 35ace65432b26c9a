/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.hpp - CUDA's atomics: atomicAdd and its like, and the ordered ones. */
#ifndef HEDDLE_BACKEND_PORT_ATOMICS_HPP
#define HEDDLE_BACKEND_PORT_ATOMICS_HPP

#include <heddle/backend/port/atomics.h>

/* ---- atomics: the value converts to the type of the variable --------------------------------- */

/* Whether the calls without a suffix must have system scope for a type to reach all memory. */
#ifndef HD_PORT_ATOMIC_SYSTEM_
#define HD_PORT_ATOMIC_SYSTEM_(T) false
#endif

#define HD_PORT_ATOMIC_(name, operation)                                                           \
    template <class T, class U> HD_DEVICE T name(T *address, U value)                              \
    {                                                                                              \
        if constexpr (HD_PORT_ATOMIC_SYSTEM_(T))                                                   \
            return operation##_system(address, (T)value);                                          \
        else                                                                                       \
            return operation(address, (T)value);                                                   \
    }                                                                                              \
    template <class T, class U> HD_DEVICE T name##_block(T *address, U value)                      \
    {                                                                                              \
        if constexpr (HD_PORT_ATOMIC_SYSTEM_(T))                                                   \
            return operation##_system(address, (T)value);                                          \
        else                                                                                       \
            return operation##_block(address, (T)value);                                           \
    }                                                                                              \
    template <class T, class U> HD_DEVICE T name##_system(T *address, U value)                     \
    {                                                                                              \
        return operation##_system(address, (T)value);                                              \
    }                                                                                              \
    template <class T, class U> HD_DEVICE T name(volatile T *address, U value)                     \
    {                                                                                              \
        return name((T *)address, value);                                                          \
    }
HD_PORT_ATOMIC_(atomicAdd, hd_atomic_add)
HD_PORT_ATOMIC_(atomicSub, hd_atomic_sub)
HD_PORT_ATOMIC_(atomicMin, hd_atomic_min)
HD_PORT_ATOMIC_(atomicMax, hd_atomic_max)
HD_PORT_ATOMIC_(atomicExch, hd_atomic_exch)
HD_PORT_ATOMIC_(atomicAnd, hd_atomic_and)
HD_PORT_ATOMIC_(atomicOr, hd_atomic_or)
HD_PORT_ATOMIC_(atomicXor, hd_atomic_xor)
#undef HD_PORT_ATOMIC_
template <class T, class U, class V> HD_DEVICE T atomicCAS(T *address, U expected, V value)
{
    if constexpr (sizeof(T) == 2) {
        return (T)hd_port_cas_half_(address, (unsigned short)expected, (unsigned short)value);
    } else {
        return hd_atomic_cas(address, (T)expected, (T)value);
    }
}
template <class T, class U, class V> HD_DEVICE T atomicCAS(volatile T *address, U old, V value)
{
    return atomicCAS((T *)address, old, value);
}
template <class T, class U, class V> HD_DEVICE T atomicCAS_block(T *address, U expected, V value)
{
    return hd_atomic_cas_block(address, (T)expected, (T)value);
}
template <class T, class U, class V> HD_DEVICE T atomicCAS_system(T *address, U expected, V value)
{
    return hd_atomic_cas_system(address, (T)expected, (T)value);
}
/* ---- ordered atomics: the order and the scope are at least those asked for ------------------- */

/* The unsigned type of a value's size, in which it travels. */
template <class T>
using hd_port_word_of_ = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <class T>
HD_DEVICE T __nv_atomic_load_n(const T *address, int order, int = __NV_THREAD_SCOPE_SYSTEM)
{
    typedef hd_port_word_of_<T> word;
    static_assert(sizeof(T) == sizeof(word), "__nv_atomic_load_n reads 4 or 8 bytes");
    const word bits = hd_load_relaxed_system((const word *)(const void *)address);
    T value;
    memcpy(&value, &bits, sizeof value);
    hd_port_after_(order);
    return value;
}
template <class T, class U>
HD_DEVICE void __nv_atomic_store_n(T *address, U given, int order, int = __NV_THREAD_SCOPE_SYSTEM)
{
    typedef hd_port_word_of_<T> word;
    static_assert(sizeof(T) == sizeof(word), "__nv_atomic_store_n writes 4 or 8 bytes");
    const T value = (T)given;
    word bits;
    memcpy(&bits, &value, sizeof bits);
    hd_port_before_(order);
    hd_store_relaxed_system((word *)(void *)address, bits);
}
#define HD_PORT_ORDERED_(name, operation)                                                          \
    template <class T, class U>                                                                    \
    HD_DEVICE T name(T *address, U value, int order, int = __NV_THREAD_SCOPE_SYSTEM)               \
    {                                                                                              \
        hd_port_before_(order);                                                                    \
        const T old = operation(address, value);                                                   \
        hd_port_after_(order);                                                                     \
        return old;                                                                                \
    }
HD_PORT_ORDERED_(__nv_atomic_fetch_add, atomicAdd_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_sub, atomicSub_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_min, atomicMin_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_max, atomicMax_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_and, atomicAnd_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_or, atomicOr_system)
HD_PORT_ORDERED_(__nv_atomic_fetch_xor, atomicXor_system)
HD_PORT_ORDERED_(__nv_atomic_exchange_n, atomicExch_system)
#undef HD_PORT_ORDERED_

#endif
