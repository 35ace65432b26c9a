/* SPDX-License-Identifier: Apache-2.0 */
/* heat.h - a field of values as a PNG picture with a colour bar. */
#ifndef HEDDLE_CLI_DRAW_HEAT_H
#define HEDDLE_CLI_DRAW_HEAT_H

#include <stddef.h>

#include "io/source.h"

typedef struct hd__heat {
    size_t nx, ny;
    double (*value)(const void *field, size_t x, size_t y);
    const void *field;
} hd__heat;

/* Writes the field, sampled to at most 1024 x 1024 pixels, blue below 0, red above, -1 and 1 in
   full colour. To its right a bar shows the colours from the least to the greatest value of the
   whole field, with these numbers, and 0 if it lies between them. 0, or HD__IO_ERR_* with the
   message set. */
int hd__heat_write(const hd__heat *heat, const char *path, char message[HD__IO_MESSAGE]);

#endif
