/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.c - blocks that share results, tiles that are loaded ahead, and a product of matrices. */
#include <heddle/kernel.h>

#include "replacements.h"

/* sums[g] is the sum of the elements of GROUP blocks. The block of a group that finishes last adds
   the others' sums; none waits, so the blocks of a group need not run at the same time. tickets:
   one per group, zeroed once. One thread per element. */
HD_KERNEL void group_sums(const float *HD_RESTRICT x, float *partial, unsigned *tickets,
                          float *sums)
{
    unsigned group = hd_block_x() / GROUP;
    float v = hd_block_sum(x[hd_global_x()]);

    if (hd_thread_x() != 0)
        return;
    partial[hd_block_x()] = v;
    if (hd_atomic_add_acq_rel(&tickets[group], 1u) != GROUP - 1)
        return;
    v = 0.0f;
    for (unsigned r = 0; r < GROUP; r++)
        v += partial[group * GROUP + r];
    sums[group] = v;
    hd_store_relaxed(&tickets[group], 0u); /* ready for the next launch */
}
HD_DEFINE(group_sums)

/* out[b] is the sum, over the tiles of block b, of each element times the element at the other end
   of its tile. The next tile is loaded into a register while this one is used. With two arrays one
   barrier per tile is enough. Launch: blocks of TILE. */
HD_KERNEL HD_MAX_THREADS(TILE) void tile_products(size_t tiles, const float *HD_RESTRICT x,
                                                  float *HD_RESTRICT out)
{
    HD_SHARED2(float, tile, 2, TILE);
    unsigned thread = hd_thread_x();
    const float *at = x + hd_block_x() * tiles * TILE + thread;
    float next = *at, v = 0.0f;

    for (size_t t = 0; t < tiles; t++) {
        tile[t % 2][thread] = next;
        hd_sync_block();
        if (t + 1 < tiles)
            next = at[(t + 1) * TILE]; /* arrives while the tile is used */
        v += tile[t % 2][thread] * tile[t % 2][TILE - 1 - thread];
    }
    v = hd_block_sum(v);
    if (thread == 0)
        out[hd_block_x()] = v;
}
HD_DEFINE(tile_products)

/* c = a b for n x n matrices by rows, n a multiple of EDGE; products and sums in f32, in the order
   of k. One thread per element of c, blocks of EDGE x EDGE. */
HD_KERNEL void multiply(size_t n, const hd_f16 *HD_RESTRICT a, const hd_f16 *HD_RESTRICT b,
                        float *HD_RESTRICT c)
{
    HD_SHARED2(float, rows, EDGE, EDGE);
    HD_SHARED2(float, columns, EDGE, EDGE);
    unsigned x = hd_thread_x(), y = hd_thread_y();
    size_t i = hd_global_y(), j = hd_global_x();
    float sum = 0.0f;

    for (size_t k = 0; k < n; k += EDGE) {
        rows[y][x] = hd_f16_to_f32(a[i * n + k + x]);
        columns[y][x] = hd_f16_to_f32(b[(k + y) * n + j]);
        hd_sync_block();
        for (unsigned m = 0; m < EDGE; m++)
            sum = hd_fma(rows[y][m], columns[m][x], sum);
        hd_sync_block();
    }
    c[i * n + j] = sum;
}
HD_DEFINE(multiply)
