/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_names.hpp (CUDA) - CUDA's own names; only what the translator writes is defined. */
#ifndef HEDDLE_BACKEND_CUDA_NAMES_HPP
#define HEDDLE_BACKEND_CUDA_NAMES_HPP

#include <cuda.h> /* CUDA_VERSION, which decides what programs compile */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <heddle/backend/gpu_port.hpp>

#endif
