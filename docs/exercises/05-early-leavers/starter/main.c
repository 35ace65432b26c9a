/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - scales the elements of an array by the greatest of their block on the device, and
   compares with the host. */
#include "exercise.h"

#include "kernel.h"

static uint32_t element(size_t i)
{
    return (uint32_t)(i * 73 % 991 + 1);
}

/* The same on the host, in a plain loop. */
static uint32_t expected_percent(size_t i, size_t n)
{
    size_t first = i / BLOCK * BLOCK;
    uint32_t most = 0;

    for (size_t k = first; k < n && k < first + BLOCK; k++)
        if (element(k) > most)
            most = element(k);
    return element(i) * 100 / most;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 992);
    uint32_t *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    uint32_t *device_x, *device_y;
    hd_stream *stream;
    int status = 0;

    for (size_t i = 0; i < n; i++)
        x[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_y, n, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_launch(percent, hd_launch_1d(n, BLOCK, stream), n, device_x, device_y));
    TRY(hd_copy_blocking(y, device_y, n, stream));

    for (size_t i = 0; i < n && status == 0; i++)
        if (y[i] != expected_percent(i, n))
            status = exercise_wrong("element %zu is %u percent, expected %u", i, y[i],
                                    expected_percent(i, n));
    hd_free(device_y);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(y);
    free(x);
    return status;
}
