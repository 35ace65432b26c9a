/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_half.hpp (HIP) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_HALF_HPP
#define HEDDLE_BACKEND_CUDA_HALF_HPP

#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/half.hpp>
#pragma clang force_cuda_host_device end

#endif
