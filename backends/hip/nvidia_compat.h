/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia_compat.h - makes HIP's headers for NVIDIA hardware (5.2 and newer) compile with a CUDA
   whose calls have changed since. To be included before any of HIP's headers, or forced with nvcc's
   -include; C++ only. While HIP's header is read, macros redirect the changed calls to the
   functions below, which have the old signatures; afterwards CUDA's names have their own meaning
   again. */
#ifndef HEDDLE_HIP_NVIDIA_COMPAT_H
#define HEDDLE_HIP_NVIDIA_COMPAT_H

#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__ 1
#endif

#include <cuda.h>
#include <cuda_runtime.h>
#include <hip/hip_version.h>
#include <string.h>

/* ---- texture references, removed in CUDA 12 -------------------------------------------------- */

#if HIP_VERSION_MAJOR < 6
struct textureReference {
    int unused;
};
template <class T, int dimension, enum cudaTextureReadMode mode>
struct texture : textureReference {};
template <class... Arguments> static inline cudaError_t hd_old_texture_call(Arguments...)
{
    return cudaErrorNotSupported;
}
#define cudaBindTexture hd_old_texture_call
#define cudaBindTexture2D hd_old_texture_call
#define cudaBindTextureToArray hd_old_texture_call
#define cudaUnbindTexture hd_old_texture_call
#define cudaGetTextureAlignmentOffset hd_old_texture_call
#endif

/* ---- changes in CUDA 13 ---------------------------------------------------------------------- */

#if CUDART_VERSION >= 13000

/* Properties that became attributes. */
struct hd_old_properties : cudaDeviceProp {
    int clockRate, memoryClockRate, computeMode, kernelExecTimeoutEnabled;
    int cooperativeMultiDeviceLaunch, deviceOverlap, maxTexture1DLinear;
    int singleToDoublePrecisionPerfRatio;
};

static inline cudaError_t hd_old_get_properties(hd_old_properties *properties, int device)
{
    memset((void *)properties, 0, sizeof *properties);
    cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate,
                                       device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled,
                                       cudaDevAttrKernelExecTimeout, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->deviceOverlap, cudaDevAttrGpuOverlap, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->maxTexture1DLinear,
                                       cudaDevAttrMaxTexture1DLinearWidth, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&properties->singleToDoublePrecisionPerfRatio,
                                       cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    return error;
}

/* A memory location used to be a device number, negative for the host. */
static inline cudaMemLocation hd_old_place(int device)
{
    cudaMemLocation place;
    memset(&place, 0, sizeof place);
    place.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = device < 0 ? 0 : device;
    return place;
}

static inline cudaError_t hd_old_advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        int device)
{
    return cudaMemAdvise(pointer, bytes, advice, hd_old_place(device));
}

static inline cudaError_t hd_old_prefetch(const void *pointer, size_t bytes, int device,
                                          cudaStream_t stream)
{
    return cudaMemPrefetchAsync(pointer, bytes, hd_old_place(device), 0, stream);
}

static inline CUresult hd_old_context(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate(context, nullptr, flags, device);
}

static inline cudaError_t hd_old_multi_launch(void *, unsigned, unsigned)
{
    return cudaErrorNotSupported;
}

/* Graph edges now have edge data; the old calls have edges without data. */
static inline cudaError_t hd_old_add_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

static inline cudaError_t hd_old_remove_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                                              const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}

static inline cudaError_t hd_old_get_edges(cudaGraph_t graph, cudaGraphNode_t *from,
                                           cudaGraphNode_t *to, size_t *count)
{
    return cudaGraphGetEdges(graph, from, to, nullptr, count);
}

static inline cudaError_t hd_old_get_before(cudaGraphNode_t node, cudaGraphNode_t *before,
                                            size_t *count)
{
    return cudaGraphNodeGetDependencies(node, before, nullptr, count);
}

static inline cudaError_t hd_old_get_after(cudaGraphNode_t node, cudaGraphNode_t *after,
                                           size_t *count)
{
    return cudaGraphNodeGetDependentNodes(node, after, nullptr, count);
}

static inline cudaError_t hd_old_capture_info(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                              unsigned long long *id, cudaGraph_t *graph = nullptr,
                                              const cudaGraphNode_t **nodes = nullptr,
                                              size_t *count = nullptr)
{
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}

static inline cudaError_t hd_old_capture_update(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                size_t count, unsigned flags)
{
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

#pragma push_macro("cuCtxCreate")
#pragma push_macro("cudaMemPrefetchAsync")
#pragma push_macro("cudaStreamGetCaptureInfo_v2")
#pragma push_macro("cudaStreamUpdateCaptureDependencies")
#undef cuCtxCreate
#undef cudaMemPrefetchAsync
#undef cudaStreamGetCaptureInfo_v2
#undef cudaStreamUpdateCaptureDependencies
#define cuCtxCreate hd_old_context
#define cudaMemPrefetchAsync hd_old_prefetch
#define cudaStreamGetCaptureInfo_v2 hd_old_capture_info
#define cudaStreamUpdateCaptureDependencies hd_old_capture_update
#define cudaDeviceProp hd_old_properties
#define cudaGetDeviceProperties hd_old_get_properties
#define cudaMemAdvise hd_old_advise
#define cudaLaunchCooperativeKernelMultiDevice hd_old_multi_launch
#define cudaDevAttrCooperativeMultiDeviceLaunch ((cudaDeviceAttr)96)
#define cudaGraphAddDependencies hd_old_add_edges
#define cudaGraphRemoveDependencies hd_old_remove_edges
#define cudaGraphGetEdges hd_old_get_edges
#define cudaGraphNodeGetDependencies hd_old_get_before
#define cudaGraphNodeGetDependentNodes hd_old_get_after

#include <hip/hip_runtime.h>

#undef cudaDeviceProp
#undef cudaGetDeviceProperties
#undef cudaMemAdvise
#undef cudaLaunchCooperativeKernelMultiDevice
#undef cudaDevAttrCooperativeMultiDeviceLaunch
#undef cudaGraphAddDependencies
#undef cudaGraphRemoveDependencies
#undef cudaGraphGetEdges
#undef cudaGraphNodeGetDependencies
#undef cudaGraphNodeGetDependentNodes
#pragma pop_macro("cuCtxCreate")
#pragma pop_macro("cudaMemPrefetchAsync")
#pragma pop_macro("cudaStreamGetCaptureInfo_v2")
#pragma pop_macro("cudaStreamUpdateCaptureDependencies")

#else
#include <hip/hip_runtime.h>
#endif

#if HIP_VERSION_MAJOR < 6
#undef cudaBindTexture
#undef cudaBindTexture2D
#undef cudaBindTextureToArray
#undef cudaUnbindTexture
#undef cudaGetTextureAlignmentOffset
#endif

#endif
