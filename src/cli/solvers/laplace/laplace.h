/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.h - shared by the subcommands laplace and laplace3d. */
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
    size_t group;     /* sweeps between checks of the norm */
    void *initial, *field, *other;
    uint8_t *held;
    hd_laplace_report report;
} laplace_run;

#define LAPLACE_SIDE_OPTIONS                                                                       \
    {"periodic", "AXES", "periodic axes, for example x or xy"},                                    \
    {                                                                                              \
        "mirror", "AXES", "axes with zero-flux boundaries (others: fixed values)"                  \
    }

/* Reads --type, --sweeps, --tolerance, --periodic, --mirror. CLI_DONE, or CLI_MISUSED after a
   line. */
int laplace_options(const cli_arguments *arguments, uint64_t sweeps, double tolerance,
                    laplace_run *run);
/* Reads --depth for a problem of known type: a number of sweeps that kernels support. `held`: some
   cells are held. */
int laplace_depth(const cli_arguments *arguments, int held, laplace_run *run);
/* Allocates fields and norms and uploads the initial values and (2-D, or NULL) the held cells. */
int laplace_upload(cli_job *job, laplace_run *run, const void *initial, const uint8_t *held);
/* For cli_job_time; `state` is the laplace_run. */
hd_status laplace_solve(void *state, hd_stream *stream);
/* Times the solution, and copies it to `result`. */
int laplace_time(cli_job *job, laplace_run *run, void *result);
/* Adds sweeps, depth, norm, glups to the result; with a tolerance, also whether it was met. */
void laplace_members(cli_job *job, const laplace_run *run);
void laplace_free(laplace_run *run);

/* Whether no side is periodic or mirrored. */
int laplace_all_fixed(const laplace_run *run);
/* Checks with plain C that `sweeps` sweeps of `initial` give `result`, bit by bit. 0 if a cell
   differs; *cell is the first. Ten times as fast if all sides are fixed. -1 without memory. */
int laplace_plain_check(const laplace_run *run, const void *initial, const void *result,
                        size_t *cell);
/* The norm of the change of one more sweep, by plain C in f64; held as in 2-D. */
double laplace_plain_norm(const laplace_run *run, const void *field, const uint8_t *held);

/* Fills the masked part of a picture. */
int laplace_image(const cli_arguments *arguments);

#endif
