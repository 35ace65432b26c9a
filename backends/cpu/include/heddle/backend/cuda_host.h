/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_host.h (CPU) - CUDA's runtime API over heddle's, in C11 and C++17: errors, devices,
   occupancy, settings. The current device and the last error belong to the host thread, as CUDA's
   do. C++ adds overloads in cuda_host.hpp, C macros in cuda_c/calls.h. */
#ifndef HEDDLE_BACKEND_CUDA_HOST_H
#define HEDDLE_BACKEND_CUDA_HOST_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <heddle/heddle.h>

#define HD_PORT_API_ static inline HD_UNUSED_ cudaError_t

#ifdef __cplusplus
/* The default of a parameter; in C, macros append it. */
#define HD_PORT_DEFAULT_(...) = __VA_ARGS__
/* A variable of the host thread that all files of a program share, in C and in C++. */
#define HD_PORT_THREAD_ inline thread_local
#else
#define HD_PORT_DEFAULT_(...)
#define HD_PORT_THREAD_ __attribute__((weak)) _Thread_local
#endif

#define CUDART_VERSION 12000
#define CUDART_CB
#define CUDA_VERSION 12000

/* ---- errors ---------------------------------------------------------------------------------- */

/* X(name, value, text) */
#define HD_PORT_ERROR_LIST_(X)                                                                     \
    X(cudaSuccess, 0, "no error")                                                                  \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                                \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                               \
    X(cudaErrorInitializationError, 3, "initialization error")                                     \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                          \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                         \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                 \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                    \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient")                      \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    X(cudaErrorNotReady, 600, "device not ready")                                                  \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                    \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")               \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                      \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                    \
    X(cudaErrorAssert, 710, "device-side assert triggered")                                        \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                   \
    X(cudaErrorNotSupported, 801, "operation not supported")                                       \
    X(cudaErrorUnknown, 999, "unknown error")
#define HD_PORT_ERROR_(name, value, text) name = value,
enum cudaError { HD_PORT_ERROR_LIST_(HD_PORT_ERROR_) };
#undef HD_PORT_ERROR_
typedef enum cudaError cudaError, cudaError_t;

HD_PORT_THREAD_ cudaError_t hd_port_last_ = cudaSuccess;
HD_PORT_THREAD_ int hd_port_device_ = 0;

HD_PORT_API_ hd_port_code_(hd_status status)
{
    switch (status) {
    case HD_ERR_ARGUMENT:
        return cudaErrorInvalidValue;
    case HD_ERR_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    case HD_ERR_NO_DEVICE:
        return cudaErrorNoDevice;
    case HD_ERR_DEVICE_INDEX:
        return cudaErrorInvalidDevice;
    case HD_ERR_LAUNCH_CONFIG:
        return cudaErrorInvalidConfiguration;
    case HD_ERR_ILLEGAL_ADDRESS:
        return cudaErrorIllegalAddress;
    case HD_ERR_POINTER:
        return cudaErrorInvalidDevicePointer;
    case HD_ERR_ASSERT:
        return cudaErrorAssert;
    case HD_ERR_DEADLOCK:
    case HD_ERR_TIMEOUT:
        return cudaErrorLaunchTimeout;
    case HD_ERR_UNSUPPORTED:
        return cudaErrorNotSupported;
    case HD_ERR_DEVICE_LOST:
        return cudaErrorLaunchFailure;
    default:
        return status < 0 ? cudaErrorUnknown : cudaSuccess;
    }
}

