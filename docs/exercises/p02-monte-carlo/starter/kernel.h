/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernels and their parameters, for host files and for the kernel file. */
#ifndef MONTE_CARLO_KERNEL_H
#define MONTE_CARLO_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 128, STEPS = 8 }; /* threads of a block; time steps of a path, a multiple of 4 */

/* A European call, and how far a price moves in one step: price *= exp(drift + volatility * z) with
   a standard normal number z. The payoff of a path is discount * max(price - strike, 0). */
typedef struct option {
    float spot, strike, drift, volatility, discount;
} option;

/* The option that price_paths computes: one element in constant memory. */
HD_DECLARE_SYMBOL(parameters)

/* Draws STEPS normal numbers for each of `paths` paths. The four words of
   hd_random_block(seed, path, b) make the numbers of steps 4 b to 4 b + 3: the words x and y those
   of the first two steps, z and w those of the last two. */
HD_DECLARE(draw_normals, size_t, uint64_t, float *)

/* payoffs[path] from the path's STEPS normal numbers. */
HD_DECLARE(price_paths, size_t, const float *, float *)

#endif
