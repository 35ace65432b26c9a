/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host side: copies on one stream, kernels on another one. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

enum { BLOCK = 128 };

void sum_squares(size_t n, const float *in, float *sums)
{
    hd_stream *copies, *kernels;
    hd_event *arrived, *done;
    float *x, *device_sums;

    TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &copies));
    TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &kernels));
    TRY(hd_event_create(0, 0, &arrived));
    TRY(hd_event_create(0, 0, &done));
    TRY(hd_alloc(&x, CHUNKS * n, 0));
    TRY(hd_alloc(&device_sums, n, 0));

    /* The kernels add to what this writes, so it goes to their stream. A stream that is created
       with HD_STREAM_NON_BLOCKING does not wait for the default stream. */
    TRY(hd_fill_zero(device_sums, n, kernels));
    for (size_t c = 0; c < CHUNKS; c++) {
        TRY(hd_copy(x + c * n, in + c * n, n, copies));
        /* The chunk's kernel waits for the chunk's copy, but for no later one. */
        TRY(hd_event_record(arrived, copies));
        TRY(hd_stream_wait(kernels, arrived));
        TRY(hd_launch(add_squares, hd_launch_1d(n, BLOCK, kernels), n, x + c * n, device_sums));
    }
    TRY(hd_event_record(done, kernels));
    TRY(hd_stream_wait(copies, done));
    TRY(hd_copy(sums, device_sums, n, copies));
    TRY(hd_stream_synchronize(copies));

    TRY(hd_free(device_sums));
    TRY(hd_free(x));
    TRY(hd_event_destroy(done));
    TRY(hd_event_destroy(arrived));
    TRY(hd_stream_destroy(kernels));
    TRY(hd_stream_destroy(copies));
}
