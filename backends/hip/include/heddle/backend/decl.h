/* SPDX-License-Identifier: Apache-2.0 */
/* decl.h (HIP) - the backend's definitions for kernel_decl.h, in host files and kernel files. */
#ifndef HEDDLE_BACKEND_DECL_H
#define HEDDLE_BACKEND_DECL_H

#ifdef __cplusplus
#define HD_EXTERN extern "C"
#else
#define HD_EXTERN extern
#endif

/* 1 in files that are written in C++ (heddle_add_kernels defines it), rather than in the subset
   that is also C. */
#ifndef HD_CXX
#define HD_CXX 0
#endif

#if defined(__HIP__) || defined(__CUDACC__)
#define HD_BOTH static __attribute__((host, device)) inline __attribute__((always_inline, unused))
#define HD_METHOD_BOTH __attribute__((host, device, always_inline))
#else
#define HD_BOTH static inline __attribute__((unused))
#define HD_METHOD_BOTH
#endif
/* 1 if the threads of a block run one after another on one core: a kernel may then give one thread
   the work of a whole block. */
#define HD_SERIAL_THREADS 0
/* Number of lanes that share a line of words.h, and whether a line stored by one instruction
   arrives whole, in memory of this device and over a fabric between devices. Observed on NVIDIA
   hardware; not tested on AMD's. */
#define HD_LINE_LANES 8
#ifdef __HIP_PLATFORM_NVIDIA__
#define HD_LINES_WHOLE 1
#else
#define HD_LINES_WHOLE 0
#endif
#define HD_ALIGN(n) __attribute__((aligned(n)))
#define HD_DECLARE_BACKEND_(...)
#ifdef __CUDACC__
#include <heddle/backend/ptx_half.h>
#include <heddle/backend/ptx_packed.h>
#include <heddle/backend/ptx_sqrt.h>
#elif defined(__HIP__)
#include <heddle/backend/amd_half.h>
#include <heddle/backend/amd_packed.h>
#endif

#endif
