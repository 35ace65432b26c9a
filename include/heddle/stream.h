/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Streams and events: order of work on a device, waiting, host functions in a stream, timing.
 */
#ifndef HEDDLE_STREAM_H
#define HEDDLE_STREAM_H

#include <heddle/kernel_decl.h>
#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup streams Streams
 *  @brief Queues of work of a device, executed in order.
 *  @{
 */

/** An event: a point in the work of a stream. Belongs to one device. */
typedef struct hd_event hd_event;

/** Flags of hd_stream_create_with(). */
enum {
    HD_STREAM_DEFAULT = 0,     /**< Synchronises with the legacy default stream. */
    HD_STREAM_NON_BLOCKING = 1 /**< Does not synchronise with the legacy default stream. */
};

/** Creates a stream with default flags and priority. The caller destroys it.
 *
 *  The first stream of a device loads the code of every kernel of the process there: a vendor's
 *  runtime that loads a kernel late may wait for running kernels, which may wait for the late one.
 *
 *  @param device  Index of the device.
 *  @param stream  Receives the stream.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_create(int device, hd_stream **stream);

/** As hd_stream_create(), with flags and a priority.
 *
 *  @param device    Index of the device.
 *  @param flags     #HD_STREAM_DEFAULT or #HD_STREAM_NON_BLOCKING.
 *  @param priority  #HD_ATTR_STREAM_PRIORITY_GREATEST to #HD_ATTR_STREAM_PRIORITY_LEAST of the
 *                   device, 0 is normal; other values are clamped.
 *  @param stream    Receives the stream; the caller destroys it.
 *  @return As hd_stream_create(); HD_ERR_ARGUMENT also for unknown flags.
 */
hd_status hd_stream_create_with(int device, unsigned flags, int priority, hd_stream **stream);

/** Destroys a stream. Does not wait: work that is already enqueued still runs.
 *
 *  A vendor's stream behind hd_stream_from_native() is left alone.
 *
 *  @param stream  The stream; NULL is success.
 *  @retval HD_ERR_ARGUMENT     The stream was destroyed before, or is a default stream.
 *  @retval HD_ERR_DEVICE_LOST  The device is lost; the handle is gone all the same.
 */
hd_status hd_stream_destroy(hd_stream *stream);

/** Which default stream hd_stream_default() returns. */
typedef enum hd_default_stream {
    HD_DEFAULT_LEGACY,    /**< The one that synchronises with streams made without
                               #HD_STREAM_NON_BLOCKING. */
    HD_DEFAULT_PER_THREAD /**< The calling host thread's own. */
} hd_default_stream;

/** Returns a default stream of a device.
 *
 *  The stream is borrowed: the legacy one lives until the device is reset, a per-thread one until
 *  its thread ends. Destroying it is HD_ERR_ARGUMENT.
 *
 *  @param device  Index of the device.
 *  @param which   The legacy default stream or the thread's.
 *  @param stream  Receives the stream; the same handle each time.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_default(int device, hd_default_stream which, hd_stream **stream);

/** Returns the device of a stream.
 *
 *  @param stream  The stream.
 *  @param device  Receives the index of its device.
 *  @return HD_OK, or HD_ERR_ARGUMENT if an argument is NULL.
 */
hd_status hd_stream_device(const hd_stream *stream, int *device);

/** Waits until all work of a stream is done, and returns the failure of that work, if any.
 *
 *  @param stream  The stream, not being captured.
 *  @return HD_OK, or one of the @ref common_errors, including the failures of kernels.
 */
hd_status hd_stream_synchronize(hd_stream *stream);

/** Returns whether all work of a stream is done; does not wait.
 *
 *  @param stream  The stream, not being captured.
 *  @return HD_OK if all is done, HD_NOT_READY while work remains, or one of the @ref common_errors,
 *          including the failures of kernels.
 */
hd_status hd_stream_query(hd_stream *stream);

/** Makes later work of a stream wait for what an event recorded. Does not block the host.
 *
 *  The stream waits for the last record that was enqueued before this call; an event that was never
 *  recorded is not waited for. If the event was recorded in a capture, the stream joins that
 *  capture (graph.h).
 *
 *  @param stream  The stream; may belong to another device than the event.
 *  @param event   The event.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_wait(hd_stream *stream, hd_event *event);

/** Runs a function on a host thread after the earlier work of a stream; later work waits for it.
 *
 *  @param stream    The stream.
 *  @param function  Called once with argument. It must not call heddle.
 *  @param argument  Passed on; must stay valid until the function has returned.
 *  @return HD_OK or one of the @ref common_errors.
 *  @see hd_stream_host_task()
 */
hd_status hd_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument);

