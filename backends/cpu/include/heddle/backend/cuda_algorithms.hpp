/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (CPU) - the parts of CUB and Thrust that are translated. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

/* Device memory is memory of the program. */
template <class T> inline void hd_port_host_reads_(const T &)
{
}

#include <heddle/backend/port/thrust.hpp>

#include <heddle/backend/port/cub.hpp>
#include <heddle/backend/port/cub_device.hpp>

#endif
