/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a histogram in one launch: each block writes a histogram of its elements, and the
   block that finishes last adds them up. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void histogram(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *partial,
                         unsigned *ticket, uint32_t *HD_RESTRICT total)
{
    HD_SHARED(uint32_t, bins, BINS);
    HD_SHARED(int, last, 1);
    unsigned t = hd_thread_x(), blocks = hd_grid_dim_x();

    if (t < BINS)
        bins[t] = 0;
    hd_sync_block();
    for (size_t i = hd_global_x(); i < n; i += hd_global_size_x())
        (void)hd_atomic_add_block(&bins[x[i] % BINS], 1u);
    hd_sync_block();

    if (t < BINS)
        partial[hd_block_x() * BINS + t] = bins[t];
    hd_fence_device(); /* the partial histogram is visible before the ticket is taken */
    hd_sync_block();
    if (t == 0)
        last[0] = hd_atomic_add(ticket, 1u) == blocks - 1; /* all other tickets are taken */
    hd_sync_block();
    if (!last[0])
        return;

    if (t < BINS) {
        uint32_t sum = 0;

        for (unsigned block = 0; block < blocks; block++)
            sum += partial[block * BINS + t];
        total[t] = sum;
    }
    if (t == 0)
        hd_store_relaxed(ticket, 0u); /* for the next launch */
}
HD_DEFINE(histogram)
