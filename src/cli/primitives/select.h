/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - what the subcommands select, partition and unique share: the call, its arrays on both
   sides, the reference. */
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
    void *in, *out, *others, *count; /* on the device; others: rejected, or lengths of runs */
    /* results: selected elements, for a partition the rejected after them; lengths of runs */
    unsigned char *chosen;
    uint64_t *lengths;
    uint64_t selected;
} cli_select_call;

/* What differs from the reference: the index of the first element, or CLI_SELECT_RIGHT. */
#define CLI_SELECT_RIGHT SIZE_MAX
size_t cli_select_check(const cli_select_call *call);

#endif
