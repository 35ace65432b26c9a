/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host functions of this practical, which host.c defines. */
#ifndef SEVERAL_DEVICES_HOST_H
#define SEVERAL_DEVICES_HOST_H

#include <heddle/heddle.h>

#include "kernel.h"

enum { STEPS = 6, PARTS_MAX = 4 };

/* A stripe of the field on one device: rows 1 to ny are its own. Rows 0 and ny + 1 are halos, which
   are copies of the neighbours' rows, or boundary rows at the ends of the field, which nobody
   changes. */
typedef struct part {
    int device;
    size_t ny;          /* at least 3 */
    float *field[2];    /* device memory, (ny + 2) * NX each: step s reads field[s % 2] */
    float *host;        /* page-locked host memory, 2 * NX: for two rows */
    hd_stream *stream;  /* of the device, as is all that follows */
    hd_stream *edges;   /* a second stream */
    hd_event *sent;     /* for the functions below to record */
    hd_event *edged;    /* the same */
    hd_event *interior; /* the same */
} part;

/* Parts that lie below each other: the last row of part i is beside the first one of part i + 1. */
typedef struct plate {
    part parts[PARTS_MAX];
    int count;
} plate;

/* STEPS steps; on return all work is done, and field[STEPS % 2] of each part holds its rows of the
   result. Before the first step, field[0] and field[1] both hold the initial field with all halos.

   Through the host: all parts make a step; the host copies the edge rows to host memory and from
   there to the neighbours' halos, and waits for each copy. */
hd_status run_through_host(plate *p);

/* By transfers from device to device, in stream order; the host waits only at the end. */
hd_status run_by_transfers(plate *p);

/* As run_by_transfers, but each part first computes its first and last row on the stream `edges`,
   and sends them while it computes the rows between on `stream`. */
hd_status run_overlapped(plate *p);

#endif
