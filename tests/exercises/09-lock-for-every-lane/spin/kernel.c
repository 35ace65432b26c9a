/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - groups of lanes compare their rows with the best one, one group at a time. */
#include <heddle/kernel.h>

#include "kernel.h"

enum { GROUP = 32 }; /* lanes that copy a row together */

/* A group of lanes per row. The first lane spins on a word, so that no other group
   uses the best row until all lanes of this one are done with it. */
HD_KERNEL void keep_best(size_t rows, const uint32_t *score, const uint32_t *table, unsigned *words,
                         best_row *best)
{
    unsigned lane = hd_thread_x() % GROUP, group = hd_thread_x() / GROUP;
    unsigned groups = hd_block_dim_x() / GROUP;
    int better;

    for (size_t row = (size_t)hd_block_x() * groups + group; row < rows;
         row += (size_t)hd_grid_dim_x() * groups) {
        if (lane == 0)
            while (hd_atomic_cas_acquire(words, 0u, 1u) != 0)
                ;
        hd_sync_warp(); /* the group has the lock */
        better = score[row] > best->score;
        if (better)
            for (unsigned c = lane; c < COLUMNS; c += GROUP)
                best->column[c] = table[row * COLUMNS + c];
        hd_sync_warp(); /* all columns are copied */
        if (lane == 0) {
            if (better)
                best->score = score[row];
            hd_store_release(words, 0u);
        }
    }
}
HD_DEFINE(keep_best)
