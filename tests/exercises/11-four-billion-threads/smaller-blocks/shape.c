/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - how many blocks and threads the kernel is launched with. */
#include "shape.h"

/* A warp per row, and a block per warp. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream)
{
    return hd_launch_with(hd_dim((unsigned)rows, 1, 1), hd_dim(warp, 1, 1), 0, stream);
}
