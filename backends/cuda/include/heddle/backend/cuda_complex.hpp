/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_complex.hpp (CUDA) - the toolkit's own. */
#ifndef HEDDLE_BACKEND_CUDA_COMPLEX_HPP
#define HEDDLE_BACKEND_CUDA_COMPLEX_HPP

#include <cuComplex.h>

#endif