/* Prints what heddle says about a failure, which is more than CUDA's codes hold. */
HD_PORT_API_ hd_port_done_(hd_status status)
{
    char text[HD_ERROR_TEXT_MAX];

    if (status >= 0)
        return cudaSuccess;
    fprintf(stderr, "heddle: %s\n", hd_error_format(text, sizeof text));
    return hd_port_last_ = hd_port_code_(status);
}
HD_PORT_API_ cudaGetLastError(void)
{
    const cudaError_t last = hd_port_last_;
    hd_port_last_ = cudaSuccess;
    return last;
}
HD_PORT_API_ cudaPeekAtLastError(void)
{
    return hd_port_last_;
}
static inline HD_UNUSED_ const char *cudaGetErrorString(cudaError_t error)
{
#define HD_PORT_ERROR_(name, value, text)                                                          \
    case name:                                                                                     \
        return text;
    switch (error) {
        HD_PORT_ERROR_LIST_(HD_PORT_ERROR_)
    }
#undef HD_PORT_ERROR_
    return "unrecognized error code";
}
static inline HD_UNUSED_ const char *cudaGetErrorName(cudaError_t error)
{
#define HD_PORT_ERROR_(name, value, text)                                                          \
    case name:                                                                                     \
        return #name;
    switch (error) {
        HD_PORT_ERROR_LIST_(HD_PORT_ERROR_)
    }
#undef HD_PORT_ERROR_
    return "unrecognized error code";
}

/* ---- devices --------------------------------------------------------------------------------- */

HD_PORT_API_ cudaGetDeviceCount(int *count)
{
    return hd_port_done_(hd_device_count(count));
}
HD_PORT_API_ cudaSetDevice(int device)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);

    if (error != cudaSuccess)
        return error;
    if (device < 0 || device >= count)
        return hd_port_last_ = cudaErrorInvalidDevice;
    hd_port_device_ = device;
    return cudaSuccess;
}
HD_PORT_API_ cudaGetDevice(int *device)
{
    *device = hd_port_device_;
    return cudaSuccess;
}
HD_PORT_API_ cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    const cudaError_t error = hd_port_done_(hd_peer_possible(device, peer, can));

    if (error == cudaSuccess && device == peer)
        *can = 0; /* as CUDA says */
    return error;
}
HD_PORT_API_ cudaDeviceSynchronize(void)
{
    return hd_port_done_(hd_device_synchronize(hd_port_device_));
}
HD_PORT_API_ cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}
/* Waits; memory that is still allocated is released when the program ends. */
HD_PORT_API_ cudaDeviceReset(void)
{
    return cudaDeviceSynchronize();
}

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = HD_ATTR_MAX_THREADS_PER_BLOCK,
    cudaDevAttrMaxBlockDimX = HD_ATTR_MAX_BLOCK_X,
    cudaDevAttrMaxBlockDimY = HD_ATTR_MAX_BLOCK_Y,
    cudaDevAttrMaxBlockDimZ = HD_ATTR_MAX_BLOCK_Z,
    cudaDevAttrMaxGridDimX = HD_ATTR_MAX_GRID_X,
    cudaDevAttrMaxGridDimY = HD_ATTR_MAX_GRID_Y,
    cudaDevAttrMaxGridDimZ = HD_ATTR_MAX_GRID_Z,
    cudaDevAttrMaxSharedMemoryPerBlock = HD_ATTR_SHARED_PER_BLOCK,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = HD_ATTR_SHARED_PER_BLOCK_MAX,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = HD_ATTR_SHARED_PER_UNIT,
    cudaDevAttrTotalConstantMemory = HD_ATTR_CONSTANT_BYTES,
    cudaDevAttrWarpSize = 1000, /* of the names, not of the device */
    cudaDevAttrMultiProcessorCount = HD_ATTR_COMPUTE_UNITS,
    cudaDevAttrMaxThreadsPerMultiProcessor = HD_ATTR_MAX_THREADS_PER_UNIT,
    cudaDevAttrClockRate = HD_ATTR_CLOCK_KHZ,
    cudaDevAttrMemoryClockRate = HD_ATTR_MEMORY_CLOCK_KHZ,
    cudaDevAttrGlobalMemoryBusWidth = HD_ATTR_MEMORY_BUS_BITS,
    cudaDevAttrConcurrentKernels = HD_ATTR_CONCURRENT_KERNELS,
    cudaDevAttrCooperativeLaunch = HD_ATTR_COOPERATIVE_LAUNCH,
    cudaDevAttrManagedMemory = HD_ATTR_MANAGED_MEMORY,
    cudaDevAttrConcurrentManagedAccess = HD_ATTR_CONCURRENT_MANAGED,
    cudaDevAttrMemoryPoolsSupported = HD_ATTR_MEMORY_POOLS,
    cudaDevAttrCanMapHostMemory = HD_ATTR_MAPPED_HOST,
    cudaDevAttrIntegrated = HD_ATTR_INTEGRATED,
    cudaDevAttrComputeCapabilityMajor = 1001,
    cudaDevAttrComputeCapabilityMinor = 1002
};
typedef enum cudaDeviceAttr cudaDeviceAttr;
/* The compute capability reported to programs: high enough for everything that is translated. */
enum { HD_PORT_MAJOR_ = 8, HD_PORT_MINOR_ = 0 };

