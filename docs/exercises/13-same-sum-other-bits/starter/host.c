/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host's part of a sum. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

enum { BLOCK = 256 };

/* The sum of a part, by one device. */
static float part(const float *x, size_t n, int device)
{
    float *device_x, *device_sum, result;
    hd_stream *stream;

    TRY(hd_stream_create(device, &stream));
    TRY(hd_alloc(&device_x, n, device));
    TRY(hd_alloc(&device_sum, 1, device));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_fill_zero(device_sum, 1, stream));
    TRY(hd_launch(add_up, hd_launch_1d(n, BLOCK, stream), n, device_x, device_sum));
    TRY(hd_copy_blocking(&result, device_sum, 1, stream));
    TRY(hd_free(device_sum));
    TRY(hd_free(device_x));
    TRY(hd_stream_destroy(stream));
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
