/* SPDX-License-Identifier: Apache-2.0 */
/* kern_image.c - images that are written and read by a block, a row per block. */
#include <heddle/kernel.h>

#include <heddle/device/image.h>

#include "kern_image.h"

enum { N = 256 };

/* Threads of a block pass values on in an image. */
HD_KERNEL void image_exchange(int bug, HD_GRID_CONST hd_image image, const uint32_t *in,
                              uint32_t *out)
{
    const int row = (int)hd_block_x(), t = (int)hd_thread_x();

    hd_image_write_2d_u32(&image, t, row, in[hd_global_x()]); /* BUG image_race */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = hd_image_read_2d_u32(&image, N - 1 - t, row); /* BUG image_race */
}
HD_DEFINE(image_exchange)

HD_KERNEL void image_copy(HD_GRID_CONST hd_image image, uint32_t *out)
{
    const float at = (float)hd_thread_x() + 0.5f, row = (float)hd_block_x();

    out[hd_global_x()] = hd_image_sample_2d_u32(&image, at, row); /* BUG image_freed image_uninit */
}
HD_DEFINE(image_copy)
