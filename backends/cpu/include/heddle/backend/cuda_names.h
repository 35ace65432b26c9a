/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_names.h (CPU) - CUDA's names in C11 on the CPU engine. What C and C++ share is in headers
   beside this one; what C++ writes as overloads and templates are macros here, in cuda_c/. */
#ifndef HEDDLE_BACKEND_CUDA_NAMES_H
#define HEDDLE_BACKEND_CUDA_NAMES_H

/* As C++ compilers define it, so that sincosf, M_PI etc. are there. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

/* Headers that would not survive the macros below, and those that nvcc includes by itself. */
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/kernel.h>

#include <heddle/heddle.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wvla" /* of host code, as the original's compiler takes it */

#include <heddle/backend/port/vectors.h>

/* Of the same type, since in C++ each converts to the other. */
typedef uint3 dim3;

#include <heddle/backend/cuda_device.h>
#include <heddle/backend/cuda_graphs.h>
#include <heddle/backend/cuda_math.h>
#include <heddle/backend/port/atomics.h>
#include <heddle/backend/port/complex.h>
#include <heddle/backend/port/device.h>

#include <heddle/backend/cuda_c/atomics.h>
#include <heddle/backend/cuda_c/calls.h>
#include <heddle/backend/cuda_c/launch.h>
#include <heddle/backend/cuda_c/math.h>
#include <heddle/backend/cuda_c/warp.h>

#define __global__ HD_KERNEL
/* Empty, because an inline function cannot have the attribute in C. */
#define __noinline__

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name

#define HD_PORT_EXTERN_C extern
#define HD_PORT_BEGIN_C
#define HD_PORT_END_C

#endif
