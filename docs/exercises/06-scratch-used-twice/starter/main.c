/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - sums each block of an array and its squares on the device, and compares with the host.
   */
#include "exercise.h"

#include "kernel.h"

static uint32_t element(size_t i)
{
    return (uint32_t)(i * 7 % 100 + 1);
}

/* Does the same for one block on the host. */
static int check_block(size_t block, size_t n, uint32_t sum, uint32_t squares)
{
    uint32_t expected = 0, expected_squares = 0;

    for (size_t i = block * BLOCK; i < n && i < (block + 1) * BLOCK; i++) {
        expected += element(i);
        expected_squares += element(i) * element(i);
    }
    if (sum != expected)
        return exercise_wrong("the sum of block %zu is %u, expected %u", block, sum, expected);
    if (squares != expected_squares)
        return exercise_wrong("the sum of squares of block %zu is %u, expected %u", block, squares,
                              expected_squares);
    return 0;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 2000), blocks = (n + BLOCK - 1) / BLOCK;
    uint32_t *x = malloc(n * sizeof *x), *sums = malloc(2 * blocks * sizeof *sums);
    uint32_t *device_x, *device_sums;
    hd_stream *stream;
    int status = 0;

    for (size_t i = 0; i < n; i++)
        x[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_sums, 2 * blocks, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_launch(moments, hd_launch_1d(n, BLOCK, stream), n, device_x, device_sums,
                  device_sums + blocks));
    TRY(hd_copy_blocking(sums, device_sums, 2 * blocks, stream));

    for (size_t b = 0; b < blocks && status == 0; b++)
        status = check_block(b, n, sums[b], sums[blocks + b]);
    hd_free(device_sums);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(sums);
    free(x);
    return status;
}
