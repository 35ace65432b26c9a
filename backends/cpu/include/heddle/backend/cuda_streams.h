/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_streams.h (CPU) - CUDA's streams, events and memory over heddle's, in C11 and C++17. C++
   adds overloads in cuda_streams.hpp, C macros in cuda_c/calls.h. */
#ifndef HEDDLE_BACKEND_CUDA_STREAMS_H
#define HEDDLE_BACKEND_CUDA_STREAMS_H

#include <stdlib.h>

#include <heddle/backend/cuda_copy.h>
#include <heddle/backend/cuda_host.h>

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
HD_PORT_API_ cudaStreamCreate(cudaStream_t *stream)
{
    return hd_port_done_(hd_stream_create(hd_port_device_, stream));
}
HD_PORT_API_ cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    return hd_port_done_(hd_stream_create_with(hd_port_device_, flags, priority, stream));
}
HD_PORT_API_ cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
HD_PORT_API_ cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = (int)hd_port_got_(hd_port_device_, HD_ATTR_STREAM_PRIORITY_LEAST, 0);
    *greatest = (int)hd_port_got_(hd_port_device_, HD_ATTR_STREAM_PRIORITY_GREATEST, 0);
    return cudaSuccess;
}
HD_PORT_API_ cudaStreamDestroy(cudaStream_t stream)
{
    return hd_port_done_(hd_stream_destroy(stream));
}
HD_PORT_API_ cudaStreamSynchronize(cudaStream_t stream)
{
    return hd_port_done_(hd_stream_synchronize(hd_port_stream_(stream)));
}
HD_PORT_API_ cudaStreamQuery(cudaStream_t stream)
{
    const hd_status status = hd_stream_query(hd_port_stream_(stream));
    return status > 0 ? cudaErrorNotReady : hd_port_done_(status);
}
HD_PORT_API_ cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                 unsigned flags HD_PORT_DEFAULT_(0))
{
    (void)flags;
    return hd_port_done_(hd_stream_wait(hd_port_stream_(stream), event));
}
HD_PORT_API_ cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument)
{
    return hd_port_done_(hd_stream_host_function(hd_port_stream_(stream), function, argument));
}
typedef struct hd_port_callback_ {
    cudaStream_t stream;
    cudaStreamCallback_t function;
    void *argument;
} hd_port_callback_;
static inline HD_UNUSED_ void hd_port_run_callback_(void *self)
{
    hd_port_callback_ *c = (hd_port_callback_ *)self;

    c->function(c->stream, cudaSuccess, c->argument);
    free(c);
}
HD_PORT_API_ cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                   void *argument, unsigned flags)
{
    hd_port_callback_ *callback = (hd_port_callback_ *)malloc(sizeof *callback);
    cudaError_t error;

    (void)flags;
    if (!callback)
        return hd_port_last_ = cudaErrorMemoryAllocation;
    callback->stream = stream;
    callback->function = function;
    callback->argument = argument;
    error = cudaLaunchHostFunc(stream, hd_port_run_callback_, callback);
    if (error != cudaSuccess)
        free(callback);
    return error;
}
HD_PORT_API_ cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return hd_port_done_(hd_event_create(
        hd_port_device_, flags & cudaEventDisableTiming ? 0u : (unsigned)HD_EVENT_TIMING, event));
}
HD_PORT_API_ cudaEventCreate(cudaEvent_t *event, unsigned flags HD_PORT_DEFAULT_(0))
{
    return cudaEventCreateWithFlags(event, flags);
}
HD_PORT_API_ cudaEventDestroy(cudaEvent_t event)
{
    return hd_port_done_(hd_event_destroy(event));
}
HD_PORT_API_ cudaEventRecord(cudaEvent_t event, cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    return hd_port_done_(hd_event_record(event, hd_port_stream_(stream)));
}
HD_PORT_API_ cudaEventSynchronize(cudaEvent_t event)
{
    return hd_port_done_(hd_event_synchronize(event));
}
HD_PORT_API_ cudaEventQuery(cudaEvent_t event)
{
    const hd_status status = hd_event_query(event);
    return status > 0 ? cudaErrorNotReady : hd_port_done_(status);
}
HD_PORT_API_ cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
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
typedef enum cudaMemcpyKind cudaMemcpyKind;
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
typedef enum cudaMemoryAdvise cudaMemoryAdvise;

