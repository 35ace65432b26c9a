/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c - sparse matrices from Matrix Market files, and vectors. */
#include "matrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/mtx/mtx.h"
#include "cli/app/words.h"

int64_t cli_offset(const hd_csr *host, size_t i)
{
    return host->offset_type == HD_I32 ? ((const int32_t *)host->offsets)[i]
                                       : ((const int64_t *)host->offsets)[i];
}

double cli_element(hd_type type, const void *data, size_t i)
{
    return type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* Converts values to the requested type; a note says how many were rounded. */
static void *in_type(const cli_command *command, const char *path, double *values, size_t n,
                     hd_type type)
{
    char name[HD__IO_NAME];
    size_t rounded = 0;
    float *narrow;

    if (type == HD_F64)
        return values;
    narrow = malloc((n + 1) * sizeof *narrow);
    for (size_t i = 0; narrow && i < n; i++) {
        narrow[i] = (float)values[i];
        rounded += (double)narrow[i] < values[i] || (double)narrow[i] > values[i];
    }
    hd__io_printable_path(path, name, sizeof name);
    if (!narrow)
        cli_failed(command, "no memory for %zu values", n);
    else if (rounded)
        cli_note(command, "%s: %zu of %zu numbers are rounded from f64 to f32", name, rounded, n);
    free(values);
    return narrow;
}

/* Converts 64-bit offsets of a matrix with fewer than 2^31 entries to 32 bits, in place. */
static void *in_width(int64_t *offsets, size_t count)
{
    int32_t *narrow = (int32_t *)(void *)offsets;

    for (size_t i = 0; i < count; i++) {
        const int32_t offset = (int32_t)offsets[i];
        memcpy(narrow + i, &offset, sizeof offset);
    }
    return narrow;
}

static void note_rounded(const cli_command *command, const char *path, const hd__mtx *m)
{
    char name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    if (m->rounded)
        cli_note(command, "%s: %zu of %zu integers are rounded to f64", name, m->rounded,
                 m->listed);
}

static int from_file(const cli_arguments *arguments, const char *path, hd_type type,
                     cli_matrix *matrix_out)
{
    char message[HD__IO_MESSAGE];
    hd_csr *m = &matrix_out->host;
    hd__mtx read = {0};

    if (hd__mtx_read(path, 0, &read, message) != 0)
        return cli_failed(arguments->command, "%s", message);
    note_rounded(arguments->command, path, &read);
    m->rows = read.rows;
    m->columns = read.columns;
    m->entries = read.entries;
    m->type = type;
    m->offset_type = read.entries > INT32_MAX ? HD_I64 : HD_I32;
    m->offsets = m->offset_type == HD_I64 ? read.offsets : in_width(read.offsets, read.rows + 1);
    m->column = read.column;
    m->value = in_type(arguments->command, path, read.value, read.entries, type);
    matrix_out->symmetric = read.symmetry == HD__MTX_SYMMETRIC;
    hd__io_printable_path(path, matrix_out->from, sizeof matrix_out->from);
    matrix_out->path = path;
    return m->value ? CLI_DONE : CLI_FAILED;
}

static int read_extents(const cli_arguments *arguments, const char *text, uint64_t extent[3])
{
    const char *const whole = text;
    size_t axes = 0;

    extent[2] = 1;
    while (axes < 3) {
        const size_t length = strcspn(text, ",");
        if (!cli_size_read(text, length, extent + axes) || extent[axes] == 0 ||
            extent[axes] > INT32_MAX)
            break;
        axes++;
        text += length;
        if (*text == '\0')
            break;
        text++;
    }
    if (axes < 2 || *text != '\0')
        return cli_misused(arguments->command,
                           "--poisson: '%s' is not NX,NY or NX,NY,NZ, each from 1 to %" PRId32,
                           whole, INT32_MAX);
    if (extent[0] * extent[1] > INT32_MAX || extent[0] * extent[1] * extent[2] > INT32_MAX)
        return cli_misused(arguments->command,
                           "--poisson: '%s' has more than %" PRId32 " points in all", whole,
                           INT32_MAX);
    return CLI_DONE;
}

int cli_matrix_read(const cli_arguments *arguments, cli_matrix *matrix_out)
{
    static const char *const precisions[] = {"f64", "f32"};
    const char *poisson = cli_option_value(arguments, "poisson");
    uint64_t extent[3];
    size_t narrow = 0;
    int status = cli_word_read(arguments, "precision", precisions, 2, 0, &narrow);

    memset(matrix_out, 0, sizeof *matrix_out);
    if (status != CLI_DONE)
        return status;
    if ((poisson != NULL) == (arguments->operand_count > 0))
        return cli_misused(arguments->command, poisson ? "FILE or --poisson, not both"
                                                       : "a FILE.mtx or --poisson NX,NY is needed");
    if (!poisson)
        return from_file(arguments, arguments->operands[0], narrow ? HD_F32 : HD_F64, matrix_out);
    status = read_extents(arguments, poisson, extent);
    if (status != CLI_DONE)
        return status;
    return cli_matrix_poisson(arguments->command, extent, narrow ? HD_F32 : HD_F64, matrix_out);
}

void cli_matrix_free(cli_matrix *matrix)
{
    free((void *)(uintptr_t)matrix->host.offsets);
    free((void *)(uintptr_t)matrix->host.column);
    free((void *)(uintptr_t)matrix->host.value);
    memset(matrix, 0, sizeof *matrix);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static int vector_of_mtx(const cli_arguments *arguments, const char *path, size_t n, hd_type type,
                         void **vector_out)
{
    char message[HD__IO_MESSAGE];
    hd__mtx m = {0};
    double *values;

    if (hd__mtx_read(path, 0, &m, message) != 0)
        return cli_failed(arguments->command, "%s", message);
    note_rounded(arguments->command, path, &m);
    values = m.columns == 1 && m.rows == n ? calloc(n + 1, sizeof *values) : NULL;
    for (size_t i = 0; values && i < n; i++)
        if (m.offsets[i + 1] > m.offsets[i])
            values[i] = m.value[m.offsets[i]];
    *vector_out = values ? in_type(arguments->command, path, values, n, type) : NULL;
    if (!values)
        cli_failed(arguments->command, "%s has %zu rows and %zu columns, not %zu and 1", path,
                   m.rows, m.columns, n);
    hd__mtx_free(&m);
    return *vector_out ? CLI_DONE : CLI_FAILED;
}

int cli_vector_read(const cli_arguments *arguments, const char *name, size_t n, hd_type type,
                    void **vector_out)
{
    const char *path = cli_option_value(arguments, name);
    const size_t length = path ? strlen(path) : 0;
    cli_array array = {0};
    int status;

    if (!path)
        return CLI_DONE;
    if (length > 4 && strcmp(path + length - 4, ".mtx") == 0)
        return vector_of_mtx(arguments, path, n, type, vector_out);
    status = cli_array_more(arguments, path, NULL, type, &array);
    if (status != CLI_DONE)
        return status;
    if (array.n != n) {
        status = cli_failed(arguments->command, "%s has %zu numbers, not %zu", path, array.n, n);
        cli_array_free(&array);
        return status;
    }
    *vector_out = array.data;
    return CLI_DONE;
}

/* ---- on the device --------------------------------------------------------------------------- */

int cli_matrix_upload(cli_job *job, const hd_csr *host, hd_csr *device_out)
{
    void *offsets = NULL, *column = NULL, *value = NULL;
    int status = cli_job_upload(job, host->offsets,
                                (host->rows + 1) * hd_type_bytes(host->offset_type), &offsets);

    if (status == CLI_DONE)
        status = cli_job_upload(job, host->column, host->entries * sizeof(int32_t), &column);
    if (status == CLI_DONE)
        status = cli_job_upload(job, host->value, host->entries * hd_type_bytes(host->type),
                                &value);
    *device_out = *host;
    device_out->offsets = offsets;
    device_out->column = column;
    device_out->value = value;
    return status;
}

void cli_matrix_free_device(hd_csr *device)
{
    hd_free((void *)(uintptr_t)device->offsets);
    hd_free((void *)(uintptr_t)device->column);
    hd_free((void *)(uintptr_t)device->value);
    memset(device, 0, sizeof *device);
}

double cli_matrix_bytes(const hd_csr *m)
{
    const double element = (double)hd_type_bytes(m->type);

    return (4 + element) * (double)m->entries +
           (double)hd_type_bytes(m->offset_type) * (double)(m->rows + 1) +
           element * ((double)m->rows + (double)m->columns);
}

void cli_matrix_members(cli_job *job, const cli_matrix *matrix)
{
    const hd_csr *m = &matrix->host;
    uint64_t longest = 0;

    for (size_t i = 0; i < m->rows; i++) {
        const uint64_t length = (uint64_t)(cli_offset(m, i + 1) - cli_offset(m, i));
        longest = length > longest ? length : longest;
    }
    cli_job_path(job, "matrix", matrix->from, matrix->path, NULL);
    cli_job_text(job, "precision", hd_type_name(m->type), NULL);
    cli_job_count(job, "rows", m->rows, NULL);
    cli_job_count(job, "columns", m->columns, NULL);
    cli_job_count(job, "entries", m->entries, NULL);
    cli_job_count(job, "longest_row", longest, "entries");
}
