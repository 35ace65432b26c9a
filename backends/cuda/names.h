/* SPDX-License-Identifier: Apache-2.0 */
/* names.h (CUDA) - CUDA's names for the runtime in backends/gpu. CUDA 12.0 and newer. */
#ifndef HEDDLE_GPU_NAMES_H
#define HEDDLE_GPU_NAMES_H

#include <cuda_runtime_api.h>

#include <heddle/heddle.h>

#include "attributes.h"
#include "driver.h"
#include "graph_calls.h"
#include "link.h"
#include "sensors.h"

#define GPU_BACKEND_NAME "cuda"
/* GPU(Malloc) is cudaMalloc, GPU(Success) is cudaSuccess. */
#define GPU(name) cuda##name
typedef struct cudaDeviceProp gpu_properties;
typedef struct cudaFuncAttributes gpu_function_attributes;
typedef struct cudaMemPoolProps gpu_pool_properties;
typedef struct cudaMemAccessDesc gpu_pool_access;
typedef enum cudaStreamCaptureMode gpu_capture_mode;
typedef enum cudaStreamCaptureStatus gpu_capture_status;
typedef struct cudaKernelNodeParams gpu_kernel_node;
typedef struct cudaMemsetParams gpu_fill_node;
typedef struct cudaHostNodeParams gpu_host_node;
typedef struct cudaResourceDesc gpu_resource;
typedef struct cudaTextureDesc gpu_sampler;

#define GPU_HostAlloc cudaHostAlloc
#define GPU_HOST_PINNED cudaHostAllocPortable
#define GPU_HOST_MAPPED (cudaHostAllocPortable | cudaHostAllocMapped)
#define GPU_FreeHost cudaFreeHost
#define GPU_STREAM_LEGACY cudaStreamLegacy
#define GPU_STREAM_PER_THREAD cudaStreamPerThread
#define GPU_ThreadExchangeStreamCaptureMode cudaThreadExchangeStreamCaptureMode
#define GPU_DeviceGetAttribute cudaDeviceGetAttribute
#define GPU_SetMaxShared(function, bytes)                                                          \
    cudaFuncSetAttribute((function), cudaFuncAttributeMaxDynamicSharedMemorySize, (bytes))
#define GPU_LaunchHostFunc cudaLaunchHostFunc
#define GPU_SHARED_SIZE(bytes) (bytes) /* argument type of a cooperative launch */
#define GPU_HAS_PRINTF_LIMIT 1
#define GPU_GRAPH_LAUNCHES_OVERLAP 0
#define GPU_GraphInstantiate(exec, graph) cudaGraphInstantiate((exec), (graph), 0)
#define GPU_GraphUpdate hd_cuda_graph_update
#define GPU_GraphDepend hd_cuda_graph_depend
#define GPU_CaptureId hd_cuda_capture_id
#define GPU_HAS_COOPERATIVE_NODES 1
#define GPU_NodeCooperative hd_cuda_node_cooperative

/* Device memory of one GPU is coherent for system-scope accesses of its peers. */
#define GPU_MallocCoherent cudaMalloc
#define GPU_PeerLink(ordinal, peer, here, there, info) hd_cuda_peer_link((here), (there), (info))
#define GPU_Sensors hd_cuda_sensors
#define GPU_COLLECTIVES_LIBRARY "libnccl.so.2"
#define GPU_FillWords hd_cuda_fill_words
#define GPU_AddressRange hd_cuda_address_range
#define GPU_ARCH(text, size, ordinal) hd_gpu_arch_numbers("sm_", (text), (size), (ordinal))

typedef struct cudaPointerAttributes gpu_pointer_attributes;
#define GPU_PointerGetAttributes cudaPointerGetAttributes
static inline hd_memory_kind gpu_pointer_kind(const gpu_pointer_attributes *attributes)
{
    switch (attributes->type) {
    case cudaMemoryTypeDevice:
        return HD_MEM_DEVICE;
    case cudaMemoryTypeHost:
        return HD_MEM_PINNED;
    case cudaMemoryTypeManaged:
        return HD_MEM_MANAGED;
    default:
        return HD_MEM_UNKNOWN;
    }
}

#if CUDART_VERSION >= 13000
typedef struct cudaMemLocation gpu_place;
#else
typedef int gpu_place;
#endif
/* Location of managed memory: a device, or the host for a negative ordinal. */
static inline gpu_place gpu_place_of(int ordinal)
{
#if CUDART_VERSION >= 13000
    gpu_place place;
    place.type = ordinal < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = ordinal < 0 ? 0 : ordinal;
    return place;
#else
    return ordinal < 0 ? cudaCpuDeviceId : ordinal;
#endif
}
#define GPU_MemAdvise(pointer, bytes, advice, ordinal)                                             \
    cudaMemAdvise((pointer), (bytes), (advice), gpu_place_of(ordinal))
