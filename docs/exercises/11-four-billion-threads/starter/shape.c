/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - how many blocks and threads the kernel is launched with. */
#include "shape.h"

enum { BLOCK = 256 };

/* A warp per row. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream)
{
    return hd_launch_1d(rows * warp, BLOCK, stream);
}
