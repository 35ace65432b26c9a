/* SPDX-License-Identifier: Apache-2.0 */
/* amd_port_runtime.hpp (HIP) - CUDA's runtime API over HIP's: names that have a counterpart with
   the same parameters, then the calls that differ. In properties and attributes, warps have 32
   lanes. */
#ifndef HEDDLE_BACKEND_AMD_PORT_RUNTIME_HPP
#define HEDDLE_BACKEND_AMD_PORT_RUNTIME_HPP

#include <hip/hip_runtime.h>

#include <climits>

#define CUDART_VERSION 12000
#define CUDART_CB
#define CUDA_VERSION 12000

#define cudaError hipError_t
#define cudaError_t hipError_t
#define cudaDeviceAttr hipDeviceAttribute_t
#define cudaFuncCache hipFuncCache_t
#define cudaFuncAttribute hipFuncAttribute
#define cudaStream_t hipStream_t
#define cudaEvent_t hipEvent_t
#define cudaStreamCallback_t hipStreamCallback_t
#define cudaMemcpyKind hipMemcpyKind
#define cudaMemoryAdvise hipMemoryAdvise
#define cudaGetLastError hipGetLastError
#define cudaPeekAtLastError hipPeekAtLastError
#define cudaGetErrorString hipGetErrorString
#define cudaGetErrorName hipGetErrorName
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaSetDevice hipSetDevice
#define cudaDeviceCanAccessPeer hipDeviceCanAccessPeer
#define cudaGetDevice hipGetDevice
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaThreadSynchronize hipDeviceSynchronize
#define cudaDeviceReset hipDeviceReset
#define cudaRuntimeGetVersion hipRuntimeGetVersion
#define cudaDriverGetVersion hipDriverGetVersion
#define cudaDeviceSetCacheConfig hipDeviceSetCacheConfig
#define cudaDeviceSetSharedMemConfig hipDeviceSetSharedMemConfig
#define cudaSetDeviceFlags hipSetDeviceFlags
#define cudaProfilerStart hipProfilerStart
#define cudaProfilerStop hipProfilerStop
#define cudaStreamCreate hipStreamCreate
#define cudaStreamCreateWithPriority hipStreamCreateWithPriority
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaDeviceGetStreamPriorityRange hipDeviceGetStreamPriorityRange
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamQuery hipStreamQuery
#define cudaLaunchHostFunc hipLaunchHostFunc
#define cudaStreamAddCallback hipStreamAddCallback
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDestroy hipEventDestroy
#define cudaEventSynchronize hipEventSynchronize
#define cudaEventQuery hipEventQuery
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaMalloc hipMalloc
#define cudaMallocManaged hipMallocManaged
#define cudaFreeAsync hipFreeAsync
#define cudaFree hipFree
#define cudaFreeHost hipHostFree
#define cudaHostUnregister hipHostUnregister
#define cudaMemGetInfo hipMemGetInfo
#define cudaMemcpy hipMemcpy
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemcpy2D hipMemcpy2D
#define cudaMemcpyPeer hipMemcpyPeer
#define cudaMemsetAsync hipMemsetAsync
#define cudaMemset hipMemset
#define cudaMemset2D hipMemset2D
#define cudaMemPrefetchAsync hipMemPrefetchAsync
#define cudaMemAdvise hipMemAdvise
#define cudaMemcpyToSymbolAsync hipMemcpyToSymbolAsync
#define cudaMemcpyToSymbol hipMemcpyToSymbol
#define cudaMemcpyFromSymbolAsync hipMemcpyFromSymbolAsync
#define cudaMemcpyFromSymbol hipMemcpyFromSymbol
#define cudaGetSymbolSize hipGetSymbolSize
#define cudaSuccess hipSuccess
#define cudaErrorInvalidValue hipErrorInvalidValue
#define cudaErrorMemoryAllocation hipErrorMemoryAllocation
#define cudaErrorInitializationError hipErrorInitializationError
#define cudaErrorInvalidConfiguration hipErrorInvalidConfiguration
#define cudaErrorInvalidSymbol hipErrorInvalidSymbol
#define cudaErrorInvalidDevicePointer hipErrorInvalidDevicePointer
#define cudaErrorInvalidMemcpyDirection hipErrorInvalidMemcpyDirection
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#define cudaErrorNoDevice hipErrorNoDevice
#define cudaErrorInvalidDevice hipErrorInvalidDevice
#define cudaErrorNotReady hipErrorNotReady
#define cudaErrorIllegalAddress hipErrorIllegalAddress
#define cudaErrorLaunchOutOfResources hipErrorLaunchOutOfResources
#define cudaErrorLaunchTimeout hipErrorLaunchTimeOut
#define cudaErrorPeerAccessAlreadyEnabled hipErrorPeerAccessAlreadyEnabled
#define cudaErrorAssert hipErrorAssert
#define cudaErrorLaunchFailure hipErrorLaunchFailure
#define cudaErrorNotSupported hipErrorNotSupported
#define cudaErrorUnknown hipErrorUnknown
#define cudaDevAttrMaxThreadsPerBlock hipDeviceAttributeMaxThreadsPerBlock
#define cudaDevAttrMaxBlockDimX hipDeviceAttributeMaxBlockDimX
#define cudaDevAttrMaxBlockDimY hipDeviceAttributeMaxBlockDimY
#define cudaDevAttrMaxBlockDimZ hipDeviceAttributeMaxBlockDimZ
#define cudaDevAttrMaxGridDimX hipDeviceAttributeMaxGridDimX
#define cudaDevAttrMaxGridDimY hipDeviceAttributeMaxGridDimY
#define cudaDevAttrMaxGridDimZ hipDeviceAttributeMaxGridDimZ
#define cudaDevAttrMaxSharedMemoryPerBlock hipDeviceAttributeMaxSharedMemoryPerBlock
#define cudaDevAttrMaxSharedMemoryPerMultiprocessor                                                \
    hipDeviceAttributeMaxSharedMemoryPerMultiprocessor
