/* SPDX-License-Identifier: Apache-2.0 */
/* decl.h (CUDA) - what kernel_decl.h needs from this backend, in host files and kernel files. */
#ifndef HEDDLE_BACKEND_DECL_H
#define HEDDLE_BACKEND_DECL_H

#ifdef __cplusplus
#define HD_EXTERN extern "C"
#else
#define HD_EXTERN extern
#endif

#ifdef __CUDACC__
#define HD_BOTH static __host__ __device__ __forceinline__ __attribute__((unused))
#else
#define HD_BOTH static inline __attribute__((unused))
#endif
#define HD_ALIGN(n) __attribute__((aligned(n)))
#define HD_DECLARE_BACKEND_(...)

#endif
