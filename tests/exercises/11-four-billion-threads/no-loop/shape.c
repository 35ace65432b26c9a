/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - how many blocks and threads the kernel is launched with. */
#include "shape.h"

enum { BLOCK = 256 };

/* A warp per row, as long as there are fewer than 2^31 threads. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream)
{
    size_t threads = rows * warp, most = (size_t)1 << 31;

    return hd_launch_1d(threads < most ? threads : most, BLOCK, stream);
}