#define cudaDevAttrTotalConstantMemory hipDeviceAttributeTotalConstantMemory
#define cudaDevAttrWarpSize hipDeviceAttributeWarpSize
#define cudaDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
#define cudaDevAttrMaxThreadsPerMultiProcessor hipDeviceAttributeMaxThreadsPerMultiProcessor
#define cudaDevAttrClockRate hipDeviceAttributeClockRate
#define cudaDevAttrMemoryClockRate hipDeviceAttributeMemoryClockRate
#define cudaDevAttrGlobalMemoryBusWidth hipDeviceAttributeMemoryBusWidth
#define cudaDevAttrConcurrentKernels hipDeviceAttributeConcurrentKernels
#define cudaDevAttrCooperativeLaunch hipDeviceAttributeCooperativeLaunch
#define cudaDevAttrManagedMemory hipDeviceAttributeManagedMemory
#define cudaDevAttrConcurrentManagedAccess hipDeviceAttributeConcurrentManagedAccess
#define cudaDevAttrMemoryPoolsSupported hipDeviceAttributeMemoryPoolsSupported
#define cudaDevAttrCanMapHostMemory hipDeviceAttributeCanMapHostMemory
#define cudaDevAttrIntegrated hipDeviceAttributeIntegrated
#define cudaDevAttrComputeCapabilityMajor hipDeviceAttributeComputeCapabilityMajor
#define cudaDevAttrComputeCapabilityMinor hipDeviceAttributeComputeCapabilityMinor
#define cudaComputeModeDefault hipComputeModeDefault
#define cudaComputeModeExclusive hipComputeModeExclusive
#define cudaComputeModeProhibited hipComputeModeProhibited
#define cudaFuncCachePreferNone hipFuncCachePreferNone
#define cudaFuncCachePreferShared hipFuncCachePreferShared
#define cudaFuncCachePreferL1 hipFuncCachePreferL1
#define cudaFuncCachePreferEqual hipFuncCachePreferEqual
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncAttributePreferredSharedMemoryCarveout hipFuncAttributePreferredSharedMemoryCarveout
#define cudaSharedMemBankSizeDefault hipSharedMemBankSizeDefault
#define cudaSharedMemBankSizeFourByte hipSharedMemBankSizeFourByte
#define cudaSharedMemBankSizeEightByte hipSharedMemBankSizeEightByte
#define cudaDeviceScheduleAuto hipDeviceScheduleAuto
#define cudaDeviceScheduleSpin hipDeviceScheduleSpin
#define cudaDeviceScheduleYield hipDeviceScheduleYield
#define cudaDeviceScheduleBlockingSync hipDeviceScheduleBlockingSync
#define cudaDeviceMapHost hipDeviceMapHost
#define cudaStreamDefault hipStreamDefault
#define cudaStreamNonBlocking hipStreamNonBlocking
#define cudaEventDefault hipEventDefault
#define cudaEventBlockingSync hipEventBlockingSync
#define cudaEventDisableTiming hipEventDisableTiming
#define cudaMemcpyHostToHost hipMemcpyHostToHost
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaMemcpyDefault hipMemcpyDefault
#define cudaHostAllocDefault hipHostMallocDefault
#define cudaHostAllocPortable hipHostMallocPortable
#define cudaHostAllocMapped hipHostMallocMapped
#define cudaHostAllocWriteCombined hipHostMallocWriteCombined
#define cudaHostRegisterDefault hipHostRegisterDefault
#define cudaHostRegisterPortable hipHostRegisterPortable
#define cudaHostRegisterMapped hipHostRegisterMapped
#define cudaMemAttachGlobal hipMemAttachGlobal
#define cudaMemAttachHost hipMemAttachHost
#define cudaMemAttachSingle hipMemAttachSingle
#define cudaCpuDeviceId hipCpuDeviceId
#define cudaInvalidDeviceId hipInvalidDeviceId
#define cudaMemAdviseSetReadMostly hipMemAdviseSetReadMostly
#define cudaMemAdviseUnsetReadMostly hipMemAdviseUnsetReadMostly
#define cudaMemAdviseSetPreferredLocation hipMemAdviseSetPreferredLocation
#define cudaMemAdviseUnsetPreferredLocation hipMemAdviseUnsetPreferredLocation
#define cudaMemAdviseSetAccessedBy hipMemAdviseSetAccessedBy
#define cudaMemAdviseUnsetAccessedBy hipMemAdviseUnsetAccessedBy
#define cudaMemPool_t hipMemPool_t
#define cudaMemPoolAttr hipMemPoolAttr
#define cudaMemPoolSetAttribute hipMemPoolSetAttribute
#define cudaMemPoolReuseFollowEventDependencies hipMemPoolReuseFollowEventDependencies
#define cudaMemPoolReuseAllowOpportunistic hipMemPoolReuseAllowOpportunistic
#define cudaMemPoolReuseAllowInternalDependencies hipMemPoolReuseAllowInternalDependencies
#define cudaMemPoolAttrReleaseThreshold hipMemPoolAttrReleaseThreshold
#define cudaGraph_t hipGraph_t
#define cudaGraphExec_t hipGraphExec_t
#define cudaStreamCaptureMode hipStreamCaptureMode
#define cudaStreamCaptureModeGlobal hipStreamCaptureModeGlobal
#define cudaStreamCaptureModeThreadLocal hipStreamCaptureModeThreadLocal
#define cudaStreamCaptureModeRelaxed hipStreamCaptureModeRelaxed
#define cudaStreamBeginCapture hipStreamBeginCapture
#define cudaStreamEndCapture hipStreamEndCapture
#define cudaGraphLaunch hipGraphLaunch
#define cudaGraphDestroy hipGraphDestroy
#define cudaGraphExecDestroy hipGraphExecDestroy

