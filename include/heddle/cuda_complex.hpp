/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  CUDA's complex numbers for translated programs (docs/port.md). C++17.
 */
#ifndef HEDDLE_CUDA_COMPLEX_HPP
#define HEDDLE_CUDA_COMPLEX_HPP

#include <heddle/cuda_names.hpp>

#include <heddle/backend/cuda_complex.hpp>

#endif
