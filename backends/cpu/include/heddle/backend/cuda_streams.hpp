/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_streams.hpp (CPU) - CUDA's streams, events and memory over heddle's. */
#ifndef HEDDLE_BACKEND_CUDA_STREAMS_HPP
#define HEDDLE_BACKEND_CUDA_STREAMS_HPP

#include <heddle/backend/cuda_copy.h>
#include <heddle/backend/cuda_host.hpp>

#define HD_PORT_CALL_ static inline HD_UNUSED_ cudaError_t

/* ---- streams and events ---------------------------------------------------------------------- */

typedef hd_stream *cudaStream_t;
typedef hd_event *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = HD_STREAM_NON_BLOCKING };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };

/* The legacy default stream of the current device stands behind a null stream. */
static inline HD_UNUSED_ hd_stream *hd_port_stream_(cudaStream_t stream)
{
    if (!stream)
        (void)hd_port_done_(hd_stream_default(hd_port_device_, HD_DEFAULT_LEGACY, &stream));
    return stream;
}
HD_PORT_CALL_ cudaStreamCreate(cudaStream_t *stream)
{
    return hd_port_done_(hd_stream_create(hd_port_device_, stream));
}
HD_PORT_CALL_ cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    return hd_port_done_(hd_stream_create_with(hd_port_device_, flags, priority, stream));
}
HD_PORT_CALL_ cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
HD_PORT_CALL_ cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    hd_port_get_(hd_port_device_, HD_ATTR_STREAM_PRIORITY_LEAST, least);
    hd_port_get_(hd_port_device_, HD_ATTR_STREAM_PRIORITY_GREATEST, greatest);
    return cudaSuccess;
}
HD_PORT_CALL_ cudaStreamDestroy(cudaStream_t stream)
{
    return hd_port_done_(hd_stream_destroy(stream));
}
HD_PORT_CALL_ cudaStreamSynchronize(cudaStream_t stream)
{
    return hd_port_done_(hd_stream_synchronize(hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaStreamQuery(cudaStream_t stream)
{
    const hd_status status = hd_stream_query(hd_port_stream_(stream));
    return status > 0 ? cudaErrorNotReady : hd_port_done_(status);
}
HD_PORT_CALL_ cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0)
{
    return hd_port_done_(hd_stream_wait(hd_port_stream_(stream), event));
}
HD_PORT_CALL_ cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument)
{
    return hd_port_done_(hd_stream_host_function(hd_port_stream_(stream), function, argument));
}
struct hd_port_callback_ {
    cudaStream_t stream;
    cudaStreamCallback_t function;
    void *argument;
    static void run(void *self)
    {
        hd_port_callback_ *c = (hd_port_callback_ *)self;
        c->function(c->stream, cudaSuccess, c->argument);
        delete c;
    }
};
HD_PORT_CALL_ cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                    void *argument, unsigned)
{
    hd_port_callback_ *callback = new hd_port_callback_{stream, function, argument};
    const cudaError_t error = cudaLaunchHostFunc(stream, hd_port_callback_::run, callback);

    if (error != cudaSuccess)
        delete callback;
    return error;
}
HD_PORT_CALL_ cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return hd_port_done_(hd_event_create(
        hd_port_device_, flags & cudaEventDisableTiming ? 0u : HD_EVENT_TIMING, event));
}
HD_PORT_CALL_ cudaEventCreate(cudaEvent_t *event, unsigned flags = 0)
{
    return cudaEventCreateWithFlags(event, flags);
}
HD_PORT_CALL_ cudaEventDestroy(cudaEvent_t event)
{
    return hd_port_done_(hd_event_destroy(event));
}
HD_PORT_CALL_ cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr)
{
    return hd_port_done_(hd_event_record(event, hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaEventSynchronize(cudaEvent_t event)
{
    return hd_port_done_(hd_event_synchronize(event));
}
HD_PORT_CALL_ cudaEventQuery(cudaEvent_t event)
{
    const hd_status status = hd_event_query(event);
    return status > 0 ? cudaErrorNotReady : hd_port_done_(status);
}
HD_PORT_CALL_ cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    return hd_port_done_(hd_event_elapsed(start, stop, milliseconds));
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4
};
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};

template <class T> HD_PORT_CALL_ hd_port_alloc_(T **pointer, size_t bytes, hd_memory_kind kind)
{
    void *memory = nullptr;
    const cudaError_t error = hd_port_done_(
        hd_alloc_bytes(&memory, bytes, 1, kind, hd_port_device_));

    *pointer = (T *)memory;
    return error;
}
template <class T> HD_PORT_CALL_ cudaMalloc(T **pointer, size_t bytes)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_DEVICE);
}
template <class T> HD_PORT_CALL_ cudaMallocManaged(T **pointer, size_t bytes, unsigned = 1)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MANAGED);
}
template <class T> HD_PORT_CALL_ cudaHostAlloc(T **pointer, size_t bytes, unsigned = 0)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MAPPED);
}
template <class T> HD_PORT_CALL_ cudaMallocHost(T **pointer, size_t bytes, unsigned = 0)
{
    return hd_port_alloc_(pointer, bytes, HD_MEM_MAPPED);
}
template <class T>
HD_PORT_CALL_ cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    const size_t unit = 512;
    *pitch = (width + unit - 1) / unit * unit;
    return hd_port_alloc_(pointer, *pitch * height, HD_MEM_DEVICE);
}
template <class T>
HD_PORT_CALL_ cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream = nullptr)
{
    void *memory = nullptr;
    const cudaError_t error = hd_port_done_(
        hd_alloc_async_bytes(&memory, bytes, 1, hd_port_stream_(stream)));

    *pointer = (T *)memory;
    return error;
}
HD_PORT_CALL_ cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    return hd_port_done_(hd_free_async(pointer, hd_port_stream_(stream)));
}
/* The default pool of a device: heddle's own, whose settings change speed only. */
typedef struct hd_port_pool_ *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold
};
HD_PORT_CALL_ cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int)
{
    *pool = nullptr;
    return cudaSuccess;
}
HD_PORT_CALL_ cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return cudaSuccess;
}
HD_PORT_CALL_ cudaFree(void *pointer)
{
    return hd_port_done_(hd_free(pointer));
}
HD_PORT_CALL_ cudaFreeHost(void *pointer)
{
    return hd_port_done_(hd_free(pointer));
}
HD_PORT_CALL_ cudaHostRegister(void *pointer, size_t bytes, unsigned)
{
    return hd_port_done_(hd_host_register(pointer, bytes, hd_port_device_));
}
HD_PORT_CALL_ cudaHostUnregister(void *pointer)
{
    return hd_port_done_(hd_host_unregister(pointer));
}
template <class T> HD_PORT_CALL_ cudaHostGetDevicePointer(T **device, void *host, unsigned = 0)
{
    void *address = nullptr;
    const cudaError_t error = hd_port_done_(
        hd_host_device_pointer(&address, host, hd_port_device_));

    *device = (T *)address;
    return error;
}
HD_PORT_CALL_ cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    return hd_port_done_(hd_device_memory(hd_port_device_, free_bytes, total_bytes));
}
static inline HD_UNUSED_ bool hd_port_captured_(cudaStream_t stream)
{
    int captured = 0;
    return stream && hd_stream_capturing(stream, &captured) >= 0 && captured;
}
/* Copies rows. heddle refuses to capture copies from or to pageable memory, CUDA does not. */
HD_PORT_CALL_ hd_port_copy_(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaStream_t stream)
{
    const bool rows = height == 1 || (to_pitch >= width && from_pitch >= width);
    hd_stream *const s = hd_port_stream_(stream);
    if (to && from && width && height && rows && hd_port_captured_(s))
        return hd_port_done_(
            hd_cpu_copy_captured(to, to_pitch, from, from_pitch, width, height, s));
    return hd_port_done_(height == 1
                             ? hd_copy_bytes(to, from, width, 1, s)
                             : hd_copy_2d(to, to_pitch, from, from_pitch, width, height, s));
}
HD_PORT_CALL_ cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    return hd_port_done_(hd_copy_blocking_bytes(to, from, bytes, 1, hd_port_stream_(nullptr)));
}
HD_PORT_CALL_ cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                              cudaMemcpyKind = cudaMemcpyDefault, cudaStream_t stream = nullptr)
{
    return hd_port_copy_(to, bytes, from, bytes, bytes, 1, stream);
}
HD_PORT_CALL_ cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind,
                                cudaStream_t stream = nullptr)
{
    return hd_port_copy_(to, to_pitch, from, from_pitch, width, height, stream);
}
HD_PORT_CALL_ cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, cudaMemcpyKind kind)
{
    const cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                                                kind);
    return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}
