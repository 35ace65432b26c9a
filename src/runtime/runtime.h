/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h - shared by the files of the runtime: the table of devices and common checks. */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend.h"

/* A device of this process, in the user's order. Launches are checked against the limits, which are
   read once, when the device gets its first stream. */
typedef struct hd__device {
    int ordinal; /* index in the backend */
    atomic_int lost;
    char cause[512]; /* why it is lost: ": " and the text of the first fault, or "" */
    atomic_int limits_known;
    unsigned max_threads;
    unsigned max_block[3];
    unsigned max_grid[3];
    size_t max_shared;
    size_t unit_shared;
    unsigned units;
    size_t cache_bytes; /* last-level cache; 0: unknown */
    unsigned threads_per_unit;
    unsigned warp_size;
    atomic_int host_failed; /* a host function has failed (failure.c), with: */
    hd_status host_status;
    char host_text[512];
} hd__device;

/* Finds the device; refuses an index out of range and a lost device. */
hd_status hd__device_use(const char *call, int device, hd__device **entry);
/* Likewise, but accepts a lost device. */
hd_status hd__device_find(const char *call, int device, hd__device **entry);
/* Reads the limits unless they were read before. */
hd_status hd__device_limits(hd__device *entry);
/* For drivers: the maximum shared memory of a block on the device, by which the next launch is
   sized. */
hd_status hd__shared_max(const char *call, int device, size_t *bytes);
/* The entry of a handle's device; never NULL. */
hd__device *hd__device_at(int device);
/* The user's index of a backend's ordinal; -1: hidden from the user. */
int hd__device_of_ordinal(int ordinal);

/* Refuses a NULL stream and one of a lost device. */
hd_status hd__stream_use(const char *call, const hd_stream *stream);
hd_status hd__event_use(const char *call, const hd_event *event);
hd_status hd__lost(const char *call, int device);

/* The number for a stream that is being created. */
unsigned hd__stream_next_number(void);
/* A function called with every stream before it is destroyed; it keeps stream.c independent of its
   users. A hook is registered once and permanently; the caller owns it and sets only `ends`. */
typedef struct hd__stream_hook {
    void (*ends)(const hd_stream *stream);
    struct hd__stream_hook *next;
} hd__stream_hook;
void hd__on_stream_end(hd__stream_hook *hook);

/* Takes the failure left by a host function of the device; HD_OK if there is none (failure.c). */
hd_status hd__failure_take(const char *call, hd__device *device);
/* Records a failure; the first one that has not been reported is kept. */
void hd__failure_leave(hd__device *device, hd_status status);

/* Evaluates the result of a backend call on a device; a fault marks the device lost. */
hd_status hd__settle(const char *call, int device, hd_status status);
/* Likewise for a call that synchronised: also collects errors left by kernels. */
hd_status hd__settle_wait(const char *call, int device, hd_status status);
/* Likewise for a call whose device is unknown. */
hd_status hd__settle_any(const char *call, hd_status status);

/* Forgets default streams of a device that a reset invalidated. */
void hd__stream_defaults_reset(int device);

/* ---- launches that become nodes (launch.c, graph/kernel.c) ---- */

enum {
    HD__LAUNCH_NODE = 1 << 29, /* set by hd_graph_into and hd_graph_exec_into */
    HD__TICKET_SHIFT = 24,     /* ticket number, modulo HD__TICKETS */
    HD__TICKETS = 16
};

/* HD_OK if the configuration is within the device's limits; otherwise reports the reason. */
hd_status hd__launch_check(const hd_kernel *kernel, const hd_launch_config *config, int device);
/* Called by launches with HD__LAUNCH_NODE. */
typedef hd_status hd__node_launch(const hd_kernel *kernel, hd_launch_config config, void **args);
void hd__on_node_launch(hd__node_launch *hook);

/* Called once per launch: 1 if the program, on the calling thread, has queried the shared memory
   limit, or a driver has sized this launch by it (device.c). */
int hd__shared_sized(void);

/* ---- captures (captured.c) ---- */

typedef struct hd__tasks hd__tasks;

/* An active capture: origin stream and owner. */
typedef struct hd__capture {
    const hd_stream *origin;
    pthread_t owner;
    uint64_t id;
    hd__tasks *tasks;
    struct hd__capture *next;
} hd__capture;

void hd__capture_add(hd__capture *made);
/* Removes the capture that began on the stream from the list. NULL: none, or with `owner` none by
   this thread. */
hd__capture *hd__capture_take(const hd_stream *origin, int owner);

/* 1 if the stream is in a capture begun by heddle in this process; costs one load if there is no
   capture. */
int hd__captured(hd_stream *stream);
/* HD_ERR_STATE, naming the forbidden action `what`, if the stream is captured. */
hd_status hd__capture_refuses(const char *call, hd_stream *stream, const char *what);
/* Likewise for a copy from or to plain host memory. */
hd_status hd__capture_refuses_copy(const char *call, hd_stream *stream, const void *to,
                                   const void *from);

/* ---- tasks owned by graphs (host_task.c) ---- */

/* Tasks shared by graphs and executable graphs; they exist as long as one of these may run a
   task. */
void hd__tasks_retain(hd__tasks *tasks);
void hd__tasks_release(hd__tasks *tasks); /* NULL is success */
/* Releases the tasks once the event is done, and destroys the event. */
void hd__tasks_retire(hd__tasks *tasks, hd_event *last);
/* A task for a node: returns its callback and the callback's argument. *tasks is created if
   NULL. */
hd_status hd__tasks_add(const char *call, hd__tasks **tasks, int device,
                        hd_status (*function)(void *), void *argument, void (**callback)(void *),
                        void **callback_argument);
/* Calls release(argument) when no launch can use the object that it belongs to. */
hd_status hd__tasks_own(const char *call, hd__tasks **tasks, void (*release)(void *),
                        void *argument);
/* The tasks of the stream's capture (for hd__tasks_add); NULL: none. */
hd__tasks **hd__capture_tasks(hd_stream *stream);

/* HD_ERR_ARGUMENT with "<what> is NULL". */
hd_status hd__null(const char *call, const char *what);

#endif
