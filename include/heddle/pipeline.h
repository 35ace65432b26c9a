/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.h - arrays of any length, or input without an end, pass through a device in chunks:
   while one chunk is computed, others are copied in and out. */
#ifndef HEDDLE_PIPELINE_H
#define HEDDLE_PIPELINE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Streams, buffers and what was measured, kept from run to run. One host thread at a time. */
typedef struct hd_pipeline hd_pipeline;

/* X(name, text, what): in which order operations are issued. */
#define HD_PIPELINE_ORDER_LIST(X)                                                                  \
    X(HD_PIPELINE_AUTO, "auto", "by engine")                                                       \
    X(HD_PIPELINE_DEPTH, "depth", "a chunk's copies and work on its stream, then the next chunk")  \
    X(HD_PIPELINE_BREADTH, "breadth", "all streams' copies in, all their work, all copies out")    \
    X(HD_PIPELINE_ENGINE, "engine", "a stream for each direction of copies, others for the work")

typedef enum hd_pipeline_order {
#define HD_PIPELINE_ENUM_(name, text, what) name,
    HD_PIPELINE_ORDER_LIST(HD_PIPELINE_ENUM_)
#undef HD_PIPELINE_ENUM_
        HD_PIPELINE_ORDER_COUNT_
} hd_pipeline_order;
const char *hd_pipeline_order_name(hd_pipeline_order order);

/* How the work is split. All zero: device 0, everything chosen. Data is counted in units: what
   belongs together in all inputs and outputs, as a row or an element. */
typedef struct hd_pipeline_options {
    int device;
    hd_pipeline_order order;
    size_t chunk;          /* units of one chunk; 0: chosen, see hd_pipeline_run */
    unsigned streams;      /* that work is issued to in turn; 0: 2. With 1, chunk follows chunk */
    unsigned copy_streams; /* for each direction, by engine; 0: 1, at most 8 */
    unsigned buffers;      /* chunks in flight; 0: streams + 4, breadth-first twice the streams */
    unsigned threads;      /* host threads that copy pageable memory, the caller's too; 0: three
                              quarters of the processors, 16 at most */
    unsigned stream_flags; /* as hd_stream_create_with */
    int copies;            /* not 0: also what kernels could use in place is copied to buffers */
} hd_pipeline_options;

/* Reads the next units, at most `capacity`, to `buffer`; fewer than 1 is the end. May block; what
   it gives is a chunk, so that a slow producer's data does not wait for more. */
typedef hd_status hd_pipeline_read(void *state, void *buffer, size_t capacity, size_t *units);
/* Takes the next units of an output, in order. Called on a thread of the pipeline's, never by two
   at once; may call heddle. */
typedef hd_status hd_pipeline_write(void *state, const void *buffer, size_t units);

/* Where a unit's `elements` (0: 1) elements of `bytes` bytes come from: host memory of all units,
   or with data NULL a function. The memory may be pinned (copied from there), pageable (staged
   through pinned buffers by host threads), mapped (kernels use it in place) or managed (its pages
   move), or device memory of the device; hd_pointer_get tells. Where device and host share memory,
   kernels use all of it in place. */
typedef struct hd_pipeline_input {
    const void *data;
    size_t bytes, elements;
    hd_pipeline_read *read;
    void *state;
} hd_pipeline_input;

typedef struct hd_pipeline_output {
    void *data;
    size_t bytes, elements;
    hd_pipeline_write *write;
    void *state;
} hd_pipeline_output;

/* One chunk as the work sees it: units first to first + count - 1 lie at in[i] and out[j], for
   kernels of the device. Outputs are undefined before. */
typedef struct hd_pipeline_chunk {
    size_t index, first, count;
    void *const *in;
    void *const *out;
} hd_pipeline_chunk;

/* Enqueues what makes the outputs of a chunk of its inputs on `stream`. It does not wait, and
   orders with events what it enqueues elsewhere. Called by the thread that called hd_pipeline_run,
   in the order of the chunks; with several streams the work of two chunks may overlap. */
typedef hd_status hd_pipeline_work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream);

#define HD_PIPELINE_UNBOUNDED SIZE_MAX

typedef struct hd_pipeline_job {
    const hd_pipeline_input *inputs;
    size_t input_count;
    const hd_pipeline_output *outputs;
    size_t output_count;
    size_t units;   /* with a read function at most so many, or HD_PIPELINE_UNBOUNDED: to its end */
    size_t granule; /* chunks are multiples of so many units, all but the last; 0: 1 */
    hd_pipeline_work *work;
    void *state;
} hd_pipeline_job;

/* What a run did. Latencies: seconds from a chunk's input being there (read, or its turn in memory)
   to its output being delivered; median and p99 are within 2 %. */
typedef struct hd_pipeline_report {
    size_t units;  /* delivered: all units before this one are complete in all outputs */
    size_t chunks; /* delivered */
    size_t chunk;  /* units of a full one */
    unsigned streams, buffers;
    hd_pipeline_order order;
    int measured; /* its first chunks were used to choose the size of the others */
    int settled;  /* the next run of the kind takes chunks of the same size */
    double seconds;
    double latency_min, latency_median, latency_p99, latency_max;
} hd_pipeline_report;

/* Makes a pipeline; options NULL: all zero. Memory is taken by the first run. HD_ERR_ARGUMENT (an
   order that is none, more than 1024 streams, 8 copy streams or 4096 buffers),
   HD_ERR_DEVICE_INDEX. The caller destroys it. */
hd_status hd_pipeline_create(const hd_pipeline_options *options, hd_pipeline **pipeline);
/* NULL is success. */
hd_status hd_pipeline_destroy(hd_pipeline *pipeline);

/* Passes all units through the device and waits for them. Device memory: buffers x chunk bytes; the
   data may be larger than the device. Moves each byte once over the link, pageable ones twice more
   through host memory. The memory of an output may be that of an input.

   Chunk size 0: the first run of a kind (same arrays, units and work) measures seven small chunks
   of its own data one after the other, finds the time of each stage as latency + units x time, and
   takes the size with the least time in a model of the engines, with smaller ones at both ends
   where that helps. Later runs try half and twice that in turn, three to six runs each, and take
   what had the least run; larger pinned buffers are made when runs have taken as long as that
   does. Where nothing is copied all units are one chunk; with a read function 4 MiB are.

   A failure of the work, of a function or of the device ends the run with the first status: chunks
   before it are still delivered where the device allows, later ones are not, all work has ended,
   and the pipeline may run again. A read function that blocks is waited for. `report` may be NULL
   and is set on failure too. HD_ERR_ARGUMENT (no work, an array without data and function, without
   size, or of unknown length with HD_PIPELINE_UNBOUNDED, inputs that end at different units),
   HD_ERR_OVERFLOW, HD_ERR_POINTER (memory beyond the end of its allocation, where that is known),
   HD_ERR_NO_MEMORY. */
hd_status hd_pipeline_run(hd_pipeline *pipeline, const hd_pipeline_job *job,
                          hd_pipeline_report *report);

#ifdef __cplusplus
}
#endif
#endif
