/* SPDX-License-Identifier: Apache-2.0 */
/* latency.c - one operation at a time. */
#include <heddle/kernel.h>

#include "latency.h"

/* Launch: 2^bits threads. Writes 4 bytes per element; no shared memory. */
HD_KERNEL void latency_link(uint32_t *next, uint32_t bits)
{
    const uint32_t elements = (uint32_t)1 << bits;

    HD_FOR(i, elements) {
        uint32_t index = (uint32_t)i;

        next[(size_t)latency_place(index, bits) * LATENCY_WORDS] = latency_place(
            (index + 1) & (elements - 1), bits);
    }
}
HD_DEFINE(latency_link)

/* The thread's number, which is 0, keeps compilers from using loads that serve a whole warp, which
   have a cache of their own on some GPUs.
   Launch: one thread. Reads 4 bytes per step; no shared memory. */
HD_KERNEL void latency_chase(const uint32_t *next, uint32_t steps, uint32_t *at, uint32_t *visits)
{
    uint32_t element = *at + hd_thread_x(), i;

    if (visits) {
        for (i = 0; i < steps; i++) {
            element = next[(size_t)element * LATENCY_WORDS];
            visits[element]++;
        }
    } else {
        for (i = 0; i < steps; i++)
            element = next[(size_t)element * LATENCY_WORDS];
    }
    *at = element;
}
HD_DEFINE(latency_chase)

/* Launch: LATENCY_LANES threads, of which the first warp works. No shared memory. */
HD_KERNEL void latency_atomic(uint32_t *words, uint32_t stride, uint32_t turns, uint32_t zero)
{
    const uint32_t place = hd_lane() * stride;
    uint32_t at = place, i;

    if (hd_warp() > 0)
        return;
    HD_NO_UNROLL
    for (i = 0; i < turns; i++)
        at = place + (hd_atomic_add(&words[at], 1u) & zero);
    if (zero)
        words[0] = at;
}
HD_DEFINE(latency_atomic)

/* Launch: LATENCY_LANES threads, of which the first warp works. Shared memory: a word per lane. */
HD_KERNEL void latency_atomic_shared(uint32_t *words, uint32_t stride, uint32_t turns,
                                     uint32_t zero)
{
    HD_SHARED(uint32_t, sums, HD_WARP_MAX);
    const uint32_t place = hd_lane() * stride;
    uint32_t at = place, i;

    if (hd_warp() > 0)
        return;
    sums[hd_lane()] = 0;
    hd_sync_warp();
    HD_NO_UNROLL
    for (i = 0; i < turns; i++)
        at = place + (hd_atomic_add(&sums[at], 1u) & zero);
    hd_sync_warp();
    words[hd_lane()] = sums[hd_lane()];
    if (zero)
        words[0] = at;
}
HD_DEFINE(latency_atomic_shared)

/* Launch: one thread. */
HD_KERNEL void latency_count(uint32_t *count)
{
    ++*count;
}
HD_DEFINE(latency_count)
