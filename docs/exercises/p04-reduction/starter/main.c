/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the three kernels and compares their sums with the host's. Sums of integers are
   exact, whatever the order of the additions. */
#include <inttypes.h>

#include "exercise.h"

#include "kernel.h"

enum { N = 3000, GRID = 3 };

typedef struct arrays {
    size_t n, blocks;
    int32_t *host, *device;
    int64_t *host_partial, *partial; /* one element per block, and one for the total */
} arrays;

static int check_blocks(const char *kernel, const arrays *a)
{
    for (size_t b = 0; b < a->blocks; b++) {
        int64_t expected = 0;

        for (size_t i = b * BLOCK; i < a->n && i < (b + 1) * BLOCK; i++)
            expected += a->host[i];
        if (a->host_partial[b] != expected)
            return exercise_wrong("%s: the sum of block %zu of %zu is %" PRId64
                                  ", expected %" PRId64,
                                  kernel, b, a->blocks, a->host_partial[b], expected);
    }
    return 0;
}

static int run_blocks(hd_stream *stream, const arrays *a)
{
    const hd_launch_config config = hd_launch_1d(a->n, BLOCK, stream);

    TRY(hd_fill_zero(a->partial, a->blocks, stream));
    TRY(hd_launch(sum_by_tree, config, a->n, a->device, a->partial));
    TRY(hd_copy_blocking(a->host_partial, a->partial, a->blocks, stream));
    if (check_blocks("sum_by_tree", a))
        return 1;
    TRY(hd_fill_zero(a->partial, a->blocks, stream));
    TRY(hd_launch(sum_by_shuffles, config, a->n, a->device, a->partial));
    TRY(hd_copy_blocking(a->host_partial, a->partial, a->blocks, stream));
    return check_blocks("sum_by_shuffles", a);
}

static int run_all(hd_stream *stream, const arrays *a)
{
    const hd_launch_config config = hd_launch_with(hd_dim(GRID, 1, 1), hd_dim(BLOCK, 1, 1), 0,
                                                   stream);
    int64_t expected = 0, sum;

    for (size_t i = 0; i < a->n; i++)
        expected += a->host[i];
    TRY(hd_fill_zero(a->partial, 1, stream));
    TRY(hd_launch(sum_all, config, a->n, a->device, a->partial));
    TRY(hd_copy_blocking(&sum, a->partial, 1, stream));
    if (sum != expected)
        return exercise_wrong("sum_all: the sum of %zu elements is %" PRId64 ", expected %" PRId64,
                              a->n, sum, expected);
    fprintf(stderr, "the sum of %zu elements: %" PRId64 "\n", a->n, sum);
    printf("three kernels, no wrong sum\n");
    return 0;
}

int main(int argc, char **argv)
{
    arrays a = {.n = exercise_size(argc, argv, N)};
    hd_stream *stream;
    int result = 2;

    a.blocks = (a.n + BLOCK - 1) / BLOCK;
    a.host = malloc((a.n + 1) * sizeof *a.host);
    a.host_partial = malloc((a.blocks + 1) * sizeof *a.host_partial);
    if (a.host && a.host_partial && a.n > 0) {
        for (size_t i = 0; i < a.n; i++)
            a.host[i] = (int32_t)((uint32_t)(i + 1) * 2654435761u);
        TRY(hd_stream_create(0, &stream));
        TRY(hd_alloc(&a.device, a.n, 0));
        TRY(hd_alloc(&a.partial, a.blocks, 0));
        TRY(hd_copy(a.device, a.host, a.n, stream));
        result = run_blocks(stream, &a) || run_all(stream, &a);
        TRY(hd_free(a.partial));
        TRY(hd_free(a.device));
        TRY(hd_stream_destroy(stream));
    }
    free(a.host_partial);
    free(a.host);
    return result;
}
