/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_groups.hpp (CUDA) - the toolkit's own. */
#ifndef HEDDLE_BACKEND_CUDA_GROUPS_HPP
#define HEDDLE_BACKEND_CUDA_GROUPS_HPP

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#endif
