/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - sums the squares of an array that arrives in chunks. */
#include "exercise.h"
#include "host.h"

enum { N = 400 };

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, N);
    float *in, *sums;
    int status = 0;

    TRY(hd_alloc_kind(&in, CHUNKS * n, HD_MEM_PINNED, 0));
    TRY(hd_alloc_kind(&sums, n, HD_MEM_PINNED, 0));
    for (size_t i = 0; i < CHUNKS * n; i++)
        in[i] = (float)(i * 7 % 101);
    sum_squares(n, in, sums);
    for (size_t i = 0; i < n && !status; i++) {
        float expected = 0.0f; /* whole numbers below 2^24: exact */

        for (size_t c = 0; c < CHUNKS; c++)
            expected += in[c * n + i] * in[c * n + i];
        if (sums[i] != expected)
            status = exercise_wrong("sum %zu is %g, expected %g", i, (double)sums[i],
                                    (double)expected);
    }
    if (!status)
        printf("%zu sums of %d squares: right\n", n, CHUNKS);
    TRY(hd_free(sums));
    TRY(hd_free(in));
    return status;
}
