/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.h (CUDA) - the kernel dialect of docs/dialect.md for nvcc; included by
   <heddle/kernel.h>. */
#ifndef HEDDLE_BACKEND_DIALECT_H
#define HEDDLE_BACKEND_DIALECT_H

#ifndef __CUDACC__
#error "kernel files are compiled by nvcc -x cu for the CUDA backend"
#endif

#include <heddle/backend/ptx_dialect.h>

#include <heddle/backend/gpu_dialect.h>

#endif