HD_PORT_CALL_ cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                  size_t bytes, cudaStream_t stream = nullptr)
{
    return hd_port_done_(
        hd_copy_peer(to, to_device, from, from_device, bytes, hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                             size_t bytes)
{
    const cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes);
    return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}
HD_PORT_CALL_ cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = nullptr)
{
    return hd_port_done_(
        hd_fill_bytes(to, (uint32_t)(value & 255), 1, bytes, hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes);
}
HD_PORT_CALL_ cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = cudaMemsetAsync((char *)to + row * pitch, value, width);
    return error;
}
HD_PORT_CALL_ cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                   cudaStream_t stream = nullptr)
{
    (void)pointer, (void)bytes, (void)device, (void)stream; /* one memory */
    return cudaSuccess;
}
HD_PORT_CALL_ cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    (void)pointer, (void)bytes, (void)advice, (void)device;
    return cudaSuccess;
}
HD_PORT_CALL_ cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned = 0)
{
    return cudaSuccess;
}

/* ---- symbols: device variables are variables of the program ---------------------------------- */

template <class T>
HD_PORT_CALL_ cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice,
                                      cudaStream_t stream = nullptr)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return hd_port_last_ = cudaErrorInvalidValue;
    if (hd_port_captured_(stream))
        return hd_port_copy_((char *)&symbol + offset, bytes, from, bytes, bytes, 1, stream);
    return hd_port_done_(
        hd_copy_blocking_bytes((char *)&symbol + offset, from, bytes, 1, hd_port_stream_(stream)));
}
template <class T>
HD_PORT_CALL_ cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind);
}
template <class T>
HD_PORT_CALL_ cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                        cudaStream_t stream = nullptr)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return hd_port_last_ = cudaErrorInvalidValue;
    if (hd_port_captured_(stream))
        return hd_port_copy_(to, bytes, (const char *)&symbol + offset, bytes, bytes, 1, stream);
    return hd_port_done_(hd_copy_blocking_bytes(to, (const char *)&symbol + offset, bytes, 1,
                                                hd_port_stream_(stream)));
}
template <class T>
HD_PORT_CALL_ cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind);
}
template <class P, class T> HD_PORT_CALL_ cudaGetSymbolAddress(P **address, T &symbol)
{
    *address = (P *)(void *)&symbol;
    return cudaSuccess;
}
template <class T> HD_PORT_CALL_ cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

#endif
