/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_host.hpp (CPU) - what C++ adds to cuda_host.h: calls that take any kernel. */
#ifndef HEDDLE_BACKEND_CUDA_HOST_HPP
#define HEDDLE_BACKEND_CUDA_HOST_HPP

#include <heddle/backend/cuda_host.h>
#include <heddle/backend/port/vectors.hpp>

#define HD_PORT_IGNORED_(name)                                                                     \
    template <class... A> static inline cudaError_t name(const A &...)                             \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
HD_PORT_IGNORED_(cudaFuncSetCacheConfig)
HD_PORT_IGNORED_(cudaFuncSetAttribute)
HD_PORT_IGNORED_(cudaFuncSetSharedMemConfig)
#undef HD_PORT_IGNORED_

template <class F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F)
{
    return hd_port_attributes_(attributes);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int threads,
                                                                 size_t = 0)
{
    return hd_port_resident_(blocks, threads);
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *blocks, int *threads, F, size_t = 0,
                                                      int limit = 0)
{
    return hd_port_fill_(blocks, threads, limit);
}

#endif
