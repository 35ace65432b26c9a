/* SPDX-License-Identifier: Apache-2.0 */
/* images.c - pictures as arrays, and functions that are PTX instructions. */
#include <heddle/kernel.h>

#include "replacements.h"

/* Inverts a picture in place; rows begin `pitch` elements apart. One thread per pixel. */
HD_KERNEL void invert(int width, int height, size_t pitch, float *image)
{
    size_t x = hd_global_x(), y = hd_global_y();

    if (x < (size_t)width && y < (size_t)height)
        image[y * pitch + x] = 1.0f - image[y * pitch + x];
}
HD_DEFINE(invert)

/* The pixel (x, y), or the nearest one of the picture. */
HD_DEVICE float pixel(const float *image, int width, int height, int x, int y)
{
    return image[hd_clamp(y, 0, height - 1) * width + hd_clamp(x, 0, width - 1)];
}

/* Linear interpolation between four pixels; (0, 0) is the centre of the first one. */
HD_DEVICE float sample(const float *image, int width, int height, float x, float y)
{
    float left = hd_floor(x), top = hd_floor(y), u = x - left, v = y - top;
    int i = (int)left, j = (int)top;
    float upper = (1.0f - u) * pixel(image, width, height, i, j) +
                  u * pixel(image, width, height, i + 1, j);
    float lower = (1.0f - u) * pixel(image, width, height, i, j + 1) +
                  u * pixel(image, width, height, i + 1, j + 1);

    return (1.0f - v) * upper + v * lower;
}

/* A picture with another number of pixels. One thread per pixel of the result. */
HD_KERNEL void enlarge(int width, int height, const float *HD_RESTRICT image, int new_width,
                       int new_height, float *HD_RESTRICT out)
{
    size_t x = hd_global_x(), y = hd_global_y();

    if (x >= (size_t)new_width || y >= (size_t)new_height)
        return;
    out[y * (size_t)new_width + x] = sample(
        image, width, height, ((float)x + 0.5f) * (float)width / (float)new_width - 0.5f,
        ((float)y + 0.5f) * (float)height / (float)new_height - 0.5f);
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
