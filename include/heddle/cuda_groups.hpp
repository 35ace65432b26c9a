/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  CUDA's cooperative groups for translated programs (docs/port.md): blocks, tiles of up to 32
 *  lanes, coalesced groups, the grid. C++17.
 */
#ifndef HEDDLE_CUDA_GROUPS_HPP
#define HEDDLE_CUDA_GROUPS_HPP

#include <heddle/cuda_names.hpp>

#include <heddle/backend/cuda_groups.hpp>

#endif
