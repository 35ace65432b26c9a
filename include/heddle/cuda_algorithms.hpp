/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The parts of CUB and Thrust that translated programs may use (docs/port.md). C++17.
 */
#ifndef HEDDLE_CUDA_ALGORITHMS_HPP
#define HEDDLE_CUDA_ALGORITHMS_HPP

#include <heddle/cuda_names.hpp>

#include <heddle/backend/cuda_algorithms.hpp>

#endif
