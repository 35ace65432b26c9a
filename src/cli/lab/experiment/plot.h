/* SPDX-License-Identifier: Apache-2.0 */
/* plot.h - the picture of an experiment: above, predicted and counted values per row; below, the
   measured ones in the band that the model allows. */
#ifndef HEDDLE_CLI_LAB_EXPERIMENT_PLOT_H
#define HEDDLE_CLI_LAB_EXPERIMENT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/app/arguments.h"

#define LAB_NONE (-1.0) /* no value */
enum { LAB_LABEL = 32 };

/* A row of the table in the units of the axes. */
typedef struct lab_point {
    char label[LAB_LABEL];     /* its place on the horizontal axis; "": not drawn */
    char series[LAB_LABEL];    /* its colour; "": only one */
    double predicted, counted; /* LAB_NONE: none */
    double measured, least, most, reference;
} lab_point;

/* A point without values. */
lab_point lab_point_at(const char *label, const char *series);
/* What was measured, and the band that the model allows. */
void lab_point_time(lab_point *point, double measured, double least, double most);

typedef struct lab_plot {
    const char *path;    /* NULL: nothing is drawn */
    const char *counted; /* what the dots of the upper panel are; NULL: "counted" */
    lab_point *points;
    size_t count, room;
    bool lost; /* out of memory for a point */
} lab_plot;

/* Labels of the axes, without "/ unit" if they count. */
typedef struct lab_axes {
    const char *across, *counts, *times;
} lab_axes;

void lab_plot_add(lab_plot *plot, const lab_point *point);
/* CLI_DONE, or CLI_FAILED after a line. */
int lab_plot_write(const lab_plot *plot, const cli_command *command, const char *title,
                   const lab_axes *axes);
void lab_plot_free(lab_plot *plot);

#endif
