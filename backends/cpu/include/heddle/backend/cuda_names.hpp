/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_names.hpp (CPU) - CUDA's names on the CPU engine. Device memory is memory of the program, so
   that device variables stay ordinary variables; device functions, whose file is compiled for the
   engine, read the running thread from variables that all files of the program share. */
#ifndef HEDDLE_BACKEND_CUDA_NAMES_HPP
#define HEDDLE_BACKEND_CUDA_NAMES_HPP

#define HD_CPU_RUNNING_ inline

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
#include <vector>

#include <heddle/kernel.h>

#include <heddle/heddle.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wvla" /* of host code, as the original's compiler takes it */

#include <heddle/backend/cuda_device.hpp>
#include <heddle/backend/port/atomics.hpp>
#include <heddle/backend/cuda_math.hpp>
#include <heddle/backend/cuda_launch.hpp>

#if HD_CPU_CHECK /* the C library is not instrumented */
extern "C" {
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes);
}
namespace std
{
using ::__tsan_memcpy;
using ::__tsan_memmove;
using ::__tsan_memset;
} // namespace std
#define memcpy __tsan_memcpy
#define memmove __tsan_memmove
#define memset __tsan_memset
#endif

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define __noinline__ __attribute__((noinline))

#endif
