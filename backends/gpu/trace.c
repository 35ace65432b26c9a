/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - offset between a device's clock and the host's, and ranges of the vendor's profiler. */
#include <time.h>

#include "gpu.h"
#include "ranges.h"

enum { CLOCK_TRIES = 64 }; /* a few suffice unless the host is busy */
static const double close_enough = 12e-6, patience = 0.05; /* seconds */

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Records the event on an idle stream and polls until it is done: it was recorded between *begin
   and *end. */
static hd_status record_and_look(const char *call, GPU(Event_t) event, GPU(Stream_t) stream,
                                 double *begin, double *end)
{
    *begin = seconds_now();
    hd_status status = hd_gpu_check(call, GPU(EventRecord)(event, stream));
    while (status >= 0) {
        status = hd_gpu_answer(GPU(EventQuery)(event));
        *end = seconds_now();
        if (status != HD_NOT_READY)
            break;
        if (*end - *begin > patience) /* e.g. behind a kernel that waits for this thread */
            return HD_ERR_STATE;
    }
    return status;
}

/* Repeats until the time is known precisely enough; the event keeps the most precise attempt,
   because the host may be interrupted during any of them. */
static hd_status clock_on(const char *call, hd_event *event, GPU(Stream_t) stream, double *seconds)
{
    double begin = 0, end = 0, least = 2 * patience;
    GPU(Event_t) other = NULL;
    hd_status status = hd_gpu_check(call, GPU(EventCreateWithFlags)(&other, GPU(EventDefault)));
    for (int i = 0; i < CLOCK_TRIES && status >= 0 && least > close_enough; i++) {
        status = record_and_look(call, other, stream, &begin, &end);
        if (status >= 0 && end - begin < least) {
            GPU(Event_t) better = other;
            other = hd_gpu_event(event);
            event->native = better;
            least = end - begin;
            *seconds = (begin + end) / 2;
        }
    }
    if (other)
        (void)GPU(EventDestroy)(other);
    return status;
}

/* Other threads may be capturing streams: the relaxed mode still allows this thread's calls. */
hd_status hdb_event_clock(hd_event *event, double *seconds)
{
    static const char call[] = "hd_trace_start";
    gpu_capture_mode mode = GPU(StreamCaptureModeRelaxed);
    GPU(Stream_t) stream = NULL;
    int previous;
    hd_status status = hd_gpu_enter(call, event->ordinal, &previous);
    if (status < 0)
        return status;
    (void)GPU_ThreadExchangeStreamCaptureMode(&mode);
    status = hd_gpu_check(call, GPU(StreamCreateWithFlags)(&stream, GPU(StreamNonBlocking)));
    if (status >= 0) {
        status = clock_on(call, event, stream, seconds);
        (void)GPU(StreamDestroy)(stream);
    }
    (void)GPU_ThreadExchangeStreamCaptureMode(&mode);
    hd_gpu_leave(event->ordinal, previous);
    return status;
}

hd_status hdb_event_since(hd_event *base, hd_event *event, double *milliseconds)
{
    gpu_capture_mode mode = GPU(StreamCaptureModeRelaxed);
    float distance = 0;
    (void)GPU_ThreadExchangeStreamCaptureMode(&mode);
    hd_status status = hd_gpu_check(
        "hd_trace_stop", GPU(EventElapsedTime)(&distance, hd_gpu_event(base), hd_gpu_event(event)));
    (void)GPU_ThreadExchangeStreamCaptureMode(&mode);
    *milliseconds = (double)distance;
    return status;
}

void hdb_range_push(const char *text)
{
    GPU_RangePush(text);
}

void hdb_range_pop(void)
{
    GPU_RangePop();
}

void hdb_range_mark(const char *text)
{
    GPU_RangeMark(text);
}
