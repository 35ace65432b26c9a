/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the host side of the tour: plain C, includes no vendor headers. */
#include <stdio.h>

#include <heddle/heddle.h>

#include "axpy.h"

enum { N = 1000, DEVICE = 0 };

static hd_status axpy(const float *x, float *y)
{
    hd_stream *stream;
    float *device_x, *device_y;

    HD_TRY(hd_stream_create(DEVICE, &stream));
    HD_TRY(hd_alloc(&device_x, N, DEVICE)); /* N elements */
    HD_TRY(hd_alloc(&device_y, N, DEVICE));
    HD_TRY(hd_copy(device_x, x, N, stream));
    HD_TRY(hd_copy(device_y, y, N, stream));
    HD_TRY(hd_launch(axpy_f32, hd_launch_1d(N, 256, stream), N, 2.0f, device_x, device_y));
    HD_TRY(hd_copy(y, device_y, N, stream));
    HD_TRY(hd_stream_synchronize(stream));
    HD_TRY(hd_free(device_x));
    HD_TRY(hd_free(device_y));
    return hd_stream_destroy(stream);
}

int main(void)
{
    float x[N], y[N];
    char text[HD_ERROR_TEXT_MAX];

    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    if (axpy(x, y) != HD_OK) {
        fprintf(stderr, "tour: %s\n", hd_error_format(text, sizeof text));
        return 1;
    }
    printf("%s: 2 * 999 + 1 = %g\n", hd_backend_name(), (double)y[N - 1]);
    return 0;
}
