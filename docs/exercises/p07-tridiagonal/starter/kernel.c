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
    /* Your part. */
    const row r = {0.0f, 0.0f, 0.0f};

    (void)b, (void)system, (void)i;
    return r;
}

/* Eliminates x[i-s] and x[i+s] from a row by means of these two rows: the result has the unknowns
   x[i-2s] and x[i+2s]. */
HD_DEVICE row reduce_row(row r, row before, row behind)
{
    /* Your part: insert the two rows for the two unknowns and solve for x[i]. */
    (void)before, (void)behind;
    return r;
}

/* A thread per row. Launch: a block of BLOCK threads for each system. Reads 16 bytes per row and
   writes 4. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void solve_shared(HD_GRID_CONST batch b, float *HD_RESTRICT x)
{
    HD_SHARED(row, rows, BLOCK);

    /* Your part: strides 1, 2, 4 ... below the number of rows. All rows are reduced at once: who
       reads what when? */
    (void)rows, (void)b, (void)x;
}
HD_DEFINE(solve_shared)

/* A lane per row. Launch: hd_launch_1d of GROUP threads per system, in blocks of BLOCK. Reads 16
   bytes per row and writes 4. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void solve_shuffles(HD_GRID_CONST batch b, float *HD_RESTRICT x)
{
    /* Your part: the same with hd_shfl_up and hd_shfl_down. What do they return at the ends? */
    (void)b, (void)x;
}
HD_DEFINE(solve_shuffles)
