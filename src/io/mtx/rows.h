/* SPDX-License-Identifier: Apache-2.0 */
/* Entries in the order of a file, to rows. */
#ifndef HEDDLE_IO_MTX_ROWS_H
#define HEDDLE_IO_MTX_ROWS_H

#include "mtx.h"

typedef struct hd__mtx_entry {
    int32_t row, column; /* from 0 on */
    double value;
} hd__mtx_entry;

/* Rows of the entries, both halves of a symmetric matrix; entries of one place are added in their
   order. matrix has rows, columns and symmetry, and gets the rest. 0, or -1 without memory. */
int hd__mtx_rows(const hd__mtx_entry *entries, size_t count, hd__mtx *matrix);

#endif
