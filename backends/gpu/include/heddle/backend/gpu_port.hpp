/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_port.hpp (GPU) - what the translator writes instead of launches and shared variables, in the
   vendors' kernel language. Included by cuda_names.hpp. */
#ifndef HEDDLE_BACKEND_GPU_PORT_HPP
#define HEDDLE_BACKEND_GPU_PORT_HPP

#define HD_PORT_STRIP_(...) __VA_ARGS__
#define HD_PORT_LAUNCH(kernel, ...) HD_PORT_STRIP_ kernel<<<__VA_ARGS__>>>
/* As in the source: the alignment is `__align__(n)`, `alignas(n)` or nothing. */
#define HD_PORT_SHARED(name, ...) HD_PORT_SHARED_ALIGNED(name, , __VA_ARGS__)
#define HD_PORT_SHARED_ALIGNED(name, alignment, ...)                                               \
    using name##_type_ = __VA_ARGS__;                                                              \
    alignment __shared__ name##_type_ name

/* The array itself: a pointer to an array of bytes costs instructions. */
#define HD_PORT_SHARED_DYNAMIC(name, ...)                                                          \
    HD_PORT_SHARED_DYNAMIC_ALIGNED(name, __align__(16), __VA_ARGS__)
#define HD_PORT_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                       \
    using name##_type_ = __VA_ARGS__;                                                              \
    alignment extern __shared__ name##_type_ name[]

#define HD_PORT_FILE_SHARED(name, ...) HD_PORT_FILE_SHARED_ALIGNED(name, , __VA_ARGS__)
#define HD_PORT_FILE_SHARED_ALIGNED(name, alignment, ...)                                          \
    using name##_type_ = __VA_ARGS__;                                                              \
    alignment static __shared__ name##_type_ name##_shared_;                                       \
    static __device__ inline name##_type_ &name##_of_block_()                                      \
    {                                                                                              \
        return name##_shared_;                                                                     \
    }                                                                                              \
    static_assert(true, "the semicolon's")
#define HD_PORT_FILE_SHARED_DYNAMIC(name, ...)                                                     \
    HD_PORT_FILE_SHARED_DYNAMIC_ALIGNED(name, __align__(16), __VA_ARGS__)
#define HD_PORT_FILE_SHARED_DYNAMIC_ALIGNED(name, alignment, ...)                                  \
    using name##_type_ = __VA_ARGS__;                                                              \
    static __device__ inline name##_type_ *name##_of_block_()                                      \
    {                                                                                              \
        alignment extern __shared__ name##_type_ name##_shared_[];                                 \
        return name##_shared_;                                                                     \
    }                                                                                              \
    static_assert(true, "the semicolon's")

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name

#endif
