/* SPDX-License-Identifier: Apache-2.0 */
/* histogram_call.h - one run of `heddle histogram`. */
#ifndef HEDDLE_CLI_HISTOGRAM_CALL_H
#define HEDDLE_CLI_HISTOGRAM_CALL_H

#include <heddle/histogram.h>

#include "array.h"
#include "job.h"

enum { OUTSIDE = 3 };

typedef struct histogram_call {
    cli_array array;
    hd_bins bins;
    void *in, *counts, *outside; /* on the device */
    uint64_t *got, *expected;    /* bins, then below, above, NaN */
    uint64_t chunk_bytes;        /* --chunk; 0: not given */
    size_t chunks;               /* that the array passed in; 0: all at once */
} histogram_call;

/* Adds the counts of the array to c->got, chunk by chunk (histogram_chunks.c). CLI_DONE, or an exit
   status after a line. */
int histogram_in_chunks(cli_job *job, histogram_call *c);

#endif
