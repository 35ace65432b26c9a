/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - makes a bitmap with one ballot per warp, and counts the bits of its rows. */
#include <heddle/kernel.h>

#include "kernel.h"

/* Bits of a word of the bitmap: 32 on every machine, because kernel.h defines the format so. The
   number of lanes of a warp is another number, hd_warp_size(). */
enum { WORD = 32 };

HD_KERNEL void make_bitmap(uint32_t limit, const uint32_t *HD_RESTRICT cells,
                           uint32_t *HD_RESTRICT bits)
{
    size_t i = hd_global_x();
    unsigned bit = hd_lane() % WORD; /* of the word that this cell belongs to */
    uint64_t votes = hd_mask_bits(hd_ballot(cells[i] >= limit)); /* bit k: the vote of lane k */

    /* A warp makes one word or two; the votes of the second are in the upper half. */
    if (bit == 0)
        bits[i / WORD] = (uint32_t)(votes >> hd_lane());
}
HD_DEFINE(make_bitmap)

HD_KERNEL void count_rows(size_t rows, size_t words, const uint32_t *HD_RESTRICT bits,
                          uint32_t *HD_RESTRICT counts)
{
    /* No word is taken apart here: every number is about warps. */
    size_t warps = hd_global_size_x() / hd_warp_size();
    unsigned lane = hd_lane();

    for (size_t r = hd_global_x() / hd_warp_size(); r < rows; r += warps) {
        uint32_t count = 0;

        for (size_t k = lane; k < words; k += WORD)
            count += hd_popcount(bits[r * words + k]);
        count = hd_warp_sum(count);
        if (lane == 0)
            counts[r] = count;
    }
}
HD_DEFINE(count_rows)
