/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.h - internal interface of `heddle overlap`. */
#ifndef HEDDLE_CLI_LAB_OVERLAP_H
#define HEDDLE_CLI_LAB_OVERLAP_H

#include <heddle/pipeline.h>

#include "cli/app/job.h"

enum { OVERLAP_ROWS = 16, OVERLAP_RUNS_MAX = 1001 };

/* X(name, text): the stream to which work is issued. */
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
    unsigned streams; /* as requested; 0: automatic */
    size_t chunk;
    unsigned used; /* streams actually used */
    hd_pipeline_order order;
    double median, least, first; /* seconds; first: of the first run, which warms up and measures */
    unsigned tries;              /* runs before the timed ones */
} overlap_row;

typedef struct overlap {
    cli_job job;
    size_t n; /* elements of 4 bytes */
    unsigned weight, max_streams, copy_streams, threads;
    size_t parts; /* chunks in every row; 0: one per stream */
    int weight_given, in_place;
    hd_pipeline_order order;
    hd_memory_kind kind; /* HD_MEM_UNKNOWN: pageable */
    overlap_mode mode;
    const char *plot;
    uint32_t *in, *out;        /* in host memory */
    hd_event *issued, *worked; /* for work on a default stream */
    /* seconds: each engine alone with pinned memory, both directions at once, and all in sequence
       with the selected kind of memory */
    double copy_in, copy_out, both, work, serial, bound;
    overlap_row rows[OVERLAP_ROWS];
    size_t row_count;
    size_t wrong_at; /* SIZE_MAX: correct */
} overlap;

/* run.c. Each returns CLI_DONE, or an exit status after a line. */
int overlap_memory(overlap *o);
int overlap_alone(overlap *o); /* engines, work per element, bound */
int overlap_rows(overlap *o);
void overlap_free(overlap *o);

/* print.c */
const char *overlap_kind_name(hd_memory_kind kind);
const char *overlap_mode_name(overlap_mode mode);
/* The row with the smallest median among those with a fixed number of streams; the automatic
   row. */
const overlap_row *overlap_best(const overlap *o);
const overlap_row *overlap_auto(const overlap *o);
int overlap_print(overlap *o);

#endif
