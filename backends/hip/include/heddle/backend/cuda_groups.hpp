/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_groups.hpp (HIP) - over heddle's dialect. */
#ifndef HEDDLE_BACKEND_CUDA_GROUPS_HPP
#define HEDDLE_BACKEND_CUDA_GROUPS_HPP

#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/groups.hpp>
#pragma clang force_cuda_host_device end

#endif
