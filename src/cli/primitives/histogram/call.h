/* SPDX-License-Identifier: Apache-2.0 */
/* call.h - one run of `heddle histogram`. */
#ifndef HEDDLE_CLI_PRIMITIVES_HISTOGRAM_CALL_H
#define HEDDLE_CLI_PRIMITIVES_HISTOGRAM_CALL_H

#include "bins.h"
#include "cli/app/job.h"

enum { OUTSIDE = 3 };

typedef struct histogram_call {
    cli_array array; /* without data while the file is open in `input` */
    cli_input input;
    int streams; /* the file is read while its chunks are counted */
    histogram_bins bins;
    void *in, *counts, *outside; /* on the device */
    uint64_t *got, *expected;    /* bins, then below, above, NaN */
    uint64_t chunk_bytes;        /* --chunk; 0: not given */
    size_t chunks;               /* number of chunks; 0: the array was counted as a whole */
} histogram_call;

/* chunks.c: adds the counts of the array to c->got, chunk by chunk. CLI_DONE, or an exit status
   after a line. */
int histogram_in_chunks(cli_job *job, histogram_call *c);

/* Opens a regular file whose elements need no conversion and whose bins do not depend on them: sets
   c->streams, and the fields of c->array except its data. Does nothing for other files. */
int histogram_open(const cli_arguments *arguments, const char *path, unsigned types,
                   histogram_call *c);

#endif