#define HD_PORT_HIP_ static inline HD_UNUSED_ hipError_t

/* ---- devices --------------------------------------------------------------------------------- */

/* In translated code warpSize is this name: a variable, and a member of the properties. */
static constexpr int hd_port_warp_size_ = 32;

struct cudaDeviceProp : hipDeviceProp_t {
    int hd_port_warp_size_;
    size_t sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, unifiedAddressing, deviceOverlap, asyncEngineCount;
    int maxBlocksPerMultiProcessor;
};
HD_PORT_HIP_ cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    const hipError_t error = hipGetDeviceProperties(p, device);
    p->hd_port_warp_size_ = 32;
    p->sharedMemPerBlockOptin = p->sharedMemPerBlock;
    p->sharedMemPerMultiprocessor = p->maxSharedMemoryPerMultiProcessor;
    p->regsPerMultiprocessor = p->regsPerBlock;
    p->unifiedAddressing = p->deviceOverlap = p->asyncEngineCount = 1;
    p->maxBlocksPerMultiProcessor = p->maxThreadsPerMultiProcessor / 64;
    return error;
}
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
HD_PORT_HIP_ cudaDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
    const hipError_t error = hipDeviceGetAttribute(value, attribute, device);
    if (attribute == hipDeviceAttributeWarpSize)
        *value = 32;
    return error;
}
/* Limits are settings of NVIDIA's driver; calls that set them have no effect here. */
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
HD_PORT_HIP_ cudaDeviceSetLimit(cudaLimit, size_t)
{
    return hipSuccess;
}
#define cudaSharedMemConfig hipSharedMemConfig
HD_PORT_HIP_ cudaDeviceGetDefaultMemPool(hipMemPool_t *pool, int device)
{
    return hipDeviceGetDefaultMemPool(pool, device);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A kernel is a function here, or its address as void *. */
#define cudaFuncAttributes hipFuncAttributes
enum { cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100 };
template <class F> HD_PORT_HIP_ cudaFuncGetAttributes(hipFuncAttributes *attributes, F kernel)
{
    return hipFuncGetAttributes(attributes, (const void *)kernel);
}
template <class F> HD_PORT_HIP_ cudaFuncSetAttribute(F kernel, hipFuncAttribute what, int value)
{
    return hipFuncSetAttribute((const void *)kernel, what, value);
}
template <class F> HD_PORT_HIP_ cudaFuncSetCacheConfig(F kernel, hipFuncCache_t config)
{
    return hipFuncSetCacheConfig((const void *)kernel, config);
}
template <class F> HD_PORT_HIP_ cudaFuncSetSharedMemConfig(F kernel, hipSharedMemConfig config)
{
    return hipFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class F>
HD_PORT_HIP_ cudaLaunchKernel(F kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                              hipStream_t stream = nullptr)
{
    return hipLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class F>
HD_PORT_HIP_ cudaLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block, void **arguments,
                                         size_t shared = 0, hipStream_t stream = nullptr)
{
    return hipLaunchCooperativeKernel((const void *)kernel, grid, block, arguments,
                                      (unsigned)shared, stream);
}
template <class F>
HD_PORT_HIP_ cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F kernel, int threads,
                                                           size_t shared = 0)
{
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                        shared);
}
template <class F>
HD_PORT_HIP_ cudaOccupancyMaxPotentialBlockSize(int *blocks, int *threads, F kernel,
                                                size_t shared = 0, int limit = 0)
{
    return hipOccupancyMaxPotentialBlockSize(blocks, threads, (const void *)kernel, shared, limit);
}

