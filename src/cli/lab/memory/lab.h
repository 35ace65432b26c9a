/* SPDX-License-Identifier: Apache-2.0 */
/* lab.h - what the experiments share: one launch counted by the checking engine, one timed on a
   GPU, and the verdict that compares both with the model. */
#ifndef HEDDLE_CLI_LAB_MEMORY_LAB_H
#define HEDDLE_CLI_LAB_MEMORY_LAB_H

#include "cli/app/job.h"
#include "runtime/counters.h"

/* Most loop iterations on the CPU: the engine counts a limited number of requests between barriers.
 */
enum { LAB_TURNS_CPU_MAX = 64, LAB_TURNS_GPU_MAX = 1 << 20 };

typedef struct lab {
    cli_job job;
    bool gpu;     /* times are measured */
    bool counts;  /* the engine counts requests */
    size_t rows;  /* judged so far */
    size_t wrong; /* of them outside of the model */
} lab;

/* CLI_DONE, or an exit status after a line. lab_close may follow a failure. */
int lab_open(lab *l, const cli_arguments *arguments);
void lab_close(lab *l);

/* A launch of `kernel`. */
typedef struct lab_launch {
    const hd_kernel *kernel;
    hd_status (*run)(void *state, hd_stream *stream);
    void *state;
} lab_launch;

/* Counts one launch; counters are 0 unless l->counts. */
hd_status lab_count(lab *l, const lab_launch *launch, hdb_counters *counters_out);
/* Median time of l->job.runs launches, each after `flush` (bytes, may be 0) was overwritten so that
   no cache holds the data. 0 seconds unless l->gpu. */
hd_status lab_time(lab *l, const lab_launch *launch, void *flush, size_t bytes,
                   double *seconds_out);

/* A row's prediction: what was counted has to be equal, and the time within [least, most]. */
typedef struct lab_row {
    bool equal;                  /* counted and predicted; only if l->counts */
    double seconds, least, most; /* only if l->gpu */
} lab_row;
/* "equal", "differs", "within", "outside"; none if nothing was counted or timed. */
cli_cell lab_verdict(lab *l, const lab_row *row);

/* The sentences below the table, the field `verified`, and the end of the result. CLI_DONE;
   CLI_FAILED after a line if a row lies outside of the model. */
int lab_end(lab *l, cli_result *result);
/* The sentence above the table. */
void lab_begin(lab *l, cli_result *result);

#define LAB_OPTIONS CLI_JOB_OPTIONS
#define LAB_NOTES                                                                                  \
    "The predicted columns come from a model on the host. The counted ones come from the\n"        \
    "checking engine (preset check), which sees every address; they are - elsewhere. On a\n"       \
    "GPU the launch is timed, and the verdict says whether the time lies in the band that\n"       \
    "the model allows. Exit status 1 if a row lies outside of the model.\n"                        \
    "HEDDLE_CPU_WARP=64 shows warps of 64.\n"

#endif
