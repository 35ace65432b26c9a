/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.c - a large kernel and a small one enqueued after it. No shared memory; two atomics per
   block. */
#include <heddle/kernel.h>

#include "crowd.h"

HD_KERNEL void crowd_work(uint32_t *count, uint32_t *begun, unsigned turns)
{
    uint32_t v;

    if (hd_thread_linear() == 0 && hd_load_relaxed(count) == 0)
        hd_store_release_system(begun, 1u);
    v = crowd_turns(turns, (uint32_t)hd_global_x());
    if (hd_thread_linear() == 0) {
        (void)hd_atomic_add(&count[1], v);
        (void)hd_atomic_add(&count[0], 1u);
    }
}
HD_DEFINE(crowd_work)

HD_KERNEL void crowd_look(const uint32_t *count, uint32_t *seen)
{
    *seen = hd_load_relaxed(count);
}
HD_DEFINE(crowd_look)
