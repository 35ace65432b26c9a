/* SPDX-License-Identifier: Apache-2.0 */
/* names_amd.h - HIP's names on AMD hardware; included by names.h. */
#ifndef HEDDLE_GPU_NAMES_AMD_H
#define HEDDLE_GPU_NAMES_AMD_H

#include <heddle/peer.h>

#include "sensors.h"

#define GPU_HAS_PRINTF_LIMIT 0       /* printf output goes through the host in pieces */
#define GPU_GRAPH_LAUNCHES_OVERLAP 1 /* launches of one executable, on different streams */
#define GPU_ThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode
#define GPU_DeviceGetAttribute hipDeviceGetAttribute
/* A block can use all of a compute unit's shared memory without opt-in. */
#define GPU_SetMaxShared(function, bytes) ((void)(function), (void)(bytes), hipSuccess)
/* Fine-grained memory: ordinary device memory is coherent only between kernels. */
#define GPU_MallocCoherent(pointer, bytes)                                                         \
    hipExtMallocWithFlags((pointer), (bytes), hipDeviceMallocFinegrained)

/* Types as in hsa_amd_link_info_type_t. Devices on different sockets are more than one hop
   apart. */
static inline void gpu_peer_link(int ordinal, int peer, hd_peer_info *info)
{
    enum { PCIE = 2, XGMI = 4 };
    uint32_t type = 0, hops = 0;
    if (hipExtGetLinkTypeAndHopCount(ordinal, peer, &type, &hops) != hipSuccess)
        return;
    if (type == XGMI)
        info->link = HD_LINK_FABRIC;
    (void)snprintf(info->link_name, sizeof info->link_name, "%s, %u hop%s",
                   type == XGMI   ? "xGMI"
                   : type == PCIE ? "PCIe"
                                  : "other",
                   (unsigned)hops, hops == 1 ? "" : "s");
}
#define GPU_PeerLink(ordinal, peer, here, there, info)                                             \
    ((void)(here), (void)(there), gpu_peer_link((ordinal), (peer), (info)))

#define GPU_Sensors hd_hip_sensors
#define GPU_COLLECTIVES_LIBRARY "librccl.so.1", "librccl.so"

static inline hipError_t GPU_GraphUpdate(hipGraphExec_t exec, hipGraph_t graph)
{
    hipGraphNode_t node = NULL;
    hipGraphExecUpdateResult why;
    return hipGraphExecUpdate(exec, graph, &node, &why);
}

static inline hipError_t GPU_GraphDepend(hipGraph_t graph, hipGraphNode_t node,
                                         hipGraphNode_t after)
{
    return hipGraphAddDependencies(graph, &after, &node, 1);
}

/* *id is 0 if the stream is not being captured. */
static inline hipError_t GPU_CaptureId(hipStream_t stream, uint64_t *id)
{
    hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
    unsigned long long got = 0;
    hipError_t error = hipStreamGetCaptureInfo(stream, &state, &got);
    *id = state == hipStreamCaptureStatusNone ? 0 : got;
    return error;
}

/* Releases before 5.4 declare the call but do not define it. */
#define GPU_HAS_COOPERATIVE_NODES (HIP_VERSION >= 50400000)
static inline hipError_t GPU_NodeCooperative(hipGraphNode_t node)
{
#if HIP_VERSION >= 50400000
    hipKernelNodeAttrValue value;
    memset(&value, 0, sizeof value);
    value.cooperative = 1;
    return hipGraphKernelNodeSetAttribute(node, hipKernelNodeAttributeCooperative, &value);
#else
    (void)node;
    return hipErrorNotSupported;
#endif
}

typedef hipPointerAttribute_t gpu_pointer_attributes;
#define GPU_PointerGetAttributes hipPointerGetAttributes
static inline hd_memory_kind gpu_pointer_kind(const gpu_pointer_attributes *attributes)
{
#if HIP_VERSION_MAJOR >= 6
    int type = (int)attributes->type;
#else
    int type = (int)attributes->memoryType;
#endif
    if (attributes->isManaged)
        return HD_MEM_MANAGED;
    if (type == (int)hipMemoryTypeDevice)
        return HD_MEM_DEVICE;
    return type == (int)hipMemoryTypeHost ? HD_MEM_PINNED : HD_MEM_UNKNOWN;
}

static inline hipError_t GPU_FillWords(void *to, uint32_t value, size_t size, size_t count,
                                       hipStream_t stream)
{
    if (size == 4)
        return hipMemsetD32Async((hipDeviceptr_t)to, (int)value, count, stream);
    return hipMemsetD16Async((hipDeviceptr_t)to, (unsigned short)value, count, stream);
}

