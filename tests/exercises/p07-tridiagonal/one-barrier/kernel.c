/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - parallel cyclic reduction in shared memory, and by shuffles. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A row of a system, divided by its diagonal: x[i] = d - a x[i-s] - c x[i+s], where s is the stride
   that the reduction has reached. */
typedef struct row {
    float a, c, d;
} row;

/* Row i of a system, with a = 0 in the first one and c = 0 in the last one. A row that does not
   exist says x = 0. */
HD_DEVICE row load_row(const batch *b, size_t system, size_t i)
{
    row r = {0.0f, 0.0f, 0.0f};

    if (system < b->systems && i < b->rows) {
        const size_t at = system * b->rows + i;
        const float scale = 1.0f / b->diagonal[at];

        r.a = i > 0 ? b->lower[at] * scale : 0.0f;
        r.c = i + 1 < b->rows ? b->upper[at] * scale : 0.0f;
        r.d = b->right[at] * scale;
    }
    return r;
}

/* Eliminates x[i-s] and x[i+s] from a row by means of these two rows: the result has the unknowns
   x[i-2s] and x[i+2s]. */
HD_DEVICE row reduce_row(row r, row before, row behind)
{
    const float scale = 1.0f / (1.0f - r.a * before.c - r.c * behind.a);

    r.d = (r.d - r.a * before.d - r.c * behind.d) * scale;
    r.a = -(r.a * before.a) * scale;
    r.c = -(r.c * behind.c) * scale;
    return r;
}

/* A thread per row. Launch: a block of BLOCK threads for each system. Reads 16 bytes per row and
   writes 4. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void solve_shared(HD_GRID_CONST batch b, float *HD_RESTRICT x)
{
    HD_SHARED(row, rows, BLOCK);
    const row none = {0.0f, 0.0f, 0.0f};
    const size_t system = hd_block_x(), i = hd_thread_x();
    row r = load_row(&b, system, i); /* threads without a row have one that says x = 0 */

    for (size_t stride = 1; stride < b.rows; stride *= 2) {
        rows[i] = r;
        hd_sync_block(); /* all rows are there */
        const row before = i >= stride ? rows[i - stride] : none;
        const row behind = i + stride < BLOCK ? rows[i + stride] : none;

        r = reduce_row(r, before, behind);
    }
    if (i < b.rows)
        x[system * b.rows + i] = r.d;
}
HD_DEFINE(solve_shared)

/* A lane per row. Launch: hd_launch_1d of GROUP threads per system, in blocks of BLOCK. Reads 16
   bytes per row and writes 4. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void solve_shuffles(HD_GRID_CONST batch b, float *HD_RESTRICT x)
{
    const size_t system = hd_global_x() / GROUP, i = hd_global_x() % GROUP;
    row r = load_row(&b, system, i);

    for (int stride = 1; stride < GROUP; stride *= 2) {
        row before, behind;

        /* At the ends of the group a shuffle returns the lane's own value. That is harmless: a row
           without one before it has a = 0, and the value is multiplied by that. For the same reason
           a system never sees the rows of its neighbour. */
        before.a = hd_shfl_up(r.a, stride, GROUP);
        before.c = hd_shfl_up(r.c, stride, GROUP);
        before.d = hd_shfl_up(r.d, stride, GROUP);
        behind.a = hd_shfl_down(r.a, stride, GROUP);
        behind.c = hd_shfl_down(r.c, stride, GROUP);
        behind.d = hd_shfl_down(r.d, stride, GROUP);
        r = reduce_row(r, before, behind);
    }
    if (system < b.systems && i < b.rows)
        x[system * b.rows + i] = r.d;
}
HD_DEFINE(solve_shuffles)
