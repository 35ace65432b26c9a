/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The status that every call returns, and the detail of the last error. Host side, C11 and C++17.
 */
#ifndef HEDDLE_STATUS_H
#define HEDDLE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup status Status and errors
 *  @brief What every call returns, and the detail of the calling thread's last error.
 *  @{
 */

/** X(name, value, text): every status. 0 is success, negative is an error, positive is neither. */
#define HD_STATUS_LIST(X)                                                                          \
    /** Success. */                                                                                \
    X(HD_OK, 0, "success")                                                                         \
    /** Work is still running. Not an error. */                                                    \
    X(HD_NOT_READY, 1, "work is still running")                                                    \
    /** An argument is out of range or NULL. */                                                    \
    X(HD_ERR_ARGUMENT, -1, "an argument is out of range or NULL")                                  \
    /** There is not enough device or host memory. */                                              \
    X(HD_ERR_NO_MEMORY, -2, "out of memory")                                                       \
    /** The process sees no device. */                                                             \
    X(HD_ERR_NO_DEVICE, -3, "no device")                                                           \
    /** There is no device with that index. */                                                     \
    X(HD_ERR_DEVICE_INDEX, -4, "device index out of range")                                        \
    /** Every device is in exclusive use or prohibited. */                                         \
    X(HD_ERR_DEVICE_BUSY, -5, "every device is in use or may not be used")                         \
    /** An earlier kernel faulted on the device; see hd_device_reset(). */                         \
    X(HD_ERR_DEVICE_LOST, -6, "device lost: an earlier kernel faulted on it")                      \
    /** Grid, block or shared memory of a launch exceed a limit. */                                \
    X(HD_ERR_LAUNCH_CONFIG, -7, "grid, block or shared memory out of range")                       \
    /** A kernel used an address that it may not use. */                                           \
    X(HD_ERR_ILLEGAL_ADDRESS, -8, "a kernel used an address it may not use")                       \
    /** An assertion in a kernel failed. */                                                        \
    X(HD_ERR_ASSERT, -9, "a device assertion failed")                                              \
    /** There is no peer access between the devices. */                                            \
    X(HD_ERR_NO_PEER, -10, "no peer access between the devices")                                   \
    /** Memory of the wrong kind, of another device, freed, or too short. */                       \
    X(HD_ERR_POINTER, -11, "pointer of the wrong kind or of another device")                       \
    /** A size or an integer result does not fit in its type. */                                   \
    X(HD_ERR_OVERFLOW, -12, "a size or an integer result does not fit")                            \
    /** Not supported by this backend, device or element type. */                                  \
    X(HD_ERR_UNSUPPORTED, -13, "not supported by this backend or device")                          \
    /** Blocks wait for each other forever (CPU engine). */                                        \
    X(HD_ERR_DEADLOCK, -14, "blocks wait for each other for ever")                                 \
    /** The workspace is missing or too small. */                                                  \
    X(HD_ERR_WORKSPACE, -15, "workspace missing or too small")                                     \
    /** Input or output failed. */                                                                 \
    X(HD_ERR_IO, -16, "input or output failed")                                                    \
    /** Malformed input. */                                                                        \
    X(HD_ERR_FORMAT, -17, "malformed input")                                                       \
    /** Not allowed in the present state of the object. */                                         \
    X(HD_ERR_STATE, -18, "not allowed in the present state")                                       \
    /** An error of the vendor's runtime; see hd_error.backend_code. */                            \
    X(HD_ERR_BACKEND, -19, "the backend reported an error of its own")                             \
    /** A system of equations cannot be solved. */                                                 \
    X(HD_ERR_SINGULAR, -20, "a system of equations that cannot be solved")                         \
    /** Another participant did not arrive within the time limit. */                               \
    X(HD_ERR_TIMEOUT, -21, "waited in vain for another participant")

/** The status that every call returns; the values are those of #HD_STATUS_LIST. */
typedef enum hd_status {
#define HD_STATUS_ENUM_(name, value, text) name = value,
    HD_STATUS_LIST(HD_STATUS_ENUM_)
#undef HD_STATUS_ENUM_
} hd_status;

/** Detail of the calling thread's last error. The strings live until the thread's next error. */
typedef struct hd_error {
    hd_status status; /**< The status that was returned; HD_OK before the first error. */
    const char *call; /**< The call that failed. */
    const char *file; /**< Source file of the first place that passed the error on (#hd_launch,
                           #HD_TRY), in heddle's own drivers or in the caller; NULL if none. */
    int line;         /**< Line in file; 0 if there is none. */
    int backend_code; /**< The vendor's own error code; 0 if there is none. */
    const char *backend_name; /**< The vendor's name of backend_code; "" if there is none. */
    const char *message;      /**< What is wrong, with values. */
} hd_error;

/** Returns the detail of the calling thread's last error. Success does not clear it.
 *
 *  Calls that release something (hd_..._destroy, hd_free(), hd_free_async(), hd_host_unregister(),
 *  hd_stream_capture_end(), hd_peer_disable(), hd_trace_stop(), hd_group_abort()) return their own
 *  status, but keep the detail of an error that directly precedes them: a failure while a program
 *  cleans up does not replace its cause.
 *
 *  @return The detail, owned by heddle; never NULL.
 */
const hd_error *hd_error_last(void);

/** Clears the calling thread's last error: its status becomes HD_OK. */
void hd_error_clear(void);

/** Sizes of texts. */
enum {
    HD_ERROR_TEXT_MAX = 2048 /**< Bytes that are enough for every text of hd_error_format(). */
};

/** Writes the calling thread's last error as one line: `HD_ERR_NO_MEMORY in hd_alloc_bytes
 *  (a.c:12): ...`
 *
 *  Of a path longer than 512 bytes the end is kept. A text that does not fit ends in "...".
 *
 *  @param text  Receives the terminated text.
 *  @param size  Bytes at text; #HD_ERROR_TEXT_MAX are always enough.
 *  @return text.
 */
char *hd_error_format(char *text, unsigned long size);

/** Returns the name of a status.
 *
 *  @param status  The status.
 *  @return Static text such as "HD_ERR_NO_MEMORY".
 */
const char *hd_status_name(hd_status status);

/** Returns what a status means.
 *
 *  @param status  The status.
 *  @return Static text such as "out of memory".
 */
const char *hd_status_text(hd_status status);

/** Stores the caller's place in the detail of the last error, unless it has one already. Used by
 *  #HD_TRY and #HD_GOTO.
 *
 *  @param status  The status that a call returned.
 *  @param file    Source file; must outlive the detail, as __FILE__ does.
 *  @param line    Line in file.
 *  @return status.
 */
hd_status hd_error_place(hd_status status, const char *file, int line);

/** Returns from the enclosing function, which returns hd_status, if a call fails.
 *
 *  @param call  An expression of type hd_status.
 */
#define HD_TRY(call)                                                                               \
    do {                                                                                           \
        hd_status hd_try_status_ = (call);                                                         \
        if (hd_try_status_ < 0)                                                                    \
            return hd_error_place(hd_try_status_, __FILE__, __LINE__);                             \
    } while (0)

/** Stores the status of a call and jumps to a label if the call fails.
 *
 *  @param status  Variable that receives the status.
 *  @param label   Label to jump to.
 *  @param call    An expression of type hd_status.
 */
#define HD_GOTO(status, label, call)                                                               \
    do {                                                                                           \
        (status) = (call);                                                                         \
        if ((status) < 0) {                                                                        \
            hd_error_place((status), __FILE__, __LINE__);                                          \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)

/** @} */

#ifdef __cplusplus
}
#endif
#endif
