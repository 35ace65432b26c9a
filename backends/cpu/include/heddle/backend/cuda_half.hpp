/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_half.hpp (CPU) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_HALF_HPP
#define HEDDLE_BACKEND_CUDA_HALF_HPP

#include <heddle/backend/port/half.hpp>

#endif
