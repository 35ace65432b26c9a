/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h (CPU) - launches in C:
       HD_PORT_LAUNCH((kernel), grid, block, shared, stream)(arguments)
   becomes (configuration, kernel_port_launch_)(arguments): the configuration is a variable of the
   host thread, and the function that HD_PORT_KERNEL has made reads it. Its parameters are those of
   the kernel, so that arguments convert, and wrong ones do not compile. */
#ifndef HEDDLE_BACKEND_CUDA_C_LAUNCH_H
#define HEDDLE_BACKEND_CUDA_C_LAUNCH_H

#include <heddle/backend/cuda_c/defaults.h>
#include <heddle/backend/cuda_streams.h>

#if HD_CPU_CHECK
/* Device variables are ordinary variables here, which the checker would take for host memory. */
__attribute__((constructor)) static void hd_port_variables_(void)
{
    hd_cpu_check_device_variables();
}
#endif

/* A dim3, also as the initial value of a static one; at most two missing extents are 1. The first
   argument may be a dim3 itself. */
#define HD_PORT_DIM3(...) HD_PORT_DIM3_(__VA_ARGS__, 1, 1, 1)
#define HD_PORT_DIM3_(nx, ny, nz, ...)                                                             \
    _Generic((nx), dim3                                                                            \
             : (nx), default                                                                       \
             : (dim3){(unsigned)_Generic((nx), dim3 : 0, default                                   \
                                         : (nx)),                                                  \
                      (unsigned)(ny), (unsigned)(nz) + (unsigned)HD_PORT_REST_(3, __VA_ARGS__)})

/* The extents of a grid or block, given as a dim3 or as a number. */
static inline HD_UNUSED_ hd_dim3 hd_port_extents_(dim3 extents)
{
    return hd_dim(extents.x, extents.y, extents.z);
}
static inline HD_UNUSED_ hd_dim3 hd_port_extent_(unsigned extent)
{
    return hd_dim(extent, 1, 1);
}
#define HD_PORT_EXTENTS_(extents)                                                                  \
    _Generic((extents), dim3 : hd_port_extents_, default : hd_port_extent_)(extents)

typedef struct hd_port_launch {
    hd_launch_config config;
    const char *file;
    int line;
} hd_port_launch;
HD_PORT_THREAD_ hd_port_launch hd_port_next_;

static inline HD_UNUSED_ void hd_port_configure_(hd_dim3 grid, hd_dim3 block, size_t shared,
                                                 cudaStream_t stream, const char *file, int line)
{
    hd_port_next_.config = hd_launch_with(grid, block, shared, hd_port_stream_(stream));
    hd_port_next_.file = file;
    hd_port_next_.line = line;
}

#define HD_PORT_LAUNCH(kernel, ...)                                                                \
    (HD_PORT_CONFIGURE_(__VA_ARGS__, 0, 0, 0), HD_PORT_LAUNCHER_ kernel)
#define HD_PORT_LAUNCHER_(kernel) kernel##_port_launch_
#define HD_PORT_CONFIGURE_(grid, block, shared, stream, ...)                                       \
    hd_port_configure_(HD_PORT_EXTENTS_(grid), HD_PORT_EXTENTS_(block), shared, stream, __FILE__,  \
                       __LINE__ + HD_PORT_REST_(3, __VA_ARGS__))

/* HD_PORT_KERNEL(name, types...): declares a kernel of 0 to 64 arguments and its launcher. */
#define HD_PORT_KERNEL(...)                                                                        \
    HD_DECLARE(__VA_ARGS__)                                                                        \
    HD_PORT_MAKE_LAUNCHER_(HD_ARG_FIRST(__VA_ARGS__), __VA_ARGS__)
#define HD_PORT_MAKE_LAUNCHER_(...) HD_PORT_MAKE_LAUNCHER__(__VA_ARGS__)
#define HD_PORT_MAKE_LAUNCHER__(name, ...)                                                         \
    static inline HD_UNUSED_ cudaError_t name##_port_launch_(                                      \
        HD_CAT(HD_PORT_PARAMS_, HD_ARG_SOME(__VA_ARGS__))(__VA_ARGS__))                            \
    {                                                                                              \
        const hd_port_launch next = hd_port_next_;                                                 \
        return hd_port_done_(name##_launch_from_HD_DECLARE(                                        \
            next.file, next.line, next.config HD_ARG_MAP(HD_PORT_PASS_, __VA_ARGS__)));            \
    }
#define HD_PORT_PARAMS_0(...) void
#define HD_PORT_PARAMS_1(...) HD_CPU_TAIL_(~HD_ARG_MAP(HD_PARAM_, __VA_ARGS__))
#define HD_PORT_PASS_(i, type) , p##i

#define HD_PORT_DEFINE(name) HD_DEFINE(name)

/* ---- cudaLaunchKernel and cooperative launches ----------------------------------------------- */

HD_PORT_API_ hd_port_launch_array_(const hd_kernel *kernel, void **arguments, unsigned flags)
{
    hd_port_launch next = hd_port_next_;

    next.config.flags = flags;
    return hd_port_done_(hd_launch_kernel(kernel, next.config, arguments, next.file, next.line));
}
#define cudaLaunchKernel(...) HD_PORT_LAUNCH_ARRAY_(0, __VA_ARGS__, 0, 0, 0)
#define cudaLaunchCooperativeKernel(...)                                                           \
    HD_PORT_LAUNCH_ARRAY_(HD_LAUNCH_COOPERATIVE, __VA_ARGS__, 0, 0, 0)
#define HD_PORT_LAUNCH_ARRAY_(flags, kernel, grid, block, arguments, shared, stream, ...)          \
    ((void)HD_PORT_REST_(3, __VA_ARGS__), HD_PORT_CONFIGURE_(grid, block, shared, stream, 0),      \
     hd_port_launch_array_(&HD_PORT_HANDLE_(kernel), arguments, flags))

/* The handle of a kernel that is written as `name` or as `(type)name`. */
#define HD_PORT_HANDLE_(kernel)                                                                    \
    HD_CAT(HD_CAT(HD_PORT_NAME_, HD_PORT_SECOND_(HD_PORT_IS_CAST_ kernel, 0, 0))(kernel), _kernel)
#define HD_PORT_IS_CAST_(...) ~, 1,
#define HD_PORT_SECOND_(...) HD_PORT_SECOND__(__VA_ARGS__)
#define HD_PORT_SECOND__(first, second, ...) second
#define HD_PORT_NAME_0(kernel) kernel
#define HD_PORT_NAME_1(kernel) HD_PORT_WITHOUT_CAST_ kernel
#define HD_PORT_WITHOUT_CAST_(...)

/* ---- attributes of kernels: the same for all ------------------------------------------------- */

HD_PORT_API_ hd_port_ignore_(int attribute, int value)
{
    (void)attribute, (void)value;
    return cudaSuccess;
}
#define cudaFuncSetCacheConfig(kernel, config) ((void)(kernel), hd_port_ignore_(config, 0))
#define cudaFuncSetSharedMemConfig(kernel, config) ((void)(kernel), hd_port_ignore_(config, 0))
#define cudaFuncSetAttribute(kernel, attribute, value)                                             \
    ((void)(kernel), hd_port_ignore_(attribute, (int)(value)))
#define cudaFuncGetAttributes(attributes, kernel) ((void)(kernel), hd_port_attributes_(attributes))
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor(...) HD_PORT_RESIDENT_(__VA_ARGS__, 0, 0)
#define HD_PORT_RESIDENT_(blocks, kernel, threads, shared, ...)                                    \
    ((void)HD_PORT_REST_(2, __VA_ARGS__), (void)(kernel), (void)(shared),                          \
     hd_port_resident_(blocks, threads))
#define cudaOccupancyMaxPotentialBlockSize(...) HD_PORT_FILL_(__VA_ARGS__, 0, 0, 0)
#define HD_PORT_FILL_(blocks, threads, kernel, shared, limit, ...)                                 \
    ((void)HD_PORT_REST_(3, __VA_ARGS__), (void)(kernel), (void)(shared),                          \
     hd_port_fill_(blocks, threads, limit))

#endif
