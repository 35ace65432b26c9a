/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c - writes data patterns to memory, also of other devices, and compares them. */
#include <heddle/kernel.h>

#include "peer.h"

/* Grid: any, 1-D. Writes the n words of the pattern. 4 bytes per word. */
HD_KERNEL void hd__peer_write(size_t n, uint32_t seed, uint32_t *to)
{
    HD_FOR(i, n) {
        to[i] = hd__peer_word(seed, i);
    }
}
HD_DEFINE(hd__peer_write)

/* Grid: any, 1-D. Adds the number of words that differ from the pattern to *wrong. 4 bytes per
   word. Loads bypass this device's caches, which may hold stale data. */
HD_KERNEL void hd__peer_compare(size_t n, uint32_t seed, const uint32_t *from, uint32_t *wrong)
{
    HD_FOR(i, n) {
        if (hd_load_l2(from + i) != hd__peer_word(seed, i))
            (void)hd_atomic_add(wrong, 1u);
    }
}
HD_DEFINE(hd__peer_compare)
