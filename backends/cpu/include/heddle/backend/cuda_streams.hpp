/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_streams.hpp (CPU) - what C++ adds to cuda_streams.h: pointers to every type, and device
   variables by reference. */
#ifndef HEDDLE_BACKEND_CUDA_STREAMS_HPP
#define HEDDLE_BACKEND_CUDA_STREAMS_HPP

#include <heddle/backend/cuda_host.hpp>
#include <heddle/backend/cuda_streams.h>

template <class T> HD_PORT_API_ cudaMalloc(T **pointer, size_t bytes)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_DEVICE);
}
template <class T> HD_PORT_API_ cudaMallocManaged(T **pointer, size_t bytes, unsigned = 1)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MANAGED);
}
template <class T> HD_PORT_API_ cudaHostAlloc(T **pointer, size_t bytes, unsigned = 0)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MAPPED);
}
template <class T> HD_PORT_API_ cudaMallocHost(T **pointer, size_t bytes, unsigned = 0)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MAPPED);
}
template <class T>
HD_PORT_API_ cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return hd_port_alloc_rows_(pointer, pitch, width, height);
}
template <class T>
HD_PORT_API_ cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream = nullptr)
{
    return hd_port_alloc_async_(pointer, bytes, stream);
}
template <class T> HD_PORT_API_ cudaHostGetDevicePointer(T **device, void *host, unsigned = 0)
{
    return hd_port_mapped_(device, host);
}

template <class T>
HD_PORT_API_ cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                     cudaMemcpyKind = cudaMemcpyHostToDevice,
                                     cudaStream_t stream = nullptr)
{
    return hd_port_to_symbol_(&symbol, sizeof symbol, from, bytes, offset, stream);
}
template <class T>
HD_PORT_API_ cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return hd_port_to_symbol_(&symbol, sizeof symbol, from, bytes, offset, nullptr);
}
template <class T>
HD_PORT_API_ cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                       cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                       cudaStream_t stream = nullptr)
{
    return hd_port_from_symbol_(&symbol, sizeof symbol, to, bytes, offset, stream);
}
template <class T>
HD_PORT_API_ cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                  cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return hd_port_from_symbol_(&symbol, sizeof symbol, to, bytes, offset, nullptr);
}
template <class P, class T> HD_PORT_API_ cudaGetSymbolAddress(P **address, T &symbol)
{
    *address = (P *)(void *)&symbol;
    return cudaSuccess;
}
template <class T> HD_PORT_API_ cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

#endif
