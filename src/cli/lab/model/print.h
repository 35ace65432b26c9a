/* SPDX-License-Identifier: Apache-2.0 */
/* print.h - the result of `heddle model` as text, JSON, CSV and a picture. */
#ifndef HEDDLE_CLI_LAB_MODEL_PRINT_H
#define HEDDLE_CLI_LAB_MODEL_PRINT_H

#include "model.h"

enum { MODEL_ROWS = 24, MODEL_FROM = 128 };

typedef struct model_row {
    unsigned devices;
    int strong_possible, weak_possible; /* the field can be split that way */
    model_times strong, weak;
} model_row;

typedef struct model_output {
    const cli_arguments *arguments;
    cli_format format;
    model model;
    char node_from[MODEL_FROM], net_from[MODEL_FROM]; /* source of the link parameters; "": none */
    unsigned most;
    const char *plot; /* a file; NULL: none */
    model_row rows[MODEL_ROWS];
    size_t count;
} model_output;

/* The exit status. */
int model_print(const model_output *out);

#endif
