/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The host API: devices, memory, copies, streams, events and launches. C11 and C++17.
 *
 *  Includes devices.h, memory.h, stream.h and launch.h. Each primitive has a header of its own.
 */
/** @page conventions Conventions of every call
 *
 *  Every call returns an #hd_status. Outputs are set only on success. No call prints or aborts; the
 *  detail of the last error is thread-local (hd_error_last()). There is no current device: streams
 *  and events belong to a device, allocations name theirs. Counts and sizes are size_t. A count of
 *  0 is valid input and moves nothing.
 *
 *  @section common_errors Common errors
 *
 *  Calls that take a device or a stream can return these in addition to the errors that their own
 *  documentation lists:
 *  - HD_ERR_ARGUMENT: a pointer that must not be NULL is NULL, or an enum has an unknown value;
 *  - HD_ERR_NO_DEVICE: the process sees no device;
 *  - HD_ERR_DEVICE_INDEX: the device is not 0 to hd_device_count() - 1;
 *  - HD_ERR_DEVICE_LOST: an earlier kernel faulted on the device (see hd_device_reset());
 *  - HD_ERR_STATE: the process was forked after its parent had called heddle;
 *  - HD_ERR_BACKEND: an error of the vendor's runtime that has no hd_status of its own;
 *  - HD_ERR_ARGUMENT or HD_ERR_DEVICE_INDEX: HEDDLE_DEVICES is malformed or names a device that
 *    does not exist.
 *
 *  Kernels run asynchronously, so their failures are returned by the next call that waits for the
 *  device or asks whether work is done (hd_stream_synchronize(), hd_stream_query(),
 *  hd_event_synchronize(), hd_event_query(), hd_device_synchronize(), hd_copy_blocking_bytes()):
 *  - HD_ERR_ILLEGAL_ADDRESS: a kernel faulted; from then on the device is lost;
 *  - HD_ERR_ASSERT: an assertion in a kernel failed; returned once, the device stays usable;
 *  - HD_ERR_DEADLOCK: blocks wait for each other forever (CPU engine); returned once;
 *  - the status that a function of hd_stream_host_try() returned; once.
 *
 *  @section threads Threads
 *
 *  Any host threads may make calls at the same time:
 *  - devices, memory, pools, peer access and traces: on the same object too;
 *  - streams and events, including default streams: on the same object too. Calls on one stream are
 *    enqueued one after the other, in an unspecified order unless the program synchronises its
 *    threads; hd_stream_wait() waits for the last record of the event that was enqueued before it;
 *  - hd_graph, hd_graph_exec and the objects of drivers (plans, matchers, pipelines, solvers,
 *    halos): one thread at a time uses an object, unless its header allows more;
 *  - hd_group: one thread at a time, or one thread per rank (group.h).
 *
 *  An object must not be in use when it ends: while it is destroyed, its memory is freed by
 *  hd_free() or its device is reset, no other thread may be in a call that uses it, and none may
 *  use it afterwards. Destroying a handle twice is HD_ERR_ARGUMENT. Other uses of a destroyed
 *  handle are detected only by HEDDLE_SELF_CHECK builds and by the checking engine.
 *
 *  @section fork Fork
 *
 *  After fork, the child of a process that has called heddle may only start another program (exec):
 *  devices, threads, and locks that other threads held at that moment stay with the parent. If
 *  nothing was called before the fork, both processes may use heddle.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <heddle/devices.h>
#include <heddle/kernel_decl.h>
#include <heddle/launch.h>
#include <heddle/memory.h>
#include <heddle/status.h>
#include <heddle/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup version Version
 *  @brief Version of the library, and the backend it was built with.
 *  @{
 */

#define HD_VERSION_MAJOR 0 /**< Major version of these headers. */
#define HD_VERSION_MINOR 1 /**< Minor version of these headers. */
#define HD_VERSION_PATCH 0 /**< Patch level of these headers. */

/** Returns the version of the library.
 *
 *  @return Static text such as "0.1.0".
 */
const char *hd_version(void);

/** Returns the backend that the library was built with.
 *
 *  @return Static text: "cpu", "cuda" or "hip".
 */
const char *hd_backend_name(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
