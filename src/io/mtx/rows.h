/* SPDX-License-Identifier: Apache-2.0 */
/* Converts entries in file order to rows. */
#ifndef HEDDLE_IO_MTX_ROWS_H
#define HEDDLE_IO_MTX_ROWS_H

#include "mtx.h"

typedef struct hd__mtx_entry {
    int32_t row, column; /* zero-based */
    double value;
} hd__mtx_entry;

/* Builds the rows, both halves of a symmetric matrix; duplicates are added in file order. matrix
   has rows, columns and symmetry; the other members are set. 0, or -1 without memory. */
int hd__mtx_rows(const hd__mtx_entry *entries, size_t count, hd__mtx *matrix);

#endif
