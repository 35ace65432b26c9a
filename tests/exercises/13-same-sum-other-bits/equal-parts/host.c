/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host's part of a sum. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

enum { TILE = 256 };

/* The sum of a part, by one device. */
static float part(const float *x, size_t n, int device)
{
    size_t tiles = (n + TILE - 1) / TILE;
    float *tile_sum = malloc((tiles + 1) * sizeof *tile_sum), result = 0.0f;
    float *device_x, *device_sums;
    hd_stream *stream;

    if (!tile_sum)
        exit(2);
    TRY(hd_stream_create(device, &stream));
    TRY(hd_alloc(&device_x, n, device));
    TRY(hd_alloc(&device_sums, tiles, device));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_launch(add_up, hd_launch_1d(n, TILE, stream), n, device_x, device_sums));
    TRY(hd_copy_blocking(tile_sum, device_sums, tiles, stream));
    TRY(hd_free(device_sums));
    TRY(hd_free(device_x));
    TRY(hd_stream_destroy(stream));
    for (size_t tile = 0; tile < tiles; tile++)
        result += tile_sum[tile];
    free(tile_sum);
    return result;
}

/* Every device has an equal part. */
float sum(const float *x, size_t n, int devices)
{
    float result = 0.0f;

    for (int d = 0; d < devices; d++) {
        size_t first = n * (size_t)d / (size_t)devices;
        size_t end = n * (size_t)(d + 1) / (size_t)devices;

        result += part(x + first, end - first, d);
    }
    return result;
}
