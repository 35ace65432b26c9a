/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.h (HIP) - the kernel dialect of docs/dialect.md for HIP; included by <heddle/kernel.h>.
   clang compiles for AMD hardware. For NVIDIA hardware nvcc compiles, and HIP's kernel language is
   that of CUDA. */
#ifndef HEDDLE_BACKEND_DIALECT_H
#define HEDDLE_BACKEND_DIALECT_H

#if defined(__CUDACC__)
#include <heddle/backend/ptx_dialect.h>
#elif defined(__HIP__)
#include <heddle/backend/amd_dialect.h>
#else
#error "kernel files are compiled by clang -x hip or nvcc -x cu for the HIP backend"
#endif

#include <heddle/backend/gpu_dialect.h>

#endif
