/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h - what the files of the runtime share: the table of devices and the common checks. */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include <stdatomic.h>

#include "backend.h"

/* One device that this process uses, in the user's order. The limits are those that every launch
   is held against; they are read once, when the device gets its first stream. */
typedef struct hd__device {
    int ordinal; /* the backend's index */
    atomic_int lost;
    atomic_int limits_known;
    unsigned max_threads;
    unsigned max_block[3];
    unsigned max_grid[3];
    size_t max_shared;
    size_t unit_shared;
    unsigned units;
    size_t cache_bytes; /* of the last level; 0 where it is not known */
    unsigned threads_per_unit;
} hd__device;

/* Finds the device and refuses an index out of range and a lost device. */
hd_status hd__device_use(const char *call, int device, hd__device **entry);
/* The same without the refusal of a lost device. */
hd_status hd__device_find(const char *call, int device, hd__device **entry);
/* Reads the limits if that was not done yet. */
hd_status hd__device_limits(hd__device *entry);
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

/* What a backend call on a device returned; a fault marks the device lost. */
hd_status hd__settle(const char *call, int device, hd_status status);
/* The same for a call that waited: also collects what kernels left behind. */
hd_status hd__settle_wait(const char *call, int device, hd_status status);
/* The same for a call whose device is not known. */
hd_status hd__settle_any(const char *call, hd_status status);

/* Default streams of a device: forgets what a reset made invalid. */
void hd__stream_defaults_reset(int device);

/* HD_ERR_ARGUMENT with "<what> is NULL". */
hd_status hd__null(const char *call, const char *what);

#endif
