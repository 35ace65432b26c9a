/* SPDX-License-Identifier: Apache-2.0 */
/* cg_split.c - splits a matrix into shares, on the host. */
#include "cg_plan.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/backend.h"

static const char call[] = "hd_cg_create";

static int64_t offset_at(const hd_csr *m, size_t i)
{
    return m->offset_type == HD_I32 ? ((const int32_t *)m->offsets)[i]
                                    : ((const int64_t *)m->offsets)[i];
}

size_t hd_cg_tile(size_t n)
{
    size_t tile = HD__CG_LEAST_TILE;
    while ((n + tile - 1) / tile > HD__CG_MAX_TILES)
        tile *= 2;
    return tile;
}

/* Bytes that an iteration moves for the rows before `row`: the entries, and 16 vector elements per
   row. */
static double work_before(const hd_csr *m, size_t row)
{
    const double element = (double)hd_type_bytes(m->type);
    return (4 + element) * (double)offset_at(m, row) + 16 * element * (double)row;
}

void hd__cg_split_rows(const hd_csr *matrix, size_t tile, unsigned count, size_t *bounds)
{
    const double whole = work_before(matrix, matrix->rows);
    size_t row = 0;
    bounds[0] = 0;
    bounds[count] = matrix->rows;
    for (unsigned rank = 1; rank < count; rank++) {
        const double wanted = whole * rank / count;
        while (row + tile < matrix->rows && work_before(matrix, row + tile) <= wanted)
            row += tile;
        if (row + tile < matrix->rows &&
            wanted - work_before(matrix, row) > work_before(matrix, row + tile) - wanted)
            row += tile;
        bounds[rank] = row;
    }
}

/* ---- halo ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int is_own(const hd__cg_split *s, int32_t column)
{
    return (size_t)column - s->first_row < s->rows;
}

/* Lists each column of other shares once; `place` is -1 for those not listed yet. */
static hd_status list_halo(const hd_csr *m, int32_t *place, hd__cg_split *s)
{
    const int64_t first = offset_at(m, s->first_row), end = offset_at(m, s->first_row + s->rows);
    size_t room = 0;
    for (int64_t k = first; k < end; k++) {
        const int32_t column = m->column[k];
        if (is_own(s, column) || place[column] >= 0)
            continue;
        if (s->halo_count == room) {
            room = room ? 2 * room : 1024;
            int32_t *larger = realloc(s->halo, room * sizeof *larger);
            if (!larger)
                return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a halo of %zu", room);
            s->halo = larger;
        }
        place[column] = 0;
        s->halo[s->halo_count++] = column;
    }
    if (s->halo_count)
        qsort(s->halo, s->halo_count, sizeof *s->halo, by_value);
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int needs_others(const hd_csr *m, const hd__cg_split *s, size_t row)
{
    const int64_t end = offset_at(m, row + 1);
    for (int64_t k = offset_at(m, row); k < end; k++)
        if (!is_own(s, m->column[k]))
            return 1;
    return 0;
}

static void count_rows(const hd_csr *m, hd__cg_split *s)
{
    for (size_t row = s->first_row; row < s->first_row + s->rows; row++) {
        hd__cg_rows *to = needs_others(m, s, row) ? &s->boundary : &s->inside;
        to->matrix.rows++;
        to->matrix.entries += (size_t)(offset_at(m, row + 1) - offset_at(m, row));
    }
}

static hd_status alloc_rows(const hd_csr *m, hd__cg_split *s, hd__cg_rows *rows)
{
    hd_csr *to = &rows->matrix;
    to->columns = s->rows + s->halo_count;
    to->type = m->type;
    to->offset_type = to->entries > INT32_MAX ? HD_I64 : HD_I32;
    to->offsets = malloc((to->rows + 1) * hd_type_bytes(to->offset_type));
    to->column = malloc((to->entries + 1) * sizeof *to->column);
    to->value = malloc((to->entries + 1) * hd_type_bytes(to->type));
    rows->row = malloc((to->rows + 1) * sizeof *rows->row);
    if (!to->offsets || !to->column || !to->value || !rows->row)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu rows and %zu entries", to->rows,
                        to->entries);
    to->rows = to->entries = 0; /* filled row by row */
    return HD_OK;
}

