/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - chooses the kernels that solve a batch of tridiagonal systems, and launches them. */
#ifndef HEDDLE_DRIVERS_TRIDIAG_PLAN_H
#define HEDDLE_DRIVERS_TRIDIAG_PLAN_H

#include <heddle/tridiag.h>

#include "drivers/tune/choice.h"
#include "kernels/tridiag/tridiag.h"

/* For tests: kernels that the device's properties would not select. The bits of results do not
   depend on it. */
enum {
    HD__TRIDIAG_THREADS = 1, /* blocks of many threads even if they run one after another */
    HD__TRIDIAG_PASSES = 2   /* no lanes kernel: two passes for every width above 1 */
};
extern unsigned hd__tridiag_force;

/* Bytes of the arrays of all smaller systems: the maximum over all devices. */
size_t hd__tridiag_smaller_bytes(const hd_tridiag_batch *batch);
/* Solves the task's batch by chunks; `memory` holds the smaller systems. */
hd_status hd__tridiag_chunked(hd__tune_choice choice, const hd__tridiag_task *task, hd_type type,
                              char *memory, hd_stream *stream);
/* Whether hd__tridiag_chunked needs no memory on the stream's device, with the same choice. */
hd_status hd__tridiag_whole(hd__tune_choice choice, const hd__tridiag_task *task, hd_type type,
                            hd_stream *stream, int *whole);

hd_status hd__tridiag_by_shuffle(hd__tridiag_task *task, hd_type type, hd_stream *stream);
hd_status hd__tridiag_by_shared(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                                hd_stream *stream);
hd_status hd__tridiag_by_thomas(hd__tridiag_task *task, hd_type type, hd_stream *stream);

#endif
