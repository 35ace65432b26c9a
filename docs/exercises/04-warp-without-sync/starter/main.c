/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - sums each block of an array on the device, and compares with the host. */
#include "exercise.h"

#include "kernel.h"

static uint32_t element(size_t i)
{
    return (uint32_t)(i * 7 % 100 + 1);
}

/* The same sum on the host, in a plain loop. */
static uint32_t expected_sum(size_t block, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = block * BLOCK; i < n && i < (block + 1) * BLOCK; i++)
        sum += element(i);
    return sum;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 1000), blocks = (n + BLOCK - 1) / BLOCK;
    uint32_t *host = malloc((n + 1) * sizeof *host), *sums = malloc((blocks + 1) * sizeof *sums);
    uint32_t *device_x, *device_sums;
    hd_stream *stream;
    int status = 0;

    for (size_t i = 0; i < n; i++)
        host[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_sums, blocks, 0));
    TRY(hd_copy(device_x, host, n, stream));
    TRY(hd_launch(block_sums, hd_launch_1d(n, BLOCK, stream), n, device_x, device_sums));
    TRY(hd_copy_blocking(sums, device_sums, blocks, stream));

    for (size_t b = 0; b < blocks && status == 0; b++)
        if (sums[b] != expected_sum(b, n))
            status = exercise_wrong("the sum of block %zu is %u, expected %u", b, sums[b],
                                    expected_sum(b, n));
    hd_free(device_sums);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(sums);
    free(host);
    return status;
}
