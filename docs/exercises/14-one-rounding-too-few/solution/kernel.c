/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - c[i] = a[i] * conj(b[i]). */
#include <heddle/kernel.h>

#include "kernel.h"

/* Two products at once: x and y are one complex number, z and w the next one. */
HD_DEVICE hd_f32x4 two_products(hd_f32x4 a, hd_f32x4 b)
{
    return hd_f32x4_make(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y, a.z * b.z + a.w * b.w,
                         a.w * b.z - a.z * b.w);
}

/* One product, rounded like those above: both products first, then their sum. hd_fma would round
   the sum alone, so the bits would depend on the tile that a number is in, and with it on the warp
   size. And a.y * b.x - a.x * b.y would not be 0 for a equal to b. heddle's compilers never fuse
   what is written with * and +. */
HD_DEVICE hd_f32x2 one_product(hd_f32x2 a, hd_f32x2 b)
{
    return hd_f32x2_make(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y);
}

/* A warp takes tile after tile. Each lane has two numbers of a tile; if a tile is not full, the
   lanes take its numbers one by one. */
HD_KERNEL void conjugate_products(size_t n, const hd_f32x2 *HD_RESTRICT a,
                                  const hd_f32x2 *HD_RESTRICT b, hd_f32x2 *HD_RESTRICT c)
{
    size_t tile = 2 * (size_t)hd_warp_size(), step = 2 * hd_global_size_x();

    for (size_t first = hd_global_x() / hd_warp_size() * tile; first < n; first += step) {
        size_t i = first + 2 * (size_t)hd_lane();

        if (first + tile <= n)
            *(hd_f32x4 *)(void *)(c + i) = two_products(*(const hd_f32x4 *)(const void *)(a + i),
                                                        *(const hd_f32x4 *)(const void *)(b + i));
        else
            for (i = first + hd_lane(); i < n; i += hd_warp_size())
                c[i] = one_product(a[i], b[i]);
    }
}
HD_DEFINE(conjugate_products)
