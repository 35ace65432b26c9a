/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h (CPU) - calls of CUDA's runtime in C that have default arguments, or take a pointer to a
   pointer of any type or a device variable by its name. Defaults are appended to the arguments:
   all are 0, or else the parameter has no effect. */
#ifndef HEDDLE_BACKEND_CUDA_C_CALLS_H
#define HEDDLE_BACKEND_CUDA_C_CALLS_H

#include <heddle/backend/cuda_c/defaults.h>
#include <heddle/backend/cuda_graphs.h>

#define HD_PORT_FIRST_2_(n, call, a, b, ...) ((void)HD_PORT_REST_(n, __VA_ARGS__), call(a, b))
#define HD_PORT_FIRST_3_(n, call, a, b, c, ...) ((void)HD_PORT_REST_(n, __VA_ARGS__), call(a, b, c))
#define HD_PORT_FIRST_4_(n, call, a, b, c, d, ...)                                                 \
    ((void)HD_PORT_REST_(n, __VA_ARGS__), call(a, b, c, d))
#define HD_PORT_FIRST_6_(n, call, a, b, c, d, e, f, ...)                                           \
    ((void)HD_PORT_REST_(n, __VA_ARGS__), call(a, b, c, d, e, f))

#define cudaEventCreate(...) HD_PORT_FIRST_2_(2, cudaEventCreate, __VA_ARGS__, 0, 0)
#define cudaEventRecord(...) HD_PORT_FIRST_2_(2, cudaEventRecord, __VA_ARGS__, 0, 0)
#define cudaStreamWaitEvent(...) HD_PORT_FIRST_3_(2, cudaStreamWaitEvent, __VA_ARGS__, 0, 0)
#define cudaMemcpyPeerAsync(...) HD_PORT_FIRST_6_(2, cudaMemcpyPeerAsync, __VA_ARGS__, 0, 0)
#define cudaMemsetAsync(...) HD_PORT_FIRST_4_(2, cudaMemsetAsync, __VA_ARGS__, 0, 0)
#define cudaMemPrefetchAsync(...) HD_PORT_FIRST_4_(2, cudaMemPrefetchAsync, __VA_ARGS__, 0, 0)
#define cudaStreamAttachMemAsync(...)                                                              \
    HD_PORT_FIRST_4_(3, cudaStreamAttachMemAsync, __VA_ARGS__, 0, 0, 0)
#define cudaMemcpyAsync(...) HD_PORT_COPY_ASYNC_(__VA_ARGS__, 0, 0, 0)
#define HD_PORT_COPY_ASYNC_(to, from, bytes, kind, stream, ...)                                    \
    ((void)HD_PORT_REST_(3, __VA_ARGS__),                                                          \
     (cudaMemcpyAsync)(to, from, bytes, (cudaMemcpyKind)(kind), stream))
#define cudaMemcpy2DAsync(...) HD_PORT_COPY_ROWS_(__VA_ARGS__, 0, 0)
#define HD_PORT_COPY_ROWS_(to, to_pitch, from, from_pitch, width, height, kind, stream, ...)       \
    ((void)HD_PORT_REST_(2, __VA_ARGS__),                                                          \
     (cudaMemcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, stream))

/* ---- allocations ----------------------------------------------------------------------------- */

/* The address of a pointer (5: the class of pointers). */
#define HD_PORT_POINTER_(pointer)                                                                  \
    __extension__({                                                                                \
        _Static_assert(__builtin_classify_type(*(pointer)) == 5,                                   \
                       "pass the address of a pointer, as in cudaMalloc(&p, bytes)");              \
        (void *)(pointer);                                                                         \
    })
