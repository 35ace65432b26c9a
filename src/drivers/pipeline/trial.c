/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - refines the chunk size by whole runs, which include what the model does not cover:
   other users of the host's memory and processors, the placement of buffers, copies that slow each
   other down. Plans with half and twice the chunk alternate with the model's own. Noise only makes
   a run longer, so the minimum counts; alternating spreads slow changes over all plans. */
#include "plan.h"

#include <stdint.h>
#include <string.h>

enum { ROUNDS = 3, MORE_ROUNDS = 6 };

/* A gain below 1 % does not replace the model's plan; plans within 6 % of the best get more
   runs. */
static const double must_gain = 0.99, close = 1.06;

static size_t halved(size_t units, size_t granule)
{
    const size_t half = units / 2, over = half % granule;
    return over ? half - over + granule : half;
}

static unsigned best_of(const hd__pipe_trials *t)
{
    unsigned best = 0;
    for (unsigned i = 1; i < t->count; i++)
        if (t->tried[i].runs > 0 &&
            t->tried[i].least < t->tried[best].least * (best == 0 ? must_gain : 1))
            best = i;
    return best;
}

/* Adds plans with half and twice the best plan's chunk, unless they were tried. */
static void look_further(hd__pipe_trials *t)
{
    const hd__pipe_plan plan = t->tried[best_of(t)].plan;
    const hd__pipe_plan around[2] = {
        {halved(plan.chunk, plan.granule), halved(plan.least, plan.granule), plan.granule},
        {2 * plan.chunk, 2 * plan.least, plan.granule}};
    for (int i = 0; i < 2; i++) {
        int known = around[i].chunk < t->smallest || around[i].chunk > t->largest;
        for (unsigned k = 0; k < t->count; k++)
            known |= t->tried[k].plan.chunk == around[i].chunk;
        if (!known && t->count < HD__PIPE_TRIALS)
            t->tried[t->count++].plan = around[i];
    }
}

void hd__pipe_trials_begin(hd__pipe_trials *t, hd__pipe_plan plan, size_t smallest, size_t largest)
{
    memset(t, 0, sizeof *t);
    t->smallest = smallest;
    t->largest = largest;
    t->tried[t->count++].plan = plan;
    look_further(t);
}

static unsigned rounds_of(const hd__pipe_trials *t, const hd__pipe_trial *trial)
{
    return trial->least < close * t->tried[best_of(t)].least ? MORE_ROUNDS : ROUNDS;
}

/* The first of the plans with the fewest runs; `count` if all are done. */
static unsigned next_of(const hd__pipe_trials *t, size_t affordable)
{
    unsigned next = t->count;
    for (unsigned i = 0; i < t->count; i++)
        if (t->tried[i].runs < rounds_of(t, &t->tried[i]) && t->tried[i].plan.chunk <= affordable &&
            (next == t->count || t->tried[i].runs < t->tried[next].runs))
            next = i;
    return next;
}

hd__pipe_plan hd__pipe_trials_next(hd__pipe_trials *t, size_t affordable)
{
    t->now = next_of(t, affordable);
    if (t->now == t->count)
        t->now = best_of(t);
    return t->tried[t->now].plan;
}

void hd__pipe_trials_refuse(hd__pipe_trials *t)
{
    t->largest = t->tried[t->now].plan.chunk - 1;
    t->tried[t->now] = t->tried[--t->count];
}

void hd__pipe_trials_end(hd__pipe_trials *t, double seconds)
{
    hd__pipe_trial *trial = &t->tried[t->now];
    if (trial->runs == 0 || seconds < trial->least)
        trial->least = seconds;
    trial->runs++;
    if (next_of(t, SIZE_MAX) == t->count)
        look_further(t);
}

int hd__pipe_trials_settled(const hd__pipe_trials *t)
{
    return next_of(t, SIZE_MAX) == t->count;
}
