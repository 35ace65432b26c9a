/* SPDX-License-Identifier: Apache-2.0 */
/* adi_field.c - fields from files for `heddle adi`, and ADI steps in plain C. */
#include "adi_field.h"

#include <math.h>
#include <stdlib.h>

static double element(const hd_adi_grid *g, const void *field, size_t i)
{
    return g->type == HD_F32 ? (double)((const float *)field)[i] : ((const double *)field)[i];
}

/* A value that is not finite would make the whole field NaN. */
static int check_finite(const cli_arguments *arguments, const hd_adi_grid *g,
                        const cli_array *given)
{
    for (size_t i = 0; i < given->n; i++)
        if (!isfinite(element(g, given->data, i)))
            return cli_failed(arguments->command, "%s: element [%zu, %zu, %zu] is not finite as %s",
                              given->from, i / g->nx / g->ny, i / g->nx % g->ny, i % g->nx,
                              hd_type_name(g->type));
    return CLI_DONE;
}

int adi_field_read(const cli_arguments *arguments, hd_adi_grid *grid, cli_array *given)
{
    const char *path = cli_option_value(arguments, "field");
    int status;

    if (!path)
        return CLI_DONE;
    if (cli_option_given(arguments, "size"))
        return cli_misused(arguments->command,
                           "--field determines the size; omit the options of the size");
    status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64), HD_F32,
                             given);
    if (status != CLI_DONE)
        return status;
    grid->type = given->type;
    if (given->axes != 3)
        return cli_failed(arguments->command, "%s: %zu numbers on %zu axes, not a field of 3",
                          given->from, given->n, given->axes);
    if (given->n == 0)
        return cli_failed(arguments->command, "%s: an axis has length 0", given->from);
    grid->nx = (size_t)given->shape[2];
    grid->ny = (size_t)given->shape[1];
    grid->nz = (size_t)given->shape[0];
    return check_finite(arguments, grid, given);
}

/* Solves (1 - rate/2 dxx) d = d along all lines of n points with stride `stride`. `memory` has room
   for n. */
static void solve_lines(double rate, size_t n, size_t stride, size_t points, double *d,
                        double *memory)
{
    const double side = -rate / 2, middle = 1 + rate;

    memory[0] = side / middle;
    for (size_t i = 1; i < n; i++)
        memory[i] = side / (middle - side * memory[i - 1]);
    for (size_t line = 0; line < points / n; line++) {
        double *first = d + line / stride * stride * n + line % stride, last = 0;
        for (size_t i = 0; i < n; i++)
            last = first[i * stride] = (first[i * stride] - side * last) * (memory[i] / side);
        for (size_t i = n - 1; i-- > 0;)
            first[i * stride] -= memory[i] * first[(i + 1) * stride];
    }
}

/* rate (dxx + dyy + dzz) u at a point. */
static double change(const hd_adi_grid *g, double rate, const double *u, size_t x, size_t y,
                     size_t z)
{
    const size_t row = g->nx, plane = g->nx * g->ny, i = z * plane + y * row + x;
    const double a = (x > 0 ? u[i - 1] : 0) + (x + 1 < g->nx ? u[i + 1] : 0);
    const double b = (y > 0 ? u[i - row] : 0) + (y + 1 < g->ny ? u[i + row] : 0);
    const double c = (z > 0 ? u[i - plane] : 0) + (z + 1 < g->nz ? u[i + plane] : 0);

    return rate * (a + b + c - 6 * u[i]);
}

static void step(const hd_adi_grid *g, double rate, double *u, double *d, double *memory)
{
    const size_t points = g->nx * g->ny * g->nz;
    size_t i = 0;

    for (size_t z = 0; z < g->nz; z++)
        for (size_t y = 0; y < g->ny; y++)
            for (size_t x = 0; x < g->nx; x++)
                d[i++] = change(g, rate, u, x, y, z);
    solve_lines(rate, g->nx, 1, points, d, memory);
    solve_lines(rate, g->ny, g->nx, points, d, memory);
    solve_lines(rate, g->nz, g->nx * g->ny, points, d, memory);
    for (i = 0; i < points; i++)
        u[i] += d[i];
}

int adi_field_error(const hd_adi_grid *g, size_t steps, const void *given, const void *result,
                    double *error, double *largest)
{
    const double rate = g->type == HD_F32 ? (double)(float)g->rate : g->rate;
    const size_t points = g->nx * g->ny * g->nz;
    double *u = malloc(points * sizeof *u), *d = malloc(points * sizeof *d);
    double *memory = malloc((g->nx + g->ny + g->nz) * sizeof *memory);
    const int room = u && d && memory;

    *error = *largest = 0;
    for (size_t i = 0; room && i < points; i++) {
        u[i] = element(g, given, i);
        *largest = fabs(u[i]) <= *largest ? *largest : fabs(u[i]); /* keeps a NaN */
    }
    for (size_t s = 0; room && s < steps; s++)
        step(g, rate, u, d, memory);
    for (size_t i = 0; room && i < points; i++) {
        const double off = fabs(element(g, result, i) - u[i]);
        *error = off <= *error ? *error : off;
    }
    free(u);
    free(d);
    free(memory);
    return room ? 0 : -1;
}
