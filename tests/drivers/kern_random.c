/* SPDX-License-Identifier: Apache-2.0 */
/* kern_random.c - random numbers made inside a kernel. */
#include <heddle/kernel.h>

#include "kern_random.h"

HD_KERNEL void test_roots(uint32_t first, size_t n, unsigned *wrong)
{
    HD_FOR(i, n) {
        const float x = hd_f32_from_bits(first + (uint32_t)i);
        if (hd_f32_bits(hd_sqrt_normal_f32(x)) != hd_f32_bits(hd_sqrt(x)))
            (void)hd_atomic_add(wrong, 1u);
    }
}
HD_DEFINE(test_roots)

HD_KERNEL void test_generators(uint64_t seed, size_t n, uint32_t *words, float *normals)
{
    HD_FOR(i, n) {
        hd_mrg32k3a mrg = hd_mrg32k3a_make((uint32_t)seed);
        hd_xorwow xorwow = hd_xorwow_make(seed, 0, i);
        const hd_u32x4 w = hd_random_block(seed, i, 0);

        hd_mrg32k3a_skip(&mrg, i, 40);
        words[i] = hd_mrg32k3a_next(&mrg);
        words[n + i] = hd_xorwow_next(&xorwow);
        hd_normal_pair_f32(w.x, w.y, &normals[2 * i], &normals[2 * i + 1]);
    }
}
HD_DEFINE(test_generators)
