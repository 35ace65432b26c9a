/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_host.hpp (CPU) - CUDA's runtime API over heddle's: errors, devices, streams, events. The
   current device and the last error belong to the host thread, as CUDA's do. */
#ifndef HEDDLE_BACKEND_CUDA_HOST_HPP
#define HEDDLE_BACKEND_CUDA_HOST_HPP

#include <heddle/heddle.h>

#include <heddle/backend/port/vectors.hpp>

#define CUDART_VERSION 12000
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
typedef cudaError cudaError_t;

inline thread_local cudaError_t hd_port_last_ = cudaSuccess;
inline thread_local int hd_port_device_ = 0;

static inline HD_UNUSED_ cudaError_t hd_port_code_(hd_status status)
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
static inline HD_UNUSED_ cudaError_t hd_port_done_(hd_status status)
{
    char text[HD_ERROR_TEXT_MAX];

    if (status >= 0)
        return cudaSuccess;
    fprintf(stderr, "heddle: %s\n", hd_error_format(text, sizeof text));
    return hd_port_last_ = hd_port_code_(status);
}
static inline HD_UNUSED_ cudaError_t cudaGetLastError()
{
    const cudaError_t last = hd_port_last_;
    hd_port_last_ = cudaSuccess;
    return last;
}
static inline HD_UNUSED_ cudaError_t cudaPeekAtLastError()
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

static inline HD_UNUSED_ cudaError_t cudaGetDeviceCount(int *count)
{
    return hd_port_done_(hd_device_count(count));
}
static inline HD_UNUSED_ cudaError_t cudaSetDevice(int device)
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
static inline HD_UNUSED_ cudaError_t cudaGetDevice(int *device)
{
    *device = hd_port_device_;
    return cudaSuccess;
}
static inline HD_UNUSED_ cudaError_t cudaDeviceSynchronize()
{
    return hd_port_done_(hd_device_synchronize(hd_port_device_));
}
static inline HD_UNUSED_ cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}
/* Waits; memory that is still allocated is released when the program ends. */
static inline HD_UNUSED_ cudaError_t cudaDeviceReset()
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
/* The compute capability that programs are told: one that allows everything translated. */
enum { HD_PORT_MAJOR_ = 8, HD_PORT_MINOR_ = 0 };

static inline HD_UNUSED_ cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                                            int device)
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

struct cudaDeviceProp {
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
};
enum { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };

template <class T> static inline void hd_port_get_(int device, hd_device_attribute what, T *value)
{
    int64_t got = 0;
    if (hd_device_get(device, what, &got) >= 0)
        *value = (T)got;
}
static inline HD_UNUSED_ cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
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
    hd_port_get_(device, HD_ATTR_MEMORY_BYTES, &p->totalGlobalMem);
    hd_port_get_(device, HD_ATTR_SHARED_PER_BLOCK, &p->sharedMemPerBlock);
    hd_port_get_(device, HD_ATTR_SHARED_PER_BLOCK_MAX, &p->sharedMemPerBlockOptin);
    hd_port_get_(device, HD_ATTR_SHARED_PER_UNIT, &p->sharedMemPerMultiprocessor);
    hd_port_get_(device, HD_ATTR_CONSTANT_BYTES, &p->totalConstMem);
    hd_port_get_(device, HD_ATTR_REGISTERS_PER_BLOCK, &p->regsPerBlock);
    p->regsPerMultiprocessor = p->regsPerBlock;
    hd_port_get_(device, HD_ATTR_MAX_THREADS_PER_BLOCK, &p->maxThreadsPerBlock);
    hd_port_get_(device, HD_ATTR_MAX_BLOCK_X, &p->maxThreadsDim[0]);
    hd_port_get_(device, HD_ATTR_MAX_BLOCK_Y, &p->maxThreadsDim[1]);
    hd_port_get_(device, HD_ATTR_MAX_BLOCK_Z, &p->maxThreadsDim[2]);
    hd_port_get_(device, HD_ATTR_MAX_GRID_X, &p->maxGridSize[0]);
    hd_port_get_(device, HD_ATTR_MAX_GRID_Y, &p->maxGridSize[1]);
    hd_port_get_(device, HD_ATTR_MAX_GRID_Z, &p->maxGridSize[2]);
    hd_port_get_(device, HD_ATTR_CLOCK_KHZ, &p->clockRate);
    hd_port_get_(device, HD_ATTR_COMPUTE_UNITS, &p->multiProcessorCount);
    hd_port_get_(device, HD_ATTR_INTEGRATED, &p->integrated);
    hd_port_get_(device, HD_ATTR_MAPPED_HOST, &p->canMapHostMemory);
    hd_port_get_(device, HD_ATTR_CONCURRENT_KERNELS, &p->concurrentKernels);
    hd_port_get_(device, HD_ATTR_ASYNC_ENGINES, &p->asyncEngineCount);
    hd_port_get_(device, HD_ATTR_MEMORY_CLOCK_KHZ, &p->memoryClockRate);
    hd_port_get_(device, HD_ATTR_MEMORY_BUS_BITS, &p->memoryBusWidth);
    hd_port_get_(device, HD_ATTR_L2_BYTES, &p->l2CacheSize);
    hd_port_get_(device, HD_ATTR_MAX_THREADS_PER_UNIT, &p->maxThreadsPerMultiProcessor);
    hd_port_get_(device, HD_ATTR_MANAGED_MEMORY, &p->managedMemory);
    hd_port_get_(device, HD_ATTR_CONCURRENT_MANAGED, &p->concurrentManagedAccess);
    hd_port_get_(device, HD_ATTR_COOPERATIVE_LAUNCH, &p->cooperativeLaunch);
    return cudaSuccess;
}
static inline HD_UNUSED_ cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
static inline HD_UNUSED_ cudaError_t cudaDriverGetVersion(int *version)
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
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum { cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };
enum {
    cudaDeviceScheduleAuto,
    cudaDeviceScheduleSpin,
    cudaDeviceScheduleYield,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8
};
#define HD_PORT_IGNORED_(name)                                                                     \
    template <class... A> static inline cudaError_t name(const A &...)                             \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
HD_PORT_IGNORED_(cudaFuncSetCacheConfig)
HD_PORT_IGNORED_(cudaFuncSetAttribute)
HD_PORT_IGNORED_(cudaFuncSetSharedMemConfig)
HD_PORT_IGNORED_(cudaDeviceSetCacheConfig)
HD_PORT_IGNORED_(cudaDeviceSetSharedMemConfig)
HD_PORT_IGNORED_(cudaDeviceSetLimit)
HD_PORT_IGNORED_(cudaSetDeviceFlags)
HD_PORT_IGNORED_(cudaProfilerStart)
HD_PORT_IGNORED_(cudaProfilerStop)
#undef HD_PORT_IGNORED_

#endif
