/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host's part of a sum. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

/* A tile is what one block adds. Tiles are cut without regard to devices. */
enum { TILE = 256 };

/* The sums of all tiles of a part that begins with a tile, by one device. */
static void part(const float *x, size_t n, int device, float *tile_sum)
{
    size_t tiles = (n + TILE - 1) / TILE;
    float *device_x, *device_sums;
    hd_stream *stream;

    if (n == 0)
        return;
    TRY(hd_stream_create(device, &stream));
    TRY(hd_alloc(&device_x, n, device));
    TRY(hd_alloc(&device_sums, tiles, device));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_launch(add_up, hd_launch_1d(n, TILE, stream), n, device_x, device_sums));
    TRY(hd_copy_blocking(tile_sum, device_sums, tiles, stream));
    TRY(hd_free(device_sums));
    TRY(hd_free(device_x));
    TRY(hd_stream_destroy(stream));
}

/* Devices take whole tiles, so every tile is the same for any number of devices. The sums of the
   tiles are added from the first to the last one. */
float sum(const float *x, size_t n, int devices)
{
    size_t tiles = (n + TILE - 1) / TILE;
    float *tile_sum = malloc((tiles + 1) * sizeof *tile_sum), result = 0.0f;

    if (!tile_sum)
        exit(2);
    for (int d = 0; d < devices; d++) {
        size_t first = tiles * (size_t)d / (size_t)devices;
        size_t end = tiles * (size_t)(d + 1) / (size_t)devices;
        size_t last = end * TILE < n ? end * TILE : n; /* the last tile may be shorter */

        if (first < end)
            part(x + first * TILE, last - first * TILE, d, tile_sum + first);
    }
    for (size_t tile = 0; tile < tiles; tile++)
        result += tile_sum[tile];
    free(tile_sum);
    return result;
}
