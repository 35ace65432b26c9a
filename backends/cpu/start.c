/* SPDX-License-Identifier: Apache-2.0 */
/* start.c - starts the layers of the engine on the program's first call. */
#include "observe.h"
#include "memory/allocations.h"
#include "worker/worker.h"

static void engine_start(void)
{
    HD_OBSERVE(starts());
    hd_cpu_memory_start();
    hd_cpu_signals_install();
    hd_cpu_workers_start();
}

/* Runs before other constructors, which may call heddle. */
static void __attribute__((constructor(101))) start_register(void)
{
    hd_cpu_start = engine_start;
}

/* The runtime always calls this function, so that every program links this file and its
   constructor. */
const char *hdb_name(void)
{
    return "cpu";
}

hd_status hdb_device_count(int *count)
{
    hd_status status = hd_cpu_ready("hd_device_count");

    if (status >= 0)
        *count = hd_cpu_config_get()->devices;
    return status;
}
