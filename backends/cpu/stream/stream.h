/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h - streams and their operations. A stream is a queue: the operation at its head runs, the
   others wait. Everything here is guarded by hd_cpu.lock.

       submit.c     hdb_launch, hdb_copy, ...: checks the arguments, creates the operation
           |
       enqueue.c    appends it to its stream -- capture.c: or records it as a node of a graph
           |        eager mode: the calling thread runs the stream up to it
           |        lazy mode: drive.c runs it when a host call needs it
           |
       advance.c    begins the head of a stream once nothing holds it:
           |          launch                workers
           |          copy, host function   calling thread, or a background thread
           |          record, wait, free    immediately
           |
       op_complete  removes it; heads that waited for it begin */
#ifndef HEDDLE_CPU_STREAM_STREAM_H
#define HEDDLE_CPU_STREAM_STREAM_H

#include "launch/launch.h"
#include "observe.h"

enum { HD_CPU_PRIORITY_GREATEST = -3 }; /* of a stream; 0 is the lowest */

/* Represents a record of an event: done once the stream has reached it. */
typedef struct hd_cpu_mark {
    int refs;
    int done;
    double time;
    hd_cpu_stream *stream; /* where it was recorded; valid only until it is done */
#if HD_OBSERVED
    struct hd_check_clock *clock; /* operations that are done when the stream reaches it */
#endif
} hd_cpu_mark;

typedef struct hd_cpu_nodes { /* of a graph: graph/graph.h */
    struct hd_cpu_node **at;
    size_t count, room;
} hd_cpu_nodes;

typedef struct hd_cpu_event {
    hd_cpu_mark *mark;   /* mark of the last record; NULL: none */
    uint64_t captured;   /* the capture that contains the last record; 0: none */
    hd_cpu_nodes behind; /* predecessors of a node at this point of the capture */
} hd_cpu_event;

typedef enum hd_cpu_op_kind {
    HD_CPU_OP_LAUNCH,
    HD_CPU_OP_COPY,
    HD_CPU_OP_FILL,
    HD_CPU_OP_FUNCTION, /* up to here: takes time; below: immediate, under the lock */
    HD_CPU_OP_RECORD,
    HD_CPU_OP_WAIT,
    HD_CPU_OP_FREE
} hd_cpu_op_kind;

struct hd_cpu_op {
    hd_cpu_op_kind kind;
    hd_cpu_stream *stream;
    hd_cpu_op *next;
    uint64_t sequence; /* order of enqueueing over all streams */
    int done;
    int refs; /* held by the queue, and by the thread that enqueued it */
    hd_cpu_launch *launch;
#if HD_OBSERVED
    struct hd_check_op *check;
    uintptr_t *stack; /* call stack of the call that created the graph node; owned */
    int sized;        /* shared memory was sized by the device's limit; also for nodes */
#endif
    hd_cpu_mark *mark;
    hd_cpu_event *event; /* record: the event to set; wait: the event waited for */
    void *to;
    const void *from;
    void *snapshot; /* copy of a pageable source; owned */
    size_t to_pitch, from_pitch, row_bytes, rows;
    uint32_t value;
    void (*function)(void *);
    void *argument;
};

struct hd_cpu_stream {
    hd_cpu_stream *next;
    int device;
    int legacy;                     /* the device's legacy default stream */
    int blocking;                   /* synchronises with the legacy default stream */
    int lane;                       /* lane of a graph: listed only while it has operations */
    int priority;                   /* smaller runs first */
    int running;                    /* the head is being executed */
    int doomed;                     /* destroyed by the user; freed when it is empty */
    struct hd_cpu_capture *capture; /* records what is enqueued; NULL: none */
    hd_cpu_nodes tail;              /* predecessors of the next node */
#if HD_OBSERVED
    unsigned number;
#endif
    hd_cpu_op *first, **last;
};

/* ---- operations (op_lifetime.c, execute.c) --------------------------------------------------- */

/* NULL: out of memory. */
hd_cpu_op *hd_cpu_op_make(hd_cpu_op_kind kind, hd_stream *stream);
void hd_cpu_op_release(hd_cpu_op *op);
/* Releases both references of an operation that was never queued. */
void hd_cpu_op_drop(hd_cpu_op *op);
/* With one reference. NULL: out of memory. */
hd_cpu_mark *hd_cpu_mark_make(hd_cpu_stream *stream);
void hd_cpu_mark_release(hd_cpu_mark *mark);
/* With the lock held, when a record or a wait is queued. From now on the event refers to this
   record, so that whoever sees the new mark is queued after the record. An operation therefore
   waits for older ones only, and streams cannot deadlock on each other. */
void hd_cpu_event_bind(hd_cpu_op *op);
/* HD_ERR_POINTER if the memory of a copy or fill is invalid. */
hd_status hd_cpu_transfer_check(const char *call, const hd_cpu_op *op);
/* Likewise for one of its ranges. */
typedef enum hd_cpu_range_use { HD_CPU_READS, HD_CPU_WRITES, HD_CPU_FILLS } hd_cpu_range_use;
hd_status hd_cpu_range_check(const char *call, const void *pointer, size_t bytes,
                             hd_cpu_range_use use);
/* Bytes from the start of the first row to the end of the last. */
static inline size_t hd_cpu_extent_of(size_t pitch, size_t row_bytes, size_t rows)
{
    return pitch * (rows - 1) + row_bytes;
}
/* Executes a copy, fill or host function. Without the lock. */
void hd_cpu_op_execute(hd_cpu_op *op);

