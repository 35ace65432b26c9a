/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Traces: when copies, kernels, fills, host functions and waits of every stream ran, and when host
 *  calls requested them. C11 and C++17. docs/tracing.md
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup trace Traces
 *  @brief Recording what a program did when; docs/tracing.md.
 *
 *  HEDDLE_TRACE=out.json in the environment of any program that uses heddle records all of it and
 *  writes the file when the program ends (%p in the name becomes the process id); setuid and setgid
 *  programs ignore it. Otherwise a program records between hd_trace_start() and hd_trace_stop().
 *  chrome://tracing and ui.perfetto.dev open the file, and `heddle lab occupancy` reads what each
 *  kernel needs from it.
 *
 *  Times come from a timing event before and one after each operation, on its stream, relative to
 *  an event of each device whose time on the host's clock is known to some microseconds. A span
 *  begins when its stream reached the operation, so it includes a wait for a copy engine. If host
 *  threads share a stream, the time between two of its operations may count towards either. Nothing
 *  is recorded while a stream is captured. Without tracing a call costs one relaxed load more;
 *  tracing costs two event records, on a GPU some microseconds of the host.
 *  @{
 */

/** Kind of a span. */
typedef enum hd_trace_kind {
    HD_TRACE_COPY_IN,   /**< Copy from host to device. */
    HD_TRACE_COPY_OUT,  /**< Copy from device to host. */
    HD_TRACE_COPY_ON,   /**< Copy within a device. */
    HD_TRACE_COPY_PEER, /**< Copy between devices. */
    HD_TRACE_COPY_HOST, /**< Copy between host arrays. */
    HD_TRACE_FILL,      /**< Fill. */
    HD_TRACE_KERNEL,    /**< Kernel. */
    HD_TRACE_GRAPH,     /**< Launch of a graph. */
    HD_TRACE_FUNCTION,  /**< Host function or task in a stream. */
    HD_TRACE_WAIT,      /**< A stream waits for an event. */
    HD_TRACE_CALL,      /**< Call of heddle on a host thread: allocations, waiting. */
    HD_TRACE_RANGE,     /**< Between hd_range_push() and hd_range_pop() of a host thread. */
    HD_TRACE_MARK,      /**< hd_range_mark(). */
    HD_TRACE_KINDS_
} hd_trace_kind;

/** One operation. Times are seconds since tracing began. */
typedef struct hd_trace_span {
    hd_trace_kind kind; /**< Kind of the operation. */
    hd_status status;   /**< Status of the call that requested it. */
    const char *name;   /**< Kernel, range, or operation ("copy in"); valid until the next start. */
    const char *call;   /**< Call that requested it, e.g. "hd_launch"; "" for ranges and marks. */
    int device;         /**< Index of the device; -1: none. */
    unsigned stream;    /**< Number of the stream in the process; 0: none. */
    unsigned thread;    /**< Number of the host thread in the process, from 1. */
    double begin, /**< Begin of the operation in its stream. begin > end: not known, because the
                       operation was not done when tracing stopped, failed, or was in no stream. */
        end;      /**< End of the operation in its stream. */
    double asked, /**< When the host thread entered the call. */
        left;     /**< When the host thread left the call. */
    size_t bytes; /**< Bytes of copies and fills. */
    hd_dim3 grid, /**< Grid of a kernel. */
        block;    /**< Block of a kernel. */
    size_t shared_bytes;     /**< Dynamic shared memory per block of a kernel. */
    const hd_kernel *kernel; /**< The kernel, for hd_kernel_get(); NULL for other operations. */
} hd_trace_span;

/** Begins to record; what was recorded before is discarded.
 *
 *  @param most  Maximum number of operations to keep, 0: 2^18; further ones are counted as dropped.
 *  @return HD_OK; HD_ERR_STATE if recording is on, by an earlier call or because HEDDLE_TRACE is
 *          set; HD_ERR_NO_MEMORY; or an error of the clock events.
 */
hd_status hd_trace_start(size_t most);

/** Ends recording and waits for the recorded operations.
 *
 *  @return HD_OK, or HD_ERR_STATE if nothing is being recorded.
 */
hd_status hd_trace_stop(void);

/** Returns how much was recorded. After hd_trace_stop().
 *
 *  @param spans    Receives the number of spans, in the order in which calls returned; may be NULL.
 *  @param dropped  Receives the number of operations that were not kept; may be NULL.
 *  @return HD_OK, or HD_ERR_STATE if recording was not stopped.
 */
hd_status hd_trace_count(size_t *spans, size_t *dropped);

/** Returns a span. After hd_trace_stop().
 *
 *  @param index  0 to the number of spans - 1.
 *  @param span   Receives the span.
 *  @return HD_OK, HD_ERR_ARGUMENT if there is no such span, or HD_ERR_STATE if recording was not
 *          stopped.
 */
hd_status hd_trace_get(size_t index, hd_trace_span *span);

/** Writes the spans to a JSON file. After hd_trace_stop().
 *
 *  @param path  Name of the file.
 *  @return HD_OK, HD_ERR_IO with the reason, or HD_ERR_STATE if recording was not stopped.
 */
hd_status hd_trace_write(const char *path);

/** Returns the name of a kind of span.
 *
 *  @param kind  The kind.
 *  @return Static text such as "copy in" or "kernel"; "unknown" for other values.
 */
const char *hd_trace_kind_name(hd_trace_kind kind);

/** Returns the number that stands for a stream in spans.
 *
 *  @param stream  The stream.
 *  @param number  Receives the number, from 1.
 *  @return HD_OK, or HD_ERR_ARGUMENT if an argument is NULL.
 */
hd_status hd_stream_number(const hd_stream *stream, unsigned *number);

/** Begins a named range of the calling host thread, for traces and for the vendors' profilers.
 *  Ranges nest.
 *
 *  @param text  Name of the range; copied.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_range_push(const char *text);

/** Ends the calling thread's last range.
 *
 *  @return HD_OK, or HD_ERR_STATE if the thread has no open range.
 */
hd_status hd_range_pop(void);

/** Marks a point in the calling host thread's time, for traces and for the vendors' profilers.
 *
 *  @param text  Name of the mark; copied.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_range_mark(const char *text);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