/* ---- streams, events, graphs ----------------------------------------------------------------- */

typedef void (*cudaHostFn_t)(void *);
HD_PORT_HIP_ cudaStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags = 0)
{
    return hipStreamWaitEvent(stream, event, flags);
}
HD_PORT_HIP_ cudaEventCreate(hipEvent_t *event, unsigned flags = 0)
{
    return hipEventCreateWithFlags(event, flags);
}
HD_PORT_HIP_ cudaEventRecord(hipEvent_t event, hipStream_t stream = nullptr)
{
    return hipEventRecord(event, stream);
}
/* Of CUDA 11, and of CUDA 12. */
HD_PORT_HIP_ cudaGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *node,
                                  char *log, size_t size)
{
    return hipGraphInstantiate(exec, graph, node, log, size);
}
HD_PORT_HIP_ cudaGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph,
                                  unsigned long long flags = 0)
{
    return hipGraphInstantiateWithFlags(exec, graph, flags);
}

/* ---- memory: pointers of any type ------------------------------------------------------------ */

template <class T> HD_PORT_HIP_ cudaHostAlloc(T **pointer, size_t bytes, unsigned flags = 0)
{
    return hipHostMalloc((void **)pointer, bytes, flags);
}
template <class T> HD_PORT_HIP_ cudaMallocHost(T **pointer, size_t bytes, unsigned flags = 0)
{
    return hipHostMalloc((void **)pointer, bytes, flags);
}
template <class T>
HD_PORT_HIP_ cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return hipMallocPitch((void **)pointer, pitch, width, height);
}
template <class T>
HD_PORT_HIP_ cudaMallocAsync(T **pointer, size_t bytes, hipStream_t stream = nullptr)
{
    return hipMallocAsync((void **)pointer, bytes, stream);
}
HD_PORT_HIP_ cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    return hipHostRegister(pointer, bytes, flags);
}
template <class T> HD_PORT_HIP_ cudaHostGetDevicePointer(T **device, void *host, unsigned flags = 0)
{
    return hipHostGetDevicePointer((void **)device, host, flags);
}
HD_PORT_HIP_ cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                 size_t bytes, hipStream_t stream = nullptr)
{
    return hipMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream);
}
template <class T>
HD_PORT_HIP_ cudaStreamAttachMemAsync(hipStream_t stream, T *pointer, size_t bytes = 0,
                                      unsigned flags = hipMemAttachSingle)
{
    return hipStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}
template <class P, class T> HD_PORT_HIP_ cudaGetSymbolAddress(P **address, const T &symbol)
{
    return hipGetSymbolAddress((void **)address, (const void *)&symbol);
}

#endif
