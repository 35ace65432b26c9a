/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_half.hpp (CUDA) - the toolkit's own. */
#ifndef HEDDLE_BACKEND_CUDA_HALF_HPP
#define HEDDLE_BACKEND_CUDA_HALF_HPP

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#endif
