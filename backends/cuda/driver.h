/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h - the few CUDA driver calls that the CUDA runtime lacks. They are looked up through the
   runtime, so that nothing links against the driver. */
#ifndef HEDDLE_CUDA_DRIVER_H
#define HEDDLE_CUDA_DRIVER_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* The driver function of that name; NULL: not found. */
static inline void *hd_cuda_driver_find(const char *name)
{
    void *found = NULL;
    enum cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault,
                                                         &result);
#else
    cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? found : NULL;
}

typedef int hd_cuda_fill_32(unsigned long long to, unsigned value, size_t count,
                            cudaStream_t stream);
typedef int hd_cuda_fill_16(unsigned long long to, unsigned short value, size_t count,
                            cudaStream_t stream);
typedef int hd_cuda_range(unsigned long long *base, size_t *bytes, unsigned long long address);

/* Driver and runtime error codes are equal for the errors that these calls return. */
static inline cudaError_t hd_cuda_fill_words(void *to, uint32_t value, size_t size, size_t count,
                                             cudaStream_t stream)
{
    unsigned long long at = (unsigned long long)(uintptr_t)to;
    void *found = hd_cuda_driver_find(size == 4 ? "cuMemsetD32Async" : "cuMemsetD16Async");
    if (!found)
        return cudaErrorNotSupported;
    if (size == 4)
        return (cudaError_t)((hd_cuda_fill_32 *)(uintptr_t)found)(at, value, count, stream);
    return (cudaError_t)((hd_cuda_fill_16 *)(uintptr_t)found)(at, (unsigned short)value, count,
                                                              stream);
}

static inline cudaError_t hd_cuda_address_range(const void *address, void **base, size_t *bytes)
{
    unsigned long long start = 0;
    void *found = hd_cuda_driver_find("cuMemGetAddressRange");
    if (!found)
        return cudaErrorNotSupported;
    int error = ((hd_cuda_range *)(uintptr_t)found)(&start, bytes,
                                                    (unsigned long long)(uintptr_t)address);
    *base = (void *)(uintptr_t)start;
    return (cudaError_t)error;
}

#endif
