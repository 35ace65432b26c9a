/* SPDX-License-Identifier: Apache-2.0 */
/* cases.c - the floating-point kernels of heddle, with the operations and bytes that each needs. */
#include <stdlib.h>

#include <heddle/batch.h>
#include <heddle/heddle.h>
#include <heddle/laplace.h>
#include <heddle/recurrence.h>
#include <heddle/reduce.h>
#include <heddle/scan.h>
#include <heddle/sparse.h>
#include <heddle/tridiag.h>

#include "roofline.h"

enum { WORD = 4, HEAT_POINTS = 256, HEAT_STEPS = 64, ROWS = 256, PER_ROW = 3, SWEEPS = 8 };
enum { FIELD_PER_ROW = 16 }; /* elements of the arrays per row of the matrix */
enum { ONE_BITS = 0x3f800000, FOUR_BITS = 0x40800000 };
/* Operations per element: of a Jacobi sweep ((n + w) + (s + e)) / 4; of a step of the heat equation
   u + r ((l + r) - 2 u); of elimination and back substitution. */
enum { SWEEP_FLOPS = 4, HEAT_FLOPS = 5, THOMAS_FLOPS = 8 };

/* ---- runs ------------------------------------------------------------------------------------ */

static hd_status run_sum(void *state, hd_stream *stream)
{
    roofline *r = state;

    r->last = r->result;
    return hd_reduce(r->x, r->n, HD_F32, HD_SUM, r->result, NULL, stream);
}

static hd_status run_dot(void *state, hd_stream *stream)
{
    roofline *r = state;

    r->last = r->result;
    return hd_dot(r->x, r->y, r->n, HD_F32, r->result, NULL, stream);
}

static hd_status run_scan(void *state, hd_stream *stream)
{
    roofline *r = state;

    r->last = r->result;
    return hd_scan(r->x, r->n, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, r->result, NULL, stream);
}

static hd_status run_recurrence(void *state, hd_stream *stream)
{
    roofline *r = state;

    r->last = r->result;
    return hd_recurrence(r->x, r->y, r->n, HD_F32, NULL, r->result, NULL, stream);
}

static hd_status run_spmv(void *state, hd_stream *stream)
{
    roofline *r = state;

    r->last = r->result;
    return hd_spmv(r->plan, r->x, r->result, stream);
}

/* A field of ones stays one. */
static hd_status run_sweeps(roofline *r, unsigned sweeps, hd_stream *stream)
{
    hd_jacobi problem = {
        .type = HD_F32, .nx = r->side, .ny = r->side, .sweeps = sweeps, .depth = sweeps};
    void *last = NULL;
    hd_status status = hd_jacobi2d(&problem, r->y, r->result, &last, NULL, stream);

    r->last = last;
    return status;
}

static hd_status run_sweep(void *state, hd_stream *stream)
{
    return run_sweeps(state, 1, stream);
}

static hd_status run_sweeps_8(void *state, hd_stream *stream)
{
    return run_sweeps(state, SWEEPS, stream);
}

static hd_status run_tridiag(void *state, hd_stream *stream)
{
    roofline *r = state;
    const hd_tridiag_batch batch = {ROWS, r->n / ROWS, 1, HD_F32};

    /* Arrays of their own: one that serves as two of them would come from a cache. */
    r->last = r->result;
    return hd_tridiag(&batch, r->x, r->four, r->y, r->z, r->result, r->singular, NULL, stream);
}

static hd_status run_heat(void *state, hd_stream *stream)
{
    roofline *r = state;
    const hd_heat_batch batch = {.problems = r->n / HEAT_POINTS,
                                 .nx = HEAT_POINTS,
                                 .steps = HEAT_STEPS,
                                 .coefficient = 0.25};

    r->last = r->result;
    return hd_batch_heat(&batch, HD_F32, r->x, r->result, stream);
}

/* ---- the list -------------------------------------------------------------------------------- */

