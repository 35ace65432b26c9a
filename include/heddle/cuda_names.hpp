/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The names of CUDA's runtime and kernel language on the backends cpu, cuda and hip, for programs
 *  that `heddle port` has translated (docs/port.md). C++17. On cuda and hip the runtime's calls are
 *  those of the vendor, with the vendor's errors; on cpu they are heddle's, and errors are the
 *  corresponding cudaError_t. HIP on NVIDIA hardware is an error of the preprocessor.
 *
 *  Warps have 32 lanes everywhere; on a device with 64, such a warp is half of a hardware warp.
 */
#ifndef HEDDLE_CUDA_NAMES_HPP
#define HEDDLE_CUDA_NAMES_HPP

#ifndef __cplusplus
#error "cuda_names.hpp is for C++ files: rename this one to .cpp"
#endif

#include <heddle/backend/cuda_names.hpp>

#endif