#define cudaMalloc(pointer, bytes) hd_port_alloc_(HD_PORT_POINTER_(pointer), bytes, HD_MEM_DEVICE)
#define cudaMallocManaged(...) HD_PORT_ALLOC_(HD_MEM_MANAGED, __VA_ARGS__, 0, 0)
#define cudaHostAlloc(...) HD_PORT_ALLOC_(HD_MEM_MAPPED, __VA_ARGS__, 0, 0)
#define cudaMallocHost(...) HD_PORT_ALLOC_(HD_MEM_MAPPED, __VA_ARGS__, 0, 0)
#define HD_PORT_ALLOC_(kind, pointer, bytes, flags, ...)                                           \
    ((void)HD_PORT_REST_(2, __VA_ARGS__), (void)(flags),                                           \
     hd_port_alloc_(HD_PORT_POINTER_(pointer), bytes, kind))
#define cudaMallocPitch(pointer, pitch, width, height)                                             \
    hd_port_alloc_rows_(HD_PORT_POINTER_(pointer), pitch, width, height)
#define cudaMallocAsync(...) HD_PORT_ALLOC_ASYNC_(__VA_ARGS__, 0, 0)
#define HD_PORT_ALLOC_ASYNC_(pointer, bytes, stream, ...)                                          \
    ((void)HD_PORT_REST_(2, __VA_ARGS__),                                                          \
     hd_port_alloc_async_(HD_PORT_POINTER_(pointer), bytes, stream))
#define cudaHostGetDevicePointer(...) HD_PORT_MAPPED_(__VA_ARGS__, 0, 0)
#define HD_PORT_MAPPED_(pointer, host, flags, ...)                                                 \
    ((void)HD_PORT_REST_(2, __VA_ARGS__), (void)(flags),                                           \
     hd_port_mapped_(HD_PORT_POINTER_(pointer), host))

/* ---- device variables ------------------------------------------------------------------------ */

#define cudaMemcpyToSymbol(...) HD_PORT_TO_SYMBOL_(__VA_ARGS__, 0, 0, 0, 0)
#define cudaMemcpyToSymbolAsync(...) HD_PORT_TO_SYMBOL_(__VA_ARGS__, 0, 0, 0, 0)
#define HD_PORT_TO_SYMBOL_(symbol, from, bytes, offset, kind, stream, ...)                         \
    ((void)HD_PORT_REST_(4, __VA_ARGS__), (void)(kind),                                            \
     hd_port_to_symbol_(&(symbol), sizeof(symbol), from, bytes, (size_t)(offset), stream))
#define cudaMemcpyFromSymbol(...) HD_PORT_FROM_SYMBOL_(__VA_ARGS__, 0, 0, 0, 0)
#define cudaMemcpyFromSymbolAsync(...) HD_PORT_FROM_SYMBOL_(__VA_ARGS__, 0, 0, 0, 0)
#define HD_PORT_FROM_SYMBOL_(to, symbol, bytes, offset, kind, stream, ...)                         \
    ((void)HD_PORT_REST_(4, __VA_ARGS__), (void)(kind),                                            \
     hd_port_from_symbol_(&(symbol), sizeof(symbol), to, bytes, (size_t)(offset), stream))

HD_PORT_API_ hd_port_symbol_address_(void *pointer, const volatile void *symbol)
{
    hd_port_point_(pointer, (void *)symbol);
    return cudaSuccess;
}
#define cudaGetSymbolAddress(pointer, symbol)                                                      \
    hd_port_symbol_address_(HD_PORT_POINTER_(pointer), &(symbol))
HD_PORT_API_ hd_port_symbol_size_(size_t *bytes, size_t size)
{
    *bytes = size;
    return cudaSuccess;
}
#define cudaGetSymbolSize(bytes, symbol) hd_port_symbol_size_(bytes, sizeof(symbol))

/* ---- graphs ---------------------------------------------------------------------------------- */

/* With the flags of CUDA 12 or, as in CUDA 11, an error node and a log. */
#define cudaGraphInstantiate(...) HD_PORT_INSTANTIATE_(__VA_ARGS__, 0, 0, 0, 0)
#define HD_PORT_INSTANTIATE_(exec, graph, node, log, bytes, ...)                                   \
    ((void)HD_PORT_REST_(4, __VA_ARGS__), (void)(node),                                            \
     hd_port_instantiate_(exec, graph, log, bytes))

#endif
