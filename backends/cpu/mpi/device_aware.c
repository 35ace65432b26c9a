/* SPDX-License-Identifier: Apache-2.0 */
/* device_aware.c - device memory of the CPU engine is host memory, which every MPI takes. The
   checker does not see what MPI writes, so there everything is staged by copies of heddle's. */
#include "mpi/device_aware.h"

int hd__mpi_device_aware(const char **reason)
{
#if HD_CPU_CHECK
    *reason = "the checker has to see what is written to device memory";
    return 0;
#else
    *reason = "device memory of this backend is host memory";
    return 1;
#endif
}
