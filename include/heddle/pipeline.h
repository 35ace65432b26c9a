/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Arrays of any length, or input without an end, passed through a device in chunks: while one
 *  chunk is computed, others are copied in and out.
 */
#ifndef HEDDLE_PIPELINE_H
#define HEDDLE_PIPELINE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup pipeline Pipelines
 *  @brief Chunks with overlapped copies; docs/pipeline.md.
 *  @{
 */

/** Streams, buffers and measurements, kept from run to run. One host thread at a time uses it. */
typedef struct hd_pipeline hd_pipeline;

/** X(name, text, what): the orders in which operations are issued. */
#define HD_PIPELINE_ORDER_LIST(X)                                                                  \
    /** As #HD_PIPELINE_ENGINE. */                                                                 \
    X(HD_PIPELINE_AUTO, "auto", "by engine")                                                       \
    /** A chunk's copies and work on its stream, then the next chunk. */                           \
    X(HD_PIPELINE_DEPTH, "depth", "a chunk's copies and work on its stream, then the next chunk")  \
    /** Copies in of all streams, then all their work, then all copies out. */                     \
    X(HD_PIPELINE_BREADTH, "breadth", "all streams' copies in, all their work, all copies out")    \
    /** One stream per direction of copies, others for the work. */                                \
    X(HD_PIPELINE_ENGINE, "engine", "a stream for each direction of copies, others for the work")

/** Order of operations; the values are those of #HD_PIPELINE_ORDER_LIST. */
typedef enum hd_pipeline_order {
#define HD_PIPELINE_ENUM_(name, text, what) name,
    HD_PIPELINE_ORDER_LIST(HD_PIPELINE_ENUM_)
#undef HD_PIPELINE_ENUM_
        HD_PIPELINE_ORDER_COUNT_
} hd_pipeline_order;

/** Returns the name of an order.
 *
 *  @param order  The order.
 *  @return Static text such as "depth"; "unknown order" for other values.
 */
const char *hd_pipeline_order_name(hd_pipeline_order order);

/** How the work is split. All zero: device 0, everything chosen automatically.
 *
 *  Data is counted in units: what belongs together in all inputs and outputs, such as a row or an
 *  element.
 */
typedef struct hd_pipeline_options {
    int device;              /**< Index of the device. */
    hd_pipeline_order order; /**< Order of operations. */
    size_t chunk;            /**< Units per chunk; 0: chosen, see hd_pipeline_run(). */
    unsigned streams; /**< Streams that take the work in turn; 0: 2; at most 1024. With 1, chunk
                           follows chunk. */
    /** #HD_PIPELINE_ENGINE: streams per direction of copies; 0: 1; at most 8. */
    unsigned copy_streams;
    unsigned buffers; /**< Chunks in flight; 0: streams + 4, breadth-first twice the streams; at
                           most 4096. */
    unsigned threads; /**< Host threads that copy pageable memory, including the caller's; 0: three
                           quarters of the processors, at most 16. */
    unsigned stream_flags; /**< As in hd_stream_create_with(). */
    int copies; /**< Not 0: memory that kernels could use in place is copied to buffers too. */
} hd_pipeline_options;

/** Reads the next units of an input. May block; what it returns is one chunk, so that data of a
 *  slow producer does not wait for more.
 *
 *  @param state     As given in the hd_pipeline_input.
 *  @param buffer    Receives the units.
 *  @param capacity  Maximum number of units.
 *  @param units     Receives their number; 0 is the end.
 *  @return HD_OK, or an error, which ends the run.
 */
typedef hd_status hd_pipeline_read(void *state, void *buffer, size_t capacity, size_t *units);

/** Takes the next units of an output, in order. Called on a thread of the pipeline, never by two at
 *  once; may call heddle.
 *
 *  @param state   As given in the hd_pipeline_output.
 *  @param buffer  The units.
 *  @param units   Their number.
 *  @return HD_OK, or an error, which ends the run.
 */
typedef hd_status hd_pipeline_write(void *state, const void *buffer, size_t units);

/** Where an input comes from: memory that holds all units, or a function.
 *
 *  Memory may be pinned (copied from there), pageable (staged through pinned buffers by host
 *  threads), mapped (kernels use it in place), managed (its pages migrate) or device memory of the
 *  device. If device and host share memory, kernels use all of it in place.
 */
typedef struct hd_pipeline_input {
    const void *data;       /**< All units; NULL: read is called. */
    size_t bytes,           /**< Bytes per element. */
        elements;           /**< Elements per unit; 0: 1. */
    hd_pipeline_read *read; /**< Reads the next units; used if data is NULL. */
    void *state;            /**< Passed to read. */
} hd_pipeline_input;

/** Where an output goes to: memory for all units, or a function. See hd_pipeline_input. */
typedef struct hd_pipeline_output {
    void *data;   /**< Room for all units, may be that of an input; NULL: write is called. */
    size_t bytes, /**< Bytes per element. */
        elements; /**< Elements per unit; 0: 1. */
    hd_pipeline_write *write; /**< Takes the next units; used if data is NULL. */
    void *state;              /**< Passed to write. */
} hd_pipeline_output;

/** One chunk as the work sees it. */
typedef struct hd_pipeline_chunk {
    size_t index,     /**< Number of the chunk. */
        first,        /**< Its first unit. */
        count;        /**< Number of its units. */
    void *const *in;  /**< in[i] is its part of input i, for kernels of the device. */
    void *const *out; /**< out[j] is its part of output j; undefined before the work. */
} hd_pipeline_chunk;

/** Enqueues the work of a chunk, which computes its outputs from its inputs.
 *
 *  Must not wait; orders what it enqueues on other streams by events. Called by the thread that
 *  called hd_pipeline_run(), in the order of the chunks; with several streams the work of two
 *  chunks may overlap.
 *
 *  @param state   As given in the hd_pipeline_job.
 *  @param chunk   The chunk; valid during the call.
 *  @param stream  Stream for the work.
 *  @return HD_OK, or an error, which ends the run.
 */
typedef hd_status hd_pipeline_work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream);

