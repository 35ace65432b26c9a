/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h - `heddle tune`: what is measured, and what else the command prints. */
#ifndef HEDDLE_CLI_TUNE_TUNE_H
#define HEDDLE_CLI_TUNE_TUNE_H

#include <stdbool.h>

#include "cli/app/devices.h"
#include "cli/app/table.h"
#include "drivers/tune/problem.h"

enum { TUNE_SIZES_MAX = 64, TUNE_VALUES_TEXT = 160 };

/* Sizes with their weights. Those of one bucket, between the same powers of 4, are scored
   together. */
typedef struct tune_sizes {
    size_t of[TUNE_SIZES_MAX];
    double weights[TUNE_SIZES_MAX];
    size_t count;
} tune_sizes;

/* The options of the command line. */
typedef struct tune_plan {
    const cli_arguments *arguments;
    cli_format format;
    int device;
    unsigned families;         /* bits */
    const char *types, *kinds; /* lists; NULL: the defaults */
    tune_sizes sizes;          /* count 0: the defaults */
    uint64_t rounds, candidates;
    double budget, gain;
    size_t elements; /* tridiagonal: in a batch */
    bool brief, save, rows;
} tune_plan;

/* Reads families, sizes and the rest. CLI_DONE, or CLI_MISUSED after a line. */
int tune_plan_read(const cli_arguments *arguments, tune_plan *plan);
/* Whether the plan measures these calls of a family. */
bool tune_plan_has(const tune_plan *plan, int family, unsigned type, unsigned kind);
/* The sizes of a family, in ascending order. */
void tune_plan_sizes(const tune_plan *plan, int family, unsigned type, tune_sizes *sizes_out);

/* Whether arrays of the largest size fit in the device's memory. CLI_DONE, or CLI_FAILED after a
   line. */
int tune_plan_fits(const tune_plan *plan);

/* "groups=2 cache=0" */
void tune_values_text(const hd_tune_knob *knobs, size_t count, const unsigned *values,
                      char text[TUNE_VALUES_TEXT]);

/* --list: the parameter spaces; --show: the stored choices. An exit status. */
int tune_list(const tune_plan *plan);
int tune_show(const tune_plan *plan);
int tune_reset(const tune_plan *plan);

#endif
