/* SPDX-License-Identifier: Apache-2.0 */
/* kern_shape.c - who am I, which indices are mine, what was I given. */
#include <heddle/kernel.h>

#include "shape.h"

HD_KERNEL void shape_answers(uint64_t *HD_RESTRICT out)
{
    size_t i = hd_block_linear() * hd_block_threads() + hd_thread_linear();
    uint64_t *mine = out + i * SHAPE_ANSWERS;

    mine[SHAPE_THREAD_X] = hd_thread_x();
    mine[SHAPE_THREAD_Y] = hd_thread_y();
    mine[SHAPE_THREAD_Z] = hd_thread_z();
    mine[SHAPE_BLOCK_X] = hd_block_x();
    mine[SHAPE_BLOCK_Y] = hd_block_y();
    mine[SHAPE_BLOCK_Z] = hd_block_z();
    mine[SHAPE_BLOCK_DIM_X] = hd_block_dim_x();
    mine[SHAPE_BLOCK_DIM_Y] = hd_block_dim_y();
    mine[SHAPE_BLOCK_DIM_Z] = hd_block_dim_z();
    mine[SHAPE_GRID_DIM_X] = hd_grid_dim_x();
    mine[SHAPE_GRID_DIM_Y] = hd_grid_dim_y();
    mine[SHAPE_GRID_DIM_Z] = hd_grid_dim_z();
    mine[SHAPE_THREAD_LINEAR] = hd_thread_linear();
    mine[SHAPE_BLOCK_THREADS] = hd_block_threads();
    mine[SHAPE_BLOCK_LINEAR] = hd_block_linear();
    mine[SHAPE_GRID_BLOCKS] = hd_grid_blocks();
    mine[SHAPE_GLOBAL_X] = hd_global_x();
    mine[SHAPE_GLOBAL_Y] = hd_global_y();
    mine[SHAPE_GLOBAL_Z] = hd_global_z();
    mine[SHAPE_GLOBAL_SIZE_X] = hd_global_size_x();
    mine[SHAPE_LANE] = hd_lane();
    mine[SHAPE_WARP] = hd_warp();
    mine[SHAPE_WARPS_PER_BLOCK] = hd_warps_per_block();
    mine[SHAPE_WARP_SIZE] = hd_warp_size();
}
HD_DEFINE(shape_answers)

HD_KERNEL void cover_1(size_t n, unsigned *visits)
{
    HD_FOR(i, n)
        (void)hd_atomic_add(&visits[i], 1u);
}
HD_DEFINE(cover_1)

/* Also notes that the second index is the inner one: visits[j * nx + i] += 1 + 1000 * j. */
HD_KERNEL void cover_2(size_t ny, size_t nx, unsigned *visits)
{
    HD_FOR2(j, ny, i, nx)
        (void)hd_atomic_add(&visits[j * nx + i], 1u + 1000u * (unsigned)j);
}
HD_DEFINE(cover_2)

HD_KERNEL void cover_3(size_t nz, size_t ny, size_t nx, unsigned *visits)
{
    HD_FOR3(k, nz, j, ny, i, nx) {
        (void)hd_atomic_add(&visits[(k * ny + j) * nx + i],
                            1u + 1000u * (unsigned)j + 1000000u * (unsigned)k);
    }
}
HD_DEFINE(cover_3)

HD_DEVICE_VAR(unsigned, no_arguments_calls, 1);
HD_DEFINE_SYMBOL(no_arguments_calls)

HD_KERNEL void no_arguments(void)
{
    (void)hd_atomic_add(&hd_symbol(no_arguments_calls)[0], 1u);
}
HD_DEFINE(no_arguments)

HD_KERNEL void many_arguments(double *out, char a1, signed char a2, unsigned char a3, short a4,
                              unsigned short a5, int a6, unsigned a7, long a8, unsigned long a9,
                              long long a10, unsigned long long a11, float a12, double a13,
                              size_t a14, int32_t a15, uint64_t a16, float a17, char a18,
                              double a19, shape_small a20, float a21, int a22, unsigned short a23)
{
    out[0] = a1;
    out[1] = a2;
    out[2] = a3;
    out[3] = a4;
    out[4] = a5;
    out[5] = a6;
    out[6] = a7;
    out[7] = (double)a8;
    out[8] = (double)a9;
    out[9] = (double)a10;
    out[10] = (double)a11;
    out[11] = a12;
    out[12] = a13;
    out[13] = (double)a14;
    out[14] = a15;
    out[15] = (double)a16;
    out[16] = a17;
    out[17] = a18;
    out[18] = a19;
    out[19] = a20.r * 65536.0 + a20.g * 256.0 + a20.b;
    out[20] = a21;
    out[21] = a22;
    out[22] = a23;
}
HD_DEFINE(many_arguments)

/* One thread per weight. */
HD_KERNEL void struct_arguments(HD_GRID_CONST shape_big big, double *out,
                                HD_GRID_CONST shape_small colour)
{
    unsigned i = hd_thread_x();

    out[i] = big.weight[i % 20] * big.scale + (double)big.count + big.last + colour.g;
}
HD_DEFINE(struct_arguments)

/* The same of the first argument, which is read anew in each iteration. */
HD_KERNEL void first_argument(HD_GRID_CONST shape_big big, double *out)
{
    for (unsigned i = hd_thread_x(); i < 30; i += hd_block_dim_x()) {
        const shape_big *read = hd__first_argument(&big);
        out[i] = read->weight[i % 20] * read->scale + (double)read->count + read->last;
    }
}
HD_DEFINE(first_argument)

HD_KERNEL HD_MAX_THREADS(128) void bounded(unsigned *out)
{
    (void)hd_atomic_add(out, 1u);
}
HD_DEFINE(bounded)

HD_KERNEL HD_LAUNCH_BOUNDS(256, 2) void bounded_twice(unsigned *out)
{
    (void)hd_atomic_add(out, 1u);
}
HD_DEFINE(bounded_twice)

HD_KERNEL void touch(unsigned *out)
{
    (void)hd_atomic_add(out, 1u);
}
HD_DEFINE(touch)

HD_KERNEL void unrolled(unsigned *out, unsigned n)
{
    unsigned sum = 0;

    HD_UNROLL
    for (unsigned i = 0; i < 8; i++)
        sum += i;
    HD_UNROLL_N(4)
    for (unsigned i = 0; i < n; i++)
        sum += i * 3u;
    HD_NO_UNROLL
    for (unsigned i = 0; i < n; i++)
        sum ^= i;
    out[0] = sum;
}
HD_DEFINE(unrolled)