#if CUDART_VERSION >= 13000
#define GPU_MemPrefetch(pointer, bytes, ordinal, stream)                                           \
    cudaMemPrefetchAsync((pointer), (bytes), gpu_place_of(ordinal), 0, (stream))
#else
#define GPU_MemPrefetch(pointer, bytes, ordinal, stream)                                           \
    cudaMemPrefetchAsync((pointer), (bytes), gpu_place_of(ordinal), (stream))
#endif

/* X(error, status). Errors that are not listed become HD_ERR_BACKEND. */
#define GPU_ERROR_LIST(X)                                                                          \
    X(cudaErrorNotReady, HD_NOT_READY)                                                             \
    X(cudaErrorInvalidValue, HD_ERR_ARGUMENT)                                                      \
    X(cudaErrorInvalidResourceHandle, HD_ERR_ARGUMENT)                                             \
    X(cudaErrorInvalidPitchValue, HD_ERR_ARGUMENT)                                                 \
    X(cudaErrorMemoryAllocation, HD_ERR_NO_MEMORY)                                                 \
    X(cudaErrorNoDevice, HD_ERR_NO_DEVICE)                                                         \
    X(cudaErrorInvalidDevice, HD_ERR_DEVICE_INDEX)                                                 \
    X(cudaErrorDevicesUnavailable, HD_ERR_DEVICE_BUSY)                                             \
    X(cudaErrorDeviceAlreadyInUse, HD_ERR_DEVICE_BUSY)                                             \
    X(cudaErrorInvalidConfiguration, HD_ERR_LAUNCH_CONFIG)                                         \
    X(cudaErrorLaunchOutOfResources, HD_ERR_LAUNCH_CONFIG)                                         \
    X(cudaErrorCooperativeLaunchTooLarge, HD_ERR_LAUNCH_CONFIG)                                    \
    X(cudaErrorIllegalAddress, HD_ERR_ILLEGAL_ADDRESS)                                             \
    X(cudaErrorMisalignedAddress, HD_ERR_ILLEGAL_ADDRESS)                                          \
    X(cudaErrorInvalidAddressSpace, HD_ERR_ILLEGAL_ADDRESS)                                        \
    X(cudaErrorInvalidPc, HD_ERR_ILLEGAL_ADDRESS)                                                  \
    X(cudaErrorHardwareStackError, HD_ERR_ILLEGAL_ADDRESS)                                         \
    X(cudaErrorIllegalInstruction, HD_ERR_ILLEGAL_ADDRESS)                                         \
    X(cudaErrorLaunchFailure, HD_ERR_ILLEGAL_ADDRESS)                                              \
    X(cudaErrorAssert, HD_ERR_DEVICE_LOST)                                                         \
    X(cudaErrorLaunchTimeout, HD_ERR_DEVICE_LOST)                                                  \
    X(cudaErrorECCUncorrectable, HD_ERR_DEVICE_LOST)                                               \
    X(cudaErrorContextIsDestroyed, HD_ERR_DEVICE_LOST)                                             \
    X(cudaErrorPeerAccessUnsupported, HD_ERR_NO_PEER)                                              \
    X(cudaErrorInvalidDevicePointer, HD_ERR_POINTER)                                               \
    X(cudaErrorHostMemoryNotRegistered, HD_ERR_POINTER)                                            \
    X(cudaErrorNotSupported, HD_ERR_UNSUPPORTED)                                                   \
    X(cudaErrorNotPermitted, HD_ERR_UNSUPPORTED)                                                   \
    X(cudaErrorNoKernelImageForDevice, HD_ERR_UNSUPPORTED)                                         \
    X(cudaErrorInvalidDeviceFunction, HD_ERR_UNSUPPORTED)                                          \
    X(cudaErrorInvalidSymbol, HD_ERR_UNSUPPORTED)                                                  \
    X(cudaErrorUnsupportedPtxVersion, HD_ERR_UNSUPPORTED)                                          \
    X(cudaErrorHostMemoryAlreadyRegistered, HD_ERR_STATE)                                          \
    X(cudaErrorSetOnActiveProcess, HD_ERR_STATE)                                                   \
    X(cudaErrorStreamCaptureUnsupported, HD_ERR_STATE)                                             \
    X(cudaErrorStreamCaptureInvalidated, HD_ERR_STATE)                                             \
    X(cudaErrorStreamCaptureMerge, HD_ERR_STATE)                                                   \
    X(cudaErrorStreamCaptureIsolation, HD_ERR_STATE)                                               \
    X(cudaErrorStreamCaptureImplicit, HD_ERR_STATE)                                                \
    X(cudaErrorStreamCaptureWrongThread, HD_ERR_STATE)                                             \
    X(cudaErrorStreamCaptureUnmatched, HD_ERR_STATE)                                               \
    X(cudaErrorStreamCaptureUnjoined, HD_ERR_STATE)                                                \
    X(cudaErrorGraphExecUpdateFailure, HD_ERR_STATE)                                               \
    X(cudaErrorCapturedEvent, HD_ERR_STATE)

#endif
