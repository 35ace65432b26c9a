/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.h - what the parts of `heddle overlap` share. */
#ifndef HEDDLE_CLI_LAB_OVERLAP_H
#define HEDDLE_CLI_LAB_OVERLAP_H

#include <heddle/pipeline.h>

#include "cli/app/job.h"

enum { OVERLAP_ROWS = 16, OVERLAP_RUNS_MAX = 1001 };

/* X(name, text): the stream that the work is issued to. */
#define OVERLAP_MODE_LIST(X)                                                                       \
    X(OVERLAP_STREAMS, "streams")                                                                  \
    X(OVERLAP_LEGACY, "default-legacy")                                                            \
    X(OVERLAP_PER_THREAD, "default-per-thread")

typedef enum overlap_mode {
#define OVERLAP_ENUM_(name, text) name,
    OVERLAP_MODE_LIST(OVERLAP_ENUM_)
#undef OVERLAP_ENUM_
        OVERLAP_MODE_COUNT_
} overlap_mode;

typedef struct overlap_row {
    unsigned streams; /* as asked for; 0: automatic */
    size_t chunk;
    unsigned used; /* streams */
    hd_pipeline_order order;
    double median, least, first; /* seconds; of the first run, which warms up and measures */
    unsigned tries;              /* runs before those that count */
} overlap_row;

typedef struct overlap {
    cli_job job;
    size_t n; /* elements of 4 bytes */
    unsigned weight, most_streams, copy_streams, threads;
    size_t parts; /* chunks of every row; 0: one per stream */
    int weight_given, in_place;
    hd_pipeline_order order;
    hd_memory_kind kind; /* HD_MEM_UNKNOWN: pageable */
    overlap_mode mode;
    const char *plot;
    uint32_t *in, *out;        /* host */
    hd_event *issued, *worked; /* of the work on a default stream */
    /* seconds: each engine alone from pinned memory, both directions at once, and one after the
       other from memory of the kind */
    double copy_in, copy_out, both, work, serial, bound;
    overlap_row rows[OVERLAP_ROWS];
    size_t row_count;
    size_t wrong_at; /* SIZE_MAX: nowhere */
} overlap;

/* run.c. Each returns CLI_DONE or an exit status after its line. */
int overlap_memory(overlap *o);
int overlap_alone(overlap *o); /* engines, weight, bound */
int overlap_rows(overlap *o);
void overlap_free(overlap *o);

/* print.c */
const char *overlap_kind_name(hd_memory_kind kind);
const char *overlap_mode_name(overlap_mode mode);
/* The row with the least median of those with a number of streams, and the automatic one. */
const overlap_row *overlap_best(const overlap *o);
const overlap_row *overlap_auto(const overlap *o);
int overlap_print(overlap *o);

#endif
