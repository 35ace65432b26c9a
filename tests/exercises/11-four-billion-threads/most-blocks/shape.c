/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - how many blocks and threads the kernel is launched with. */
#include <stdint.h>

#include "shape.h"

enum { BLOCK = 256 };

/* As many blocks as the x dimension of a grid can have. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream)
{
    size_t blocks = (rows * warp + BLOCK - 1) / BLOCK;

    if (blocks > INT32_MAX)
        blocks = INT32_MAX;
    return hd_launch_with(hd_dim((unsigned)blocks, 1, 1), hd_dim(BLOCK, 1, 1), 0, stream);
}
