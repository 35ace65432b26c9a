/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - what the files of the pipeline driver share: a pipeline, the slots that its
   chunks take turns in, and a run. */
#ifndef HEDDLE_DRIVERS_PIPELINE_RUN_H
#define HEDDLE_DRIVERS_PIPELINE_RUN_H

#include <heddle/pipeline.h>

#include "copy_pool.h"
#include "plan.h"
#include "runtime/backend.h"

/* An input or output of a run. */
typedef struct hd__pipe_array {
    size_t unit;  /* bytes of a unit */
    char *host;   /* unit 0; NULL: a function */
    char *direct; /* unit 0 as kernels use it in place; NULL: they do not */
    hd_pipeline_read *read;
    hd_pipeline_write *write;
    void *state;
    int staged;     /* goes through a pinned buffer of the slot */
    int buffered;   /* goes through device memory of the slot */
    int managed;    /* used in place; its pages are moved */
    int registered; /* by this run */
} hd__pipe_array;

/* Where one chunk is until it is delivered. Per array, inputs first: */
typedef struct hd__pipe_slot {
    hd_pipeline_chunk chunk;
    void **device; /* its buffer on the device, or the pinned one as kernels use it, or NULL */
    void **pinned; /* its buffer on the host, or NULL */
    void **shown;  /* where the work finds it */
    hd_stream *stream;
    hd_event *loaded, *computed; /* order the streams of HD_PIPELINE_ENGINE */
    hd_event *done;
    double born; /* when its input was there */
} hd__pipe_slot;

/* Seconds in classes of equal ratio. */
enum { HD__PIPE_CLASSES = 1024 };
typedef struct hd__pipe_latency {
    size_t count, classes[HD__PIPE_CLASSES];
    double least, most;
} hd__pipe_latency;

enum { HD__PIPE_COPY_STREAMS = 8, HD__PIPE_MARKS = 6, HD__PIPE_MESSAGE = HD_ERROR_TEXT_MAX };

struct hd_pipeline {
    hd_pipeline_options options;
    int integrated, prefetches;
    hd__copy_pool *pool;
    hd_stream **streams, *in[HD__PIPE_COPY_STREAMS], *out[HD__PIPE_COPY_STREAMS];
    unsigned stream_count;
    /* slots, and what they were made for */
    hd__pipe_slot *slots;
    unsigned slot_count;
    size_t slot_units;
    hd__pipe_array *layout;
    size_t layout_inputs, layout_count;
    /* what was measured, and for what */
    hd__pipe_trials trials;
    hd_pipeline_work *plan_work; /* NULL: nothing */
    size_t plan_units, plan_granule;
    double spent, slot_seconds;      /* in its runs, and what making the slots took */
    hd_event *marks[HD__PIPE_MARKS]; /* around copies in, work and copies out */
};

typedef struct hd__pipe_run {
    hd_pipeline *p;
    const hd_pipeline_job *job;
    hd__pipe_array *arrays; /* inputs, then outputs */
    size_t inputs, count;
    hd_pipeline_order order;
    unsigned streams, copy_streams, buffers;
    int copies_in, copies_out; /* there are some, or pages that move */
    hd__pipe_plan plan;
    /* of the thread that feeds */
    size_t next, limit; /* units */
    size_t loaded;      /* chunks that took a slot */
    size_t planned;     /* chunk at which the plan began */
    int ended;
    int marking; /* stages are timed */
    int trying;  /* the plan is one of the pipeline's trials */
    double stage_in;
    /* shared with the thread that delivers */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t issued, retired, units;
    double stage_out;
    int over; /* nothing more is issued */
    hd_status status;
    hd_error error;
    char message[HD__PIPE_MESSAGE];
    int threaded;
    pthread_t thread;
    hd__pipe_latency latency;
} hd__pipe_run;

/* array.c: how each array reaches the device. */
hd_status hd__pipe_arrays_take(hd__pipe_run *run);
void hd__pipe_arrays_leave(hd__pipe_run *run);
/* Streams and slots of `units` units for the run; those that are there are kept where they fit. */
hd_status hd__pipe_streams_make(hd__pipe_run *run);
hd_status hd__pipe_slots_make(hd__pipe_run *run, size_t units);
hd_status hd__pipe_slots_free(hd_pipeline *p);
int hd__pipe_layout_fits(const hd__pipe_run *run);

/* chunk.c: one chunk. */
/* Fills the next slot with at most `wanted` units; *slot is NULL at the end of the input. */
hd_status hd__pipe_load(hd__pipe_run *run, size_t wanted, hd__pipe_slot **slot);
hd_status hd__pipe_copy_in(hd__pipe_run *run, hd__pipe_slot *slot);
hd_status hd__pipe_work(hd__pipe_run *run, hd__pipe_slot *slot);
hd_status hd__pipe_copy_out(hd__pipe_run *run, hd__pipe_slot *slot);
/* Waits for the oldest chunk that was issued and delivers it. */
hd_status hd__pipe_retire(hd__pipe_run *run);
/* Waits until so many chunks are delivered. */
hd_status hd__pipe_await(hd__pipe_run *run, size_t retired);
/* Keeps the calling thread's error as that of the run, unless there is one. Returns `status`. */
hd_status hd__pipe_fail(hd__pipe_run *run, hd_status status);

/* auto.c: chooses the plan and makes slots for it; may pass a few chunks through the
   device to measure them, *measured is 1 then. */
hd_status hd__pipe_plan_make(hd__pipe_run *run, int *measured);

/* feed.c: all chunks. */
/* Starts the thread that delivers, where the run wants one. */
void hd__pipe_start(hd__pipe_run *run);
/* Issues everything that is left. */
hd_status hd__pipe_feed(hd__pipe_run *run);
/* Waits until what was issued is delivered and all streams are idle. */
hd_status hd__pipe_finish(hd__pipe_run *run);
/* Loads and issues up to `most` chunks of `wanted` units (0: the plan's). */
hd_status hd__pipe_issue(hd__pipe_run *run, size_t most, size_t wanted);

/* latency.c */
double hd__pipe_now(void);
void hd__pipe_latency_add(hd__pipe_latency *latency, double seconds);
double hd__pipe_latency_at(const hd__pipe_latency *latency, double part);

#endif
