/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (CUDA) - the toolkit's own. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#endif