/** Value of hd_pipeline_job.units: until the end of what read functions return. */
#define HD_PIPELINE_UNBOUNDED SIZE_MAX

/** What a run does. */
typedef struct hd_pipeline_job {
    const hd_pipeline_input *inputs;   /**< input_count inputs. */
    size_t input_count;                /**< Number of inputs. */
    const hd_pipeline_output *outputs; /**< output_count outputs. */
    size_t output_count;               /**< Number of outputs. */
    size_t units;                      /**< Number of units; with a read function their maximum, or
                                            #HD_PIPELINE_UNBOUNDED. */
    size_t granule;         /**< Chunks, except the last, are multiples of this many units; 0: 1. */
    hd_pipeline_work *work; /**< Enqueues the work of a chunk. */
    void *state;            /**< Passed to work. */
} hd_pipeline_job;

/** What a run did. Latencies are seconds from a chunk's input being available (read, or its turn in
 *  memory) to its output being delivered; median and p99 are within 2 %. */
typedef struct hd_pipeline_report {
    size_t units;     /**< Units delivered: all before this one are complete in all outputs. */
    size_t chunks;    /**< Chunks delivered. */
    size_t chunk;     /**< Units of a full chunk. */
    unsigned streams, /**< Streams used. */
        buffers;      /**< Chunks in flight. */
    hd_pipeline_order order; /**< Order used. */
    int measured;            /**< 1: the first chunks were used to choose the size of the others. */
    int settled;             /**< 1: the next run of the kind uses chunks of the same size. */
    double seconds;          /**< Time of the run. */
    double latency_min,      /**< Smallest latency. */
        latency_median,      /**< Median of the latencies. */
        latency_p99,         /**< 99th percentile of the latencies. */
        latency_max;         /**< Largest latency. */
} hd_pipeline_report;

/** Makes a pipeline. Memory is allocated by the first run. The caller destroys it.
 *
 *  @param options   Options; NULL: all zero.
 *  @param pipeline  Receives the pipeline.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for an option out of range;
 *          HD_ERR_NO_MEMORY.
 */
hd_status hd_pipeline_create(const hd_pipeline_options *options, hd_pipeline **pipeline);

/** Destroys a pipeline.
 *
 *  @param pipeline  The pipeline; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_pipeline_destroy(hd_pipeline *pipeline);

/** Passes all units through the device and waits for them.
 *
 *  Takes buffers * chunk bytes of device memory; the data may be larger than the device. Moves each
 *  byte once over the link, pageable memory twice more through host memory.
 *
 *  Chunk size 0: the first run of a kind (same arrays, units and work) measures seven small chunks
 *  of its own data one after the other, fits the time of each stage as latency + units * time, and
 *  takes the size with the least time in a model of the engines, with smaller chunks at both ends
 *  if that helps. Later runs try half and twice that size in turn, three to six runs each, and keep
 *  the size of the fastest run; larger pinned buffers are made when runs have taken as long as
 *  making them does. If nothing is copied, all units are one chunk; with a read function a chunk is
 *  4 MiB.
 *
 *  A failure of the work, of a function or of the device ends the run with the first status. Chunks
 *  before it are still delivered if the device allows, later ones are not; all work has ended when
 *  the call returns, and the pipeline may run again. A read function that blocks is waited for.
 *
 *  @param pipeline  The pipeline.
 *  @param job       What to do.
 *  @param report    Receives what was done, also on failure; may be NULL.
 *  @retval HD_ERR_ARGUMENT  No work, an array without data and function or with elements of 0
 *                           bytes, an array of memory with #HD_PIPELINE_UNBOUNDED, or inputs that
 *                           end at different units.
 *  @retval HD_ERR_OVERFLOW  A unit, or all units, do not fit in memory.
 *  @retval HD_ERR_POINTER   Memory extends beyond its allocation, where the backend knows it.
 *  @retval HD_ERR_NO_MEMORY There is no memory for buffers.
 *  @return Also the @ref common_errors, and what the functions and the work return.
 */
hd_status hd_pipeline_run(hd_pipeline *pipeline, const hd_pipeline_job *job,
                          hd_pipeline_report *report);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
