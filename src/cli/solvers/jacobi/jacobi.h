/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - what the parts of `heddle jacobi` share. */
#ifndef HEDDLE_CLI_SOLVERS_JACOBI_H
#define HEDDLE_CLI_SOLVERS_JACOBI_H

#include <stdbool.h>

#include <heddle/jacobi_group.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

/* One variant on all devices; the first row of all is one device alone. */
typedef struct jacobi_row {
    hd_jacobi_variant asked, variant; /* as asked for, and what that became */
    unsigned devices;
    double seconds;
    double *norms;
    bool lacking; /* of all variants, one that these devices or tiles do not allow: */
    char why[HD_ERROR_TEXT_MAX];
    size_t wrong;      /* cells that differ from one device, SIZE_MAX: not looked at */
    size_t wrong_norm; /* the first norm that does, SIZE_MAX: none */
} jacobi_row;

typedef struct jacobi_run {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    hd_jacobi problem; /* sweeps: of a run */
    size_t every;      /* sweeps from a norm to the next; 0: no norms */
    size_t runs;
    unsigned tiles_x, tiles_y, variants; /* variants: bits */
    unsigned depth;                      /* what was decided */
    int threads;
    hd_group_transport carrier; /* of the variant ccl */
    bool all, verify;           /* all: every variant that there can be */
    bool staged;                /* --p2p off */
    const char *png;
    void *first, *alone, *field; /* host: before, after on one device, after on all */
    jacobi_row one, rows[HD_JACOBI_VARIANT_COUNT_];
    size_t row_count;
    char paths[4096]; /* a line for each pair of neighbours */
    size_t unknown;   /* the first known norm that did not come out, SIZE_MAX: none */
} jacobi_run;

size_t jacobi_norm_count(const jacobi_run *run);
double jacobi_speedup(const jacobi_run *run, const jacobi_row *row);
/* The norm that the problem is known to have at a sweep; 0 where none is known. */
double jacobi_known(const jacobi_run *run, size_t sweep);
bool jacobi_right(const jacobi_run *run, const jacobi_row *row);

/* run.c. CLI_DONE, or CLI_FAILED after a line. */
int jacobi_measure(jacobi_run *run);
void jacobi_free(jacobi_run *run);
/* print.c */
int jacobi_print(const jacobi_run *run);
/* "GPU"; "device" of a backend that has none. */
const char *jacobi_device_word(void);
/* image.c: the field as a picture. */
int jacobi_image(const jacobi_run *run);

#endif
