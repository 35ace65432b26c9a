/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h - streams and their operations. A stream is a queue: the operation at its head runs, the
   others wait. Everything here is guarded by hd_cpu.lock. */
#ifndef HEDDLE_CPU_STREAM_STREAM_H
#define HEDDLE_CPU_STREAM_STREAM_H

#include "launch/launch.h"
#include "observe.h"

enum { HD_CPU_PRIORITY_GREATEST = -3 }; /* of a stream; 0 is the least */

/* What a record of an event stands for: done once the stream has come to it. */
typedef struct hd_cpu_mark {
    int refs;
    int done;
    double time;
    hd_cpu_stream *stream; /* where it was recorded; only valid until it is done */
#if HD_OBSERVED
    struct hd_check_clock *clock; /* what is done when the stream has come to it */
#endif
} hd_cpu_mark;

typedef struct hd_cpu_nodes { /* of a graph: graph/graph.h */
    struct hd_cpu_node **at;
    size_t count, room;
} hd_cpu_nodes;

typedef struct hd_cpu_event {
    hd_cpu_mark *mark;   /* of the last record; NULL: none */
    uint64_t captured;   /* the capture that the last record is part of, 0: none */
    hd_cpu_nodes behind; /* what had been recorded there by then */
} hd_cpu_event;

typedef enum hd_cpu_op_kind {
    HD_CPU_OP_LAUNCH,
    HD_CPU_OP_COPY,
    HD_CPU_OP_FILL,
    HD_CPU_OP_FUNCTION, /* up to here: takes time; below: done at once, under the lock */
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
    int refs; /* the queue's, and that of the thread which enqueued it */
    hd_cpu_launch *launch;
#if HD_OBSERVED
    struct hd_check_op *check;
    uintptr_t *stack; /* of the call that made the node of a graph; owned */
    int sized;        /* its shared memory, by what the device has: the same for a node */
#endif
    hd_cpu_mark *mark;
    hd_cpu_event *event; /* of a record, which sets it, or of a wait for what it stands for */
    void *to;
    const void *from;
    void *snapshot; /* of a pageable source; owned */
    size_t to_pitch, from_pitch, row_bytes, rows;
    uint32_t value;
    void (*function)(void *);
    void *argument;
};

struct hd_cpu_stream {
    hd_cpu_stream *next;
    int device;
    int legacy;   /* the device's legacy default stream */
    int blocking; /* synchronises with it */
    int lane;     /* of a graph: in the list of streams only while it has operations */
    int priority; /* smaller: sooner */
    int running;  /* the head is being executed */
    int doomed;   /* destroyed by the user, goes when it is empty */
    struct hd_cpu_capture *capture; /* that records what is enqueued */
    hd_cpu_nodes tail;              /* what the next node comes after */
#if HD_OBSERVED
    unsigned number;
#endif
    hd_cpu_op *first, **last;
};

/* ---- operations (op_lifetime.c, execute.c) --------------------------------------------------- */

/* NULL: no memory. */
hd_cpu_op *hd_cpu_op_make(hd_cpu_op_kind kind, hd_stream *stream);
void hd_cpu_op_release(hd_cpu_op *op);
/* Of an operation that was never queued: both references. */
void hd_cpu_op_drop(hd_cpu_op *op);
/* With one reference. NULL: no memory. */
hd_cpu_mark *hd_cpu_mark_make(hd_cpu_stream *stream);
void hd_cpu_mark_release(hd_cpu_mark *mark);
/* With the lock, at the moment at which a record or a wait is queued. The event stands for the
   record from here on, so that whoever sees the new mark is queued behind its record: an operation
   waits for older ones alone, and streams cannot come to wait for themselves. */
void hd_cpu_event_bind(hd_cpu_op *op);
/* HD_ERR_POINTER where a copy or fill has no memory to work on. */
hd_status hd_cpu_transfer_check(const char *call, const hd_cpu_op *op);
/* The same for one of its ranges. */
typedef enum hd_cpu_range_use { HD_CPU_READS, HD_CPU_WRITES, HD_CPU_FILLS } hd_cpu_range_use;
hd_status hd_cpu_range_check(const char *call, const void *pointer, size_t bytes,
                             hd_cpu_range_use use);
/* Bytes from the first to the last one of so many rows. */
static inline size_t hd_cpu_extent_of(size_t pitch, size_t row_bytes, size_t rows)
{
    return pitch * (rows - 1) + row_bytes;
}
/* Does a copy, fill or host function. Without the lock. */
void hd_cpu_op_execute(hd_cpu_op *op);

/* ---- the streams that there are (list.c) ----------------------------------------------------- */

static inline hd_cpu_stream *hd_cpu_streams(void) /* all but empty lanes */
{
    return hd_cpu.streams;
}
/* A lane of a graph. NULL: no memory. Takes the lock. */
hd_cpu_stream *hd_cpu_lane_make(int device);
/* An operation is put in; the last one has gone. */
void hd_cpu_stream_filled(hd_cpu_stream *stream);
void hd_cpu_stream_emptied(hd_cpu_stream *stream);
/* Goes now or when it is empty. */
void hd_cpu_stream_drop(hd_cpu_stream *stream);

