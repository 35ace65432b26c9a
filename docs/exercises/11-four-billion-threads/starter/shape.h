/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - how many blocks and threads the kernel is launched with. */
#ifndef EXERCISE_SHAPE_H
#define EXERCISE_SHAPE_H

#include <heddle/heddle.h>

/* The launch of row_sums for so many rows. `warp` is the warp size of the stream's device. The
   block must be a multiple of it. */
hd_launch_config shape(size_t rows, unsigned warp, hd_stream *stream);

#endif
