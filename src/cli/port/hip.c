/* SPDX-License-Identifier: Apache-2.0 */
/* hip.c - HIP's names become CUDA's, which cuda_names.hpp defines. */
#include "port.h"

#include <string.h>

static const struct {
    const char *hip, *cuda;
} renamed[] = {
    {"hipDeviceProp_t", "cudaDeviceProp"},
    {"hipHostMalloc", "cudaHostAlloc"},
    {"hipHostFree", "cudaFreeHost"},
    {"hipHostMallocDefault", "cudaHostAllocDefault"},
    {"hipHostMallocMapped", "cudaHostAllocMapped"},
    {"hipHostMallocPortable", "cudaHostAllocPortable"},
    {"hipErrorOutOfMemory", "cudaErrorMemoryAllocation"},
    {"hipDeviceAttributeMultiprocessorCount", "cudaDevAttrMultiProcessorCount"},
    {"hipDeviceAttributeMaxThreadsPerMultiProcessor", "cudaDevAttrMaxThreadsPerMultiProcessor"},
    {"hipFloatComplex", "cuFloatComplex"},
    {"hipDoubleComplex", "cuDoubleComplex"},
    {"hipComplex", "cuComplex"},
    {"make_hipFloatComplex", "make_cuFloatComplex"},
    {"make_hipDoubleComplex", "make_cuDoubleComplex"},
    {"make_hipComplex", "make_cuComplex"},
    {"hip_bfloat16", "nv_bfloat16"},
    {"__hip_bfloat16", "__nv_bfloat16"},
    {"__hip_bfloat162", "__nv_bfloat162"},
    {"hipThreadIdx_x", "threadIdx.x"},
    {"hipThreadIdx_y", "threadIdx.y"},
    {"hipThreadIdx_z", "threadIdx.z"},
    {"hipBlockIdx_x", "blockIdx.x"},
    {"hipBlockIdx_y", "blockIdx.y"},
    {"hipBlockIdx_z", "blockIdx.z"},
    {"hipBlockDim_x", "blockDim.x"},
    {"hipBlockDim_y", "blockDim.y"},
    {"hipBlockDim_z", "blockDim.z"},
    {"hipGridDim_x", "gridDim.x"},
    {"hipGridDim_y", "gridDim.y"},
    {"hipGridDim_z", "gridDim.z"},
};

/* By the beginning: hipMalloc is cudaMalloc, hipDeviceAttributeX cudaDevAttrX, hipCaddf cuCaddf. */
static void rename_begin(port_job *job, port_file *file, uint32_t i, const char *name)
{
    static const struct {
        const char *hip, *cuda;
    } begins[] = {{"hipDeviceAttribute", "cudaDevAttr"}, {"hip", "cuda"}, {"hipC", "cuC"}};
    const char *reason = NULL, *page = NULL;

    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
        const size_t length = strlen(begins[k].hip);
        char cuda[256];

        if (strncmp(name, begins[k].hip, length) != 0)
            continue;
        snprintf(cuda, sizeof cuda, "%s%.230s", begins[k].cuda, name + length);
        if (port_name_fate(cuda, &reason, &page) == PORT_MAPPED) {
            port_replace(job, file, i, i, port_print(job, "%s", cuda));
            return;
        }
        if (reason)
            break;
    }
    port_report(job, PORT_ERROR, "unknown-name", file, file->tokens[i].line,
                reason ? page : port_page_names, "%s: %s", name,
                reason ? reason : "is not translated");
}

static void rename_one(port_job *job, port_file *file, uint32_t i, const char *name)
{
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        if (strcmp(name, renamed[k].hip) == 0) {
            port_replace(job, file, i, i, port_print(job, "%s", renamed[k].cuda));
            return;
        }
    if (strncmp(name, "hip", 3) == 0 && strncmp(name, "hipLaunchKernel", 15) != 0)
        rename_begin(job, file, i, name);
}

void port_pass_hip(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        const char *name;

        if (!port_is_name(file, i))
            continue;
        name = port_text(file, i);
        if (port_is_hip(name) && !(job->clean && port_clean_renames(name)) &&
            !port_names_has(job->declared, job->declared_count, name))
            rename_one(job, file, i, name);
    }
}
