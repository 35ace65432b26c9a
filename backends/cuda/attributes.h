/* SPDX-License-Identifier: Apache-2.0 */
/* attributes.h - device attributes and their names in CUDA: X(attribute, name in CUDA). */
#ifndef HEDDLE_CUDA_ATTRIBUTES_H
#define HEDDLE_CUDA_ATTRIBUTES_H

#define GPU_ATTRIBUTE_LIST(X)                                                                      \
    X(HD_ATTR_WARP_SIZE, cudaDevAttrWarpSize)                                                      \
    X(HD_ATTR_COMPUTE_UNITS, cudaDevAttrMultiProcessorCount)                                       \
    X(HD_ATTR_MAX_THREADS_PER_BLOCK, cudaDevAttrMaxThreadsPerBlock)                                \
    X(HD_ATTR_MAX_THREADS_PER_UNIT, cudaDevAttrMaxThreadsPerMultiProcessor)                        \
    X(HD_ATTR_MAX_BLOCK_X, cudaDevAttrMaxBlockDimX)                                                \
    X(HD_ATTR_MAX_BLOCK_Y, cudaDevAttrMaxBlockDimY)                                                \
    X(HD_ATTR_MAX_BLOCK_Z, cudaDevAttrMaxBlockDimZ)                                                \
    X(HD_ATTR_MAX_GRID_X, cudaDevAttrMaxGridDimX)                                                  \
    X(HD_ATTR_MAX_GRID_Y, cudaDevAttrMaxGridDimY)                                                  \
    X(HD_ATTR_MAX_GRID_Z, cudaDevAttrMaxGridDimZ)                                                  \
    X(HD_ATTR_SHARED_PER_BLOCK, cudaDevAttrMaxSharedMemoryPerBlock)                                \
    X(HD_ATTR_SHARED_PER_BLOCK_MAX, cudaDevAttrMaxSharedMemoryPerBlockOptin)                       \
    X(HD_ATTR_SHARED_PER_UNIT, cudaDevAttrMaxSharedMemoryPerMultiprocessor)                        \
    X(HD_ATTR_CONSTANT_BYTES, cudaDevAttrTotalConstantMemory)                                      \
    X(HD_ATTR_REGISTERS_PER_BLOCK, cudaDevAttrMaxRegistersPerBlock)                                \
    X(HD_ATTR_L2_BYTES, cudaDevAttrL2CacheSize)                                                    \
    X(HD_ATTR_MEMORY_BUS_BITS, cudaDevAttrGlobalMemoryBusWidth)                                    \
    X(HD_ATTR_MEMORY_CLOCK_KHZ, cudaDevAttrMemoryClockRate)                                        \
    X(HD_ATTR_CLOCK_KHZ, cudaDevAttrClockRate)                                                     \
    X(HD_ATTR_ASYNC_ENGINES, cudaDevAttrAsyncEngineCount)                                          \
    X(HD_ATTR_CONCURRENT_KERNELS, cudaDevAttrConcurrentKernels)                                    \
    X(HD_ATTR_COOPERATIVE_LAUNCH, cudaDevAttrCooperativeLaunch)                                    \
    X(HD_ATTR_MANAGED_MEMORY, cudaDevAttrManagedMemory)                                            \
    X(HD_ATTR_CONCURRENT_MANAGED, cudaDevAttrConcurrentManagedAccess)                              \
    X(HD_ATTR_MEMORY_POOLS, cudaDevAttrMemoryPoolsSupported)                                       \
    X(HD_ATTR_MAPPED_HOST, cudaDevAttrCanMapHostMemory)                                            \
    X(HD_ATTR_ECC, cudaDevAttrEccEnabled)                                                          \
    X(HD_ATTR_INTEGRATED, cudaDevAttrIntegrated)                                                   \
    X(HD_ATTR_EXCLUSIVE, cudaDevAttrComputeMode)                                                   \
    X(HD_ATTR_ARCH_MAJOR, cudaDevAttrComputeCapabilityMajor)                                       \
    X(HD_ATTR_ARCH_MINOR, cudaDevAttrComputeCapabilityMinor)

#endif
