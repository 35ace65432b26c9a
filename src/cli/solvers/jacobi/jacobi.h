/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - internal interface of `heddle jacobi`. */
#ifndef HEDDLE_CLI_SOLVERS_JACOBI_H
#define HEDDLE_CLI_SOLVERS_JACOBI_H

#include <stdbool.h>

#include <heddle/jacobi_group.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

/* One variant on all devices; the first row is one device alone. */
typedef struct jacobi_row {
    hd_jacobi_variant asked, variant; /* as requested, and as chosen */
    unsigned devices;
    double seconds;
    double *norms;
    bool lacking; /* with --variant all: not supported by these devices or tiles, */
    char why[HD_ERROR_TEXT_MAX];
    size_t wrong;      /* cells that differ from those of one device; SIZE_MAX: not compared */
    size_t wrong_norm; /* first norm that differs; SIZE_MAX: none */
} jacobi_row;

typedef struct jacobi_run {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    hd_jacobi problem; /* sweeps: per run */
    size_t every;      /* norm interval in sweeps; 0: no norms */
    size_t runs;
    unsigned tiles_x, tiles_y, variants; /* variants: bits */
    unsigned depth;                      /* as chosen */
    int threads;
    hd_group_transport carrier; /* of the variant ccl */
    bool all, verify;           /* all: every available variant */
    bool staged;                /* --p2p off */
    const char *png;
    void *first, *alone, *field; /* host: initial field, result of one device, of all */
    jacobi_row one, rows[HD_JACOBI_VARIANT_COUNT_];
    size_t row_count;
    char paths[4096]; /* one line per pair of neighbours */
    size_t unknown;   /* first reference norm that was not reproduced; SIZE_MAX: none */
} jacobi_run;

size_t jacobi_norm_count(const jacobi_run *run);
double jacobi_speedup(const jacobi_run *run, const jacobi_row *row);
/* Whether the row is what run->one is: the same variant, on one device. */
bool jacobi_same_as_one(const jacobi_run *run, const jacobi_row *row);
/* The reference norm of the problem at a sweep; 0 if there is none. */
double jacobi_known(const jacobi_run *run, size_t sweep);
bool jacobi_right(const jacobi_run *run, const jacobi_row *row);

/* run.c. CLI_DONE, or CLI_FAILED after a line. */
int jacobi_measure(jacobi_run *run);
void jacobi_free(jacobi_run *run);
/* print.c */
int jacobi_print(const jacobi_run *run);
/* "GPU"; "device" on the CPU backend. */
const char *jacobi_device_word(void);
/* image.c: the field as a picture. */
int jacobi_image(const jacobi_run *run);

#endif
