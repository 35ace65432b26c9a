/* SPDX-License-Identifier: Apache-2.0 */
/* images.c - pictures as images, and functions that are PTX instructions. */
#include <heddle/kernel.h>

#include <heddle/device/image.h>

#include "replacements.h"

/* Inverts a picture in place. One thread per pixel. */
HD_KERNEL void invert(HD_GRID_CONST hd_image picture)
{
    int x = (int)hd_global_x(), y = (int)hd_global_y();

    if ((uint32_t)x < picture.width && (uint32_t)y < picture.height)
        hd_image_write_2d_f32(&picture, x, y, 1.0f - hd_image_read_2d_f32(&picture, x, y));
}
HD_DEFINE(invert)

/* A picture with another number of pixels. One thread per pixel of the result. */
HD_KERNEL void enlarge(HD_GRID_CONST hd_image picture, int new_width, int new_height,
                       float *HD_RESTRICT out)
{
    size_t x = hd_global_x(), y = hd_global_y();

    if (x >= (size_t)new_width || y >= (size_t)new_height)
        return;
    out[y * (size_t)new_width + x] = hd_image_sample_2d_f32(
        &picture, ((float)x + 0.5f) * (float)picture.width / (float)new_width,
        ((float)y + 0.5f) * (float)picture.height / (float)new_height);
}
HD_DEFINE(enlarge)

/* `bits` bits of x from bit `at` on; 0 < bits < 32. */
HD_DEVICE uint32_t field(uint32_t x, unsigned at, unsigned bits)
{
    return x >> at & ((1u << bits) - 1u);
}

/* Splits words into two fields. One thread per word. */
HD_KERNEL void unpack(size_t n, const uint32_t *words, uint32_t *HD_RESTRICT low,
                      uint32_t *HD_RESTRICT high)
{
    size_t i = hd_global_x();

    if (i >= n)
        return;
    uint32_t word = hd_load_l2(words + i);
    low[i] = field(word, 0, 12);
    high[i] = field(word, 12, 20);
}
HD_DEFINE(unpack)
