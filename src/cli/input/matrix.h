/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.h - the sparse matrix that a subcommand works on, from a Matrix Market file or generated,
   and vectors that go with it. */
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
    int symmetric;             /* known to be */
    char from[CLI_ARRAY_FROM]; /* fit to print */
    const char *path;          /* of the file, as it was given; NULL: generated */
} cli_matrix;

/* The matrix that the operand or --poisson asks for, in the type of --precision; offsets have 64
   bits where they need them. CLI_DONE, or another exit status after a line. The caller calls
   cli_matrix_free, which takes a zeroed matrix too. */
int cli_matrix_read(const cli_arguments *arguments, cli_matrix *matrix_out);
void cli_matrix_free(cli_matrix *matrix);

/* Refuses a square matrix that cannot be positive definite: with an element of the diagonal that is
   not above 0, or not symmetric but for the last printed digits. Elements of a row ascend. */
int cli_matrix_check_positive(const cli_command *command, const cli_matrix *matrix);

/* The 5- or 7-point Laplacian of nx x ny x nz points (nz 1: 5-point), fewer than 2^31, with
   values 0 outside: as cli_matrix_read. */
int cli_matrix_poisson(const cli_command *command, const uint64_t extent[3], hd_type type,
                       cli_matrix *matrix_out);

/* n numbers of the file that --NAME names (Matrix Market with one column, or what cli_array_more
   reads) as `type`; *vector_out stays NULL where the option was not given. The caller frees it. */
int cli_vector_read(const cli_arguments *arguments, const char *name, size_t n, hd_type type,
                    void **vector_out);

/* The matrix on the job's device; the caller frees the arrays, also after a failure. */
int cli_matrix_upload(cli_job *job, const hd_csr *host, hd_csr *device_out);
void cli_matrix_free_device(hd_csr *device);

/* Bytes that y = A x moves at least. */
double cli_matrix_bytes(const hd_csr *matrix);
/* Rows, columns, entries, longest row, as members of the result. */
void cli_matrix_members(cli_job *job, const cli_matrix *matrix);

/* Rows of y that are not what A x is for some rounding of products and sums in the matrix's type,
   infinite and NaN ones too; *first is the first one. spmv_check.c */
size_t cli_spmv_wrong_rows(const hd_csr *host, const void *x, const void *y, size_t *first);

/* Offset i of a matrix in host memory; element i of a vector of a float type. */
int64_t cli_offset(const hd_csr *host, size_t i);
double cli_element(hd_type type, const void *data, size_t i);

#endif
