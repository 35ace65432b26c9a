/* SPDX-License-Identifier: Apache-2.0 */
/* device_aware.c - whether MPI accepts device pointers, queried through each MPI's own extension.
   Plain C without vendor headers: MPI_AMD selects the vendor. */
#include <mpi.h>

#include "mpi/device_aware.h"

#ifdef __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#if MPI_AMD
#define MEMORY "ROCm"
#else
#define MEMORY "CUDA"
#endif

int hd__mpi_device_aware(const char **reason)
{
    int aware = 0;
    (void)aware;
#if MPI_AMD && defined(OMPI_HAVE_MPI_EXT_ROCM) && OMPI_HAVE_MPI_EXT_ROCM
    aware = MPIX_Query_rocm_support();
#elif !MPI_AMD && defined(MPIX_CUDA_AWARE_SUPPORT)
    aware = MPIX_Query_cuda_support();
#elif MPI_AMD && defined(MPIX_GPU_SUPPORT_HIP)
    if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_HIP, &aware) != MPI_SUCCESS)
        aware = 0;
#elif !MPI_AMD && defined(MPIX_GPU_SUPPORT_CUDA)
    if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &aware) != MPI_SUCCESS)
        aware = 0;
#else
    *reason = "this MPI cannot be asked about " MEMORY " memory";
    return 0;
#endif
    *reason = aware ? "MPI says that it takes " MEMORY " memory"
                    : "MPI says that it does not take " MEMORY " memory";
    return aware != 0;
}
