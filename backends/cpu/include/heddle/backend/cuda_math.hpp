/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_math.hpp (CPU) - what C++ adds to cuda_math.h: overloads. */
#ifndef HEDDLE_BACKEND_CUDA_MATH_HPP
#define HEDDLE_BACKEND_CUDA_MATH_HPP

#include <heddle/backend/cuda_math.h>
#include <heddle/backend/port/intrinsics.hpp>

HD_DEVICE float rsqrt(float x)
{
    return hd_rsqrt(x);
}

#endif
