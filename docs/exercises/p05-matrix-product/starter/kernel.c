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
    /* Your part: column hd_global_x() and row hd_global_y() of c. */
    (void)s, (void)a, (void)b, (void)c;
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

    /* Your part. The sizes need not be multiples of TILE. */
    (void)tile_a, (void)tile_b, (void)s, (void)a, (void)b, (void)c;
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

    /* Your part: as product_tiles, with ROWS sums. */
    (void)tile_a, (void)tile_b, (void)s, (void)a, (void)b, (void)c;
}
HD_DEFINE(product_rows)
