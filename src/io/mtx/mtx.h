/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse matrices as Matrix Market files (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market
 * exchange formats", NISTIR 5935, 1996): coordinate or array; real, integer or pattern; general,
 * symmetric or skew-symmetric. They are converted to compressed sparse rows (CSR) of f64.
 *
 * Required: entries of a symmetric file lie on or below the diagonal, those of a skew-symmetric one
 * below it, and there are as many entries as the size line says. Allowed: the words of the first
 * line in any case, empty lines and comments anywhere, lines that end with CR LF.
 */
#ifndef HEDDLE_IO_MTX_MTX_H
#define HEDDLE_IO_MTX_MTX_H

#include <stddef.h>
#include <stdint.h>

#include "io/type.h"

typedef enum hd__mtx_symmetry {
    HD__MTX_GENERAL,
    HD__MTX_SYMMETRIC, /* entry (i, j) stands for (j, i) too */
    HD__MTX_SKEW       /* entry (i, j) stands for -value at (j, i) too */
} hd__mtx_symmetry;

/* A matrix in rows. Zero-based columns ascend in each row; both halves of a symmetric matrix are
   included. Duplicate entries are added in file order. Zeros of an array file are dropped; zeros
   listed in a coordinate file are kept. */
typedef struct hd__mtx {
    size_t rows, columns; /* below 2^31 */
    size_t entries;
    int64_t *offsets; /* rows + 1 */
    int32_t *column;
    double *value; /* 1 for patterns */
    hd__mtx_symmetry symmetry;
    size_t listed;  /* number of entries in the file */
    size_t rounded; /* integers that were rounded to f64 */
} hd__mtx;

/* Reads a path ("-" is standard input), or a file in memory that messages call `name`. At most
   `most` rows and columns (0: 2^31 - 1). 0, or a negative HD__IO_ERR_* with one line in the
   message. The caller calls hd__mtx_free. */
int hd__mtx_read(const char *path, size_t most, hd__mtx *matrix_out, char message[HD__IO_MESSAGE]);
int hd__mtx_read_memory(const void *data, size_t size, const char *name, size_t most,
                        hd__mtx *matrix_out, char message[HD__IO_MESSAGE]);
/* Accepts a zeroed matrix. */
void hd__mtx_free(hd__mtx *matrix);

/* Writes a general coordinate file of real numbers with all their digits. */
int hd__mtx_write(const char *path, const hd__mtx *matrix, char message[HD__IO_MESSAGE]);

#endif
