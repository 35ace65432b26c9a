/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - packs the odd elements of each block on the device, and compares with the host. */
#include "exercise.h"

#include "kernel.h"

static uint32_t element(size_t i)
{
    return (uint32_t)(i * i / 3 + i);
}

/* Does the same for one block on the host. */
static int check_block(size_t block, size_t n, const uint32_t *odd, uint32_t counted)
{
    uint32_t count = 0;

    for (size_t i = block * BLOCK; i < n && i < (block + 1) * BLOCK; i++) {
        if (element(i) % 2 == 0)
            continue;
        if (odd[block * BLOCK + count] != element(i))
            return exercise_wrong("odd element %u of block %zu is %u, expected %u", count, block,
                                  odd[block * BLOCK + count], element(i));
        count++;
    }
    if (counted != count)
        return exercise_wrong("block %zu counted %u odd elements, expected %u", block, counted,
                              count);
    return 0;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 1000), blocks = (n + BLOCK - 1) / BLOCK;
    uint32_t *x = malloc(blocks * BLOCK * sizeof *x), *counts = malloc(blocks * sizeof *counts);
    uint32_t *device_x, *device_odd, *device_counts;
    hd_stream *stream;
    int status = 0;

    for (size_t i = 0; i < n; i++)
        x[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_odd, blocks * BLOCK, 0));
    TRY(hd_alloc(&device_counts, blocks, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_fill_zero(device_odd, blocks * BLOCK, stream));
    TRY(hd_launch(keep_odd, hd_launch_1d(n, BLOCK, stream), n, device_x, device_odd,
                  device_counts));
    TRY(hd_copy_blocking(counts, device_counts, blocks, stream));
    TRY(hd_copy_blocking(x, device_odd, blocks * BLOCK, stream));

    for (size_t b = 0; b < blocks && status == 0; b++)
        status = check_block(b, n, x, counts[b]);
    hd_free(device_counts);
    hd_free(device_odd);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(counts);
    free(x);
    return status;
}
