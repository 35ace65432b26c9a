/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_device.h (CPU) - CUDA's names in device code that this backend alone defines, in C11 and
   C++17: qualifiers, clocks. */
#ifndef HEDDLE_BACKEND_CUDA_DEVICE_H
#define HEDDLE_BACKEND_CUDA_DEVICE_H

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

#endif