/* Stores an address in the pointer at `pointer`, whatever it points to. */
static inline HD_UNUSED_ void hd_port_point_(void *pointer, void *address)
{
    memcpy(pointer, &address, sizeof address);
}
HD_PORT_API_ hd_port_alloc_(void *pointer, size_t bytes, hd_memory_kind kind)
{
    void *memory = NULL;
    const cudaError_t error = hd_port_done_(
        hd_alloc_bytes(&memory, bytes, 1, kind, hd_port_device_));

    hd_port_point_(pointer, memory);
    return error;
}
HD_PORT_API_ hd_port_alloc_rows_(void *pointer, size_t *pitch, size_t width, size_t height)
{
    const size_t unit = 512;

    *pitch = (width + unit - 1) / unit * unit;
    return hd_port_alloc_(pointer, *pitch * height, HD_MEM_DEVICE);
}
HD_PORT_API_ hd_port_alloc_async_(void *pointer, size_t bytes, cudaStream_t stream)
{
    void *memory = NULL;
    const cudaError_t error = hd_port_done_(
        hd_alloc_async_bytes(&memory, bytes, 1, hd_port_stream_(stream)));

    hd_port_point_(pointer, memory);
    return error;
}
HD_PORT_API_ cudaFreeAsync(void *pointer, cudaStream_t stream)
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
typedef enum cudaMemPoolAttr cudaMemPoolAttr;
HD_PORT_API_ cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    (void)device;
    *pool = NULL;
    return cudaSuccess;
}
HD_PORT_API_ cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    (void)pool, (void)attribute, (void)value;
    return cudaSuccess;
}
HD_PORT_API_ cudaFree(void *pointer)
{
    return hd_port_done_(hd_free(pointer));
}
HD_PORT_API_ cudaFreeHost(void *pointer)
{
    return hd_port_done_(hd_free(pointer));
}
HD_PORT_API_ cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    return hd_port_done_(hd_host_register(pointer, bytes, hd_port_device_));
}
HD_PORT_API_ cudaHostUnregister(void *pointer)
{
    return hd_port_done_(hd_host_unregister(pointer));
}
HD_PORT_API_ hd_port_mapped_(void *pointer, void *host)
{
    void *address = NULL;
    const cudaError_t error = hd_port_done_(
        hd_host_device_pointer(&address, host, hd_port_device_));

    hd_port_point_(pointer, address);
    return error;
}
HD_PORT_API_ cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    return hd_port_done_(hd_device_memory(hd_port_device_, free_bytes, total_bytes));
}
static inline HD_UNUSED_ bool hd_port_captured_(cudaStream_t stream)
{
    int captured = 0;
    return stream && hd_stream_capturing(stream, &captured) >= 0 && captured;
}
/* Copies rows. heddle refuses to capture copies from or to pageable memory, CUDA does not. */
HD_PORT_API_ hd_port_copy_(void *to, size_t to_pitch, const void *from, size_t from_pitch,
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
/* Whether the direction is one; otherwise it is the last error. */
static inline HD_UNUSED_ bool hd_port_direction_(cudaMemcpyKind kind)
{
    if ((unsigned)kind <= cudaMemcpyDefault)
        return true;
    hd_port_last_ = cudaErrorInvalidMemcpyDirection;
    return false;
}
/* Waits first, unless the source is the host's: the address of a device variable is plain host
   memory to heddle, which lazy streams read when the copy is enqueued. */
HD_PORT_API_ cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    hd_stream *stream = hd_port_stream_(NULL);
    hd_status status = HD_OK;

    if (!hd_port_direction_(kind))
        return cudaErrorInvalidMemcpyDirection;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyHostToHost)
        status = hd_stream_synchronize(stream);
    if (status >= 0)
        status = hd_copy_blocking_bytes(to, from, bytes, 1, stream);
    return hd_port_done_(status);
}
HD_PORT_API_ cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                             cudaMemcpyKind kind HD_PORT_DEFAULT_(cudaMemcpyDefault),
                             cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    if (!hd_port_direction_(kind))
        return cudaErrorInvalidMemcpyDirection;
    return hd_port_copy_(to, bytes, from, bytes, bytes, 1, stream);
}
HD_PORT_API_ cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t width, size_t height, cudaMemcpyKind kind,
                               cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    if (!hd_port_direction_(kind))
        return cudaErrorInvalidMemcpyDirection;
    return hd_port_copy_(to, to_pitch, from, from_pitch, width, height, stream);
}
HD_PORT_API_ cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                          size_t width, size_t height, cudaMemcpyKind kind)
{
    const cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                                                NULL);
    return error != cudaSuccess ? error : cudaStreamSynchronize(NULL);
}
HD_PORT_API_ cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                 size_t bytes, cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    return hd_port_done_(
        hd_copy_peer(to, to_device, from, from_device, bytes, hd_port_stream_(stream)));
}
HD_PORT_API_ cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                            size_t bytes)
{
    const cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
    return error != cudaSuccess ? error : cudaStreamSynchronize(NULL);
}
HD_PORT_API_ cudaMemsetAsync(void *to, int value, size_t bytes,
                             cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    return hd_port_done_(
        hd_fill_bytes(to, (uint32_t)(value & 255), 1, bytes, hd_port_stream_(stream)));
}
HD_PORT_API_ cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}
HD_PORT_API_ cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = cudaMemsetAsync((char *)to + row * pitch, value, width, NULL);
    return error;
}
HD_PORT_API_ cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                  cudaStream_t stream HD_PORT_DEFAULT_(NULL))
{
    (void)pointer, (void)bytes, (void)device, (void)stream; /* one memory */
    return cudaSuccess;
}
HD_PORT_API_ cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    (void)pointer, (void)bytes, (void)advice, (void)device;
    return cudaSuccess;
}
HD_PORT_API_ cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                      size_t bytes HD_PORT_DEFAULT_(0),
                                      unsigned flags HD_PORT_DEFAULT_(0))
{
    (void)stream, (void)pointer, (void)bytes, (void)flags;
    return cudaSuccess;
}

