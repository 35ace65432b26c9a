/* SPDX-License-Identifier: Apache-2.0 */
/* use.h - what kernels need, from a trace or from what a compiler said. */
#ifndef HEDDLE_CLI_LAB_OCCUPANCY_USE_H
#define HEDDLE_CLI_LAB_OCCUPANCY_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/app/arguments.h"
#include "cli/lab/experiment/references.h"

/* A kernel, and of a trace each of its block sizes. */
typedef struct use {
    char *name;
    uint64_t launches;  /* 0: from a compiler */
    unsigned threads;   /* per block; 0: from a compiler */
    unsigned registers; /* per thread; 0: not known */
    unsigned scalars;   /* registers per warp that its lanes share; 0: not known */
    bool local_known, spill_known, resident_known;
    uint64_t local;                         /* bytes of local memory per thread */
    uint64_t spill;                         /* bytes of it that spills write */
    uint64_t static_shared, dynamic_shared; /* bytes per block */
    unsigned resident;                      /* blocks per compute unit, by the driver */
} use;

typedef struct uses {
    use *list;
    size_t count, room;
    lab_device device; /* that the file names; LAB_NO_DEVICE: none of the table */
} uses;

/* read.c: reads a trace (HEDDLE_TRACE), or the reports of ptxas -v and of clang's
   -Rpass-analysis=kernel-resource-usage. CLI_DONE, or CLI_FAILED after a line; uses_free follows in
   either case. */
int uses_read(const cli_arguments *arguments, const char *path, uses *list);
/* trace.c, report.c: its two cases. */
int uses_read_trace(const cli_arguments *arguments, const char *path, uses *list);
int uses_read_report(const cli_arguments *arguments, const char *path, uses *list);

/* use.c: a new element with a copy of the name; NULL: no memory. */
use *uses_add(uses *list, const char *name);
void uses_free(uses *list);

#endif
