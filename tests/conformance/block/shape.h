/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - declares the kernels of kern_shape.c. */
#ifndef HEDDLE_TESTS_SHAPE_H
#define HEDDLE_TESTS_SHAPE_H

#include <heddle/kernel_decl.h>

/* What every thread says about itself, in this order. */
enum {
    SHAPE_THREAD_X,
    SHAPE_THREAD_Y,
    SHAPE_THREAD_Z,
    SHAPE_BLOCK_X,
    SHAPE_BLOCK_Y,
    SHAPE_BLOCK_Z,
    SHAPE_BLOCK_DIM_X,
    SHAPE_BLOCK_DIM_Y,
    SHAPE_BLOCK_DIM_Z,
    SHAPE_GRID_DIM_X,
    SHAPE_GRID_DIM_Y,
    SHAPE_GRID_DIM_Z,
    SHAPE_THREAD_LINEAR,
    SHAPE_BLOCK_THREADS,
    SHAPE_BLOCK_LINEAR,
    SHAPE_GRID_BLOCKS,
    SHAPE_GLOBAL_X,
    SHAPE_GLOBAL_Y,
    SHAPE_GLOBAL_Z,
    SHAPE_GLOBAL_SIZE_X,
    SHAPE_LANE,
    SHAPE_WARP,
    SHAPE_WARPS_PER_BLOCK,
    SHAPE_WARP_SIZE,
    SHAPE_ANSWERS
};

typedef struct shape_big {
    double weight[20];
    int64_t count;
    float scale;
    unsigned char last;
} shape_big;

typedef struct shape_small {
    unsigned char r, g, b;
} shape_small;

HD_DECLARE(shape_answers, uint64_t *)
HD_DECLARE(cover_1, size_t, unsigned *)
HD_DECLARE(cover_2, size_t, size_t, unsigned *)
HD_DECLARE(cover_3, size_t, size_t, size_t, unsigned *)
HD_DECLARE(no_arguments)
HD_DECLARE(many_arguments, double *, char, signed char, unsigned char, short, unsigned short, int,
           unsigned, long, unsigned long, long long, unsigned long long, float, double, size_t,
           int32_t, uint64_t, float, char, double, shape_small, float, int, unsigned short)
HD_DECLARE(struct_arguments, shape_big, double *, shape_small)
HD_DECLARE(first_argument, shape_big, double *)
HD_DECLARE(bounded, unsigned *)
HD_DECLARE(bounded_twice, unsigned *)
HD_DECLARE(touch, unsigned *)
HD_DECLARE(unrolled, unsigned *, unsigned)
HD_DECLARE_SYMBOL(no_arguments_calls)

#endif
