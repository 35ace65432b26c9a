/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - how large the chunks of a pipeline are. */
#ifndef HEDDLE_DRIVERS_PIPELINE_PLAN_H
#define HEDDLE_DRIVERS_PIPELINE_PLAN_H

#include <stddef.h>

/* Units of a chunk; chunks grow from `least` to `chunk` at the beginning and shrink at the end.
   Both are multiples of the granule. */
typedef struct hd__pipe_plan {
    size_t chunk, least, granule;
} hd__pipe_plan;

/* What a chunk goes through. */
enum {
    HD__PIPE_STAGE_IN, /* the host: reads or stages it, and issues its operations */
    HD__PIPE_COPY_IN,
    HD__PIPE_WORK,
    HD__PIPE_COPY_OUT,
    HD__PIPE_STAGE_OUT, /* the host: delivers it */
    HD__PIPE_STAGES
};

/* Seconds that a chunk of n units takes in each: latency + n * rate. */
typedef struct hd__pipe_cost {
    double latency[HD__PIPE_STAGES], rate[HD__PIPE_STAGES];
} hd__pipe_cost;

/* Units of chunk number `index`, of which `left` and what follows are left; at most left. */
size_t hd__pipe_next(const hd__pipe_plan *plan, size_t index, size_t left);
/* The cost that gives seconds[0] for units[0] and seconds[1] for units[1]. */
void hd__pipe_fit(const size_t units[2], double seconds[2][HD__PIPE_STAGES], hd__pipe_cost *cost);
/* Seconds of a run, every stage one thing at a time, at most `buffers` chunks in flight. */
double hd__pipe_predict(const hd__pipe_plan *plan, const hd__pipe_cost *cost, size_t units,
                        unsigned buffers);
/* The plan with the least time among chunks of `smallest` to `largest` units. */
hd__pipe_plan hd__pipe_choose(const hd__pipe_cost *cost, size_t units, size_t granule,
                              size_t smallest, size_t largest, unsigned buffers);

/* trial.c: plans that whole runs try in turn. */
enum { HD__PIPE_TRIALS = 8 };

typedef struct hd__pipe_trial {
    hd__pipe_plan plan;
    double least; /* seconds of its runs */
    unsigned runs;
} hd__pipe_trial;

typedef struct hd__pipe_trials {
    hd__pipe_trial tried[HD__PIPE_TRIALS];
    unsigned count, now;      /* now: of the run that goes on */
    size_t smallest, largest; /* chunk */
} hd__pipe_trials;

void hd__pipe_trials_begin(hd__pipe_trials *t, hd__pipe_plan plan, size_t smallest, size_t largest);
/* The plan of the next run: one whose turn it is, of chunks of at most `affordable` units, else the
   best so far. At least the plan of the beginning is affordable. */
hd__pipe_plan hd__pipe_trials_next(hd__pipe_trials *t, size_t affordable);
/* There was no memory for it; not for the plan of the beginning. */
void hd__pipe_trials_refuse(hd__pipe_trials *t);
/* The run took so long. */
void hd__pipe_trials_end(hd__pipe_trials *t, double seconds);
/* Every plan had its turns: the best is taken from now on. */
int hd__pipe_trials_settled(const hd__pipe_trials *t);

#endif
