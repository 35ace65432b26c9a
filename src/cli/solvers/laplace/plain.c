/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c - Laplace's equation in plain C on the host, to check results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/plain/plain.h"
#include "laplace.h"

static double value(const laplace_run *run, const void *field, size_t cell)
{
    return run->problem.type == HD_F32 ? (double)((const float *)field)[cell]
                                       : ((const double *)field)[cell];
}

/* ---- sides ----------------------------------------------------------------------------------- */

int laplace_all_fixed(const laplace_run *run)
{
    int fixed = 1;
    for (int i = 0; i < 2 * run->dimensions; i++)
        fixed = fixed && run->problem.sides[i] == HD_SIDE_FIXED;
    return fixed;
}

static int at_fixed_side(size_t at, size_t n, const hd_side *sides)
{
    return (at == 0 && sides[0] == HD_SIDE_FIXED) || (at + 1 == n && sides[1] == HD_SIDE_FIXED);
}

static int keeps(const laplace_run *run, size_t x, size_t y, size_t z)
{
    const hd_jacobi *p = &run->problem;
    return at_fixed_side(x, p->nx, p->sides) || at_fixed_side(y, p->ny, p->sides + 2) ||
           (run->dimensions == 3 && at_fixed_side(z, p->nz, p->sides + 4));
}

/* The neighbour of a cell on an axis; at a mirrored side, the cell itself. */
static size_t before(size_t at, size_t n, const hd_side *sides)
{
    return at > 0 ? at - 1 : sides[0] == HD_SIDE_PERIODIC ? n - 1 : at;
}

static size_t after(size_t at, size_t n, const hd_side *sides)
{
    return at + 1 < n ? at + 1 : sides[1] == HD_SIDE_PERIODIC ? 0 : at;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* f32 sums and products are computed in f64 and rounded, which gives the same bits. */
static double rounded(const laplace_run *run, double v)
{
    return run->problem.type == HD_F32 ? (double)(float)v : v;
}

static double new_value(const laplace_run *run, const void *field, size_t x, size_t y, size_t z)
{
    const hd_jacobi *p = &run->problem;
    const size_t row = (z * p->ny + y) * p->nx, plane = z * p->ny * p->nx + x;
    const double west = value(run, field, row + before(x, p->nx, p->sides));
    const double east = value(run, field, row + after(x, p->nx, p->sides));
    const double north = value(run, field, plane + before(y, p->ny, p->sides + 2) * p->nx);
    const double south = value(run, field, plane + after(y, p->ny, p->sides + 2) * p->nx);
    double sum;
    if (run->dimensions == 2)
        return rounded(run, rounded(run, rounded(run, north + west) + rounded(run, south + east)) *
                                0.25);
    sum = rounded(run, rounded(run, west + east) + rounded(run, north + south));
    sum = rounded(
        run, sum + value(run, field, (before(z, p->nz, p->sides + 4) * p->ny + y) * p->nx + x));
    sum = rounded(run,
                  sum + value(run, field, (after(z, p->nz, p->sides + 4) * p->ny + y) * p->nx + x));
    return rounded(run, sum * rounded(run, 1.0 / 6.0));
}

/* Supports sides of every kind; the other sweeps are faster. */
static void sweep_any(const laplace_run *run, const void *from, void *to)
{
    const hd_jacobi *p = &run->problem;
    size_t cell = 0;
    for (size_t z = 0; z < (run->dimensions == 3 ? p->nz : 1); z++)
        for (size_t y = 0; y < p->ny; y++)
            for (size_t x = 0; x < p->nx; x++, cell++) {
                const double v = keeps(run, x, y, z) ? value(run, from, cell)
                                                     : new_value(run, from, x, y, z);
                if (p->type == HD_F32)
                    ((float *)to)[cell] = (float)v;
                else
                    ((double *)to)[cell] = v;
            }
}

static void sweep(const laplace_run *run, const void *from, void *to)
{
    const hd_jacobi *p = &run->problem;
    double norm;
    if (!laplace_all_fixed(run))
        sweep_any(run, from, to);
    else if (run->dimensions == 2 && p->type == HD_F32)
        plain_jacobi2d_f32(p->nx, p->ny, from, to, &norm);
    else if (run->dimensions == 2)
        plain_jacobi2d_f64(p->nx, p->ny, from, to, &norm);
    else if (p->type == HD_F32)
        plain_jacobi3d_f32(p->nx, p->ny, p->nz, from, to, &norm);
    else
        plain_jacobi3d_f64(p->nx, p->ny, p->nz, from, to, &norm);
}

int laplace_plain_check(const laplace_run *run, const void *initial, const void *result,
                        size_t *cell)
{
    const hd_jacobi *p = &run->problem;
    const size_t cells = p->nx * p->ny * (run->dimensions == 3 ? p->nz : 1);
    const size_t element = hd_type_bytes(p->type), bytes = cells * element;
    unsigned char *from = malloc(bytes), *to = malloc(bytes);
    int same = -1;
    if (from && to) {
        memcpy(from, initial, bytes);
        for (size_t s = 0; s < run->report.sweeps; s++) {
            unsigned char *const old = from;
            sweep(run, from, to);
            from = to;
            to = old;
        }
        *cell = 0;
        while (*cell < cells &&
               memcmp(from + *cell * element, (const char *)result + *cell * element, element) == 0)
            ++*cell;
        same = *cell == cells;
    }
    free(from);
    free(to);
    return same;
}

/* In f64, without intermediate rounding. */
static double change(const laplace_run *run, const void *field, size_t x, size_t y)
{
    const hd_jacobi *p = &run->problem;
    const double west = value(run, field, y * p->nx + before(x, p->nx, p->sides));
    const double east = value(run, field, y * p->nx + after(x, p->nx, p->sides));
    const double north = value(run, field, before(y, p->ny, p->sides + 2) * p->nx + x);
    const double south = value(run, field, after(y, p->ny, p->sides + 2) * p->nx + x);
    return (north + west + south + east) * 0.25 - value(run, field, y * p->nx + x);
}

double laplace_plain_norm(const laplace_run *run, const void *field, const uint8_t *held)
{
    const hd_jacobi *p = &run->problem;
    double sum = 0;
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++) {
            if (keeps(run, x, y, 0) || (held && held[y * p->nx + x]))
                continue;
            const double d = change(run, field, x, y);
            sum += d * d;
        }
    return sqrt(sum);
}
