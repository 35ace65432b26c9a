/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host functions of this practical, which host.c defines. */
#ifndef STREAMS_AND_DEVICES_HOST_H
#define STREAMS_AND_DEVICES_HOST_H

#include <heddle/heddle.h>

enum { ROUNDS = 3 };

/* Two streams of one device, and memory for fork_join(). */
typedef struct fork_work {
    hd_stream *left, *right;
    hd_event *arrived;  /* x is in device memory */
    hd_event *finished; /* the right stream has computed y */
    size_t n;
    float *x, *y, *z; /* device memory, n elements each */
    const float *in;  /* page-locked host memory, ROUNDS times n elements */
    float *out;       /* page-locked host memory, ROUNDS times n elements */
} fork_work;

/* In every round r: copies n elements of f->in to f->x (left stream), computes z = 2 x (left) and
   y = 3 x (right) side by side, then z += y, and copies z to round r of f->out (left). Enqueues all
   rounds and waits once, at the end. */
hd_status fork_join(const fork_work *f);

/* What one device has of an array. */
typedef struct part {
    int device;
    hd_stream *stream;
    size_t n;
    float *x, *y;      /* memory of the device, n elements each */
    float *received;   /* memory of the device, n elements from another one */
    hd_event *arrived; /* an event of the device */
} part;

/* Creates stream and event and allocates all memory of a part of n elements on `device`. */
hd_status part_create(part *p, int device, size_t n);

/* y = 2 x for an array in page-locked host memory, the first half by part 0 and the second half by
   part 1 at the same time. Both have half of the elements. Waits until `y` is complete. */
hd_status split(part parts[2], const float *x, float *y);

/* Adds the y of part 1 to the y of part 0, on the device of part 0: the elements travel from device
   to device (hd_transfer). Then copies the sums, n elements of part 0, to `sums`, and waits. */
hd_status combine(part parts[2], float *sums);

#endif
