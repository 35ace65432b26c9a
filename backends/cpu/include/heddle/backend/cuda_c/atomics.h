/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.h (CPU) - CUDA's atomics in C. The value converts to the type of the variable, which may
   be volatile. */
#ifndef HEDDLE_BACKEND_CUDA_C_ATOMICS_H
#define HEDDLE_BACKEND_CUDA_C_ATOMICS_H

#include <heddle/backend/cuda_c/defaults.h>
#include <heddle/backend/port/atomics.h>

#define HD_PORT_ATOMIC_(operation, address, value)                                                 \
    operation(address, (HD_CPU_TYPE_(*(address)))(value))

#define atomicAdd(p, v) HD_PORT_ATOMIC_(hd_atomic_add, p, v)
#define atomicAdd_block(p, v) HD_PORT_ATOMIC_(hd_atomic_add_block, p, v)
#define atomicAdd_system(p, v) HD_PORT_ATOMIC_(hd_atomic_add_system, p, v)
#define atomicSub(p, v) HD_PORT_ATOMIC_(hd_atomic_sub, p, v)
#define atomicSub_block(p, v) HD_PORT_ATOMIC_(hd_atomic_sub_block, p, v)
#define atomicSub_system(p, v) HD_PORT_ATOMIC_(hd_atomic_sub_system, p, v)
#define atomicMin(p, v) HD_PORT_ATOMIC_(hd_atomic_min, p, v)
#define atomicMin_block(p, v) HD_PORT_ATOMIC_(hd_atomic_min_block, p, v)
#define atomicMin_system(p, v) HD_PORT_ATOMIC_(hd_atomic_min_system, p, v)
#define atomicMax(p, v) HD_PORT_ATOMIC_(hd_atomic_max, p, v)
#define atomicMax_block(p, v) HD_PORT_ATOMIC_(hd_atomic_max_block, p, v)
#define atomicMax_system(p, v) HD_PORT_ATOMIC_(hd_atomic_max_system, p, v)
#define atomicExch(p, v) HD_PORT_ATOMIC_(hd_atomic_exch, p, v)
#define atomicExch_block(p, v) HD_PORT_ATOMIC_(hd_atomic_exch_block, p, v)
#define atomicExch_system(p, v) HD_PORT_ATOMIC_(hd_atomic_exch_system, p, v)
#define atomicAnd(p, v) HD_PORT_ATOMIC_(hd_atomic_and, p, v)
#define atomicAnd_block(p, v) HD_PORT_ATOMIC_(hd_atomic_and_block, p, v)
#define atomicAnd_system(p, v) HD_PORT_ATOMIC_(hd_atomic_and_system, p, v)
#define atomicOr(p, v) HD_PORT_ATOMIC_(hd_atomic_or, p, v)
#define atomicOr_block(p, v) HD_PORT_ATOMIC_(hd_atomic_or_block, p, v)
#define atomicOr_system(p, v) HD_PORT_ATOMIC_(hd_atomic_or_system, p, v)
#define atomicXor(p, v) HD_PORT_ATOMIC_(hd_atomic_xor, p, v)
#define atomicXor_block(p, v) HD_PORT_ATOMIC_(hd_atomic_xor_block, p, v)
#define atomicXor_system(p, v) HD_PORT_ATOMIC_(hd_atomic_xor_system, p, v)

/* Also of 16 bits. */
#define atomicCAS(p, expected, v)                                                                  \
    ((HD_CPU_TYPE_(*(p))) _Generic(*(p), short                                                     \
                                   : hd_port_cas_half_, unsigned short                             \
                                   : hd_port_cas_half_, default                                    \
                                   : HD_CPU_OF_(hd_cpu_atomic_cas, *(p)))(                         \
        p, (HD_CPU_TYPE_(*(p)))(expected), (HD_CPU_TYPE_(*(p)))(v)))
#define atomicCAS_block(p, expected, v)                                                            \
    hd_atomic_cas_block(p, (HD_CPU_TYPE_(*(p)))(expected), (HD_CPU_TYPE_(*(p)))(v))
#define atomicCAS_system(p, expected, v)                                                           \
    hd_atomic_cas_system(p, (HD_CPU_TYPE_(*(p)))(expected), (HD_CPU_TYPE_(*(p)))(v))

/* ---- ordered atomics: the order and the scope are at least those asked for ------------------- */

/* A scope may follow the order. */
#define __nv_atomic_load_n(...) HD_PORT_LOAD_(__VA_ARGS__, 0, 0)
#define HD_PORT_LOAD_(address, order, scope, ...)                                                  \
    ((void)HD_PORT_REST_(2, __VA_ARGS__),                                                          \
     HD_PORT_AFTER_(hd_load_relaxed_system(address), order, scope,                                 \
                    HD_CAT(hd_port_old_, __COUNTER__)))
#define __nv_atomic_store_n(...) HD_PORT_STORE_(__VA_ARGS__, 0, 0)
#define HD_PORT_STORE_(address, value, order, scope, ...)                                          \
    ((void)HD_PORT_REST_(2, __VA_ARGS__), hd_port_before_(order), (void)(scope),                   \
     HD_PORT_ATOMIC_(hd_store_relaxed_system, address, value))
#define HD_PORT_ORDERED_(operation, address, value, order, scope, ...)                             \
    ((void)HD_PORT_REST_(2, __VA_ARGS__), hd_port_before_(order),                                  \
     HD_PORT_AFTER_(operation(address, value), order, scope, HD_CAT(hd_port_old_, __COUNTER__)))
#define HD_PORT_AFTER_(access, order, scope, old)                                                  \
    __extension__({                                                                                \
        HD_CPU_AUTO_ old = (access);                                                               \
        (void)(scope);                                                                             \
        hd_port_after_(order);                                                                     \
        old;                                                                                       \
    })
#define __nv_atomic_fetch_add(...) HD_PORT_ORDERED_(atomicAdd_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_sub(...) HD_PORT_ORDERED_(atomicSub_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_min(...) HD_PORT_ORDERED_(atomicMin_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_max(...) HD_PORT_ORDERED_(atomicMax_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_and(...) HD_PORT_ORDERED_(atomicAnd_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_or(...) HD_PORT_ORDERED_(atomicOr_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_fetch_xor(...) HD_PORT_ORDERED_(atomicXor_system, __VA_ARGS__, 0, 0)
#define __nv_atomic_exchange_n(...) HD_PORT_ORDERED_(atomicExch_system, __VA_ARGS__, 0, 0)

#endif
