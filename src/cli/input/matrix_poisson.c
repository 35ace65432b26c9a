/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_poisson.c - the Laplacian of a grid as a sparse matrix. */
#include <inttypes.h>
#include <stdlib.h>

#include "matrix.h"

/* Destination of the rows. */
typedef struct grid {
    uint64_t n[3];
    int64_t at;
    int32_t *column;
    float *f32;
    double *f64;
    double diagonal;
} grid;

static void put(grid *g, int64_t column, double value)
{
    g->column[g->at] = (int32_t)column;
    if (g->f32)
        g->f32[g->at] = (float)value;
    else
        g->f64[g->at] = value;
    g->at++;
}

/* Columns in ascending order. */
static void put_row(grid *g, uint64_t x, uint64_t y, uint64_t z)
{
    const int64_t nx = (int64_t)g->n[0], plane = nx * (int64_t)g->n[1];
    const int64_t row = (int64_t)z * plane + (int64_t)y * nx + (int64_t)x;

    if (z > 0)
        put(g, row - plane, -1);
    if (y > 0)
        put(g, row - nx, -1);
    if (x > 0)
        put(g, row - 1, -1);
    put(g, row, g->diagonal);
    if (x + 1 < g->n[0])
        put(g, row + 1, -1);
    if (y + 1 < g->n[1])
        put(g, row + nx, -1);
    if (z + 1 < g->n[2])
        put(g, row + plane, -1);
}

static void put_rows(grid *g, int32_t *narrow, int64_t *wide)
{
    size_t row = 0;

    for (uint64_t z = 0; z < g->n[2]; z++)
        for (uint64_t y = 0; y < g->n[1]; y++)
            for (uint64_t x = 0; x < g->n[0]; x++) {
                if (narrow)
                    narrow[row++] = (int32_t)g->at;
                else
                    wide[row++] = g->at;
                put_row(g, x, y, z);
            }
    if (narrow)
        narrow[row] = (int32_t)g->at;
    else
        wide[row] = g->at;
}

/* Number of entries: one per row, and along each axis two per pair of neighbours. */
static uint64_t entries_of(const uint64_t n[3], uint64_t rows)
{
    uint64_t entries = rows;

    for (int a = 0; a < 3; a++)
        entries += 2 * (rows - rows / n[a]);
    return entries;
}

static void name_grid(const uint64_t extent[3], char from[CLI_ARRAY_FROM])
{
    const int made = snprintf(from, CLI_ARRAY_FROM, "poisson %" PRIu64 " x %" PRIu64, extent[0],
                              extent[1]);

    if (extent[2] > 1)
        snprintf(from + made, CLI_ARRAY_FROM - (size_t)made, " x %" PRIu64, extent[2]);
}

int cli_matrix_poisson(const cli_command *command, const uint64_t extent[3], hd_type type,
                       cli_matrix *matrix_out)
{
    const uint64_t plane = extent[0] * extent[1];
    hd_csr *m = &matrix_out->host;
    grid g = {{extent[0], extent[1], extent[2]}, 0, NULL, NULL, NULL, extent[2] > 1 ? 6 : 4};
    void *offsets;

    m->rows = m->columns = (size_t)(plane * extent[2]);
    m->entries = (size_t)entries_of(extent, m->rows);
    m->type = type;
    m->offset_type = m->entries > INT32_MAX ? HD_I64 : HD_I32;
    offsets = malloc((m->rows + 1) * hd_type_bytes(m->offset_type));
    g.column = malloc(m->entries * sizeof *g.column);
    g.f32 = type == HD_F32 ? malloc(m->entries * sizeof *g.f32) : NULL;
    g.f64 = type == HD_F64 ? malloc(m->entries * sizeof *g.f64) : NULL;
    m->offsets = offsets;
    m->column = g.column;
    m->value = g.f32 ? (void *)g.f32 : g.f64;
    if (!offsets || !g.column || !m->value)
        return cli_failed(command, "no memory for %zu rows and %zu entries", m->rows, m->entries);
    put_rows(&g, m->offset_type == HD_I32 ? offsets : NULL, offsets);
    matrix_out->symmetric = 1;
    name_grid(extent, matrix_out->from);
    return CLI_DONE;
}
