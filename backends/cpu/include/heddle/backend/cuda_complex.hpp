/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_complex.hpp (CPU) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_COMPLEX_HPP
#define HEDDLE_BACKEND_CUDA_COMPLEX_HPP

#include <heddle/backend/port/complex.h>

#endif
