/* SPDX-License-Identifier: Apache-2.0 */
/* counters.c - counts of a kernel's memory requests: not available, a kernel cannot be observed. */
#include "runtime/counters.h"

#include <string.h>

#include "runtime/backend.h"

hd_status hdb_counters_start(const hd_kernel *kernel)
{
    return hd__fail(HD_ERR_UNSUPPORTED, "hdb_counters_start",
                    "memory requests of %s are counted by the checking CPU engine only",
                    kernel->name);
}

void hdb_counters_stop(const hd_kernel *kernel, hdb_counters *counters_out)
{
    (void)kernel;
    memset(counters_out, 0, sizeof *counters_out);
}
