/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - how the calls of the runtime record what they do. A call fills an hd__traced on
   its stack before the operation and hands it in afterwards; when nobody traces, that is one
   relaxed load. */
#ifndef HEDDLE_RUNTIME_TRACE_H
#define HEDDLE_RUNTIME_TRACE_H

#include <heddle/trace.h>

#include "runtime/runtime.h"

extern atomic_int hd__trace_on;

typedef struct hd__trace_event hd__trace_event;

typedef struct hd__traced {
    int open; /* somebody traces; else nothing else is set */
    unsigned session;
    hd_stream *stream;
    hd__trace_event *before, *after; /* NULL: a host call only */
    hd_trace_span span;
} hd__traced;

static inline int hd__tracing(void)
{
    return atomic_load_explicit(&hd__trace_on, memory_order_relaxed);
}

/* An operation of the stream begins; the stream is not NULL and its device not lost. */
void hd__trace_open(hd__traced *t, hd_trace_kind kind, const char *call, hd_stream *stream);
/* The call has returned. */
void hd__trace_close(hd__traced *t, hd_status status);
/* A call of the host alone. */
void hd__trace_open_call(hd__traced *t, const char *call, int device);
/* Which kind of copy it is follows from the addresses. */
void hd__trace_open_copy(hd__traced *t, const char *call, const void *to, const void *from,
                         size_t bytes, hd_stream *stream);
void hd__trace_open_launch(hd__traced *t, const hd_kernel *kernel, const hd_launch_config *config);
/* A call waited for a device: takes the times of what is done by now. */
void hd__trace_waited(void);
/* Before a reset makes the device's events invalid. */
void hd__trace_device_gone(int device);

static inline void hd__trace_begin(hd__traced *t, hd_trace_kind kind, const char *call,
                                   hd_stream *stream)
{
    t->open = 0;
    if (hd__tracing())
        hd__trace_open(t, kind, call, stream);
}

static inline void hd__trace_begin_copy(hd__traced *t, const char *call, const void *to,
                                        const void *from, size_t bytes, hd_stream *stream)
{
    t->open = 0;
    if (hd__tracing())
        hd__trace_open_copy(t, call, to, from, bytes, stream);
}

static inline void hd__trace_begin_launch(hd__traced *t, const hd_kernel *kernel,
                                          const hd_launch_config *config)
{
    t->open = 0;
    if (hd__tracing())
        hd__trace_open_launch(t, kernel, config);
}

static inline void hd__trace_begin_call(hd__traced *t, const char *call, int device)
{
    t->open = 0;
    if (hd__tracing())
        hd__trace_open_call(t, call, device);
}

static inline void hd__trace_end(hd__traced *t, hd_status status)
{
    if (t->open)
        hd__trace_close(t, status);
}

/* The end of a call that waited. */
static inline void hd__trace_end_wait(hd__traced *t, hd_status status)
{
    if (t->open) {
        hd__trace_close(t, status);
        hd__trace_waited();
    }
}

/* ---- between the files of the trace ---------------------------------------------------------- */

/* Seconds of the host's clock. */
double hd__trace_now(void);
/* Adds a span that has no operation in a stream; `name` is copied where `own`. */
void hd__trace_add(const hd_trace_span *span, int own);
/* Stops recording. What is not done at `until` (seconds of the host's clock) is left; 0: waits for
   it. 0: nothing was being recorded. */
int hd__trace_stop_by(double until);
/* program.c: an operation of a device is about to be traced. */
void hd__trace_program_uses_device(void);
/* trace.c: which recording this is. */
unsigned hd__trace_session(void);
/* The stream is captured, or cannot be asked. Nothing is put into such a stream. */
int hd__trace_is_captured(hd_stream *stream);
/* The number of the calling thread. */
unsigned hd__trace_thread(void);

/* clock.c: events of devices; it has a lock of its own. NULL: there are enough already, or
   the device has no clock. */
hd__trace_event *hd__trace_event_take(int device, int ordinal);
void hd__trace_event_give(hd__trace_event *event);
hd_status hd__trace_event_record(hd__trace_event *event, hd_stream *stream);
/* When the stream came to it, in seconds of the host's clock; asked once, after that it may stand
   for another time. HD_NOT_READY: the stream did not yet. */

hd_status hd__trace_event_time(hd__trace_event *event, double *seconds);
/* The clock of the event's device is late by so much: a host that was busy when it was read. */
void hd__trace_clock_forward(hd__trace_event *event, double seconds);
hd_status hd__trace_event_wait(hd__trace_event *event);
/* Destroys the events that were given back, of a device or of all (-1), and forgets its clock. */
void hd__trace_events_drop(int device);

/* What a trace file says of itself besides its spans. */
typedef struct hd__trace_file {
    const hd_trace_span *spans;
    size_t count, stride; /* bytes from one span to the next */
    size_t dropped;
} hd__trace_file;
/* json.c: 0, or -1 with errno, which is 0 where the reason is not known. A file of that name
   is replaced once the new one is complete (base/replace.h). */
int hd__trace_json(const char *path, const hd__trace_file *file);

#endif
