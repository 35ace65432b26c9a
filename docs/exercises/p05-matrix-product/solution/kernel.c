/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a matrix product: straight from memory, with tiles in shared memory, and with several
   elements per thread. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A thread computes one element of c. Launch: hd_launch_3d of n x m x 1 threads in blocks of
   TILE x TILE. Loads 2 k floats per element. */
HD_KERNEL void product_plain(HD_GRID_CONST sizes s, const float *HD_RESTRICT a,
                             const float *HD_RESTRICT b, float *HD_RESTRICT c)
{
    const size_t column = hd_global_x(), row = hd_global_y();
    float sum = 0.0f;

    if (column >= s.n || row >= s.m)
        return;
    for (size_t i = 0; i < s.k; i++)
        sum += a[row * s.k + i] * b[i * s.n + column];
    c[row * s.n + column] = sum;
}
HD_DEFINE(product_plain)

/* A thread computes one element of c; the block walks along k and loads a tile of a and a tile of b
   for all of its threads. Launch: as product_plain. Loads 2 k / TILE floats per element. */
HD_KERNEL HD_MAX_THREADS(TILE *TILE) void product_tiles(HD_GRID_CONST sizes s,
                                                        const float *HD_RESTRICT a,
                                                        const float *HD_RESTRICT b,
                                                        float *HD_RESTRICT c)
{
    HD_SHARED2(float, tile_a, TILE, TILE);
    HD_SHARED2(float, tile_b, TILE, TILE);

    const unsigned x = hd_thread_x(), y = hd_thread_y();
    const size_t column = hd_global_x(), row = hd_global_y();
    float sum = 0.0f;

    for (size_t first = 0; first < s.k; first += TILE) {
        /* Elements beyond an edge are zeros, which add nothing. Threads without an element load
           for others, and reach the barriers. */
        tile_a[y][x] = row < s.m && first + x < s.k ? a[row * s.k + first + x] : 0.0f;
        tile_b[y][x] = column < s.n && first + y < s.k ? b[(first + y) * s.n + column] : 0.0f;
        hd_sync_block(); /* the tiles are complete */
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        hd_sync_block(); /* nobody reads them any more: the next ones may come */
    }
    if (column < s.n && row < s.m)
        c[row * s.n + column] = sum;
}
HD_DEFINE(product_tiles)

/* A thread computes ROWS elements of c, in column hd_thread_x() of the tile and rows hd_thread_y(),
   hd_thread_y() + TILE / ROWS ... Launch: blocks of TILE x TILE / ROWS, one for each tile of c.
   Loads 2 k / TILE floats per element, and each element of tile_b once for ROWS products. */
HD_KERNEL HD_MAX_THREADS(TILE *TILE /
                         ROWS) void product_rows(HD_GRID_CONST sizes s, const float *HD_RESTRICT a,
                                                 const float *HD_RESTRICT b, float *HD_RESTRICT c)
{
    HD_SHARED2(float, tile_a, TILE, TILE);
    HD_SHARED2(float, tile_b, TILE, TILE);

    const unsigned x = hd_thread_x(), y0 = hd_thread_y(), step = TILE / ROWS;
    const size_t column = hd_global_x(), first_row = hd_block_y() * (size_t)TILE;
    float sums[ROWS] = {0.0f};

    for (size_t first = 0; first < s.k; first += TILE) {
        for (unsigned y = y0; y < TILE; y += step) {
            const size_t row = first_row + y;

            tile_a[y][x] = row < s.m && first + x < s.k ? a[row * s.k + first + x] : 0.0f;
            tile_b[y][x] = column < s.n && first + y < s.k ? b[(first + y) * s.n + column] : 0.0f;
        }
        hd_sync_block();
        for (int i = 0; i < TILE; i++) {
            const float factor = tile_b[i][x]; /* stays in a register for ROWS products */

            HD_UNROLL
            for (unsigned r = 0; r < ROWS; r++)
                sums[r] += tile_a[y0 + r * step][i] * factor;
        }
        hd_sync_block();
    }
    for (unsigned r = 0; r < ROWS; r++) {
        const size_t row = first_row + y0 + r * step;

        if (column < s.n && row < s.m)
            c[row * s.n + column] = sums[r];
    }
}
HD_DEFINE(product_rows)
