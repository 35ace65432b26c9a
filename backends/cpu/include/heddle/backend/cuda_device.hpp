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

/* HD_PORT_SHARED(name, type): `type name` in the block's shared memory; type may be an array. */
#define HD_PORT_SHARED(name, ...)                                                                  \
    using name##_type_ = __VA_ARGS__;                                                              \
    HD_SHARED(name##_type_, name##_shared_, 1);                                                    \
    name##_type_ &name HD_UNUSED_ = name##_shared_[0]
#define HD_PORT_SHARED_DYNAMIC(name, ...)                                                          \
    using name##_type_ = __VA_ARGS__;                                                              \
    HD_SHARED_DYN(name##_type_, name)

/* All shared variables begin on cache lines. */
#define HD_PORT_SHARED_ALIGNED(name, alignment, ...) HD_PORT_SHARED(name, __VA_ARGS__)
#define HD_PORT_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                       \
    HD_PORT_SHARED_DYNAMIC(name, __VA_ARGS__)
#define HD_PORT_FILE_SHARED_ALIGNED(name, alignment, ...) HD_PORT_FILE_SHARED(name, __VA_ARGS__)
#define HD_PORT_FILE_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                  \
    HD_PORT_FILE_SHARED_DYNAMIC(name, __VA_ARGS__)

/* Outside of functions: a function that finds the variable. */
#define HD_PORT_FILE_SHARED(name, ...)                                                             \
    using name##_type_ = __VA_ARGS__;                                                              \
    inline name##_type_ &name##_of_block_()                                                        \
    {                                                                                              \
        HD_SHARED(name##_type_, name##_shared_, 1);                                                \
        return name##_shared_[0];                                                                  \
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

#endif