/* ---- streams that are captured (capture.c); with the lock ------------------------------------ */

/* What is enqueued in these streams is recorded in a graph, not run. */
typedef struct hd_cpu_capture {
    uint64_t id;
    hd_cpu_stream *origin;
    pthread_t owner;
    struct hd_cpu_graph *graph;
    /* The operation becomes a node of the graph, or what the next nodes come after, or is refused;
       drops the caller's reference. */
    hd_status (*record)(hd_cpu_op *op);
    char lost[160]; /* why, once it is */
    struct hd_cpu_capture *next;
} hd_cpu_capture;

void hd_cpu_capture_add(hd_cpu_capture *capture);
/* Its streams and the list of captures know it no longer. */
void hd_cpu_capture_remove(hd_cpu_capture *capture);
/* NULL: there is none, or no longer. */
hd_cpu_capture *hd_cpu_capture_of(uint64_t id);
/* The capture (NULL: none) is lost from now on; the first reason stays. refuse: HD_ERR_STATE. */
void hd_cpu_capture_lose(hd_cpu_capture *capture, const char *call, const char *why);
hd_status hd_cpu_capture_refuse(hd_cpu_capture *capture, const char *call, const char *why);
/* The operation is part of a capture: by its stream, or by the event that it waits for. */
static inline int hd_cpu_capture_has(const hd_cpu_op *op)
{
    return op->stream->capture || (op->kind == HD_CPU_OP_WAIT && op->event && op->event->captured);
}
/* Has the capture record it. */
hd_status hd_cpu_capture_op(hd_cpu_op *op);
/* HD_ERR_STATE where the call may not use the stream now: it is captured, or the legacy default
   stream of one that is. The capture is lost then. */
hd_status hd_cpu_capture_guard(const char *call, const hd_cpu_stream *stream);
/* The same for a call that uses the event, or what the calling thread may not do while it captures
   (which takes the lock). */
hd_status hd_cpu_capture_guard_event(const char *call, const hd_cpu_event *event);
hd_status hd_cpu_capture_guard_thread(const char *call);
void hd_cpu_capture_stream_gone(hd_cpu_stream *stream);

/* ---- beginning and ending (advance.c); with the lock ----------------------------------------- */

/* Nothing keeps the operation at its stream's head from running. */
int hd_cpu_op_ready(const hd_cpu_op *op);
/* Begins the head if that needs no thread: launches it or does it. 1 if it is done already. */
int hd_cpu_op_begin(hd_cpu_op *op);
/* Does the copy, fill or function at the head of a stream, to its end; gives the lock up
   meanwhile. */
void hd_cpu_op_perform(hd_cpu_op *op);
/* Begins whatever can begin in any stream. */
void hd_cpu_advance_all(void);
/* Has background threads do what they can. */
void hd_cpu_call_runners(void);
/* Does an operation that no background thread could be had for; 0 if there is none. */
int hd_cpu_stand_in(void);
/* Heads of streams that wait for an event give up, with HD_ERR_DEADLOCK for their device. */
void hd_cpu_waits_give_up(double seconds);

/* ---- waiting (drive.c) ----------------------------------------------------------------------- */

/* Waits, with the lock held, until the condition holds; in lazy mode runs operations meanwhile,
   first of all those that `stream` (may be NULL) needs. */
typedef int hd_cpu_condition(const void *argument);
void hd_cpu_wait_until(hd_cpu_condition *holds, const void *argument, hd_cpu_stream *stream);
/* Waits, with the lock held, until the launch is done or all its blocks wait. */
void hd_cpu_launch_await(hd_cpu_op *op);
/* Runs one operation in lazy mode; 0 if none can run. With the lock held. */
int hd_cpu_drive(hd_cpu_stream *stream);
/* Lazy mode: the host looks at memory that kernels use too and may wait for what it will find
   there. Runs what can run; host functions on other threads. Without the lock. */
void hd_cpu_drive_for_host(void);
/* Waits until every stream of the device is empty. */
void hd_cpu_device_drain(int device);
/* Drops what the device's streams have not begun and ends its launches. */
void hd_cpu_device_cancel(int device);

/* ---- enqueueing (enqueue.c) ------------------------------------------------------------------ */

/* Queues the operation, or makes it a node where its stream is captured; in eager mode runs what
   can run now and comes back when the operation is done or cannot go on for the moment. Takes the
   lock. Drops the caller's reference. Fails if a copy cannot keep its source. */
hd_status hd_cpu_enqueue(hd_cpu_op *op);
/* Queues all of them at once and begins what can begin; they run while the caller goes on. Takes
   the lock. Drops the caller's references. */
void hd_cpu_enqueue_all(hd_cpu_op **ops, size_t count);

#endif