HD_PORT_API_ cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    int64_t got = attribute == cudaDevAttrWarpSize                 ? 32
                  : attribute == cudaDevAttrComputeCapabilityMajor ? HD_PORT_MAJOR_
                                                                   : HD_PORT_MINOR_;
    hd_status status = HD_OK;

    if (attribute < cudaDevAttrWarpSize)
        status = hd_device_get(device, (hd_device_attribute)attribute, &got);
    *value = got > INT_MAX ? INT_MAX : (int)got;
    return hd_port_done_(status);
}

typedef struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t totalConstMem, memPitch, textureAlignment;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3];
    int maxGridSize[3], clockRate, major, minor, multiProcessorCount, kernelExecTimeoutEnabled;
    int integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled, pciBusID;
    int pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, deviceOverlap;
    int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
    int maxBlocksPerMultiProcessor, managedMemory, concurrentManagedAccess, cooperativeLaunch;
    int pageableMemoryAccess;
} cudaDeviceProp;
enum { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };

/* A property of a device, or `otherwise` if the device does not tell. */
static inline HD_UNUSED_ int64_t hd_port_got_(int device, hd_device_attribute what,
                                              int64_t otherwise)
{
    int64_t got = 0;

    return hd_device_get(device, what, &got) >= 0 ? got : otherwise;
}
HD_PORT_API_ cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    const cudaError_t error = hd_port_done_(hd_device_name(device, p->name, sizeof p->name));
    if (error != cudaSuccess)
        return error;
    p->major = HD_PORT_MAJOR_;
    p->minor = HD_PORT_MINOR_;
    p->warpSize = 32;
    p->memPitch = INT_MAX;
    p->textureAlignment = 512;
    p->unifiedAddressing = p->deviceOverlap = 1;
    p->maxBlocksPerMultiProcessor = 16;
    p->totalGlobalMem = (size_t)hd_port_got_(device, HD_ATTR_MEMORY_BYTES, 0);
    p->sharedMemPerBlock = (size_t)hd_port_got_(device, HD_ATTR_SHARED_PER_BLOCK, 0);
    p->sharedMemPerBlockOptin = (size_t)hd_port_got_(device, HD_ATTR_SHARED_PER_BLOCK_MAX, 0);
    p->sharedMemPerMultiprocessor = (size_t)hd_port_got_(device, HD_ATTR_SHARED_PER_UNIT, 0);
    p->totalConstMem = (size_t)hd_port_got_(device, HD_ATTR_CONSTANT_BYTES, 0);
    p->regsPerBlock = (int)hd_port_got_(device, HD_ATTR_REGISTERS_PER_BLOCK, 0);
    p->regsPerMultiprocessor = p->regsPerBlock;
    p->maxThreadsPerBlock = (int)hd_port_got_(device, HD_ATTR_MAX_THREADS_PER_BLOCK, 0);
    p->maxThreadsDim[0] = (int)hd_port_got_(device, HD_ATTR_MAX_BLOCK_X, 0);
    p->maxThreadsDim[1] = (int)hd_port_got_(device, HD_ATTR_MAX_BLOCK_Y, 0);
    p->maxThreadsDim[2] = (int)hd_port_got_(device, HD_ATTR_MAX_BLOCK_Z, 0);
    p->maxGridSize[0] = (int)hd_port_got_(device, HD_ATTR_MAX_GRID_X, 0);
    p->maxGridSize[1] = (int)hd_port_got_(device, HD_ATTR_MAX_GRID_Y, 0);
    p->maxGridSize[2] = (int)hd_port_got_(device, HD_ATTR_MAX_GRID_Z, 0);
    p->clockRate = (int)hd_port_got_(device, HD_ATTR_CLOCK_KHZ, 0);
    p->multiProcessorCount = (int)hd_port_got_(device, HD_ATTR_COMPUTE_UNITS, 0);
    p->integrated = (int)hd_port_got_(device, HD_ATTR_INTEGRATED, 0);
    p->canMapHostMemory = (int)hd_port_got_(device, HD_ATTR_MAPPED_HOST, 0);
    p->concurrentKernels = (int)hd_port_got_(device, HD_ATTR_CONCURRENT_KERNELS, 0);
    p->asyncEngineCount = (int)hd_port_got_(device, HD_ATTR_ASYNC_ENGINES, 0);
    p->memoryClockRate = (int)hd_port_got_(device, HD_ATTR_MEMORY_CLOCK_KHZ, 0);
    p->memoryBusWidth = (int)hd_port_got_(device, HD_ATTR_MEMORY_BUS_BITS, 0);
    p->l2CacheSize = (int)hd_port_got_(device, HD_ATTR_L2_BYTES, 0);
    p->maxThreadsPerMultiProcessor = (int)hd_port_got_(device, HD_ATTR_MAX_THREADS_PER_UNIT, 0);
    p->managedMemory = (int)hd_port_got_(device, HD_ATTR_MANAGED_MEMORY, 0);
    p->concurrentManagedAccess = (int)hd_port_got_(device, HD_ATTR_CONCURRENT_MANAGED, 0);
    p->cooperativeLaunch = (int)hd_port_got_(device, HD_ATTR_COOPERATIVE_LAUNCH, 0);
    return cudaSuccess;
}
HD_PORT_API_ cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
HD_PORT_API_ cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* ---- settings that change speed only --------------------------------------------------------- */

enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
typedef enum cudaFuncCache cudaFuncCache;
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout
};
typedef enum cudaFuncAttribute cudaFuncAttribute;
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
typedef enum cudaSharedMemConfig cudaSharedMemConfig;
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
typedef enum cudaLimit cudaLimit;
enum { cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };
enum {
    cudaDeviceScheduleAuto,
    cudaDeviceScheduleSpin,
    cudaDeviceScheduleYield,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8
};
HD_PORT_API_ cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}
HD_PORT_API_ cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}
HD_PORT_API_ cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    (void)limit, (void)value;
    return cudaSuccess;
}
HD_PORT_API_ cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}
HD_PORT_API_ cudaProfilerStart(void)
{
    return cudaSuccess;
}
HD_PORT_API_ cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- occupancy: threads alone limit it ------------------------------------------------------- */

typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
} cudaFuncAttributes;

HD_PORT_API_ hd_port_attributes_(cudaFuncAttributes *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = (int)hd_port_got_(hd_port_device_,
                                                       HD_ATTR_MAX_THREADS_PER_BLOCK, 0);
    return cudaSuccess;
}
HD_PORT_API_ hd_port_resident_(int *blocks, int threads)
{
    if (threads <= 0)
        return hd_port_last_ = cudaErrorInvalidValue;
    *blocks = (int)hd_port_got_(hd_port_device_, HD_ATTR_MAX_THREADS_PER_UNIT, 0) / threads;
    return cudaSuccess;
}
/* The largest block of at most `limit` threads, 0 for any, and as many as run at once. */
HD_PORT_API_ hd_port_fill_(int *blocks, int *threads, int limit)
{
    const int most = (int)hd_port_got_(hd_port_device_, HD_ATTR_MAX_THREADS_PER_BLOCK, 0);
    const int units = (int)hd_port_got_(hd_port_device_, HD_ATTR_COMPUTE_UNITS, 1);
    const int resident = (int)hd_port_got_(hd_port_device_, HD_ATTR_MAX_THREADS_PER_UNIT, 0);

    *threads = limit > 0 && limit < most ? limit : most;
    *blocks = units * (resident / *threads > 0 ? resident / *threads : 1);
    return cudaSuccess;
}

#endif
