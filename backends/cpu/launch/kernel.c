/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - properties of kernels: maximum threads per block, shared memory, occupancy. */
#include "launch/kernel.h"
#include "launch/launch.h"

#include <string.h>

/* The last bound between this HD_DEFINE and the previous one. */
static unsigned bound_of(const hd_module *module)
{
    const hd_cpu_bound *found = NULL;
    unsigned from = 0; /* number after the previous HD_DEFINE */

    for (const hd_module *m = *module->defined; m; m = m->next)
        if (m->order < module->order && m->order >= from)
            from = m->order + 1;
    for (const hd_cpu_bound *b = *module->bounds; b; b = b->next)
        if (b->order >= from && b->order < module->order && (!found || b->order > found->order))
            found = b;
    return found && found->threads - 1 < HD_CPU_MAX_THREADS ? found->threads : HD_CPU_MAX_THREADS;
}

unsigned hd_cpu_max_threads(const hd_kernel *kernel)
{
    hd_module *module = kernel->module;
    unsigned threads = __atomic_load_n(&module->max_threads, __ATOMIC_RELAXED);

    if (threads)
        return threads;
    threads = bound_of(module);
    __atomic_store_n(&module->max_threads, threads, __ATOMIC_RELAXED);
    return threads;
}

int hd_cpu_kernel_waits(const hd_kernel *kernel)
{
    hd_module *module = kernel->module;
    int waits = __atomic_load_n(&module->waits, __ATOMIC_RELAXED);

    if (waits)
        return waits > 0;
    waits = -1;
    for (const hd_cpu_outside *o = module->outside; o < module->outside_end; o++)
        if (o->bounds == module->bounds)
            waits = 1;
    __atomic_store_n(&module->waits, waits, __ATOMIC_RELAXED);
    return waits > 0;
}

void hd_cpu_static_used(const hd_kernel *kernel, size_t bytes)
{
    size_t *most = &kernel->module->static_bytes, seen = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (seen < bytes &&
           !__atomic_compare_exchange_n(most, &seen, bytes, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

hd_status hdb_kernel_get(const hd_kernel *kernel, int ordinal, hd_kernel_attributes *attributes)
{
    (void)ordinal;
    memset(attributes, 0, sizeof *attributes);
    attributes->max_threads = hd_cpu_max_threads(kernel);
    attributes->shared_bytes = __atomic_load_n(&kernel->module->static_bytes, __ATOMIC_RELAXED);
    return HD_OK;
}

hd_status hdb_occupancy(const hd_kernel *kernel, int ordinal, unsigned threads, size_t shared_bytes,
                        unsigned *blocks)
{
    (void)ordinal;
    *blocks = 0;
    if (threads && threads <= hd_cpu_max_threads(kernel) &&
        shared_bytes <= hd_cpu_config_get()->shared)
        *blocks = hd_cpu_residents(threads);
    return HD_OK;
}