static void set_offset(const hd_csr *m, size_t i, size_t offset)
{
    void *offsets = (void *)(uintptr_t)m->offsets;
    if (m->offset_type == HD_I32)
        ((int32_t *)offsets)[i] = (int32_t)offset;
    else
        ((int64_t *)offsets)[i] = (int64_t)offset;
}

/* Entries keep their order, because the order of a sum determines its bits. */
static void append_row(const hd_csr *m, const hd__cg_split *s, const int32_t *place, size_t row,
                       hd__cg_rows *rows)
{
    const int64_t first = offset_at(m, row), end = offset_at(m, row + 1);
    const size_t element = hd_type_bytes(m->type);
    int32_t *column = (int32_t *)(uintptr_t)rows->matrix.column + rows->matrix.entries;
    char *value = (char *)(uintptr_t)rows->matrix.value + rows->matrix.entries * element;
    for (int64_t k = first; k < end; k++) {
        const int32_t of = m->column[k];
        *column++ = is_own(s, of) ? (int32_t)((size_t)of - s->first_row) : place[of];
    }
    if (end > first)
        memcpy(value, (const char *)m->value + (size_t)first * element,
               (size_t)(end - first) * element);
    rows->row[rows->matrix.rows] = (int32_t)(row - s->first_row);
    set_offset(&rows->matrix, rows->matrix.rows++, rows->matrix.entries);
    rows->matrix.entries += (size_t)(end - first);
}

hd_status hd__cg_split_make(const hd_csr *matrix, const size_t *bounds, unsigned rank,
                            int32_t *place, hd__cg_split *s)
{
    memset(s, 0, sizeof *s);
    s->first_row = bounds[rank];
    s->rows = bounds[rank + 1] - bounds[rank];
    memset(place, 0xff, matrix->rows * sizeof *place);
    HD_TRY(list_halo(matrix, place, s));
    if (s->rows + s->halo_count > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "device %u needs %zu elements", rank,
                        s->rows + s->halo_count);
    for (size_t h = 0; h < s->halo_count; h++)
        place[s->halo[h]] = (int32_t)(s->rows + h);
    count_rows(matrix, s);
    HD_TRY(alloc_rows(matrix, s, &s->inside));
    HD_TRY(alloc_rows(matrix, s, &s->boundary));
    for (size_t row = s->first_row; row < s->first_row + s->rows; row++)
        append_row(matrix, s, place, row, needs_others(matrix, s, row) ? &s->boundary : &s->inside);
    set_offset(&s->inside.matrix, s->inside.matrix.rows, s->inside.matrix.entries);
    set_offset(&s->boundary.matrix, s->boundary.matrix.rows, s->boundary.matrix.entries);
    return HD_OK;
}

static void free_rows(hd__cg_rows *rows)
{
    free((void *)(uintptr_t)rows->matrix.offsets);
    free((void *)(uintptr_t)rows->matrix.column);
    free((void *)(uintptr_t)rows->matrix.value);
    free(rows->row);
    memset(rows, 0, sizeof *rows);
}

void hd__cg_split_drop_rows(hd__cg_split *split)
{
    free_rows(&split->inside);
    free_rows(&split->boundary);
}

void hd__cg_split_free(hd__cg_split *split)
{
    hd__cg_split_drop_rows(split);
    free(split->halo);
    memset(split, 0, sizeof *split);
}

/* ---- preconditioner -------------------------------------------------------------------------- */

/* Entries with the same row and column add up. */
static double diagonal_of(const hd_csr *m, size_t row)
{
    const int64_t end = offset_at(m, row + 1);
    double sum = 0;
    for (int64_t k = offset_at(m, row); k < end; k++)
        if ((size_t)m->column[k] == row)
            sum += m->type == HD_F32 ? (double)((const float *)m->value)[k]
                                     : ((const double *)m->value)[k];
    return sum;
}

hd_status hd__cg_inverse(const hd_csr *matrix, void *inverse)
{
    for (size_t row = 0; row < matrix->rows; row++) {
        const double d = diagonal_of(matrix, row);
        if (!(d > 0) || d - d != 0)
            return hd__fail(HD_ERR_SINGULAR, call,
                            "row %zu has %g on the diagonal, so the matrix is not positive "
                            "definite",
                            row, d);
        if (matrix->type == HD_F32)
            ((float *)inverse)[row] = (float)(1 / d);
        else
            ((double *)inverse)[row] = 1 / d;
    }
    return HD_OK;
}
