/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_names.hpp (HIP) - CUDA's names on AMD hardware: the language, mathematics and runtime are
   HIP's; vector types, indices, atomics and operations of warps of 32 lanes are heddle's. */
#ifndef HEDDLE_BACKEND_CUDA_NAMES_HPP
#define HEDDLE_BACKEND_CUDA_NAMES_HPP

#ifdef __CUDACC__
#error "for NVIDIA hardware, build translated programs with the backend cuda instead of hip"
#endif

#include <heddle/kernel.h>

#include <heddle/device/half.h>

#include <heddle/heddle.h>

/* Headers that would not survive the macros below, and those that nvcc includes by itself. */
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

/* Original programs ignore the results of calls, and compile without these warnings. */
#pragma clang diagnostic ignored "-Wunused-result"
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wunused-variable"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wvla-cxx-extension"

#undef HIP_SYMBOL
#include <heddle/backend/amd_port_runtime.hpp>
#include <heddle/backend/amd_port_vectors.hpp>
#include <heddle/backend/amd_port_names.hpp>
#include <heddle/backend/gpu_port.hpp>

/* Hardware additions of floating-point values have no effect in managed and in pinned memory, which
   a program may pass: those of system scope are correct there. */
#define HD_PORT_ATOMIC_SYSTEM_(T) std::is_floating_point_v<T>

#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/device.hpp>
#include <heddle/backend/port/atomics.hpp>
#include <heddle/backend/port/intrinsics.hpp>
#pragma clang force_cuda_host_device end

#define __CUDACC__ 1
#define __NVCC__ 1
#ifdef __HIP_DEVICE_COMPILE__
#define __CUDA_ARCH__ 800 /* the device's side of a function of both */
#endif
#define __grid_constant__
#define __trap() __builtin_trap()
#define __brkpt() ((void)0)
#define __assume(c) __builtin_assume(c)
#undef __inline__
#define __inline__ inline
#undef __align__
#define __align__(n) __attribute__((aligned(n)))
#undef __restrict__
#define __restrict__ __restrict

#endif
