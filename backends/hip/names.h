/* SPDX-License-Identifier: Apache-2.0 */
/* names.h (HIP) - HIP's names for the runtime in backends/gpu. HIP 5.2 and newer, on AMD hardware
   and, as C++, on NVIDIA's. Names that HIP's headers for NVIDIA lack are taken from CUDA. */
#ifndef HEDDLE_GPU_NAMES_H
#define HEDDLE_GPU_NAMES_H

#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#define GPU_BACKEND_NAME "hip"
/* GPU(Malloc) is hipMalloc, GPU(Success) is hipSuccess. */
#define GPU(name) hip##name
typedef hipDeviceProp_t gpu_properties;
typedef hipFuncAttributes gpu_function_attributes;
typedef hipMemPoolProps gpu_pool_properties;
typedef hipMemAccessDesc gpu_pool_access;
typedef hipStreamCaptureMode gpu_capture_mode;
typedef hipStreamCaptureStatus gpu_capture_status;
typedef hipKernelNodeParams gpu_kernel_node;
typedef hipMemsetParams gpu_fill_node;
typedef hipHostNodeParams gpu_host_node;
typedef hipResourceDesc gpu_resource;
typedef hipTextureDesc gpu_sampler;

#define GPU_HostAlloc hipHostMalloc
#define GPU_HOST_PINNED hipHostMallocPortable
#define GPU_HOST_MAPPED (hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent)
#define GPU_FreeHost hipHostFree
#define GPU_STREAM_LEGACY ((hipStream_t)0)
#define GPU_STREAM_PER_THREAD hipStreamPerThread
#define GPU_SHARED_SIZE(bytes) ((unsigned)(bytes)) /* argument type of a cooperative launch */
#define GPU_MemAdvise hipMemAdvise                 /* HIP also uses -1 for the host */
#define GPU_MemPrefetch hipMemPrefetchAsync
#define GPU_GraphInstantiate(exec, graph) hipGraphInstantiate((exec), (graph), NULL, NULL, 0)

/* Releases before 5.4 declare hipLaunchHostFunc but do not define it. On NVIDIA hardware the
   underlying CUDA function replaces it, elsewhere a stream callback, which cannot be captured. */
#if HIP_VERSION >= 50400000
#define GPU_LaunchHostFunc hipLaunchHostFunc
#elif defined(__HIP_PLATFORM_NVIDIA__)
#define GPU_LaunchHostFunc(stream, function, argument)                                             \
    hipCUDAErrorTohipError(cudaLaunchHostFunc((stream), (function), (argument)))
#else
#define GPU_LaunchHostFunc hd_hip_launch_host
typedef struct hd_hip_host_call {
    void (*function)(void *);
    void *argument;
} hd_hip_host_call;

static inline void hd_hip_run_host(hipStream_t stream, hipError_t error, void *pointer)
{
    hd_hip_host_call call = *(hd_hip_host_call *)pointer;
    (void)stream, (void)error;
    free(pointer);
    call.function(call.argument);
}

static inline hipError_t hd_hip_launch_host(hipStream_t stream, void (*function)(void *),
                                            void *argument)
{
    hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
    hipError_t error = hipStreamIsCapturing(stream, &state);
    if (error == hipSuccess && state != hipStreamCaptureStatusNone)
        return hipErrorNotSupported; /* the callback would fail too, and end the capture */
    hd_hip_host_call *call = (hd_hip_host_call *)malloc(sizeof *call);
    if (!call)
        return hipErrorOutOfMemory;
    call->function = function;
    call->argument = argument;
    error = hipStreamAddCallback(stream, hd_hip_run_host, call, 0);
    if (error != hipSuccess)
        free(call);
    return error;
}
#endif

#ifdef __HIP_PLATFORM_NVIDIA__
#include "names_nvidia.h"
#else
#include "names_amd.h"
#endif

/* X(error, status). Errors that are not listed become HD_ERR_BACKEND. */
#define GPU_ERROR_LIST(X)                                                                          \
    X(hipErrorNotReady, HD_NOT_READY)                                                              \
    X(hipErrorInvalidValue, HD_ERR_ARGUMENT)                                                       \
    X(hipErrorInvalidHandle, HD_ERR_ARGUMENT)                                                      \
    X(hipErrorInvalidPitchValue, HD_ERR_ARGUMENT)                                                  \
    X(hipErrorOutOfMemory, HD_ERR_NO_MEMORY)                                                       \
    X(hipErrorNoDevice, HD_ERR_NO_DEVICE)                                                          \
    X(hipErrorInvalidDevice, HD_ERR_DEVICE_INDEX)                                                  \
    X(hipErrorContextAlreadyInUse, HD_ERR_DEVICE_BUSY)                                             \
    X(hipErrorInvalidConfiguration, HD_ERR_LAUNCH_CONFIG)                                          \
    X(hipErrorLaunchOutOfResources, HD_ERR_LAUNCH_CONFIG)                                          \
    X(hipErrorCooperativeLaunchTooLarge, HD_ERR_LAUNCH_CONFIG)                                     \
    X(hipErrorIllegalAddress, HD_ERR_ILLEGAL_ADDRESS)                                              \
    X(hipErrorLaunchFailure, HD_ERR_ILLEGAL_ADDRESS)                                               \
    X(hipErrorAssert, HD_ERR_DEVICE_LOST)                                                          \
    X(hipErrorLaunchTimeOut, HD_ERR_DEVICE_LOST)                                                   \
    X(hipErrorECCNotCorrectable, HD_ERR_DEVICE_LOST)                                               \
    X(hipErrorContextIsDestroyed, HD_ERR_DEVICE_LOST)                                              \
    X(hipErrorPeerAccessUnsupported, HD_ERR_NO_PEER)                                               \
    X(hipErrorInvalidDevicePointer, HD_ERR_POINTER)                                                \
    X(hipErrorHostMemoryNotRegistered, HD_ERR_POINTER)                                             \
    X(hipErrorNotSupported, HD_ERR_UNSUPPORTED)                                                    \
    X(hipErrorNoBinaryForGpu, HD_ERR_UNSUPPORTED)                                                  \
    X(hipErrorInvalidDeviceFunction, HD_ERR_UNSUPPORTED)                                           \
    X(hipErrorInvalidSymbol, HD_ERR_UNSUPPORTED)                                                   \
    X(hipErrorHostMemoryAlreadyRegistered, HD_ERR_STATE)                                           \
    X(hipErrorSetOnActiveProcess, HD_ERR_STATE)                                                    \
    X(hipErrorStreamCaptureUnsupported, HD_ERR_STATE)                                              \
    X(hipErrorStreamCaptureInvalidated, HD_ERR_STATE)                                              \
    X(hipErrorStreamCaptureMerge, HD_ERR_STATE)                                                    \
    X(hipErrorStreamCaptureIsolation, HD_ERR_STATE)                                                \
    X(hipErrorStreamCaptureImplicit, HD_ERR_STATE)                                                 \
    X(hipErrorStreamCaptureWrongThread, HD_ERR_STATE)                                              \
    X(hipErrorStreamCaptureUnmatched, HD_ERR_STATE)                                                \
    X(hipErrorStreamCaptureUnjoined, HD_ERR_STATE)                                                 \
    X(hipErrorGraphExecUpdateFailure, HD_ERR_STATE)                                                \
    X(hipErrorCapturedEvent, HD_ERR_STATE)

#endif
