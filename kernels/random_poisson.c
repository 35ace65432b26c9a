/* SPDX-License-Identifier: Apache-2.0 */
/* random_poisson.c - Poisson counts. */
#include <heddle/kernel.h>

#include "random.h"

/* One count per iteration: from 1 / 0.86 attempts of two logarithms for means from 10 on, from a
   search upwards below. Any launch shape; 4 bytes written per count. */
HD_KERNEL HD_MAX_THREADS(HD__RANDOM_THREADS) void hd__random_poisson(
    uint64_t seed, uint64_t subsequence, uint64_t first, size_t n, HD_GRID_CONST hd_poisson poisson,
    uint32_t *HD_RESTRICT out)
{
    HD_FOR(i, n)
        out[i] = hd_random_poisson(seed, subsequence, first + i, &poisson);
}
HD_DEFINE(hd__random_poisson)
