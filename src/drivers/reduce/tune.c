/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - reductions to be tuned: sums for all that combine values, argmin, and dot products. */
#include <heddle/reduce.h>

#include "drivers/tune/problem.h"
#include "kernels/reduce/reduce.h"
#include "drivers/reduce/space.h"

static hd_status prepare(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const hd_type type = (hd_type)p->type;
    const unsigned inputs = p->kind == HD__REDUCE_KIND_DOT ? 2 : 1;
    for (unsigned i = 0; i < inputs; i++) {
        HD_TRY(hd__tune_input(p, i, n * hd_type_bytes(type) + 4));
        HD_TRY(hd_fill_bytes(p->in[i], 1, 1, n * hd_type_bytes(type) + 4, stream));
        HD_TRY(hd__tune_numbers(p->in[i], n, type, n + i, stream));
    }
    return hd__tune_output(p, 16);
}

static hd_status run(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const hd_type type = (hd_type)p->type;
    if (p->kind == HD__REDUCE_KIND_DOT)
        return hd_dot(p->in[0], p->in[1], n, type, p->out, NULL, stream);
    return hd_reduce(p->in[0], n, type, p->kind == HD__REDUCE_KIND_ARG ? HD_ARGMIN : HD_SUM, p->out,
                     NULL, stream);
}

static int accepts(const hd__tune_problem *p, size_t n, hd__tune_choice choice)
{
    (void)p;
    (void)n;
    /* The serial kernel has no loads that evict first. */
    return !HD_SERIAL_THREADS || choice.of[HD__REDUCE_KNOB_GROUPS] ||
           !choice.of[HD__REDUCE_KNOB_CACHE];
}

const hd__tune_family hd__tune_reduce = {prepare, run, accepts};