/** As hd_stream_host_function(), on a worker thread of heddle's, where the function may call
 *  heddle.
 *
 *  It may also enqueue work on the same stream, which then runs after the function has returned. In
 *  a capture the task becomes part of the graph.
 *
 *  @param stream    The stream.
 *  @param function  Called once with argument.
 *  @param argument  Passed on; must stay valid until the function has returned.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_host_task(hd_stream *stream, void (*function)(void *), void *argument);

/** As hd_stream_host_task(), for a function that can fail.
 *
 *  An error that it returns is returned once, with its detail, by the next call that waits for the
 *  stream's device, like the failure of a kernel. Later work of the stream runs all the same, and
 *  the device stays usable.
 *
 *  @param stream    The stream.
 *  @param function  Called once with argument; a negative status is an error.
 *  @param argument  Passed on; must stay valid until the function has returned.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_host_try(hd_stream *stream, hd_status (*function)(void *), void *argument);

/** Makes a handle for a stream of the vendor's runtime.
 *
 *  The vendor's stream remains the caller's: it has to outlive the handle, and destroying the
 *  handle leaves it alone.
 *
 *  @param device  Index of the device of the stream.
 *  @param native  The vendor's stream (cudaStream_t, hipStream_t).
 *  @param stream  Receives the handle; the caller destroys it.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_UNSUPPORTED on the CPU backend;
 *          HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_from_native(int device, void *native, hd_stream **stream);

/** Returns the vendor's stream behind a handle.
 *
 *  @param stream  The handle, which still owns the vendor's stream if it created it.
 *  @param native  Receives the vendor's stream (cudaStream_t, hipStream_t).
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_UNSUPPORTED on the CPU backend.
 */
hd_status hd_stream_native(hd_stream *stream, void **native);

/** @} */

/** @defgroup events Events
 *  @brief Points in streams, for order between streams and for timing.
 *  @{
 */

/** Flags of hd_event_create(). */
enum {
    HD_EVENT_TIMING = 1 /**< Records a time stamp for hd_event_elapsed(). */
};

/** Creates an event. The caller destroys it.
 *
 *  @param device  Index of the device whose streams will record it.
 *  @param flags   0 or #HD_EVENT_TIMING.
 *  @param event   Receives the event.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for unknown flags;
 *          HD_ERR_NO_MEMORY.
 */
hd_status hd_event_create(int device, unsigned flags, hd_event **event);

/** Destroys an event. Does not wait; streams that wait for it still do.
 *
 *  @param event  The event; NULL is success. A vendor's event behind hd_event_from_native() is left
 *                alone.
 *  @retval HD_ERR_ARGUMENT     The event was destroyed before.
 *  @retval HD_ERR_DEVICE_LOST  The device is lost; the handle is gone all the same.
 */
hd_status hd_event_destroy(hd_event *event);

/** Records an event after all earlier work of a stream. Asynchronous; replaces the earlier record.
 *
 *  @param event   The event.
 *  @param stream  A stream of the event's device.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also if the stream belongs to
 *          another device; HD_ERR_NO_MEMORY.
 */
hd_status hd_event_record(hd_event *event, hd_stream *stream);

/** Waits until the work before the last record of an event is done. Success at once if the event
 *  was never recorded.
 *
 *  @param event  The event, not recorded in a capture.
 *  @return HD_OK, or one of the @ref common_errors, including the failures of kernels.
 */
hd_status hd_event_synchronize(hd_event *event);

/** Returns whether the work before the last record of an event is done; does not wait.
 *
 *  @param event  The event, not recorded in a capture.
 *  @return HD_OK if it is done or the event was never recorded, HD_NOT_READY while it is not, or
 *          one of the @ref common_errors, including the failures of kernels.
 */
hd_status hd_event_query(hd_event *event);

/** Returns the time between two events of one device that were created with #HD_EVENT_TIMING.
 *
 *  @param start         The earlier event, recorded and done.
 *  @param stop          The later event, recorded and done.
 *  @param milliseconds  Receives the time in milliseconds.
 *  @retval HD_NOT_READY     An event is recorded but not done yet; *milliseconds is not set.
 *  @retval HD_ERR_ARGUMENT  An event has no #HD_EVENT_TIMING, or the events belong to different
 *                           devices.
 *  @retval HD_ERR_STATE     An event was never recorded.
 */
hd_status hd_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds);

/** Makes a handle for an event of the vendor's runtime.
 *
 *  The vendor's event remains the caller's: it has to outlive the handle, and destroying the handle
 *  leaves it alone. It counts as recorded.
 *
 *  @param device  Index of the device of the event.
 *  @param native  The vendor's event (cudaEvent_t, hipEvent_t), not NULL.
 *  @param event   Receives the handle; the caller destroys it.
 *  @return As hd_stream_from_native().
 */
hd_status hd_event_from_native(int device, void *native, hd_event **event);

/** Returns the vendor's event behind a handle.
 *
 *  @param event   The handle, which still owns the vendor's event if it created it.
 *  @param native  Receives the vendor's event (cudaEvent_t, hipEvent_t).
 *  @return As hd_stream_native().
 */
hd_status hd_event_native(hd_event *event, void **native);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
