/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_complex.hpp (HIP) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_COMPLEX_HPP
#define HEDDLE_BACKEND_CUDA_COMPLEX_HPP

#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/complex.h>
#pragma clang force_cuda_host_device end

#endif
