/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_port.hpp (GPU) - what the translator writes instead of launches and shared variables, in the
   vendors' kernel language. Included by cuda_names.hpp. */
#ifndef HEDDLE_BACKEND_GPU_PORT_HPP
#define HEDDLE_BACKEND_GPU_PORT_HPP

#define HD_PORT_STRIP_(...) __VA_ARGS__
#define HD_PORT_LAUNCH(kernel, ...) HD_PORT_STRIP_ kernel<<<__VA_ARGS__>>>
#define HD_PORT_SHARED(name, ...)                                                                  \
    using name##_type_ = __VA_ARGS__;                                                              \
    __shared__ name##_type_ name
#define HD_PORT_SHARED_DYNAMIC(name, ...)                                                          \
    extern __shared__ __attribute__((aligned(16))) unsigned char hd_port_dynamic_[];               \
    using name##_type_ = __VA_ARGS__;                                                              \
    name##_type_ *const name = (name##_type_ *)(void *)hd_port_dynamic_
#define HD_PORT_FILE_SHARED(name, ...)                                                             \
    using name##_type_ = __VA_ARGS__;                                                              \
    static __shared__ name##_type_ name##_shared_;                                                 \
    static __device__ inline name##_type_ &name##_of_block_()                                      \
    {                                                                                              \
        return name##_shared_;                                                                     \
    }                                                                                              \
    static_assert(true, "the semicolon's")
#define HD_PORT_FILE_SHARED_DYNAMIC(name, ...)                                                     \
    extern __shared__ __attribute__((aligned(16))) unsigned char hd_port_dynamic_[];               \
    using name##_type_ = __VA_ARGS__;                                                              \
    static __device__ inline name##_type_ *name##_of_block_()                                      \
    {                                                                                              \
        return (name##_type_ *)(void *)hd_port_dynamic_;                                           \
    }                                                                                              \
    static_assert(true, "the semicolon's")

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name

#endif
