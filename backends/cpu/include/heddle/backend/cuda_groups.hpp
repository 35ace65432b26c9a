/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_groups.hpp (CPU) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_GROUPS_HPP
#define HEDDLE_BACKEND_CUDA_GROUPS_HPP

#include <heddle/backend/port/groups.hpp>

#endif
