/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  CUDA's names for programs that `heddle port --c` has translated (docs/port.md): C11 on the
 *  backend cpu, with the names and meaning of <heddle/cuda_names.hpp>; on cuda and hip the same
 *  files are compiled as C++17. What C cannot express is missing, e.g. cooperative groups, CUB,
 *  thrust and half precision.
 *
 *  A kernel is written
 *
 *      HD_PORT_KERNEL(scale, float *, float, int)     declares it, before its first launch
 *      __global__ void scale(float *x, float a, int n) {...}
 *      HD_PORT_DEFINE(scale)                          completes it, after its body
 *      HD_PORT_LAUNCH((scale), grid, block)(x, 2, n); scale<<<grid, block>>>(x, 2, n)
 *
 *  The macros that the translator writes are
 *
 *      HD_PORT_LAUNCH((kernel), grid, block[, shared[, stream]])(arguments...)
 *          launches; grid and block are integers or dim3. In C the arguments must not launch
 *          kernels themselves.
 *      HD_PORT_DIM3(x[, y[, z]])   a dim3; missing extents are 1
 *      HD_PORT_NOW()               nanoseconds of a clock that does not jump: steady_clock::now()
 *      HD_PORT_EXTERN_C            extern "C" or extern
 *      HD_PORT_BEGIN_C, HD_PORT_END_C   around declarations that C and C++ files share
 *
 *  Shared memory is that of the dialect (HD_SHARED, HD_SHARED_DYN).
 */
#ifndef HEDDLE_CUDA_NAMES_H
#define HEDDLE_CUDA_NAMES_H

#ifdef __cplusplus

#include <heddle/cuda_complex.hpp>
#include <heddle/cuda_names.hpp>
#include <heddle/kernel.h>

#define HD_PORT_KERNEL(name, ...) extern "C" __global__ void name(__VA_ARGS__);
#define HD_PORT_DEFINE(name)
#define HD_PORT_DIM3(...) dim3(__VA_ARGS__)
#define HD_PORT_EXTERN_C extern "C"
#define HD_PORT_BEGIN_C extern "C" {
#define HD_PORT_END_C }

#elif defined(__has_include) && !__has_include(<heddle/backend/cuda_names.h>)
#error "this backend compiles the file as C++: add it to a target by heddle_add_kernels"
#else
#include <heddle/backend/cuda_names.h>
#endif

#include <stdint.h>
#include <time.h>

static inline HD_UNUSED_ int64_t hd_port_now_(void)
{
    const int64_t second = 1000000000;
    struct timespec now;

#ifdef CLOCK_MONOTONIC
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
#else /* C11 alone has no other */
    (void)timespec_get(&now, TIME_UTC);
#endif
    return second * now.tv_sec + now.tv_nsec;
}
#define HD_PORT_NOW() hd_port_now_()

#endif
