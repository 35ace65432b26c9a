/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - transpositions to be tuned: about square matrices of that many elements, whose rows
   begin at vectors or do not. */
#include <heddle/random.h>
#include <heddle/transpose.h>

#include "drivers/tune/problem.h"
#include "drivers/transpose/space.h"
#include "kernels/transpose/transpose.h"

/* The largest edge whose square has at most n elements; for aligned matrices a multiple of a
   vector, for others odd. */
static size_t edge_of(const hd__tune_problem *p, size_t n)
{
    const size_t vector = hd__transpose_vector((size_t)1 << p->type) >> p->type;
    const size_t step = vector ? vector : 1;
    size_t edge = 1;
    while ((edge + 1) * (edge + 1) <= n)
        edge++;
    if (p->kind == HD__TRANSPOSE_KIND_UNALIGNED)
        return edge - (edge % 2 == 0);
    return edge < step ? step : edge / step * step;
}

static hd_status prepare(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const size_t size = (size_t)1 << p->type;
    const size_t edge = edge_of(p, n), bytes = edge * edge * size;
    p->rows = p->columns = edge;
    HD_TRY(hd__tune_input(p, 0, bytes + 4));
    HD_TRY(hd__tune_numbers(p->in[0], bytes / 4 + 1, HD_U32, n, stream));
    return hd__tune_output(p, bytes);
}

static hd_status run(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    (void)n;
    return hd_transpose(p->in[0], p->rows, p->columns, p->columns, p->out, p->rows,
                        (size_t)1 << p->type, stream);
}

static int accepts(const hd__tune_problem *p, size_t n, hd__tune_choice choice)
{
    const unsigned kernel = choice.of[HD__TRANSPOSE_KNOB_KERNEL];
    const unsigned tile = choice.of[HD__TRANSPOSE_KNOB_TILE];
    const unsigned threads = choice.of[HD__TRANSPOSE_KNOB_THREADS];
    (void)n;
    /* Elements of 16 bytes are always aligned. */
    if (p->kind == HD__TRANSPOSE_KIND_UNALIGNED && p->type == 4)
        return 0;
    if (HD_SERIAL_THREADS && !threads)
        return !kernel && !tile;
    return (HD_SERIAL_THREADS || !threads) && (kernel == 2 || !tile);
}

const hd__tune_family hd__tune_transpose = {prepare, run, accepts};
