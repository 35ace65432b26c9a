/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host side: copies on one stream, kernels on another one. */
#ifndef EXERCISE_HOST_H
#define EXERCISE_HOST_H

#include <stddef.h>

enum { CHUNKS = 4 };

/* sums[i] = the sum of the squares of in[c * n + i] for all chunks c. Both arrays are pinned host
   memory; the result is there when the function returns. */
void sum_squares(size_t n, const float *in, float *sums);

#endif