/* ---- symbols: device variables are variables of the program ---------------------------------- */

/* Whether `bytes` bytes that begin at `offset` are in a variable of `size` bytes. */
static inline HD_UNUSED_ bool hd_port_inside_(size_t bytes, size_t offset, size_t size)
{
    return offset <= size && bytes <= size - offset;
}
HD_PORT_API_ hd_port_copy_part_(void *to, const void *from, size_t bytes, cudaStream_t stream)
{
    if (hd_port_captured_(stream))
        return hd_port_copy_(to, bytes, from, bytes, bytes, 1, stream);
    return hd_port_done_(hd_copy_blocking_bytes(to, from, bytes, 1, hd_port_stream_(stream)));
}
HD_PORT_API_ hd_port_to_symbol_(const volatile void *symbol, size_t size, const void *from,
                                size_t bytes, size_t offset, cudaStream_t stream)
{
    if (!hd_port_inside_(bytes, offset, size))
        return hd_port_last_ = cudaErrorInvalidValue;
    return hd_port_copy_part_((char *)symbol + offset, from, bytes, stream);
}
/* Waits for the kernels that write the variable first: to heddle it is plain host memory, which
   lazy streams read when the copy is enqueued. */
HD_PORT_API_ hd_port_from_symbol_(const volatile void *symbol, size_t size, void *to, size_t bytes,
                                  size_t offset, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;

    if (!hd_port_inside_(bytes, offset, size))
        return hd_port_last_ = cudaErrorInvalidValue;
    if (!hd_port_captured_(stream))
        error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess)
        return error;
    return hd_port_copy_part_(to, (const char *)symbol + offset, bytes, stream);
}

#endif
