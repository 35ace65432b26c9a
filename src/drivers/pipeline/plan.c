/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - chooses the chunk size by a model of the pipeline's stages: each stage processes one
   chunk at a time, in order, and a chunk starts when a buffer is free. Small chunks shorten the
   fill and drain phases, in which most engines idle; large chunks pay an operation's latency less
   often. If engines are equally fast, only the largest chunk matters; if one is slower, smaller
   chunks at both ends help. */
#include "plan.h"

enum { BUFFERS_MODELLED = 64, CHUNKS_MODELLED = 4096 };

/* Smaller chunks at the ends cost more than the model accounts for. */
static const double ends_must_gain = 1.01;

static size_t round_up(size_t n, size_t granule)
{
    const size_t over = n % granule;
    return over && n <= (size_t)-1 - granule ? n + (granule - over) : n;
}

size_t hd__pipe_next(const hd__pipe_plan *plan, size_t index, size_t left)
{
    size_t n = plan->chunk;
    if (index < 16 && plan->least << index < n)
        n = plan->least << index;
    if (plan->least < plan->chunk && left / 2 < n)
        n = left / 2 > plan->least ? round_up(left / 2, plan->granule) : plan->least;
    return n < left ? n : left;
}

void hd__pipe_fit(const size_t units[2], double seconds[2][HD__PIPE_STAGES], hd__pipe_cost *cost)
{
    for (int i = 0; i < HD__PIPE_STAGES; i++) {
        const double rise = seconds[1][i] - seconds[0][i];
        cost->rate[i] = rise > 0 ? rise / (double)(units[1] - units[0]) : 0.0;
        cost->latency[i] = seconds[0][i] - cost->rate[i] * (double)units[0];
        if (cost->latency[i] < 0)
            cost->latency[i] = 0;
    }
}

double hd__pipe_predict(const hd__pipe_plan *plan, const hd__pipe_cost *cost, size_t units,
                        unsigned buffers)
{
    double ends[BUFFERS_MODELLED] = {0}, idle[HD__PIPE_STAGES] = {0}, at = 0;
    const size_t window = buffers < BUFFERS_MODELLED ? buffers : BUFFERS_MODELLED;
    for (size_t index = 0; units > 0; index++) {
        const size_t n = hd__pipe_next(plan, index, units);
        at = ends[index % window];
        for (int i = 0; i < HD__PIPE_STAGES; i++) {
            at = at > idle[i] ? at : idle[i];
            at += cost->latency[i] + cost->rate[i] * (double)n;
            idle[i] = at;
        }
        ends[index % window] = at;
        units -= n;
    }
    return at;
}

hd__pipe_plan hd__pipe_choose(const hd__pipe_cost *cost, size_t units, size_t granule,
                              size_t smallest, size_t largest, unsigned buffers)
{
    hd__pipe_plan best = {round_up(smallest, granule), round_up(smallest, granule), granule};
    double least = -1, size = (double)smallest;
    /* So many chunks are never optimal, unless memory limits their size. */
    while (size * CHUNKS_MODELLED < (double)units && size < (double)largest)
        size *= 2;
    for (; size <= (double)largest || least < 0; size *= 1.189207115) {
        for (size_t part = 1; part <= 64; part *= 4) {
            hd__pipe_plan plan = {round_up((size_t)size, granule), 0, granule};
            plan.least = round_up(plan.chunk / part > 0 ? plan.chunk / part : 1, granule);
            const double seconds = hd__pipe_predict(&plan, cost, units, buffers) *
                                   (part > 1 ? ends_must_gain : 1);
            if (least < 0 || seconds < least) {
                least = seconds;
                best = plan;
            }
        }
    }
    return best;
}
