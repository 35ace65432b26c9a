/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (HIP) - not offered yet. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

#error "translated programs (heddle port) build for the backends cpu and cuda, not yet for hip"

#endif
