/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_reference.h - docs/laplace.md as a program: one sweep at a time, cell by cell, and the
   norm in its order. Fields are double arrays whose values are those of the type. */
#ifndef HEDDLE_TESTS_DRIVERS_JACOBI_REFERENCE_H
#define HEDDLE_TESTS_DRIVERS_JACOBI_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include <heddle/laplace.h>

/* One operation, rounded to the type of the field: f32 results are those of f64 rounded again,
   which is exact for + - and * (Figueroa 1995). */
static double ref_round(const hd_jacobi *p, double x)
{
    volatile float f = (float)x;
    return p->type == HD_F32 ? (double)f : x;
}

static double ref_add(const hd_jacobi *p, double a, double b)
{
    return ref_round(p, a + b);
}

static size_t ref_cell(const hd_jacobi *p, size_t x, size_t y, size_t z)
{
    return (z * p->ny + y) * p->nx + x;
}

/* The neighbour of `at` on an axis of n cells, one step in direction `by`. */
static size_t ref_next(size_t at, int by, size_t n, const hd_side *sides)
{
    if (by < 0 && at == 0)
        return sides[0] == HD_SIDE_PERIODIC ? n - 1 : at;
    if (by > 0 && at == n - 1)
        return sides[1] == HD_SIDE_PERIODIC ? 0 : at;
    return by < 0 ? at - 1 : at + 1;
}

static int ref_fixed(size_t at, size_t n, const hd_side *sides)
{
    return (at == 0 && sides[0] == HD_SIDE_FIXED) || (at == n - 1 && sides[1] == HD_SIDE_FIXED);
}

static double ref_update(const hd_jacobi *p, int dimensions, const double *u, size_t x, size_t y,
                         size_t z)
{
    const hd_side *s = p->sides;
    const double west = u[ref_cell(p, ref_next(x, -1, p->nx, s), y, z)];
    const double east = u[ref_cell(p, ref_next(x, 1, p->nx, s), y, z)];
    const double north = u[ref_cell(p, x, ref_next(y, -1, p->ny, s + 2), z)];
    const double south = u[ref_cell(p, x, ref_next(y, 1, p->ny, s + 2), z)];
    double sum;
    if (dimensions == 2)
        return ref_round(p, ref_add(p, ref_add(p, north, west), ref_add(p, south, east)) * 0.25);
    sum = ref_add(p, ref_add(p, west, east), ref_add(p, north, south));
    sum = ref_add(p, sum, u[ref_cell(p, x, y, ref_next(z, -1, p->nz, s + 4))]);
    sum = ref_add(p, sum, u[ref_cell(p, x, y, ref_next(z, 1, p->nz, s + 4))]);
    return ref_round(p, sum * ref_round(p, 1.0 / 6.0));
}

static int ref_held(const hd_jacobi *p, int dimensions, const unsigned char *held, size_t x,
                    size_t y, size_t z)
{
    return ref_fixed(x, p->nx, p->sides) || ref_fixed(y, p->ny, p->sides + 2) ||
           (dimensions == 3 && ref_fixed(z, p->nz, p->sides + 4)) || (held && held[y * p->nx + x]);
}

static void ref_sweep(const hd_jacobi *p, int dimensions, const unsigned char *held,
                      const double *u, double *next)
{
    for (size_t z = 0; z < (dimensions == 3 ? p->nz : 1); z++)
        for (size_t y = 0; y < p->ny; y++)
            for (size_t x = 0; x < p->nx; x++)
                next[ref_cell(p, x, y, z)] = ref_held(p, dimensions, held, x, y, z)
                                                 ? u[ref_cell(p, x, y, z)]
                                                 : ref_update(p, dimensions, u, x, y, z);
}

/* ---- norms ----------------------------------------------------------------------------------- */

static double ref_tree(double *slots)
{
    for (size_t stride = 1; stride < 256; stride *= 2)
        for (size_t c = 0; c < 256; c += 2 * stride)
            slots[c] += slots[c + stride];
    return slots[0];
}

static double ref_fold(const double *values, size_t count)
{
    double slots[256] = {0};
    for (size_t i = 0; i < count; i++)
        slots[i % 256] += values[i];
    return ref_tree(slots);
}

/* sum, and the squares of what changed in four columns of one row, each added with one rounding;
   those beyond the end left out. */
static double ref_quad(const hd_jacobi *p, double sum, const double *u, const double *next,
                       size_t first, size_t columns)
{
    for (size_t e = 0; e < 4 && e < columns; e++) {
        const double d = ref_round(p, next[first + e] - u[first + e]);
        sum = p->type == HD_F32 ? (double)fmaf((float)d, (float)d, (float)sum) : fma(d, d, sum);
    }
    return sum;
}

/* The band that rows (2-D) or planes (3-D) are cut into. */
static size_t ref_band(const hd_jacobi *p, int dimensions)
{
    size_t band = 16;
    if (dimensions == 3)
        return p->nx * p->ny * p->nz > (size_t)1 << 26   ? 32
               : p->nx * p->ny * p->nz > (size_t)1 << 22 ? 16
                                                         : 8;
    band *= p->nx * p->ny > (size_t)1 << 21 ? 2 : 1;
    band *= p->nx * p->ny > (size_t)1 << 25 ? 2 : 1;
    band *= p->nx * p->ny > (size_t)1 << 26 ? 2 : 1;
    return band;
}

static double ref_norm(const hd_jacobi *p, int dimensions, const double *u, const double *next)
{
    const size_t band = ref_band(p, dimensions), quads = (p->nx + 3) / 4;
    const size_t length = dimensions == 3 ? p->nz : p->ny, lines = dimensions == 3 ? p->ny : 1;
    const size_t bands = (length + band - 1) / band, count = bands * lines * quads;
    const size_t tiles = (count + 4095) / 4096;
    double *sums = calloc(count, sizeof *sums), *folded = calloc(tiles, sizeof *folded), norm;
    for (size_t i = 0; i < length; i++)
        for (size_t line = 0; line < lines; line++)
            for (size_t q = 0; q < quads; q++) {
                const size_t y = dimensions == 3 ? line : i, z = dimensions == 3 ? i : 0;
                double *sum = sums + (i / band * lines + line) * quads + q;
                *sum = ref_quad(p, *sum, u, next, ref_cell(p, 4 * q, y, z), p->nx - 4 * q);
            }
    for (size_t i = 0; i < tiles; i++)
        folded[i] = ref_fold(sums + 4096 * i, count - 4096 * i < 4096 ? count - 4096 * i : 4096);
    norm = sqrt(ref_fold(folded, tiles));
    free(sums);
    free(folded);
    return norm;
}

#endif
