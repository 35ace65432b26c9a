/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_complex.hpp (HIP) - not offered yet. */
#ifndef HEDDLE_BACKEND_CUDA_COMPLEX_HPP
#define HEDDLE_BACKEND_CUDA_COMPLEX_HPP

#error "translated programs (heddle port) build for the backends cpu and cuda, not yet for hip"

#endif
