/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (HIP) - the parts of CUB and Thrust that are translated. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

#include <complex>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

template <class F> static __global__ void hd_port_once_kernel_(F function)
{
    function();
}
/* Calls a closure in one thread of the device. */
template <class F> static inline hipError_t hd_port_once_(F function, hipStream_t stream)
{
    hd_port_once_kernel_<<<1, 1, 0, stream>>>(function);
    return hipGetLastError();
}

/* Thrust's calls run on the host, which does not reach memory of cudaMalloc. */
template <class T> static inline void hd_port_host_reads_(const T &)
{
}
template <class T> static inline void hd_port_host_reads_(T *const &pointer)
{
    hipPointerAttribute_t found;

    if (hipPointerGetAttributes(&found, (const void *)pointer) != hipSuccess) {
        (void)hipGetLastError(); /* ordinary memory of the host */
    } else if (!found.isManaged && !found.hostPointer && found.devicePointer) {
        fprintf(stderr,
                "thrust: %p is memory of the device, where this call runs on the host; "
                "allocate it with cudaMallocManaged or use thrust::device_vector\n",
                (const void *)pointer);
        abort();
    }
}

#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/thrust.hpp>

#include <heddle/backend/port/cub.hpp>
#include <heddle/backend/port/cub_device.hpp>
#pragma clang force_cuda_host_device end

#endif
