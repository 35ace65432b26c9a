/* SPDX-License-Identifier: Apache-2.0 */
/* scaling.h - internal interface of `heddle scaling`. */
#ifndef HEDDLE_CLI_LINKS_SCALING_H
#define HEDDLE_CLI_LINKS_SCALING_H

#include <stdbool.h>

#include <heddle/jacobi_group.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

typedef enum scaling_mode { SCALING_STRONG, SCALING_WEAK, SCALING_MODES } scaling_mode;

/* One field on the first `devices` devices. */
typedef struct scaling_row {
    unsigned devices;
    size_t ny;
    double seconds;
    hd_jacobi_variant variant; /* variant chosen */
    unsigned depth;            /* sweeps per pass */
    bool wrong;                /* cells or norms differ from those of one device */
} scaling_row;

typedef struct scaling {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    hd_jacobi problem; /* for one device */
    size_t every, runs;
    hd_jacobi_variant variant;
    unsigned modes; /* bits */
    bool verify;
    scaling_row *rows[SCALING_MODES]; /* one row per device count from 1 on */
} scaling;

const char *scaling_mode_name(scaling_mode mode);

/* Cells updated per second. */
static inline double scaling_rate(const scaling *s, const scaling_row *row)
{
    return (double)s->problem.nx * (double)row->ny * (double)s->problem.sweeps / row->seconds;
}

/* Speedup over one device with its own field (for weak scaling, a smaller one). */
static inline double scaling_speedup(const scaling *s, const scaling_row *row, scaling_mode mode)
{
    return scaling_rate(s, row) / scaling_rate(s, s->rows[mode]);
}

/* CLI_DONE, or an exit status after a line. */
int scaling_measure(scaling *s);     /* scaling_run.c */
int scaling_print(const scaling *s); /* scaling_print.c */
int scaling_draw(const scaling *s, const char *path);

#endif
