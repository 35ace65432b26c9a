/* SPDX-License-Identifier: Apache-2.0 */
/* names_nvidia.h - names that HIP's headers for NVIDIA hardware lack or define incompletely;
   included by names.h. */
#ifndef HEDDLE_GPU_NAMES_NVIDIA_H
#define HEDDLE_GPU_NAMES_NVIDIA_H

#include "../cuda/attributes.h"
#include "../cuda/driver.h"
#include "../cuda/graph_calls.h"
#include "../cuda/link.h"
#include "../cuda/sensors.h"

#define GPU_HAS_PRINTF_LIMIT 1
#define GPU_GRAPH_LAUNCHES_OVERLAP 0
#define GPU_ThreadExchangeStreamCaptureMode(mode)                                                  \
    hipCUDAErrorTohipError(cudaThreadExchangeStreamCaptureMode(mode))
#define GPU_DeviceGetAttribute(value, attribute, ordinal)                                          \
    hipCUDAErrorTohipError(cudaDeviceGetAttribute((value), (attribute), (ordinal)))
#define GPU_SetMaxShared(function, bytes)                                                          \
    hipFuncSetAttribute((function), hipFuncAttributeMaxDynamicSharedMemorySize, (bytes))
#define GPU_MallocCoherent hipMalloc
#define GPU_PeerLink(ordinal, peer, here, there, info) hd_cuda_peer_link((here), (there), (info))
#define GPU_Sensors hd_cuda_sensors
#define GPU_COLLECTIVES_LIBRARY "libnccl.so.2"
#define GPU_FillWords(to, value, size, count, stream)                                              \
    hipCUDAErrorTohipError(hd_cuda_fill_words((to), (value), (size), (count), (stream)))
#define GPU_AddressRange(address, base, bytes)                                                     \
    hipCUDAErrorTohipError(hd_cuda_address_range((address), (base), (bytes)))
#define GPU_GraphUpdate(exec, graph) hipCUDAErrorTohipError(hd_cuda_graph_update((exec), (graph)))
#define GPU_GraphDepend(graph, node, after)                                                        \
    hipCUDAErrorTohipError(hd_cuda_graph_depend((graph), (node), (after)))
#define GPU_CaptureId(stream, id) hipCUDAErrorTohipError(hd_cuda_capture_id((stream), (id)))
#define GPU_HAS_COOPERATIVE_NODES 1
#define GPU_NodeCooperative(node) hipCUDAErrorTohipError(hd_cuda_node_cooperative(node))
#define GPU_ARCH(text, size, ordinal) hd_gpu_arch_numbers("sm_", (text), (size), (ordinal))

typedef struct cudaPointerAttributes gpu_pointer_attributes;
#define GPU_PointerGetAttributes(attributes, pointer)                                              \
    hipCUDAErrorTohipError(cudaPointerGetAttributes((attributes), (pointer)))
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

#ifndef hipMemPoolAttrReleaseThreshold
#define hipMemPoolAttr cudaMemPoolAttr
#define hipMemPoolAttrReleaseThreshold cudaMemPoolAttrReleaseThreshold
#define hipMemPoolAttrReservedMemCurrent cudaMemPoolAttrReservedMemCurrent
#define hipMemPoolAttrUsedMemCurrent cudaMemPoolAttrUsedMemCurrent
#define hipMemPoolAttrReservedMemHigh cudaMemPoolAttrReservedMemHigh
#define hipMemPoolAttrUsedMemHigh cudaMemPoolAttrUsedMemHigh
#endif
#ifndef hipMemAllocationTypePinned
#define hipMemAllocationTypePinned cudaMemAllocationTypePinned
#endif
#ifndef hipMemLocationTypeDevice
#define hipMemLocationTypeDevice cudaMemLocationTypeDevice
#endif
#ifndef hipMemAccessFlagsProtReadWrite
#define hipMemAccessFlagsProtNone cudaMemAccessFlagsProtNone
#define hipMemAccessFlagsProtReadWrite cudaMemAccessFlagsProtReadWrite
#endif

#endif
