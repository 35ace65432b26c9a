/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h - what the files of the runtime share: the table of devices and the common checks. */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend.h"

/* One device that this process uses, in the user's order. The limits are those that every launch
   is held against; they are read once, when the device gets its first stream. */
typedef struct hd__device {
    int ordinal; /* the backend's index */
    atomic_int lost;
    char cause[512]; /* why: ": " and the first fault's text, or "" */
    atomic_int limits_known;
    unsigned max_threads;
    unsigned max_block[3];
    unsigned max_grid[3];
    size_t max_shared;
    size_t unit_shared;
    unsigned units;
    size_t cache_bytes; /* of the last level; 0 where it is not known */
    unsigned threads_per_unit;
    unsigned warp_size;
    atomic_int host_failed; /* a host function left a failure (host_task.c): */
    hd_status host_status;
    char host_text[512];
} hd__device;

/* Finds the device and refuses an index out of range and a lost device. */
hd_status hd__device_use(const char *call, int device, hd__device **entry);
/* The same without the refusal of a lost device. */
hd_status hd__device_find(const char *call, int device, hd__device **entry);
/* Reads the limits if that was not done yet. */
hd_status hd__device_limits(hd__device *entry);
/* For drivers: what a block of the device may have at most, by which the next launch is sized. */
hd_status hd__shared_max(const char *call, int device, size_t *bytes);
/* The entry of a device that a handle names; never NULL. */
hd__device *hd__device_at(int device);
/* The user's index of a backend's ordinal, -1 where the user does not see it. */
int hd__device_of_ordinal(int ordinal);

/* Refuses a NULL stream and one of a lost device. */
hd_status hd__stream_use(const char *call, const hd_stream *stream);
hd_status hd__event_use(const char *call, const hd_event *event);
hd_status hd__lost(const char *call, int device);

/* The number of a stream that is being made. */
unsigned hd__stream_next_number(void);
/* A function that is called with every stream that goes, before it does: stream.c itself calls
   nothing that needs streams. A hook is registered once, is never taken back, and stays with the
   caller, who sets `ends` alone. */
typedef struct hd__stream_hook {
    void (*ends)(const hd_stream *stream);
    struct hd__stream_hook *next;
} hd__stream_hook;
void hd__on_stream_end(hd__stream_hook *hook);

/* The failure that a host function of the device left behind, once; else HD_OK (failure.c). */
hd_status hd__failure_take(const char *call, hd__device *device);
/* Records a failure; the first that has not been reported is kept. */
void hd__failure_leave(hd__device *device, hd_status status);

/* What a backend call on a device returned; a fault marks the device lost. */
hd_status hd__settle(const char *call, int device, hd_status status);
/* The same for a call that waited: also collects what kernels left behind. */
hd_status hd__settle_wait(const char *call, int device, hd_status status);
/* The same for a call whose device is not known. */
hd_status hd__settle_any(const char *call, hd_status status);

/* Default streams of a device: forgets what a reset made invalid. */
void hd__stream_defaults_reset(int device);

/* ---- launches that become nodes (launch.c, graph/kernel.c) ---- */

enum {
    HD__LAUNCH_NODE = 1 << 29, /* hd_graph_into or hd_graph_exec_into made the configuration */
    HD__TICKET_SHIFT = 24,     /* its ticket, modulo HD__TICKETS */
    HD__TICKETS = 16
};

/* The configuration is within the limits of the device; else says why not. */
hd_status hd__launch_check(const hd_kernel *kernel, const hd_launch_config *config, int device);
/* What a launch with HD__LAUNCH_NODE calls. */
typedef hd_status hd__node_launch(const hd_kernel *kernel, hd_launch_config config, void **args);
void hd__on_node_launch(hd__node_launch *hook);

/* ---- captures (captured.c) ---- */

typedef struct hd__tasks hd__tasks;

/* A capture that goes on: where it began, by whom. */
typedef struct hd__capture {
    const hd_stream *origin;
    pthread_t owner;
    uint64_t id;
    hd__tasks *tasks;
    struct hd__capture *next;
} hd__capture;

void hd__capture_add(hd__capture *made);
/* The capture that began on the stream, out of the list. NULL: none; `owner`: or not by this
   thread. */
hd__capture *hd__capture_take(const hd_stream *origin, int owner);

/* 1 while the stream is captured by a capture of this process that heddle began; costs one load
   while there is none. */
int hd__captured(hd_stream *stream);
/* HD_ERR_STATE with what the call may not do if the stream is captured. */
hd_status hd__capture_refuses(const char *call, hd_stream *stream, const char *what);
/* The same for a copy from or to plain host memory. */
hd_status hd__capture_refuses_copy(const char *call, hd_stream *stream, const void *to,
                                   const void *from);

/* ---- tasks that graphs own (host_task.c) ---- */

/* hd__tasks is what graphs and executables share: lives as long as one of them may run a task. */
void hd__tasks_retain(hd__tasks *tasks);
void hd__tasks_release(hd__tasks *tasks); /* NULL is success */
/* Lets them go once the event is done, which is destroyed then. */
void hd__tasks_retire(hd__tasks *tasks, hd_event *last);
/* A task for a node: what its callback calls, and with what. *tasks is made where it is NULL. */
hd_status hd__tasks_add(const char *call, hd__tasks **tasks, int device,
                        hd_status (*function)(void *), void *argument, void (**callback)(void *),
                        void **callback_argument);
/* The same holder has release(argument) called when no launch can use what it belongs to. */
hd_status hd__tasks_own(const char *call, hd__tasks **tasks, void (*release)(void *),
                        void *argument);
/* The tasks of the capture that the stream belongs to (for hd__tasks_add); NULL: none. */
hd__tasks **hd__capture_tasks(hd_stream *stream);

/* HD_ERR_ARGUMENT with "<what> is NULL". */
hd_status hd__null(const char *call, const char *what);

#endif
