/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_groups.hpp (HIP) - not offered yet. */
#ifndef HEDDLE_BACKEND_CUDA_GROUPS_HPP
#define HEDDLE_BACKEND_CUDA_GROUPS_HPP

#error "translated programs (heddle port) build for the backends cpu and cuda, not yet for hip"

#endif
