/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_check.c - whether the matrix of a file can be positive definite. Messages count rows and
   columns from 1, as the file does. */
#include <math.h>
#include <stdlib.h>

#include "matrix.h"

static double value_of(const hd_csr *m, int64_t k)
{
    return cli_element(m->type, m->value, (size_t)k);
}

static int check_diagonal(const cli_command *command, const cli_matrix *matrix)
{
    const hd_csr *m = &matrix->host;

    for (size_t i = 0; i < m->rows; i++) {
        const int64_t end = cli_offset(m, i + 1);
        double diagonal = 0;
        for (int64_t k = cli_offset(m, i); k < end; k++)
            if ((size_t)m->column[k] == i)
                diagonal = value_of(m, k);
        if (!(diagonal > 0))
            return cli_failed(command, "%s is not positive definite: element (%zu,%zu) is %g",
                              matrix->from, i + 1, i + 1, diagonal);
    }
    return CLI_DONE;
}

static int refuse(const cli_command *command, const cli_matrix *matrix, size_t i, size_t j,
                  double a, double b)
{
    return cli_failed(command, "%s is not symmetric: element (%zu,%zu) is %.17g, (%zu,%zu) %.17g",
                      matrix->from, i + 1, j + 1, a, j + 1, i + 1, b);
}

/* Elements (i,j) and (j,i), j before i, differ by more than the rounding of printed digits. */
static int differ(double a, double b)
{
    return !(fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)));
}

/* Elements of row j before column i have no transposed counterparts, or they would have been
   consumed. */
static int skip(const cli_command *command, const cli_matrix *matrix, size_t j, size_t i,
                int64_t *next)
{
    const hd_csr *m = &matrix->host;
    const int64_t end = cli_offset(m, j + 1);

    for (; *next < end && (size_t)m->column[*next] < i; ++*next)
        if (value_of(m, *next) != 0)
            return refuse(command, matrix, j, (size_t)m->column[*next], value_of(m, *next), 0);
    return CLI_DONE;
}

/* Proceeds row by row: for each element right of the diagonal, its transposed counterpart is the
   next unconsumed one of the column's row, because columns of a row ascend. */
static int check_row(const cli_command *command, const cli_matrix *matrix, size_t i, int64_t *next)
{
    const hd_csr *m = &matrix->host;
    const int64_t end = cli_offset(m, i + 1);
    int status = skip(command, matrix, i, i, &next[i]);

    for (int64_t k = cli_offset(m, i); k < end && status == CLI_DONE; k++) {
        const size_t j = (size_t)m->column[k];
        double mirrored = 0;
        if (j <= i)
            continue;
        status = skip(command, matrix, j, i, &next[j]);
        if (status == CLI_DONE && next[j] < cli_offset(m, j + 1) && (size_t)m->column[next[j]] == i)
            mirrored = value_of(m, next[j]++);
        if (status == CLI_DONE && differ(value_of(m, k), mirrored))
            status = refuse(command, matrix, i, j, value_of(m, k), mirrored);
    }
    return status;
}

static int check_symmetry(const cli_command *command, const cli_matrix *matrix)
{
    const hd_csr *m = &matrix->host;
    int64_t *next = malloc((m->rows + 1) * sizeof *next);
    int status = next ? CLI_DONE : cli_failed(command, "no memory for %zu rows", m->rows);

    for (size_t i = 0; i < m->rows && next; i++)
        next[i] = cli_offset(m, i);
    for (size_t i = 0; i < m->rows && status == CLI_DONE; i++)
        status = check_row(command, matrix, i, next);
    free(next);
    return status;
}

int cli_matrix_check_positive(const cli_command *command, const cli_matrix *matrix)
{
    const int status = check_diagonal(command, matrix);
    return status == CLI_DONE && !matrix->symmetric ? check_symmetry(command, matrix) : status;
}
