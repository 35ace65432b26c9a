/* SPDX-License-Identifier: Apache-2.0 */
/* laplace_plain.c - Laplace's equation by plain C on the host, which results are checked with. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/plain_jacobi.h"
#include "laplace.h"

static void sweep(const laplace_run *run, const void *from, void *to, double *norm)
{
    const hd_jacobi *p = &run->problem;
    if (run->dimensions == 2 && p->type == HD_F32)
        plain_jacobi2d_f32(p->nx, p->ny, from, to, norm);
    else if (run->dimensions == 2)
        plain_jacobi2d_f64(p->nx, p->ny, from, to, norm);
    else if (p->type == HD_F32)
        plain_jacobi3d_f32(p->nx, p->ny, p->nz, from, to, norm);
    else
        plain_jacobi3d_f64(p->nx, p->ny, p->nz, from, to, norm);
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
        double norm;
        memcpy(from, initial, bytes);
        for (size_t s = 0; s < run->report.sweeps; s++) {
            unsigned char *const old = from;
            sweep(run, from, to, &norm);
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

static double value(const laplace_run *run, const void *field, size_t cell)
{
    return run->problem.type == HD_F32 ? (double)((const float *)field)[cell]
                                       : ((const double *)field)[cell];
}

/* The neighbour beyond a side that mirrors is the cell itself; other sides are fixed. */
static double change(const laplace_run *run, const void *field, size_t x, size_t y)
{
    const hd_jacobi *p = &run->problem;
    const size_t cell = y * p->nx + x;
    const double west = value(run, field, x > 0 ? cell - 1 : cell);
    const double east = value(run, field, x + 1 < p->nx ? cell + 1 : cell);
    const double north = value(run, field, y > 0 ? cell - p->nx : cell);
    const double south = value(run, field, y + 1 < p->ny ? cell + p->nx : cell);
    return (north + west + south + east) * 0.25 - value(run, field, cell);
}

double laplace_plain_norm(const laplace_run *run, const void *field, const uint8_t *held)
{
    const hd_jacobi *p = &run->problem;
    const int fixed = p->sides[0] == HD_SIDE_FIXED;
    double sum = 0;
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++) {
            const int side = x == 0 || y == 0 || x + 1 == p->nx || y + 1 == p->ny;
            if ((fixed && side) || (held && held[y * p->nx + x]))
                continue;
            const double d = change(run, field, x, y);
            sum += d * d;
        }
    return sqrt(sum);
}
