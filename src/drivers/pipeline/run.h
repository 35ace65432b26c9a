/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - internal interface of the pipeline driver: a pipeline, its slots, which chunks use in
   turn, and a run. */
#ifndef HEDDLE_DRIVERS_PIPELINE_RUN_H
#define HEDDLE_DRIVERS_PIPELINE_RUN_H

#include <heddle/pipeline.h>

#include "copy_pool.h"
#include "plan.h"
#include "runtime/backend.h"

/* An input or output of a run. */
typedef struct hd__pipe_array {
    size_t unit;  /* bytes per unit */
    char *host;   /* address of unit 0; NULL: a function */
    char *direct; /* unit 0 for kernels that use the array in place, otherwise NULL */
    hd_pipeline_read *read;
    hd_pipeline_write *write;
    void *state;
    int staged;     /* goes through a pinned buffer of the slot */
    int buffered;   /* goes through device memory of the slot */
    int managed;    /* used in place; its pages are prefetched */
    int registered; /* by this run */
} hd__pipe_array;

/* Buffers of one chunk until it is delivered. Per array, inputs first: */
typedef struct hd__pipe_slot {
    hd_pipeline_chunk chunk;
    void **device; /* its buffer on the device, or the pinned one as kernels see it, or NULL */
    void **pinned; /* its buffer on the host, or NULL */
    void **shown;  /* the address that the work gets */
    hd_stream *stream;
    hd_event *loaded, *computed; /* order the streams of HD_PIPELINE_ENGINE */
    hd_event *done;
    double born; /* time at which its input was complete */
} hd__pipe_slot;

/* A histogram of seconds, in classes of equal ratio. */
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
    /* slots, and the settings for which they were made */
    hd__pipe_slot *slots;
    unsigned slot_count;
    size_t slot_units;
    hd__pipe_array *layout;
    size_t layout_inputs, layout_count;
    /* results of measurements, and the job for which they are valid */
    hd__pipe_trials trials;
    hd_pipeline_work *plan_work; /* NULL: nothing measured */
    size_t plan_units, plan_granule;
    double spent, slot_seconds;      /* seconds: of the job's runs; to make the slots */
    hd_event *marks[HD__PIPE_MARKS]; /* around copies in, work and copies out */
};

typedef struct hd__pipe_run {
    hd_pipeline *p;
    const hd_pipeline_job *job;
    hd__pipe_array *arrays; /* inputs, then outputs */
    size_t inputs, count;
    hd_pipeline_order order;
    unsigned streams, copy_streams, buffers;
    int copies_in, copies_out; /* some arrays are copied, or their pages prefetched */
    hd__pipe_plan plan;
    /* of the issuing thread */
    size_t next, limit; /* units */
    size_t loaded;      /* chunks that took a slot */
    size_t planned;     /* chunk at which the plan starts */
    int ended;
    int marking; /* stages are timed */
    int trying;  /* the plan is one of the pipeline's trials */
    double stage_in;
    /* shared with the delivering thread */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t issued, retired, units;
    double stage_out;
    int over; /* no more chunks are issued */
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
/* Streams, and slots of `units` units, for the run; existing ones that fit are kept. */
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
/* Waits for the oldest issued chunk and delivers it. */
hd_status hd__pipe_retire(hd__pipe_run *run);
/* Waits until `retired` chunks are delivered. */
hd_status hd__pipe_await(hd__pipe_run *run, size_t retired);
/* Records the calling thread's error as the run's, unless the run has one. Returns `status`. */
hd_status hd__pipe_fail(hd__pipe_run *run, hd_status status);

/* auto.c: chooses the plan and makes slots for it; may process a few chunks to measure them and
   then sets *measured to 1. */
hd_status hd__pipe_plan_make(hd__pipe_run *run, int *measured);

/* feed.c: all chunks. */
/* Starts the delivering thread if the run needs one. */
void hd__pipe_start(hd__pipe_run *run);
/* Issues all remaining chunks. */
hd_status hd__pipe_feed(hd__pipe_run *run);
/* Waits until all issued chunks are delivered and all streams are idle. */
hd_status hd__pipe_finish(hd__pipe_run *run);
/* Loads and issues at most `most` chunks of `wanted` units (0: the plan's). */
hd_status hd__pipe_issue(hd__pipe_run *run, size_t most, size_t wanted);

/* latency.c */
double hd__pipe_now(void);
void hd__pipe_latency_add(hd__pipe_latency *latency, double seconds);
double hd__pipe_latency_at(const hd__pipe_latency *latency, double part);

#endif
