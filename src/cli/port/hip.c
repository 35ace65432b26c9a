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

static void rename_one(port_job *job, port_file *file, uint32_t i, const char *name)
{
    const char *reason, *page;

    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        if (strcmp(name, renamed[k].hip) == 0) {
            port_replace(job, file, i, i, port_print(job, "%s", renamed[k].cuda));
            return;
        }
    if (port_is(file, i, "HIP_SYMBOL") || strncmp(name, "hipLaunchKernel", 15) == 0)
        return;
    {
        char cuda[256];

        snprintf(cuda, sizeof cuda, "cuda%.240s", name + strlen("hip"));
        if (port_name_fate(cuda, &reason, &page) == PORT_MAPPED)
            port_replace(job, file, i, i, port_print(job, "%s", cuda));
        else
            port_report(job, PORT_ERROR, "unknown-name", file, file->tokens[i].line,
                        reason ? page : port_page_names, "%s: %s", name,
                        reason ? reason : "is not translated");
    }
}

void port_pass_hip(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        const char *name;

        if (!port_is_name(file, i))
            continue;
        name = port_text(file, i);
        if (strncmp(name, "hip", 3) == 0 && name[3] >= 'A' && name[3] <= 'Z' &&
            !port_names_has(job->declared, job->declared_count, name))
            rename_one(job, file, i, name);
    }
}
