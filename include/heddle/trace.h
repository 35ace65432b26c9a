/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - what a program did when: a record of copies, kernels, fills, host functions and waits
   of every stream, and of the host calls that asked for them. C11 and C++17.

   HEDDLE_TRACE=out.json in the environment of any program that uses heddle records all of it and
   writes the file when the program ends (%p in the name becomes the process id); a setuid or setgid
   program ignores it. Without it a program records what it likes between hd_trace_start and
   hd_trace_stop. chrome://tracing and ui.perfetto.dev open the file.

   How times are taken: a timing event before and one after each operation, on its stream, held
   against an event of each device whose place on the host's clock is known to some microseconds.
   A span begins when its stream had come to the operation, so one that then waited for a copy
   engine contains that. Where host threads share a stream, the time between two of its operations
   may count to either. While a stream is captured into a graph nothing is recorded. Not tracing
   costs one relaxed load per call; tracing costs two event records, and on a GPU some microseconds
   of the host. */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_trace_kind {
    HD_TRACE_COPY_IN,   /* host to device */
    HD_TRACE_COPY_OUT,  /* device to host */
    HD_TRACE_COPY_ON,   /* within a device */
    HD_TRACE_COPY_PEER, /* between devices */
    HD_TRACE_COPY_HOST, /* between host arrays */
    HD_TRACE_FILL,
    HD_TRACE_KERNEL,
    HD_TRACE_GRAPH,
    HD_TRACE_FUNCTION, /* host function or task in a stream */
    HD_TRACE_WAIT,     /* a stream waits for an event */
    HD_TRACE_CALL,     /* of heddle, on a host thread: allocations, waiting */
    HD_TRACE_RANGE,    /* between hd_range_push and hd_range_pop of a host thread */
    HD_TRACE_MARK,     /* hd_range_mark */
    HD_TRACE_KINDS_
} hd_trace_kind;

/* One operation. Times are seconds since tracing began; begin > end: not known, because the
   operation was not done when tracing stopped, failed, or was in no stream. */
typedef struct hd_trace_span {
    hd_trace_kind kind;
    hd_status status;   /* of the call that asked for it */
    const char *name;   /* kernel, range, or what it is: "copy in"; kept until the next start */
    const char *call;   /* "hd_launch"; "" for ranges and marks */
    int device;         /* -1: none */
    unsigned stream;    /* number of the stream in the process, 0: none */
    unsigned thread;    /* number of the host thread in the process, from 1 */
    double begin, end;  /* of the operation in its stream */
    double asked, left; /* when the host thread entered the call and left it */
    size_t bytes;       /* of copies and fills */
    hd_dim3 grid, block;
    size_t shared_bytes;
} hd_trace_span;

/* Begins to record; what was recorded before is forgotten. `most`: operations that are kept at
   most, 0 for 2^18; further ones are counted as dropped. HD_ERR_STATE: it is being recorded
   already, by an earlier call or because HEDDLE_TRACE is set. */
hd_status hd_trace_start(size_t most);
/* Ends recording and waits for the operations recorded. HD_ERR_STATE: nothing is being recorded. */
hd_status hd_trace_stop(void);
/* After a stop: how many spans there are, and how many operations were not kept; either output may
   be NULL. Order is that in which calls returned. */
hd_status hd_trace_count(size_t *spans, size_t *dropped);
hd_status hd_trace_get(size_t index, hd_trace_span *span);
/* After a stop: writes the spans to a file. HD_ERR_IO with the reason. */
hd_status hd_trace_write(const char *path);
/* "copy in", "kernel" */
const char *hd_trace_kind_name(hd_trace_kind kind);
/* The number that stands for a stream in spans; HD_ERR_ARGUMENT for NULL. */
hd_status hd_stream_number(const hd_stream *stream, unsigned *number);

/* Named ranges of a host thread, and points in its time, for traces and for the profilers of the
   vendors where those are present. Ranges nest; a pop ends the thread's last push. The text is
   copied. hd_range_pop without a push is HD_ERR_STATE. */
hd_status hd_range_push(const char *text);
hd_status hd_range_pop(void);
hd_status hd_range_mark(const char *text);

#ifdef __cplusplus
}
#endif
#endif
