/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - how the runtime's calls record what they do. A call fills an hd__traced on its stack
   before the operation and submits it afterwards; without tracing the cost is one relaxed load. */
#ifndef HEDDLE_RUNTIME_TRACE_H
#define HEDDLE_RUNTIME_TRACE_H

#include <heddle/trace.h>

#include "runtime/runtime.h"

extern atomic_int hd__trace_on;

typedef struct hd__trace_event hd__trace_event;

typedef struct hd__traced {
    int open; /* 0: not tracing; the other members are then not set */
    unsigned session;
    hd_stream *stream;
    hd__trace_event *before, *after; /* NULL: host call without an operation */
    hd_trace_span span;
} hd__traced;

static inline int hd__tracing(void)
{
    return atomic_load_explicit(&hd__trace_on, memory_order_relaxed);
}

/* An operation of the stream begins; the stream is not NULL and its device is not lost. */
void hd__trace_open(hd__traced *t, hd_trace_kind kind, const char *call, hd_stream *stream);
/* The call has returned. */
void hd__trace_close(hd__traced *t, hd_status status);
/* A call without an operation in a stream. */
void hd__trace_open_call(hd__traced *t, const char *call, int device);
/* The kind of copy is determined from the addresses. */
void hd__trace_open_copy(hd__traced *t, const char *call, const void *to, const void *from,
                         size_t bytes, hd_stream *stream);
void hd__trace_open_launch(hd__traced *t, const hd_kernel *kernel, const hd_launch_config *config);
/* A call synchronised with a device: fills in the times of finished operations. */
void hd__trace_waited(void);
/* Called before a reset, which invalidates the device's events. */
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

/* Ends a call that synchronised. */
static inline void hd__trace_end_wait(hd__traced *t, hd_status status)
{
    if (t->open) {
        hd__trace_close(t, status);
        hd__trace_waited();
    }
}

/* ---- shared by the files of the trace -------------------------------------------------------- */

/* Time on the host's clock in seconds. */
double hd__trace_now(void);
/* Adds a span without an operation in a stream; `name` is copied if `own`. */
void hd__trace_add(const hd_trace_span *span, int own);
/* Stops recording. Operations not done at `until` (seconds on the host's clock) stay unfinished; 0:
   waits for them. Returns 0 if nothing was being recorded. */
int hd__trace_stop_by(double until);
/* program.c: the first operation of a device is about to be traced. */
void hd__trace_program_uses_device(void);
/* trace.c: number of the current recording. */
unsigned hd__trace_session(void);
/* The stream is captured or cannot be queried: no events may be recorded in it. */
int hd__trace_is_captured(hd_stream *stream);
/* Number of the calling thread. */
unsigned hd__trace_thread(void);

/* clock.c: events of devices; has its own lock. NULL: the maximum number is in use, or the device's
   clock cannot be read. */
hd__trace_event *hd__trace_event_take(int device, int ordinal);
void hd__trace_event_give(hd__trace_event *event);
hd_status hd__trace_event_record(hd__trace_event *event, hd_stream *stream);
/* Time at which the stream reached it, in seconds on the host's clock; to be called once, because
   the base may move. HD_NOT_READY: not reached yet. */

hd_status hd__trace_event_time(hd__trace_event *event, double *seconds);
/* Moves the clock of the event's device forward: the host was busy when it was read. */
void hd__trace_clock_forward(hd__trace_event *event, double seconds);
hd_status hd__trace_event_wait(hd__trace_event *event);
/* Destroys the unused events of a device, or of all devices (-1), and forgets its clock. */
void hd__trace_events_drop(int device);

/* Contents of a trace file. */
typedef struct hd__trace_file {
    const hd_trace_span *spans;
    size_t count, stride; /* distance between spans in bytes */
    size_t dropped;
} hd__trace_file;
/* json.c: 0, or -1 with errno, which is 0 if the reason is unknown. An existing file is replaced
   once the new one is complete (base/replace.h). */
int hd__trace_json(const char *path, const hd__trace_file *file);

#endif
