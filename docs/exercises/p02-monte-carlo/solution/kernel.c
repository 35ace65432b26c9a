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
    const size_t path = hd_global_x();

    if (path >= paths)
        return;
    for (size_t step = 0; step < STEPS; step += 4) {
        /* A function of (seed, path, number of the block): no state to keep, and no thread waits
           for the numbers of another one. */
        const hd_u32x4 words = hd_random_block(seed, path, step / 4);
        float z[4];

        hd_normal_pair_f32(words.x, words.y, &z[0], &z[1]);
        hd_normal_pair_f32(words.z, words.w, &z[2], &z[3]);
        for (size_t i = 0; i < 4; i++)
            normals[place(path, step + i, paths, STEPS)] = z[i];
    }
}
HD_DEFINE(draw_normals)

/* A thread computes one path. Launch: hd_launch_1d of `paths` threads. Reads 4 * STEPS bytes per
   path and writes 4. */
HD_KERNEL void price_paths(size_t paths, const float *HD_RESTRICT normals,
                           float *HD_RESTRICT payoffs)
{
    const size_t path = hd_global_x();

    if (path >= paths)
        return;
    /* All threads read the same element: one access to the constant cache for a warp. */
    const option o = hd_symbol(parameters)[0];
    float price = o.spot;

    for (size_t step = 0; step < STEPS; step++)
        price *= hd_exp(o.drift + o.volatility * normals[place(path, step, paths, STEPS)]);
    payoffs[path] = o.discount * hd_max(price - o.strike, 0.0f);
}
HD_DEFINE(price_paths)
