/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - the chunk sizes of a pipeline. */
#ifndef HEDDLE_DRIVERS_PIPELINE_PLAN_H
#define HEDDLE_DRIVERS_PIPELINE_PLAN_H

#include <stddef.h>

/* Units of a chunk; chunks grow from `least` to `chunk` at the beginning and shrink at the end.
   Both are multiples of the granule. */
typedef struct hd__pipe_plan {
    size_t chunk, least, granule;
} hd__pipe_plan;

/* Stages of a chunk. */
enum {
    HD__PIPE_STAGE_IN, /* the host: reads or stages it, and issues its operations */
    HD__PIPE_COPY_IN,
    HD__PIPE_WORK,
    HD__PIPE_COPY_OUT,
    HD__PIPE_STAGE_OUT, /* the host: delivers it */
    HD__PIPE_STAGES
};

/* Seconds of a chunk of n units in each stage: latency + n * rate. */
typedef struct hd__pipe_cost {
    double latency[HD__PIPE_STAGES], rate[HD__PIPE_STAGES];
} hd__pipe_cost;

/* Units of chunk number `index` when `left` units remain; at most left. */
size_t hd__pipe_next(const hd__pipe_plan *plan, size_t index, size_t left);
/* The cost model through two measurements: seconds[0] for units[0], seconds[1] for units[1]. */
void hd__pipe_fit(const size_t units[2], double seconds[2][HD__PIPE_STAGES], hd__pipe_cost *cost);
/* Predicted seconds of a run with at most `buffers` chunks in flight. */
double hd__pipe_predict(const hd__pipe_plan *plan, const hd__pipe_cost *cost, size_t units,
                        unsigned buffers);
/* The fastest plan by the model, with chunks of `smallest` to `largest` units. */
hd__pipe_plan hd__pipe_choose(const hd__pipe_cost *cost, size_t units, size_t granule,
                              size_t smallest, size_t largest, unsigned buffers);

/* trial.c: plans that are tried in turn by whole runs. */
enum { HD__PIPE_TRIALS = 8 };

typedef struct hd__pipe_trial {
    hd__pipe_plan plan;
    double least; /* least seconds of its runs */
    unsigned runs;
} hd__pipe_trial;

typedef struct hd__pipe_trials {
    hd__pipe_trial tried[HD__PIPE_TRIALS];
    unsigned count, now;      /* now: the plan of the current run */
    size_t smallest, largest; /* limits of a chunk */
} hd__pipe_trials;

void hd__pipe_trials_begin(hd__pipe_trials *t, hd__pipe_plan plan, size_t smallest, size_t largest);
/* The plan of the next run: one still to be tried whose chunks have at most `affordable` units,
   otherwise the best so far. The initial plan is always affordable. */
hd__pipe_plan hd__pipe_trials_next(hd__pipe_trials *t, size_t affordable);
/* Removes the current plan because there was no memory for its slots. Not for the initial plan. */
void hd__pipe_trials_refuse(hd__pipe_trials *t);
/* Records the duration of the current run. */
void hd__pipe_trials_end(hd__pipe_trials *t, double seconds);
/* All trials are done: the best plan is used from now on. */
int hd__pipe_trials_settled(const hd__pipe_trials *t);

#endif
