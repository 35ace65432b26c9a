/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - transposition in cache-sized blocks, without a library. */
#include "plain.h"

#include <heddle/device/vector.h>

enum { BLOCK = 32 };

#define PLAIN_TRANSPOSE_(name, type)                                                               \
    static void name(size_t rows, size_t columns, const type *in, type *out)                       \
    {                                                                                              \
        for (size_t r0 = 0; r0 < rows; r0 += BLOCK)                                                \
            for (size_t c0 = 0; c0 < columns; c0 += BLOCK)                                         \
                for (size_t c = c0; c < c0 + BLOCK && c < columns; c++)                            \
                    for (size_t r = r0; r < r0 + BLOCK && r < rows; r++)                           \
                        out[c * rows + r] = in[r * columns + c];                                   \
    }
PLAIN_TRANSPOSE_(transpose_1, uint8_t)
PLAIN_TRANSPOSE_(transpose_2, uint16_t)
PLAIN_TRANSPOSE_(transpose_4, uint32_t)
PLAIN_TRANSPOSE_(transpose_8, uint64_t)
PLAIN_TRANSPOSE_(transpose_16, hd_u64x2)

void plain_transpose(size_t rows, size_t columns, size_t size, const void *in, void *out)
{
    switch (size) {
    case 1:
        transpose_1(rows, columns, (const uint8_t *)in, (uint8_t *)out);
        break;
    case 2:
        transpose_2(rows, columns, (const uint16_t *)in, (uint16_t *)out);
        break;
    case 4:
        transpose_4(rows, columns, (const uint32_t *)in, (uint32_t *)out);
        break;
    case 8:
        transpose_8(rows, columns, (const uint64_t *)in, (uint64_t *)out);
        break;
    default:
        transpose_16(rows, columns, (const hd_u64x2 *)in, (hd_u64x2 *)out);
        break;
    }
}
