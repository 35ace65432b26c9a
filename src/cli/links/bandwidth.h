/* SPDX-License-Identifier: Apache-2.0 */
/* bandwidth.h - internal interface of `heddle bandwidth`. */
#ifndef HEDDLE_CLI_LINKS_BANDWIDTH_H
#define HEDDLE_CLI_LINKS_BANDWIDTH_H

#include <heddle/pipeline.h>

#include "cli/bench/fit.h"
#include "cli/app/job.h"

/* X(name, text, memory, how) */
#define BANDWIDTH_KIND_LIST(X)                                                                     \
    X(BANDWIDTH_PINNED, "pinned", HD_MEM_PINNED, "copies from and to page-locked memory")          \
    X(BANDWIDTH_PAGEABLE, "pageable", HD_MEM_UNKNOWN, "the vendor's copies of ordinary memory")    \
    X(BANDWIDTH_STAGED, "staged", HD_MEM_UNKNOWN, "ordinary memory through a pipeline's ring")     \
    X(BANDWIDTH_MAPPED, "mapped", HD_MEM_MAPPED, "a kernel reads or writes it in place")           \
    X(BANDWIDTH_MANAGED, "managed", HD_MEM_MANAGED, "its pages are moved")

typedef enum bandwidth_kind {
#define BANDWIDTH_ENUM_(name, text, memory, how) name,
    BANDWIDTH_KIND_LIST(BANDWIDTH_ENUM_)
#undef BANDWIDTH_ENUM_
        BANDWIDTH_KIND_COUNT
} bandwidth_kind;

enum { BANDWIDTH_IN = 1, BANDWIDTH_OUT = 2, BANDWIDTH_BOTH = 3, BANDWIDTH_DIRECTIONS = 4 };
enum { BANDWIDTH_SIZES = 24, BANDWIDTH_RUNS_MAX = 1001 };

typedef struct bandwidth_series {
    int measured;
    bool still; /* nothing is copied: host and device use the same pages */
    double seconds[BANDWIDTH_DIRECTIONS][BANDWIDTH_SIZES]; /* medians */
    cli_fit fit[BANDWIDTH_DIRECTIONS];
} bandwidth_series;

/* The slot's rates as the system reports them: bytes per second and direction, 0 if unknown. */
typedef struct bandwidth_link {
    double rate, fastest; /* current; maximum of device and slot */
    char text[96];
} bandwidth_link;

typedef struct bandwidth {
    cli_job job;
    unsigned kinds;   /* bits */
    unsigned threads; /* threads that stage copies; 0: the pipeline's choice */
    size_t sizes[BANDWIDTH_SIZES], size_count;
    bandwidth_series series[BANDWIDTH_KIND_COUNT];
    bandwidth_link link;
    bandwidth_kind wrong; /* kind with wrong data; BANDWIDTH_KIND_COUNT: none */
} bandwidth;

const char *bandwidth_kind_name(bandwidth_kind kind);
const char *bandwidth_direction_name(int direction);

/* bandwidth_run.c: measures one kind. CLI_DONE, or an exit status after a line. */
int bandwidth_measure(bandwidth *b, bandwidth_kind kind);

/* bandwidth_link.c */
bandwidth_link bandwidth_link_of(int device);

#endif
