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

enum { LAB_FIELDS_MAX = 4, LAB_MEMORY_MAX = 12 };

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
    hd_status failed; /* of the rows: below 0 ends the experiment */
    lab_plot plot;
    lab_axes axes;
    struct {
        const char *key;
        uint64_t value;
    } fields[LAB_FIELDS_MAX];
    void *memory[LAB_MEMORY_MAX], *host_memory[LAB_MEMORY_MAX]; /* freed by lab_close */
    size_t field_count, memory_count, host_count;
    void *flush;        /* memory that is overwritten to empty the caches; NULL: none yet */
    cli_result *result; /* `own`, or that of the session */
    cli_result own;
} lab;

/* ---- the steps of an experiment -------------------------------------------------------------- */

/* What the head of a result says. */
typedef struct lab_about {
    const char *subject;  /* what the columns count */
    const char *constant; /* what all rows have in common */
    lab_axes axes;
} lab_about;

/* `state` is the struct of the experiment, whose first member is its lab. A step may be NULL. */
typedef struct lab_steps {
    const lab_about *about;
    const cli_column *columns;
    size_t column_count;
    int (*read)(void *state);       /* options: CLI_DONE, or an exit status after a line */
    hd_status (*open)(void *state); /* fields and memory */
    void (*rows)(void *state);      /* prints them, until lab.failed */
    void (*foot)(void *state);      /* what follows the table */
} lab_steps;
#define LAB_COLUMNS(columns) columns, sizeof(columns) / sizeof *(columns)

/* Runs an experiment: opens the lab, then the steps, then the end of the result. Clears `state`
   first. An exit status. */
int lab_run(void *state, size_t bytes, const cli_arguments *arguments, const lab_steps *steps);

/* A number that the result has before its table. */
void lab_field(lab *l, const char *key, uint64_t value);
/* --turns: by default `gpu` of at most gpu_max, or `cpu` of at most LAB_TURNS_CPU_MAX. CLI_DONE, or
   CLI_MISUSED after a line. */
int lab_turns_read(lab *l, unsigned gpu, unsigned gpu_max, unsigned cpu, unsigned *turns_out);
/* So many blocks per compute unit of a GPU, or `cpu` blocks. */
hd_status lab_blocks(const lab *l, unsigned per_unit, unsigned cpu, unsigned *blocks_out);

/* Memory of the device or the host, until lab_close. */
hd_status lab_alloc_bytes(lab *l, void **pointer_out, size_t count, size_t size);
hd_status lab_alloc_kind_bytes(lab *l, void **pointer_out, size_t count, size_t size,
                               hd_memory_kind kind);
hd_status lab_alloc_host_bytes(lab *l, void **pointer_out, size_t count, size_t size);
/* Frees all of it. */
void lab_free(lab *l);
#define lab_alloc(l, pointer, count)                                                               \
    lab_alloc_bytes((l), (void **)(void *)(pointer), (count), sizeof **(pointer))
#define lab_alloc_kind(l, pointer, count, kind)                                                    \
    lab_alloc_kind_bytes((l), (void **)(void *)(pointer), (count), sizeof **(pointer), (kind))
#define lab_alloc_host(l, pointer, count)                                                          \
    lab_alloc_host_bytes((l), (void **)(void *)(pointer), (count), sizeof **(pointer))

/* ---- without steps --------------------------------------------------------------------------- */

/* Reads LAB_OPTIONS. CLI_DONE, or an exit status after a line. lab_close may follow a failure. */
int lab_open(lab *l, const cli_arguments *arguments);
void lab_close(lab *l);

/* --device-model; otherwise the device of the table that `name` names. CLI_DONE, or CLI_MISUSED
   after a line. */
int lab_device_read(const cli_arguments *arguments, const char *name, lab_device *device_out);

/* Begins l->result: device, constants, subject. */
void lab_begin(lab *l, const lab_about *about);
/* The sentences below the table, clocks and power limit, the field `verified`, the picture, and the
   end of the result. CLI_DONE; CLI_FAILED after a line if a row disagrees with the model. */
int lab_end(lab *l);

/* ---- rows ------------------------------------------------------------------------------------ */

/* A launch of `kernel`. */
typedef struct lab_launch {
    const hd_kernel *kernel;
    hd_status (*run)(void *state, hd_stream *stream);
    void *state;
} lab_launch;

/* Counts one launch; counters are 0 unless l->counts. */
hd_status lab_count(lab *l, const lab_launch *launch, hdb_counters *counters_out);
/* Median time of l->job.runs launches; LAB_COLD: each after other memory was overwritten so that no
   cache holds the data. 0 seconds unless l->gpu. */
typedef enum lab_caches { LAB_WARM, LAB_COLD } lab_caches;
hd_status lab_time(lab *l, const lab_launch *launch, lab_caches caches, double *seconds_out);

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

/* A published value, or none. */
cli_cell lab_published(double value);
/* Whether the results of a row are right; none with --no-verify. */
cli_cell lab_exact(const lab *l, bool right);

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
    "checking engine, which sees every address: they need a heddle built with the preset\n"        \
    "check, and are - otherwise. Times need a GPU: the verdict says whether the time lies\n"       \
    "between the least and the most that the model allows. Published values are those of\n"        \
    "heddle lab references. Exit status 1 if a row disagrees with the model.\n"                    \
    "HEDDLE_CPU_WARP=64 shows warps of 64.\n"
#define LAB_KEYS                                                                                   \
    "JSON keys of all experiments: constant (what is the same in all rows) device_model\n"         \
    "core_mhz memory_mhz power_limit_watts counted verified\n"

#endif
