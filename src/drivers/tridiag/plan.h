/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - which kernels solve a batch of tridiagonal systems, and their launches. */
#ifndef HEDDLE_DRIVERS_TRIDIAG_PLAN_H
#define HEDDLE_DRIVERS_TRIDIAG_PLAN_H

#include <heddle/tridiag.h>

#include "kernels/tridiag/tridiag.h"

/* For tests: the forms that a device's properties would not choose. No form changes a bit. */
enum {
    HD__TRIDIAG_THREADS = 1, /* blocks of many threads also where they run one after another */
    HD__TRIDIAG_PASSES = 2   /* no lanes kernel: two passes for every width above 1 */
};
extern unsigned hd__tridiag_force;

/* Bytes of the arrays of all smaller systems, for the longest way that any device goes. */
size_t hd__tridiag_smaller_bytes(const hd_tridiag_batch *batch);
/* Solves task's batch by chunks; `memory` holds the smaller systems. */
hd_status hd__tridiag_chunked(const hd__tridiag_task *task, hd_type type, char *memory,
                              hd_stream *stream);
/* Whether that needs no memory on the stream's device. */
hd_status hd__tridiag_whole(const hd__tridiag_task *task, hd_type type, hd_stream *stream,
                            int *whole);

hd_status hd__tridiag_by_shuffle(hd__tridiag_task *task, hd_type type, hd_stream *stream);
hd_status hd__tridiag_by_shared(hd__tridiag_task *task, hd_type type, hd_stream *stream);
hd_status hd__tridiag_by_thomas(hd__tridiag_task *task, hd_type type, hd_stream *stream);

#endif
