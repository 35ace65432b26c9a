/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h - streams and their operations. A stream is a queue: the operation at its head runs, the
   others wait. Everything here is guarded by hd_cpu.lock. */
#ifndef HEDDLE_CPU_STREAM_H
#define HEDDLE_CPU_STREAM_H

#include "engine.h"

typedef struct hd_cpu_stream hd_cpu_stream;

/* What a record of an event stands for: done once the stream has come to it. */
typedef struct hd_cpu_mark {
    int refs;
    int done;
    double time;
    hd_cpu_stream *stream; /* where it was recorded; only valid until it is done */
#if HD_CPU_CHECK
    struct hd_check_clock *clock; /* what is done when the stream has come to it */
#endif
} hd_cpu_mark;

typedef struct hd_cpu_event {
    hd_cpu_mark *mark; /* of the last record; NULL: none */
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
#if HD_CPU_CHECK
    struct hd_check_op *check;
#endif
    hd_cpu_mark *mark;
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
    int running;  /* the head is being executed */
    int doomed;   /* destroyed by the user, goes when it is empty */
#if HD_CPU_CHECK
    unsigned number;
#endif
    hd_cpu_op *first, **last;
};

/* NULL: no memory. */
hd_cpu_op *hd_cpu_op_make(hd_cpu_op_kind kind, hd_stream *stream);
/* Queues the operation; in eager mode runs what can run now and comes back when the operation is
   done or cannot go on for the moment. Takes the lock. Drops the caller's reference. Fails if a
   copy cannot keep its source. */
hd_status hd_cpu_enqueue(hd_cpu_op *op);
/* Nothing keeps the operation at its stream's head from running. */
int hd_cpu_op_ready(const hd_cpu_op *op);
/* Does a copy, fill or host function. Without the lock. */
void hd_cpu_op_execute(hd_cpu_op *op);
/* The same for the head of a stream, to its end; gives the lock up meanwhile. */
void hd_cpu_op_perform(hd_cpu_op *op);
/* The head of its stream is done: takes it off and lets others follow. */
void hd_cpu_op_finish(hd_cpu_op *op);
/* Begins the head if that needs no thread: launches it or does it. 1 if it is done already. */
int hd_cpu_op_begin(hd_cpu_op *op);
void hd_cpu_op_release(hd_cpu_op *op);
void hd_cpu_mark_release(hd_cpu_mark *mark);

hd_cpu_stream *hd_cpu_streams(void); /* all of them */

/* Waits, with the lock held, until the condition holds; in lazy mode runs operations meanwhile,
   first of all those that `stream` (may be NULL) needs. */
typedef int hd_cpu_condition(const void *argument);
void hd_cpu_wait_until(hd_cpu_condition *holds, const void *argument, hd_cpu_stream *stream);
/* Runs one operation in lazy mode; 0 if none can run. With the lock held. */
int hd_cpu_drive(hd_cpu_stream *stream);
/* Lazy mode: the host looks at memory that kernels use too and may wait for what it will find
   there. Runs what can run; host functions on other threads. Without the lock. */
void hd_cpu_drive_for_host(void);
/* Has background threads do what they can. With the lock held. */
void hd_cpu_call_runners(void);
/* Waits, with the lock held, until the launch is done or all its blocks wait. */
void hd_cpu_launch_await(hd_cpu_op *op);

#endif
