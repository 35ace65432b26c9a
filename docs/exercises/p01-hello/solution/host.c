/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the sum of two vectors with copies and in managed memory, and an error on purpose. */
#include <string.h>

#include "host.h"
#include "kernel.h"

/* Runs add_f32 between two events. Events are work of the stream, like the kernel: the device, not
   the host, notes their times. So copies before and after do not count, nor does the launch. */
static hd_status timed_launch(hd_stream *stream, size_t n, const float *x, const float *y,
                              float *sum, float *milliseconds)
{
    hd_event *start = NULL, *stop = NULL;
    int device;
    hd_status status;

    HD_GOTO(status, end, hd_stream_device(stream, &device));
    HD_GOTO(status, end, hd_event_create(device, HD_EVENT_TIMING, &start));
    HD_GOTO(status, end, hd_event_create(device, HD_EVENT_TIMING, &stop));
    HD_GOTO(status, end, hd_event_record(start, stream));
    HD_GOTO(status, end, hd_launch(add_f32, hd_launch_1d(n, BLOCK, stream), n, x, y, sum));
    HD_GOTO(status, end, hd_event_record(stop, stream));
    /* Without this wait, hd_event_elapsed may find the kernel still running: HD_NOT_READY, which is
       not an error, and no time. */
    HD_GOTO(status, end, hd_event_synchronize(stop));
    HD_GOTO(status, end, hd_event_elapsed(start, stop, milliseconds));
end:
    hd_event_destroy(stop);
    hd_event_destroy(start);
    return status;
}

hd_status add_with_copies(hd_stream *stream, size_t n, const float *x, const float *y, float *sum,
                          float *milliseconds)
{
    float *device_x = NULL, *device_y = NULL, *device_sum = NULL;
    int device;
    hd_status status;

    HD_GOTO(status, end, hd_stream_device(stream, &device));
    HD_GOTO(status, end, hd_alloc(&device_x, n, device));
    HD_GOTO(status, end, hd_alloc(&device_y, n, device));
    HD_GOTO(status, end, hd_alloc(&device_sum, n, device));
    HD_GOTO(status, end, hd_copy(device_x, x, n, stream));
    HD_GOTO(status, end, hd_copy(device_y, y, n, stream));
    HD_GOTO(status, end, timed_launch(stream, n, device_x, device_y, device_sum, milliseconds));
    HD_GOTO(status, end, hd_copy_blocking(sum, device_sum, n, stream));
end:
    hd_free(device_sum);
    hd_free(device_y);
    hd_free(device_x);
    return status;
}

hd_status add_managed(hd_stream *stream, size_t n, const float *x, const float *y, float *sum)
{
    float *managed_x = NULL, *managed_y = NULL, *managed_sum = NULL;
    int device;
    hd_status status;

    HD_GOTO(status, end, hd_stream_device(stream, &device));
    HD_GOTO(status, end, hd_alloc_kind(&managed_x, n, HD_MEM_MANAGED, device));
    HD_GOTO(status, end, hd_alloc_kind(&managed_y, n, HD_MEM_MANAGED, device));
    HD_GOTO(status, end, hd_alloc_kind(&managed_sum, n, HD_MEM_MANAGED, device));
    memcpy(managed_x, x, n * sizeof *x);
    memcpy(managed_y, y, n * sizeof *y);
    HD_GOTO(
        status, end,
        hd_launch(add_f32, hd_launch_1d(n, BLOCK, stream), n, managed_x, managed_y, managed_sum));
    /* The launch has returned, the kernel may not even have started: no copy waits for it here. */
    HD_GOTO(status, end, hd_stream_synchronize(stream));
    memcpy(sum, managed_sum, n * sizeof *sum);
end:
    hd_free(managed_sum);
    hd_free(managed_y);
    hd_free(managed_x);
    return status;
}

hd_status provoke(hd_stream *stream, char *text)
{
    const hd_status status = hd_launch(add_f32, hd_launch_1d(1, 2048, stream), 0, NULL, NULL, NULL);

    if (status < 0)
        hd_error_format(text, HD_ERROR_TEXT_MAX);
    return status;
}