/* ---- list of streams (list.c) ---------------------------------------------------------------- */

static inline hd_cpu_stream *hd_cpu_streams(void) /* all except empty lanes */
{
    return hd_cpu.streams;
}
/* A lane of a graph. NULL: out of memory. Takes the lock. */
hd_cpu_stream *hd_cpu_lane_make(int device);
/* The first operation was added; the last one was removed. */
void hd_cpu_stream_filled(hd_cpu_stream *stream);
void hd_cpu_stream_emptied(hd_cpu_stream *stream);
/* Frees the stream, now or as soon as it is empty. */
void hd_cpu_stream_drop(hd_cpu_stream *stream);

/* ---- captured streams (capture.c); with the lock held ---------------------------------------- */

/* Operations enqueued in these streams are recorded in a graph, not run. */
typedef struct hd_cpu_capture {
    uint64_t id;
    hd_cpu_stream *origin;
    pthread_t owner;
    struct hd_cpu_graph *graph;
    /* Makes the operation a node of the graph or a predecessor of later nodes, or refuses it; drops
       the caller's reference. */
    hd_status (*record)(hd_cpu_op *op);
    char lost[160]; /* reason why the capture is invalid; "" if it is valid */
    struct hd_cpu_capture *next;
} hd_cpu_capture;

void hd_cpu_capture_add(hd_cpu_capture *capture);
/* Removes the capture from its streams and the list of captures. */
void hd_cpu_capture_remove(hd_cpu_capture *capture);
/* NULL: there is none any more. */
hd_cpu_capture *hd_cpu_capture_of(uint64_t id);
/* Invalidates the capture (NULL: none); the first reason is kept. refuse: also returns
   HD_ERR_STATE. */
void hd_cpu_capture_lose(hd_cpu_capture *capture, const char *call, const char *why);
hd_status hd_cpu_capture_refuse(hd_cpu_capture *capture, const char *call, const char *why);
/* Whether the operation is part of a capture: by its stream, or by the event that it waits for. */
static inline int hd_cpu_capture_has(const hd_cpu_op *op)
{
    return op->stream->capture || (op->kind == HD_CPU_OP_WAIT && op->event && op->event->captured);
}
/* Lets the capture record the operation. */
hd_status hd_cpu_capture_op(hd_cpu_op *op);
/* HD_ERR_STATE if the call may not use the stream now: it is captured, or the legacy default stream
   of a captured one. The capture is then invalidated. */
hd_status hd_cpu_capture_guard(const char *call, const hd_cpu_stream *stream);
/* Likewise for a call that uses the event, or for one that the calling thread may not make while it
   captures (which takes the lock). */
hd_status hd_cpu_capture_guard_event(const char *call, const hd_cpu_event *event);
hd_status hd_cpu_capture_guard_thread(const char *call);
void hd_cpu_capture_stream_gone(hd_cpu_stream *stream);

/* ---- begin and end (advance.c); with the lock held ------------------------------------------- */

/* Whether the operation, at the head of its stream, can run. */
int hd_cpu_op_ready(const hd_cpu_op *op);
/* Begins the head if that needs no thread: launches it or executes it. 1 if it is done already. */
int hd_cpu_op_begin(hd_cpu_op *op);
/* Executes the copy, fill or function at the head of a stream; releases the lock meanwhile. */
void hd_cpu_op_perform(hd_cpu_op *op);
/* Begins all operations that can begin, in any stream. */
void hd_cpu_advance_all(void);
/* Wakes background threads for ready operations. */
void hd_cpu_call_runners(void);
/* Executes an operation for which no background thread was available; 0 if there is none. */
int hd_cpu_stand_in(void);
/* Fails the waits for events at the heads of streams, with HD_ERR_DEADLOCK for their devices. */
void hd_cpu_waits_give_up(double seconds);

/* ---- waiting (drive.c) ----------------------------------------------------------------------- */

/* Waits, with the lock held, until the condition is true. In lazy mode runs operations meanwhile,
   first those that `stream` (may be NULL) needs. */
typedef int hd_cpu_condition(const void *argument);
void hd_cpu_wait_until(hd_cpu_condition *holds, const void *argument, hd_cpu_stream *stream);
/* Waits, with the lock held, until the launch is done or all its blocks wait. */
void hd_cpu_launch_await(hd_cpu_op *op);
/* Runs one operation in lazy mode; 0 if none can run. With the lock held. */
int hd_cpu_drive(hd_cpu_stream *stream);
/* Lazy mode: the host accesses memory shared with kernels and may wait for a value there. Runs all
   operations that can run; host functions on other threads. Without the lock. */
void hd_cpu_drive_for_host(void);
/* Waits until every stream of the device is empty. */
void hd_cpu_device_drain(int device);
/* Drops operations of the device's streams that have not begun, and fails its launches. */
void hd_cpu_device_cancel(int device);

/* ---- enqueueing (enqueue.c) ------------------------------------------------------------------ */

/* Queues the operation, or records it as a node if its stream is captured. In eager mode runs what
   can run now, and returns when the operation is done or cannot continue at the moment. Takes the
   lock. Drops the caller's reference. Fails if a copy has no memory to save its source. */
hd_status hd_cpu_enqueue(hd_cpu_op *op);
/* Queues all operations at once and begins those that can begin; they run asynchronously. Takes the
   lock. Drops the caller's references. */
void hd_cpu_enqueue_all(hd_cpu_op **ops, size_t count);

#endif
