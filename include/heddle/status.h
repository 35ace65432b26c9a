/* SPDX-License-Identifier: Apache-2.0 */
/* status.h - what every call returns, and the detail behind it. Host side, C11 and C++17. */
#ifndef HEDDLE_STATUS_H
#define HEDDLE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, value, text): 0 is success, negative is an error, positive is not an error. */
#define HD_STATUS_LIST(X)                                                                          \
    X(HD_OK, 0, "success")                                                                         \
    X(HD_NOT_READY, 1, "work is still running")                                                    \
    X(HD_ERR_ARGUMENT, -1, "an argument is out of range or NULL")                                  \
    X(HD_ERR_NO_MEMORY, -2, "out of memory")                                                       \
    X(HD_ERR_NO_DEVICE, -3, "no device")                                                           \
    X(HD_ERR_DEVICE_INDEX, -4, "device index out of range")                                        \
    X(HD_ERR_DEVICE_BUSY, -5, "every device is in use or may not be used")                         \
    X(HD_ERR_DEVICE_LOST, -6, "device lost: an earlier kernel faulted on it")                      \
    X(HD_ERR_LAUNCH_CONFIG, -7, "grid, block or shared memory out of range")                       \
    X(HD_ERR_ILLEGAL_ADDRESS, -8, "a kernel used an address it may not use")                       \
    X(HD_ERR_ASSERT, -9, "a device assertion failed")                                              \
    X(HD_ERR_NO_PEER, -10, "no peer access between the devices")                                   \
    X(HD_ERR_POINTER, -11, "pointer of the wrong kind or of another device")                       \
    X(HD_ERR_OVERFLOW, -12, "a size or an integer result does not fit")                            \
    X(HD_ERR_UNSUPPORTED, -13, "not supported by this backend or device")                          \
    X(HD_ERR_DEADLOCK, -14, "blocks wait for each other for ever")                                 \
    X(HD_ERR_WORKSPACE, -15, "workspace missing or too small")                                     \
    X(HD_ERR_IO, -16, "input or output failed")                                                    \
    X(HD_ERR_FORMAT, -17, "malformed input")                                                       \
    X(HD_ERR_STATE, -18, "not allowed in the present state")                                       \
    X(HD_ERR_BACKEND, -19, "the backend reported an error of its own")                             \
    X(HD_ERR_SINGULAR, -20, "a system of equations that cannot be solved")                         \
    X(HD_ERR_TIMEOUT, -21, "waited in vain for another participant")

typedef enum hd_status {
#define HD_STATUS_ENUM_(name, value, text) name = value,
    HD_STATUS_LIST(HD_STATUS_ENUM_)
#undef HD_STATUS_ENUM_
} hd_status;

/* What is known about the last error of the calling thread. Strings live until the thread's next
   error. `file` and `line` are the first place that passed it on (hd_launch, HD_TRY), in heddle's
   own drivers or in the caller's files, else NULL and 0. `backend_code` and `backend_name` are the
   vendor's own, 0 and "" where none. */
typedef struct hd_error {
    hd_status status;
    const char *call;
    const char *file;
    int line;
    int backend_code;
    const char *backend_name;
    const char *message;
} hd_error;

/* The calling thread's last error; never NULL; status HD_OK before the first. Success does not
   clear it. Calls that give something back (hd_..._destroy, hd_free, hd_free_async,
   hd_host_unregister, hd_stream_capture_end, hd_peer_disable, hd_trace_stop, hd_group_abort) return
   their own status, but leave the detail of an error alone that directly precedes them: what fails
   while a program cleans up after a failure does not replace the cause. */
const hd_error *hd_error_last(void);
void hd_error_clear(void);
/* Bytes that hold every text of hd_error_format, its end included. */
enum { HD_ERROR_TEXT_MAX = 2048 };
/* One line: `HD_ERR_NO_MEMORY in hd_alloc_bytes (a.c:12): ...`. Of a path that is longer than 512
   bytes the end is there. A text that does not fit in `size` bytes ends in "...";
   HD_ERROR_TEXT_MAX bytes are always enough. Returns `text`. */
char *hd_error_format(char *text, unsigned long size);

const char *hd_status_name(hd_status status);
const char *hd_status_text(hd_status status);

/* Records the caller's place in the detail if the call that failed left none; returns `status`. */
hd_status hd_error_place(hd_status status, const char *file, int line);

/* Returns from the enclosing function (of type hd_status) when the call fails. */
#define HD_TRY(call)                                                                               \
    do {                                                                                           \
        hd_status hd_try_status_ = (call);                                                         \
        if (hd_try_status_ < 0)                                                                    \
            return hd_error_place(hd_try_status_, __FILE__, __LINE__);                             \
    } while (0)

/* Stores the status in `status` and jumps to `label` when the call fails. */
#define HD_GOTO(status, label, call)                                                               \
    do {                                                                                           \
        (status) = (call);                                                                         \
        if ((status) < 0) {                                                                        \
            hd_error_place((status), __FILE__, __LINE__);                                          \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
