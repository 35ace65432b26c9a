/* SPDX-License-Identifier: Apache-2.0 */
/* cg_reference.h - conjugate gradients on the host, in the order that docs/conjugate-gradient.md
   tells, for matrices with up to 32 entries a row: one plain loop after another. */
#ifndef HEDDLE_TESTS_DRIVERS_CG_REFERENCE_H
#define HEDDLE_TESTS_DRIVERS_CG_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix of 32-bit offsets and f64 values; f32 rounds them and everything else to f32. */
typedef struct cg_system {
    size_t n;
    int32_t *offsets, *column;
    double *value;
    int f32, jacobi;
} cg_system;

typedef struct cg_result {
    size_t iterations;
    double residual, true_residual, norm;
    double *x;
} cg_result;

static double cg_round(const cg_system *s, double v)
{
    return s->f32 ? (double)(float)v : v;
}

static double cg_tree_of(double sums[256])
{
    for (size_t stride = 1; stride < 256; stride *= 2)
        for (size_t c = 0; c < 256; c += 2 * stride)
            sums[c] += sums[c + stride];
    return sums[0];
}

/* The tile is the smallest power of two from 256 on with which there are 4096 tiles at most. */
static double cg_dot_of(size_t n, const double *a, const double *b)
{
    double whole[256] = {0};
    size_t tile = 256;

    while (n > tile * 4096)
        tile *= 2;
    for (size_t t = 0; t * tile < n; t++) {
        double sums[256] = {0};
        for (size_t i = t * tile; i < n && i < (t + 1) * tile; i++)
            sums[i % 256] += a[i] * b[i];
        whole[t % 256] += cg_tree_of(sums);
    }
    return cg_tree_of(whole);
}

static void cg_product(const cg_system *s, const double *x, double *y)
{
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (int32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++)
            sum = cg_round(s, sum + cg_round(s, cg_round(s, s->value[k]) * x[s->column[k]]));
        y[i] = sum;
    }
}

/* z of D z = r */
static void cg_solve_diagonal(const cg_system *s, const double *r, double *z)
{
    for (size_t i = 0; i < s->n; i++) {
        double d = 1;
        for (int32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++)
            if ((size_t)s->column[k] == i)
                d = cg_round(s, s->value[k]);
        z[i] = s->jacobi ? cg_round(s, r[i] * cg_round(s, 1 / d)) : r[i];
    }
}

/* x holds the first guess and gets the result; space for it is the caller's. */
static void cg_reference(const cg_system *s, const double *b, double tolerance, size_t most,
                         cg_result *result)
{
    const size_t n = s->n;
    double *r = calloc(4 * n + 1, sizeof *r), *z = r + n, *p = z + n, *q = p + n, *x = result->x;
    double rz, rr, beta = 0;

    cg_product(s, x, q);
    for (size_t i = 0; i < n; i++)
        r[i] = cg_round(s, b[i] - q[i]);
    cg_solve_diagonal(s, r, z);
    rz = cg_dot_of(n, r, z);
    rr = cg_dot_of(n, r, r);
    result->norm = sqrt(cg_dot_of(n, b, b));
    for (result->iterations = 0; result->iterations < most && sqrt(rr) > tolerance * result->norm;
         result->iterations++) {
        double alpha, rz_next;
        for (size_t i = 0; i < n; i++)
            p[i] = cg_round(s, beta) == 0
                       ? z[i]
                       : cg_round(s, z[i] + cg_round(s, cg_round(s, beta) * p[i]));
        cg_product(s, p, q);
        alpha = cg_round(s, rz / cg_dot_of(n, p, q));
        for (size_t i = 0; i < n; i++) {
            r[i] = cg_round(s, r[i] - cg_round(s, alpha * q[i]));
            x[i] = cg_round(s, x[i] + cg_round(s, alpha * p[i]));
        }
        cg_solve_diagonal(s, r, z);
        rz_next = cg_dot_of(n, r, z);
        rr = cg_dot_of(n, r, r);
        beta = rz_next / rz;
        rz = rz_next;
    }
    result->residual = sqrt(rr) / (result->norm > 0 ? result->norm : 1);
    cg_product(s, x, q);
    for (size_t i = 0; i < n; i++)
        r[i] = cg_round(s, b[i] - q[i]);
    rr = cg_dot_of(n, r, r);
    result->true_residual = sqrt(rr) / (result->norm > 0 ? result->norm : 1);
    free(r);
}

#endif
