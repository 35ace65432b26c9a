/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c - launches the kernels of kern_plain.c; for test_plain.sh. */
#include <heddle/heddle.h>

#include <stdio.h>

#include "kern_plain.h"

enum { N = PLAIN_N, ALL = N * N };

static hd_status run(hd_stream *stream, const float *in, float *out, unsigned *counts)
{
    hd_launch_config rows = hd_launch_1d(ALL, 256, stream);
    hd_launch_config tiles = hd_launch_3d(N, N, 1, hd_dim(16, 16, 1), stream);
    hd_dim3 square = hd_dim(N / 32, N / 32, 1);

    HD_TRY(hd_launch(plain_stencil, tiles, in, out));
    HD_TRY(
        hd_launch(plain_transpose, hd_launch_with(square, hd_dim(32, 8, 1), 0, stream), in, out));
    HD_TRY(hd_launch(plain_product, tiles, in, in, out));
    HD_TRY(hd_launch(plain_sum, rows, in, out));
    HD_TRY(hd_launch(plain_histogram, rows, in, counts));
    HD_TRY(hd_launch(plain_rows, hd_launch_with(hd_dim(N / 2, 1, 1), hd_dim(128, 1, 1), 0, stream),
                     in, out));
    HD_TRY(hd_launch(plain_vector, hd_launch_1d(ALL / 4, 256, stream), in, out));
    HD_TRY(hd_launch(plain_pack, rows, in, out, counts));
    HD_TRY(hd_launch(plain_tail, rows, (size_t)ALL - 100, in, out));
    return hd_stream_synchronize(stream);
}

int main(void)
{
    static float numbers[ALL];
    hd_stream *stream = NULL;
    float *in = NULL, *out = NULL;
    unsigned *counts = NULL;
    hd_status status = hd_stream_create(0, &stream);

    for (int i = 0; i < ALL; i++)
        numbers[i] = (float)(i * 7919 % 1000) / 1000;
    if (status >= 0)
        status = hd_alloc(&in, ALL, 0);
    if (status >= 0)
        status = hd_alloc(&out, ALL, 0);
    if (status >= 0)
        status = hd_alloc(&counts, 64, 0);
    if (status >= 0)
        status = hd_copy_blocking(in, (const float *)numbers, ALL, stream);
    if (status >= 0)
        status = hd_fill_zero(counts, 64, stream);
    if (status >= 0)
        status = run(stream, in, out, counts);
    (void)hd_free(counts);
    (void)hd_free(out);
    (void)hd_free(in);
    (void)hd_stream_destroy(stream);
    printf("%s\n", status < 0 ? hd_status_name(status) : "done");
    return status < 0;
}
