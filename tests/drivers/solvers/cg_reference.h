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
    size_t iterations, restarts;
    int converged;
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

/* r = b - A x, and what belongs to it. */
static void cg_begin(const cg_system *s, const double *b, const double *x, double *r, double *z)
{
    cg_product(s, x, z);
    for (size_t i = 0; i < s->n; i++)
        r[i] = cg_round(s, b[i] - z[i]);
    cg_solve_diagonal(s, r, z);
}

/* At most `most` iterations from r and z on; returns how many. */
static size_t cg_leg(const cg_system *s, double *x, double *r, double *z, double bound, size_t most,
                     double *residual)
{
    const size_t n = s->n;
    double *p = calloc(2 * n + 1, sizeof *p), *q = p + n;
    double rz = cg_dot_of(n, r, z), rr = cg_dot_of(n, r, r), beta = 0;
    size_t made;

    for (made = 0; made < most && sqrt(rr) > bound; made++) {
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
    *residual = sqrt(rr);
    free(p);
    return made;
}

/* x holds the first guess and gets the result; space for it is the caller's. */
static void cg_reference(const cg_system *s, const double *b, double tolerance, size_t most,
                         cg_result *result)
{
    const size_t n = s->n;
    double *r = calloc(2 * n + 1, sizeof *r), *z = r + n, *x = result->x;
    const double norm = sqrt(cg_dot_of(n, b, b));
    double scale, bound, last, left = HUGE_VAL, before;

    result->norm = norm;
    result->iterations = 0;
    result->restarts = 0;
    cg_begin(s, b, x, r, z);
    scale = norm > 0 ? norm : sqrt(cg_dot_of(n, r, r));
    bound = tolerance * scale;
    for (;;) {
        before = left;
        result->iterations += cg_leg(s, x, r, z, bound, most - result->iterations, &last);
        cg_begin(s, b, x, r, z);
        left = sqrt(cg_dot_of(n, r, r));
        if (left <= bound || last > bound || left >= before / 2 || result->iterations == most)
            break;
        result->restarts++;
    }
    result->residual = last / (scale > 0 ? scale : 1);
    result->true_residual = left / (scale > 0 ? scale : 1);
    result->converged = last <= bound && left <= bound;
    free(r);
}

#endif
