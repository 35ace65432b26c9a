/* SPDX-License-Identifier: Apache-2.0 */
/* counters.c - counts of a kernel's memory requests, which only the checker can supply. */
#include "observe.h"

#include <string.h>

hd_status hdb_counters_start(const hd_kernel *kernel)
{
    if (!HD_OBSERVED)
        return hd__fail(HD_ERR_UNSUPPORTED, "hdb_counters_start",
                        "memory requests of %s are counted by the checking engine only",
                        kernel->name);
    if (!HD_OBSERVE_OR(0, counting.start(kernel)))
        return hd__fail(HD_ERR_NO_MEMORY, "hdb_counters_start", "no memory for the counters of %s",
                        kernel->name);
    return HD_OK;
}

void hdb_counters_stop(const hd_kernel *kernel, hdb_counters *counters_out)
{
    (void)kernel; /* without the checker */
    memset(counters_out, 0, sizeof *counters_out);
    HD_OBSERVE(counting.stop(kernel, counters_out));
}