static inline hipError_t GPU_AddressRange(const void *address, void **base, size_t *bytes)
{
    return hipMemGetAddressRange((hipDeviceptr_t *)base, bytes, (hipDeviceptr_t)(uintptr_t)address);
}

/* The compiler's name of "gfx90a:sramecc+:xnack-" is gfx90a. */
static inline hipError_t gpu_arch_name(char *text, size_t size, int ordinal)
{
    hipDeviceProp_t properties;
    hipError_t error = hipGetDeviceProperties(&properties, ordinal);
    if (error == hipSuccess)
        (void)snprintf(text, size, "%.*s", (int)strcspn(properties.gcnArchName, ":"),
                       properties.gcnArchName);
    return error;
}
#define GPU_ARCH(text, size, ordinal)                                                              \
    hd_gpu_check("hd_device_arch", gpu_arch_name((text), (size), (ordinal)))

#define GPU_ATTRIBUTE_LIST(X)                                                                      \
    X(HD_ATTR_WARP_SIZE, hipDeviceAttributeWarpSize)                                               \
    X(HD_ATTR_COMPUTE_UNITS, hipDeviceAttributeMultiprocessorCount)                                \
    X(HD_ATTR_MAX_THREADS_PER_BLOCK, hipDeviceAttributeMaxThreadsPerBlock)                         \
    X(HD_ATTR_MAX_THREADS_PER_UNIT, hipDeviceAttributeMaxThreadsPerMultiProcessor)                 \
    X(HD_ATTR_MAX_BLOCK_X, hipDeviceAttributeMaxBlockDimX)                                         \
    X(HD_ATTR_MAX_BLOCK_Y, hipDeviceAttributeMaxBlockDimY)                                         \
    X(HD_ATTR_MAX_BLOCK_Z, hipDeviceAttributeMaxBlockDimZ)                                         \
    X(HD_ATTR_MAX_GRID_X, hipDeviceAttributeMaxGridDimX)                                           \
    X(HD_ATTR_MAX_GRID_Y, hipDeviceAttributeMaxGridDimY)                                           \
    X(HD_ATTR_MAX_GRID_Z, hipDeviceAttributeMaxGridDimZ)                                           \
    X(HD_ATTR_SHARED_PER_BLOCK, hipDeviceAttributeMaxSharedMemoryPerBlock)                         \
    X(HD_ATTR_SHARED_PER_BLOCK_MAX, hipDeviceAttributeMaxSharedMemoryPerBlock)                     \
    X(HD_ATTR_SHARED_PER_UNIT, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor)                 \
    X(HD_ATTR_CONSTANT_BYTES, hipDeviceAttributeTotalConstantMemory)                               \
    X(HD_ATTR_REGISTERS_PER_BLOCK, hipDeviceAttributeMaxRegistersPerBlock)                         \
    X(HD_ATTR_L2_BYTES, hipDeviceAttributeL2CacheSize)                                             \
    X(HD_ATTR_MEMORY_BUS_BITS, hipDeviceAttributeMemoryBusWidth)                                   \
    X(HD_ATTR_MEMORY_CLOCK_KHZ, hipDeviceAttributeMemoryClockRate)                                 \
    X(HD_ATTR_CLOCK_KHZ, hipDeviceAttributeClockRate)                                              \
    X(HD_ATTR_ASYNC_ENGINES, hipDeviceAttributeAsyncEngineCount)                                   \
    X(HD_ATTR_CONCURRENT_KERNELS, hipDeviceAttributeConcurrentKernels)                             \
    X(HD_ATTR_COOPERATIVE_LAUNCH, hipDeviceAttributeCooperativeLaunch)                             \
    X(HD_ATTR_MANAGED_MEMORY, hipDeviceAttributeManagedMemory)                                     \
    X(HD_ATTR_CONCURRENT_MANAGED, hipDeviceAttributeConcurrentManagedAccess)                       \
    X(HD_ATTR_MEMORY_POOLS, hipDeviceAttributeMemoryPoolsSupported)                                \
    X(HD_ATTR_MAPPED_HOST, hipDeviceAttributeCanMapHostMemory)                                     \
    X(HD_ATTR_ECC, hipDeviceAttributeEccEnabled)                                                   \
    X(HD_ATTR_INTEGRATED, hipDeviceAttributeIntegrated)                                            \
    X(HD_ATTR_EXCLUSIVE, hipDeviceAttributeComputeMode)                                            \
    X(HD_ATTR_ARCH_MAJOR, hipDeviceAttributeComputeCapabilityMajor)                                \
    X(HD_ATTR_ARCH_MINOR, hipDeviceAttributeComputeCapabilityMinor)

#endif
