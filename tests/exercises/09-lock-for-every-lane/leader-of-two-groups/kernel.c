/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - groups of lanes compare their rows with the best one, one group at a time. */
#include <heddle/kernel.h>

#include "kernel.h"

enum { GROUP = 32 }; /* lanes that copy a row together */

/* A group of lanes per row. One lane of the warp takes the lock, so that no other group
   uses the best row until all lanes of this one are done with it. */
HD_KERNEL void keep_best(size_t rows, const uint32_t *score, const uint32_t *table, unsigned *words,
                         best_row *best)
{
    hd_lock *lock = (hd_lock *)(void *)words;
    unsigned lane = hd_thread_x() % GROUP, group = hd_thread_x() / GROUP;
    unsigned groups = hd_block_dim_x() / GROUP;
    int better;

    for (size_t row = (size_t)hd_block_x() * groups + group; row < rows;
         row += (size_t)hd_grid_dim_x() * groups) {
        if (hd_lane() == 0)
            hd_lock_acquire(lock);
        hd_sync_warp(); /* the group has the lock */
        better = score[row] > best->score;
        if (better)
            for (unsigned c = lane; c < COLUMNS; c += GROUP)
                best->column[c] = table[row * COLUMNS + c];
        hd_sync_warp(); /* all columns are copied */
        if (lane == 0 && better)
            best->score = score[row];
        hd_sync_warp();
        if (hd_lane() == 0)
            hd_lock_release(lock);
    }
}
HD_DEFINE(keep_best)
