/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  CUDA's 16-bit floating-point types for translated programs (docs/port.md). C++17.
 */
#ifndef HEDDLE_CUDA_HALF_HPP
#define HEDDLE_CUDA_HALF_HPP

#include <heddle/cuda_names.hpp>

#include <heddle/backend/cuda_half.hpp>

#endif
