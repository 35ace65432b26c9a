/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (CPU) - the parts of CUB and Thrust that are translated. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

#include <heddle/backend/cuda_thrust.hpp>

#include <heddle/backend/cuda_cub.hpp>
#include <heddle/backend/cuda_cub_device.hpp>

#endif