static void list_cases(roofline *r)
{
    const double n = (double)r->n, rows = (double)r->rows, entries = (double)r->entries;
    const float whole = (float)r->n, rounding = 1e-4f;
    const roofline_case cases[] = {
        {"sum", n, WORD * n, run_sum, whole, 0, rounding},
        {"dot product", 2 * n, 2 * WORD * n, run_dot, whole, 0, rounding},
        {"scan", n, 2 * WORD * n, run_scan, whole, r->n - 1, rounding},
        {"recurrence", 2 * n, 3 * WORD * n, run_recurrence, whole, r->n - 1, rounding},
        {"sparse matrix * vector", 2 * entries, 2 * WORD * entries + 3 * WORD * rows, run_spmv,
         PER_ROW, r->rows / 2, 0},
        {"tridiagonal systems", THOMAS_FLOPS * n, 5 * WORD * n, run_tridiag, 1 / 6.0f, ROWS / 2,
         rounding},
        {"Jacobi sweep", SWEEP_FLOPS * n, 2 * WORD * n, run_sweep, 1, r->n / 2, 0},
        {"8 Jacobi sweeps", SWEEPS * SWEEP_FLOPS * n, 2 * WORD * n, run_sweeps_8, 1, r->n / 2, 0},
        {"64 steps of heat problems", HEAT_STEPS * HEAT_FLOPS * n, 2 * WORD * n, run_heat, 1,
         HEAT_POINTS / 2, 0},
    };

    for (size_t i = 0; i < ROOFLINE_CASES; i++)
        r->cases[i] = cases[i];
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Three entries of 1 per row: the columns i - 1, i and i + 1, periodic. */
static void fill_matrix(int32_t *offsets, int32_t *column, float *value, size_t rows)
{
    for (size_t i = 0; i <= rows; i++)
        offsets[i] = (int32_t)(PER_ROW * i);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < PER_ROW; k++) {
            column[PER_ROW * i + k] = (int32_t)((i + rows + k - 1) % rows);
            value[PER_ROW * i + k] = 1;
        }
}

static hd_status copy_matrix(roofline *r, int32_t *offsets, int32_t *column, float *value)
{
    hd_stream *stream = r->lab.job.stream;
    hd_csr matrix = {.rows = r->rows,
                     .columns = r->rows,
                     .entries = r->entries,
                     .offset_type = HD_I32,
                     .type = HD_F32};

    fill_matrix(offsets, column, value, r->rows);
    HD_TRY(hd_copy_blocking_bytes(r->offsets, offsets, r->rows + 1, WORD, stream));
    HD_TRY(hd_copy_blocking_bytes(r->column, column, r->entries, WORD, stream));
    HD_TRY(hd_copy_blocking_bytes(r->value, value, r->entries, WORD, stream));
    matrix.offsets = r->offsets;
    matrix.column = r->column;
    matrix.value = r->value;
    return hd_spmv_plan_create(&matrix, stream, &r->plan);
}

static hd_status open_matrix(roofline *r)
{
    const int device = r->lab.job.device;
    int32_t *offsets = malloc((r->rows + 1) * sizeof *offsets);
    int32_t *column = malloc(r->entries * sizeof *column);
    float *value = malloc(r->entries * sizeof *value);
    hd_status status = HD_OK;

    if (!offsets || !column || !value)
        status = cli_no_memory("a matrix of %zu rows on the host", r->rows);
    if (status >= 0)
        status = hd_alloc_bytes(&r->offsets, r->rows + 1, WORD, HD_MEM_DEVICE, device);
    if (status >= 0)
        status = hd_alloc_bytes(&r->column, r->entries, WORD, HD_MEM_DEVICE, device);
    if (status >= 0)
        status = hd_alloc_bytes(&r->value, r->entries, WORD, HD_MEM_DEVICE, device);
    if (status >= 0)
        status = copy_matrix(r, offsets, column, value);
    free(offsets);
    free(column);
    free(value);
    return status;
}

static hd_status open_array(roofline *r, float **array, uint32_t bits)
{
    HD_TRY(hd_alloc(array, r->n, r->lab.job.device));
    return hd_fill_bytes(*array, bits, WORD, r->n, r->lab.job.stream);
}

hd_status roofline_open(roofline *r)
{
    r->n = r->side * r->side;
    r->rows = r->n / FIELD_PER_ROW;
    r->entries = PER_ROW * r->rows;
    list_cases(r);
    HD_TRY(open_array(r, &r->x, ONE_BITS));
    HD_TRY(open_array(r, &r->y, ONE_BITS));
    HD_TRY(open_array(r, &r->z, ONE_BITS));
    HD_TRY(open_array(r, &r->four, FOUR_BITS));
    HD_TRY(open_array(r, &r->result, 0));
    HD_TRY(hd_alloc(&r->singular, 1, r->lab.job.device));
    HD_TRY(open_matrix(r));
    return ceilings_find(&r->lab, &r->roof);
}

void roofline_close(roofline *r)
{
    hd_spmv_plan_destroy(r->plan);
    hd_free(r->x);
    hd_free(r->y);
    hd_free(r->z);
    hd_free(r->four);
    hd_free(r->result);
    hd_free(r->singular);
    hd_free(r->offsets);
    hd_free(r->column);
    hd_free(r->value);
}
