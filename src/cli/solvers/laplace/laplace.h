/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.h - what the subcommands laplace and laplace3d share. */
#ifndef HEDDLE_CLI_SOLVERS_LAPLACE_H
#define HEDDLE_CLI_SOLVERS_LAPLACE_H

#include <heddle/laplace.h>

#include "cli/app/job.h"
#include "cli/app/words.h"

/* A problem on the device: each run copies `initial` to a field and solves from there. */
typedef struct laplace_run {
    hd_jacobi problem;
    int dimensions;
    double tolerance; /* negative: exactly problem.sweeps sweeps */
    size_t group;     /* sweeps between looks at the norm */
    void *initial, *field, *other;
    uint8_t *held;
    hd_laplace_report report;
} laplace_run;

#define LAPLACE_SIDE_OPTIONS                                                                       \
    {"periodic", "AXES", "periodic axes, as x or xy"},                                             \
    {                                                                                              \
        "mirror", "AXES", "axes with zero-flux boundaries, as x or xy (others: fixed values)"      \
    }

/* Reads --type, --sweeps, --tolerance, --periodic, --mirror. CLI_DONE, or CLI_MISUSED after a
   line. */
int laplace_options(const cli_arguments *arguments, uint64_t sweeps, double tolerance,
                    laplace_run *run);
/* Reads --depth of a problem whose type is known: one for which there are kernels. `held`: cells of
   it are. */
int laplace_depth(const cli_arguments *arguments, int held, laplace_run *run);
/* Allocates fields and norms and uploads the initial values and (2-D, or NULL) what is held. */
int laplace_upload(cli_job *job, laplace_run *run, const void *initial, const uint8_t *held);
/* For cli_job_time; `state` is the laplace_run. */
hd_status laplace_solve(void *state, hd_stream *stream);
/* Runs it between events, and brings the solution to `result`. */
int laplace_time(cli_job *job, laplace_run *run, void *result);
/* The members sweeps, depth, norm, glups, and with a tolerance whether it was met. */
void laplace_members(cli_job *job, const laplace_run *run);
void laplace_free(laplace_run *run);

/* No side is periodic or mirrors. */
int laplace_all_fixed(const laplace_run *run);
/* The plain C check: `sweeps` sweeps of `initial` have to give `result`, as bits. 0 where a cell
   differs; *cell is the first. Ten times as quick where all sides are fixed. -1 without memory. */
int laplace_plain_check(const laplace_run *run, const void *initial, const void *result,
                        size_t *cell);
/* The norm of the change that one more sweep would make, by plain C in f64; held as in 2-D. */
double laplace_plain_norm(const laplace_run *run, const void *field, const uint8_t *held);

/* Fills a picture. */
int laplace_image(const cli_arguments *arguments);

#endif
