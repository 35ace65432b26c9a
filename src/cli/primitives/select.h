/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - shared by select, partition and unique: the call, its arrays on host and device, the
   reference. */
#ifndef HEDDLE_CLI_PRIMITIVES_SELECT_H
#define HEDDLE_CLI_PRIMITIVES_SELECT_H

#include <heddle/select.h>

#include "cli/input/array.h"
#include "cli/app/job.h"

typedef enum cli_selection { CLI_SELECT, CLI_PARTITION, CLI_UNIQUE, CLI_RUNS } cli_selection;

typedef struct cli_select_call {
    cli_selection what;
    cli_array array;
    hd_where where;
    void *in, *out, *others, *count; /* on the device; others: rejected, or run lengths */
    /* results: selected elements, for a partition followed by the rejected ones; lengths of runs */
    unsigned char *chosen;
    uint64_t *lengths;
    uint64_t selected;
} cli_select_call;

/* The first element that differs from the reference, or CLI_SELECT_RIGHT. */
#define CLI_SELECT_RIGHT SIZE_MAX
size_t cli_select_check(const cli_select_call *call);

#endif
