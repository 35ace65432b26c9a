/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_device.hpp (CPU) - CUDA's names in device code that this backend alone defines: shared
   memory; the rest is in cuda_device.h. */
#ifndef HEDDLE_BACKEND_CUDA_DEVICE_HPP
#define HEDDLE_BACKEND_CUDA_DEVICE_HPP

#include <heddle/backend/cuda_device.h>
#include <heddle/backend/port/device.hpp>

#define __global__ __attribute__((unused))
#undef __noinline__ /* as attributes of C++ libraries spell it, gcc knows it without a macro */

/* ---- shared memory --------------------------------------------------------------------------- */

/* HD_PORT_SHARED(name, type): `type name` in the block's shared memory; type may be an array. The
   alignment is as in the source: `__align__(n)`, `alignas(n)` or nothing. Dynamic shared memory has
   the largest alignment that there is. */
#define HD_PORT_SHARED(name, ...) HD_PORT_SHARED_ALIGNED(name, , __VA_ARGS__)
#define HD_PORT_SHARED_ALIGNED(name, alignment, ...)                                               \
    HD_PORT_SHARED_TYPES_(name, alignment, __VA_ARGS__);                                           \
    HD_PORT_SHARED_ARRAY_(name);                                                                   \
    name##_type_ &name HD_UNUSED_ = HD_PORT_SHARED_FOUND_(name)
#define HD_PORT_SHARED_DYNAMIC(name, ...)                                                          \
    using name##_type_ = __VA_ARGS__;                                                              \
    HD_SHARED_DYN(name##_type_, name)
#define HD_PORT_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                       \
    HD_PORT_SHARED_DYNAMIC(name, __VA_ARGS__)

/* Outside of functions: a function that finds the variable. */
#define HD_PORT_FILE_SHARED(name, ...) HD_PORT_FILE_SHARED_ALIGNED(name, , __VA_ARGS__)
#define HD_PORT_FILE_SHARED_ALIGNED(name, alignment, ...)                                          \
    HD_PORT_SHARED_TYPES_(name, alignment, __VA_ARGS__);                                           \
    inline name##_type_ &name##_of_block_()                                                        \
    {                                                                                              \
        HD_PORT_SHARED_ARRAY_(name);                                                               \
        return HD_PORT_SHARED_FOUND_(name);                                                        \
    }                                                                                              \
    static_assert(true, "the semicolon's")
#define HD_PORT_FILE_SHARED_DYNAMIC(name, ...)                                                     \
    using name##_type_ = __VA_ARGS__;                                                              \
    inline name##_type_ *name##_of_block_()                                                        \
    {                                                                                              \
        HD_SHARED_DYN(name##_type_, found);                                                        \
        return found;                                                                              \
    }                                                                                              \
    static_assert(true, "the semicolon's")
#define HD_PORT_FILE_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                  \
    HD_PORT_FILE_SHARED_DYNAMIC(name, __VA_ARGS__)

#define HD_PORT_SHARED_TYPES_(name, alignment, ...)                                                \
    using name##_type_ = __VA_ARGS__;                                                              \
    struct alignment name##_alignment_ {                                                           \
    }
#define HD_PORT_SHARED_ARRAY_(name)                                                                \
    HD_CPU_SHARED_(#name, name##_array_, name##_view_, sizeof(name##_type_),                       \
                   hd_port_larger_(alignof(name##_alignment_), alignof(name##_type_)))
#define HD_PORT_SHARED_FOUND_(name) (*(name##_type_ *)hd_cpu_array_(&name##_array_, &name##_view_))

constexpr size_t hd_port_larger_(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif
