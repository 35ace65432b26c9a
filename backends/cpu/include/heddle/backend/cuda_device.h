/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_device.h (CPU) - CUDA's names in device code that this backend alone defines, in C11 and
   C++17: qualifiers, clocks, assert. */
#ifndef HEDDLE_BACKEND_CUDA_DEVICE_H
#define HEDDLE_BACKEND_CUDA_DEVICE_H

#include <stdio.h>

/* ---- qualifiers ------------------------------------------------------------------------------ */

#define __CUDACC__ 1
#define __NVCC__ 1
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__ const
#define __forceinline__ inline
#define __inline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict

/* ---- time, ends ------------------------------------------------------------------------------ */

HD_DEVICE long long clock64(void)
{
    return (long long)hd_wall_clock();
}
HD_DEVICE unsigned long long hd_port_timer_(void)
{
    return hd_wall_clock();
}
#define __trap() hd_assert(!"__trap()")
#define __brkpt() ((void)0)
#define __assume(c) ((void)0)
#define __builtin_assume(c) ((void)0)

/* ---- assert ---------------------------------------------------------------------------------- */

#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <assert.h>
#pragma pop_macro("NDEBUG")

/* Prints as CUDA does. In a kernel it ends the thread; the next call that waits for the device
   returns cudaErrorAssert. In host code it ends the program. */
__attribute__((noreturn)) static inline HD_UNUSED_ void
hd_port_assert_failed_(const char *condition, const char *file, unsigned line, const char *function)
{
    const hd_cpu_block *block = hd_cpu_running_block();
    const hd_cpu_thread thread = hd_thread_;

    if (!block)
        __assert_fail(condition, file, line, function);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, block->dims.block.x, block->dims.block.y, block->dims.block.z,
            thread.x, thread.y, thread.z, condition);
    hd_cpu_assert_failed(block, thread, condition, function, file, (int)line);
}
/* What assert calls, also after the program's own #include <assert.h>. */
#define __assert_fail hd_port_assert_failed_
#include <assert.h>

#endif
