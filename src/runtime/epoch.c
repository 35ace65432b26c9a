/* SPDX-License-Identifier: Apache-2.0 */
/* epoch.c - a counter that changes when memory may have been freed, which invalidates cached
   properties of addresses. */
#include "runtime/runtime.h"

static atomic_uint epoch;

unsigned hd__memory_epoch(void)
{
    return atomic_load_explicit(&epoch, memory_order_relaxed);
}

void hd__memory_changed(void)
{
    atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
}
