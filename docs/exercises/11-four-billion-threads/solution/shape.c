/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - how many blocks and threads the kernel is launched with. */
#include "shape.h"

enum { BLOCK = 256 };

/* As many warps as fill the device, at most one per row. The number of threads then depends on the
   device, never on the rows, and stays far below 2^32. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream)
{
    return hd_launch_loop(rows * warp, BLOCK, stream);
}
