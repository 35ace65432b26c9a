/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.h - the sparse matrix of a subcommand, from a Matrix Market file or generated, and its
   vectors. */
#ifndef HEDDLE_CLI_INPUT_MATRIX_H
#define HEDDLE_CLI_INPUT_MATRIX_H

#include <heddle/sparse.h>

#include "array.h"
#include "cli/app/job.h"

#define CLI_MATRIX_OPTIONS                                                                         \
    {"poisson", "NX,NY[,NZ]", "generate the 5- or 7-point Laplacian instead of reading FILE"},     \
    {                                                                                              \
        "precision", "TYPE", "element type: f64 (default) or f32"                                  \
    }

typedef struct cli_matrix {
    hd_csr host;               /* arrays in host memory */
    int symmetric;             /* known to be symmetric */
    char from[CLI_ARRAY_FROM]; /* printable */
    const char *path;          /* path of the file as given; NULL: generated */
} cli_matrix;

/* The matrix requested by the operand or --poisson, in the type of --precision; 64-bit offsets if
   they are needed. CLI_DONE, or another exit status after a line. Call cli_matrix_free in either
   case; it accepts a zeroed matrix. */
int cli_matrix_read(const cli_arguments *arguments, cli_matrix *matrix_out);
void cli_matrix_free(cli_matrix *matrix);

/* Rejects a square matrix that cannot be positive definite: a diagonal element is not positive, or
   it is not symmetric up to the last printed digits. Columns of a row ascend. */
int cli_matrix_check_positive(const cli_command *command, const cli_matrix *matrix);

/* The 5- or 7-point Laplacian of nx x ny x nz points (nz 1: 5-point), fewer than 2^31, with zero
   boundary values: otherwise as cli_matrix_read. */
int cli_matrix_poisson(const cli_command *command, const uint64_t extent[3], hd_type type,
                       cli_matrix *matrix_out);

/* n numbers from the file of --NAME (Matrix Market with one column, or what cli_array_more reads)
   as `type`; *vector_out stays NULL if the option was not given. The caller frees it. */
int cli_vector_read(const cli_arguments *arguments, const char *name, size_t n, hd_type type,
                    void **vector_out);

/* Copies the matrix to the job's device; the caller frees the arrays, also after a failure. */
int cli_matrix_upload(cli_job *job, const hd_csr *host, hd_csr *device_out);
void cli_matrix_free_device(hd_csr *device);

/* Minimum number of bytes that y = A x moves. */
double cli_matrix_bytes(const hd_csr *matrix);
/* Adds rows, columns, entries and the longest row to the result. */
void cli_matrix_members(cli_job *job, const cli_matrix *matrix);

/* The number of rows of y outside the rounding error bound of A x in the matrix's type, including
   infinite and NaN ones; *first: the first such row. spmv_check.c */
size_t cli_spmv_wrong_rows(const hd_csr *host, const void *x, const void *y, size_t *first);

/* Offset i of a matrix in host memory; element i of a vector of a float type. */
int64_t cli_offset(const hd_csr *host, size_t i);
double cli_element(hd_type type, const void *data, size_t i);

#endif
