/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - warps compare their rows with the best one, one warp at a time. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A warp per row. Every lane takes the lock before it touches the best row. */
HD_KERNEL void keep_best(size_t rows, const uint32_t *score, const uint32_t *table, unsigned *words,
                         best_row *best)
{
    hd_lock *lock = (hd_lock *)(void *)words;
    unsigned lane = hd_lane(), warps = hd_warps_per_block();
    int better;

    for (size_t row = (size_t)hd_block_x() * warps + hd_warp(); row < rows;
         row += (size_t)hd_grid_dim_x() * warps) {
        hd_lock_acquire(lock);
        hd_sync_warp(); /* the warp has the lock */
        better = score[row] > best->score;
        if (better)
            for (unsigned c = lane; c < COLUMNS; c += hd_warp_size())
                best->column[c] = table[row * COLUMNS + c];
        hd_sync_warp(); /* all columns are copied */
        if (lane == 0 && better)
            best->score = score[row];
        hd_lock_release(lock);
    }
}
HD_DEFINE(keep_best)
