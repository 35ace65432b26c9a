/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - makes a histogram on the device, twice, and compares both with the host. */
#include "exercise.h"

#include "kernel.h"

enum { BLOCKS = 24 };

static uint32_t element(size_t i)
{
    return (uint32_t)(i * i / 7 + i);
}

static int check(size_t n, const uint32_t *total)
{
    uint32_t expected[BINS] = {0};

    for (size_t i = 0; i < n; i++)
        expected[element(i) % BINS]++;
    for (unsigned k = 0; k < BINS; k++)
        if (total[k] != expected[k])
            return exercise_wrong("bin %u has %u elements, expected %u", k, total[k], expected[k]);
    return 0;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, 5000);
    uint32_t *x = malloc(n * sizeof *x), total[BINS];
    uint32_t *device_x, *partial, *device_total;
    unsigned *ticket;
    hd_stream *stream;
    int status = 0;

    for (size_t i = 0; i < n; i++)
        x[i] = element(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&partial, BLOCKS * BINS, 0));
    TRY(hd_alloc(&device_total, BINS, 0));
    TRY(hd_alloc(&ticket, 1, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_fill_zero(ticket, 1, stream));
    for (int launch = 0; launch < 2 && status == 0; launch++) {
        TRY(hd_launch(histogram, hd_launch_1d(BLOCKS * BLOCK, BLOCK, stream), n, device_x, partial,
                      ticket, device_total));
        TRY(hd_copy_blocking(total, device_total, BINS, stream));
        status = check(n, total);
    }
    hd_free(ticket);
    hd_free(device_total);
    hd_free(partial);
    hd_free(device_x);
    hd_stream_destroy(stream);
    free(x);
    return status;
}
