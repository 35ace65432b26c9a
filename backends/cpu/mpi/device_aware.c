/* SPDX-License-Identifier: Apache-2.0 */
/* device_aware.c - device memory of the CPU engine is host memory, which every MPI accepts. The
   checker does not see MPI's writes, so with it all data is staged by copies. */
#include "mpi/device_aware.h"

#include "backends/cpu/observe.h"

int hd__mpi_device_aware(const char **reason)
{
    *reason = HD_OBSERVED ? "the checker has to see what is written to device memory"
                          : "device memory of this backend is host memory";
    return !HD_OBSERVED;
}
