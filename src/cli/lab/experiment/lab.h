/* SPDX-License-Identifier: Apache-2.0 */
/* lab.h - what the experiments share: one launch counted by the checking engine, one timed on a
   GPU, the verdict that compares both with the model, the table's frame and the picture. */
#ifndef HEDDLE_CLI_LAB_EXPERIMENT_LAB_H
#define HEDDLE_CLI_LAB_EXPERIMENT_LAB_H

#include "cli/app/job.h"
#include "plot.h"
#include "references.h"
#include "runtime/counters.h"

/* Most loop iterations on the CPU: the engine counts a limited number of requests between barriers.
 */
enum { LAB_TURNS_CPU_MAX = 64, LAB_TURNS_GPU_MAX = 1 << 20 };

/* What `heddle lab all` collects from the experiments that it runs. */
typedef struct lab_session {
    cli_result *result;
    size_t rows, wrong; /* of the experiment that ended last */
    char outside[160];  /* its first rows outside of the model; "": none */
} lab_session;

typedef struct lab {
    cli_job job;
    lab_device model; /* whose published values are printed; LAB_NO_DEVICE: none */
    bool gpu;         /* times are measured */
    bool counts;      /* the engine counts requests */
    size_t rows;      /* judged so far */
    size_t wrong;     /* of them outside of the model */
    char outside[160];
    lab_plot plot;
    lab_axes axes;
    cli_result *result; /* `own`, or that of the session */
    cli_result own;
} lab;

/* Reads LAB_OPTIONS. CLI_DONE, or an exit status after a line. lab_close may follow a failure. */
int lab_open(lab *l, const cli_arguments *arguments);
void lab_close(lab *l);

/* --device-model; otherwise the device of the table that `name` names. CLI_DONE, or CLI_MISUSED
   after a line. */
int lab_device_read(const cli_arguments *arguments, const char *name, lab_device *device_out);

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
    bool wrong;                  /* the kernel's results are wrong, whatever the time */
    bool equal;                  /* counted and predicted; only if l->counts or `own` */
    bool own;                    /* the kernel counts or verifies by itself, on every backend */
    double seconds, least, most; /* only if l->gpu; most 0: the time is not judged */
    lab_point point;             /* of the picture, and the row's name */
} lab_row;
/* "equal", "differs", "within", "outside"; none if nothing was counted or timed. Adds the row to
   the picture. */
cli_cell lab_verdict(lab *l, const lab_row *row);

/* What the head of a result says. */
typedef struct lab_about {
    const char *subject;  /* what the columns count */
    const char *constant; /* what all rows have in common */
    lab_axes axes;
} lab_about;
/* Begins l->result: device, constants, subject. */
void lab_begin(lab *l, const lab_about *about);
/* The sentences below the table, clocks and power limit, the field `verified`, the picture, and the
   end of the result. CLI_DONE; CLI_FAILED after a line if a row lies outside of the model. */
int lab_end(lab *l);

/* A published value, or none. */
cli_cell lab_published(double value);

#define LAB_DEVICE_OPTION                                                                          \
    {                                                                                              \
        "device-model", "DEVICE",                                                                  \
            "print published values of h100-pcie, h100, h200, mi210, mi250x or mi300x (default: "  \
            "of the device itself)"                                                                \
    }
#define LAB_OPTIONS                                                                                \
    {"plot", "FILE.svg", "draw predicted, counted and measured values"}, LAB_DEVICE_OPTION,        \
        CLI_JOB_OPTIONS
#define LAB_NOTES                                                                                  \
    "The predicted columns come from a model on the host. The counted ones come from the\n"        \
    "checking engine (preset check), which sees every address; they are - elsewhere. On a\n"       \
    "GPU the launch is timed, and the verdict says whether the time lies in the band that\n"       \
    "the model allows. Published values are those of heddle lab references. Exit status 1 if\n"    \
    "a row lies outside of the model. HEDDLE_CPU_WARP=64 shows warps of 64.\n"
#define LAB_KEYS                                                                                   \
    "JSON keys of all experiments: constant device_model core_mhz memory_mhz\n"                    \
    "power_limit_watts counted verified\n"

#endif
