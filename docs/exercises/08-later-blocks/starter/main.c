/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - running sums of an array on the device, twice, compared with the host. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include "exercise.h"

#include "kernel.h"

static uint32_t element(size_t i)
{
    return (uint32_t)(i * 7 % 100 + 1);
}

static int check(size_t n, const uint32_t *y)
{
    uint32_t expected = 0;

    for (size_t i = 0; i < n; i++) {
        expected += element(i);
        if (y[i] != expected)
            return exercise_wrong("the sum up to element %zu is %u, expected %u", i, y[i],
                                  expected);
    }
    return 0;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 6000), blocks = (n + BLOCK - 1) / BLOCK;
    uint32_t *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    uint32_t *device_x, *device_y, *prefix;
    unsigned *flag, *counter;
    hd_stream *stream;
    int status = 0;

    /* The CPU engine reports a deadlock when nothing has moved for so many seconds; default 10. */
    setenv("HEDDLE_CPU_WATCHDOG", "2", 0);
    for (size_t i = 0; i < n; i++)
        x[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_y, n, 0));
    TRY(hd_alloc(&prefix, blocks, 0));
    TRY(hd_alloc(&flag, blocks, 0));
    TRY(hd_alloc(&counter, 1, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_fill_zero(counter, 1, stream));
    for (int launch = 0; launch < 2 && status == 0; launch++) {
        TRY(hd_fill_zero(device_y, n, stream));
        TRY(hd_fill_zero(flag, blocks, stream));
        TRY(hd_launch(running_sum, hd_launch_1d(n, BLOCK, stream), n, device_x, device_y, flag,
                      prefix, counter));
        TRY(hd_copy_blocking(y, device_y, n, stream));
        status = check(n, y);
    }
    hd_free(counter);
    hd_free(flag);
    hd_free(prefix);
    hd_free(device_y);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(y);
    free(x);
    return status;
}
