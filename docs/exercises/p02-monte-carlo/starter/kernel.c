/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - normal numbers, and the payoffs of the paths that they make. */
#include <heddle/kernel.h>

#include "kernel.h"
#include "layout.h"

HD_CONSTANT(option, parameters, 1);
HD_DEFINE_SYMBOL(parameters)

/* A thread draws the numbers of one path. Launch: hd_launch_1d of `paths` threads. Writes 4 * STEPS
   bytes per path. */
HD_KERNEL void draw_normals(size_t paths, uint64_t seed, float *HD_RESTRICT normals)
{
    /* Your part: hd_random_block gives four words, hd_normal_pair_f32 makes two normal numbers of
       two words, place() says where each of them goes. */
    (void)paths, (void)seed, (void)normals;
}
HD_DEFINE(draw_normals)

/* A thread computes one path. Launch: hd_launch_1d of `paths` threads. Reads 4 * STEPS bytes per
   path and writes 4. */
HD_KERNEL void price_paths(size_t paths, const float *HD_RESTRICT normals,
                           float *HD_RESTRICT payoffs)
{
    /* Your part: the option is hd_symbol(parameters)[0]; hd_exp and hd_max work in kernels. */
    (void)paths, (void)normals, (void)payoffs;
}
HD_DEFINE(price_paths)
