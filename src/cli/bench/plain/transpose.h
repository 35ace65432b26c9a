/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.h - transposition in plain C, what heddle's is compared with on the CPU. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_TRANSPOSE_H
#define HEDDLE_CLI_BENCH_PLAIN_TRANSPOSE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dense matrices of elements of 1, 2, 4, 8 or 16 bytes, block by block. */
void plain_transpose(size_t rows, size_t columns, size_t size, const void *in, void *out);

#ifdef __cplusplus
}
#endif

#endif
