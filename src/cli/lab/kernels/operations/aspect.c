/* SPDX-License-Identifier: Apache-2.0 */
/* aspect.c - one cell per thread, neighbours read from global memory. Launch: a grid that covers
   the cells exactly; 24 bytes of loads and stores per cell; no shared memory. */
#include <heddle/kernel.h>

#include "aspect.h"

HD_KERNEL void aspect_sum(uint32_t pitch, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    const size_t at = hd_global_y() * pitch + hd_global_x();

    out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch];
}
HD_DEFINE(aspect_sum)
