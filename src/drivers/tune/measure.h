/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h - compares and times groups of candidates. */
#ifndef HEDDLE_DRIVERS_TUNE_MEASURE_H
#define HEDDLE_DRIVERS_TUNE_MEASURE_H

#include <heddle/tune.h>

/* A measurement in progress. */
typedef struct hd__tune_run {
    const char *call;
    const hd_tune_kernel *kernel;
    hd_tune_options options; /* defaults filled in */
    hd_stream *stream;
    hd_tune_result *result;
    hd_event *start, *stop;        /* NULL: the host's clock */
    unsigned char *expected, *got; /* results on the host */
    size_t bytes;                  /* of each */
    double *times;                 /* of a candidate in each round */
    double began;                  /* seconds */
    size_t done, total;            /* steps of progress */
} hd__tune_run;

/* HD_ERR_ARGUMENT unless the description is complete and within its limits. */
hd_status hd__tune_kernel_check(const char *call, const hd_tune_kernel *kernel);

double hd__tune_now(void);
void hd__tune_step(hd__tune_run *run, size_t steps);

/* Compares the group's candidates with the default at every size, and times those that are equal in
   `rounds` rounds that rotate their order. group[0] is 0, the default, to which the speed-ups of
   this group refer. Candidates that were rejected before are skipped. Fails only if the default
   does. */
hd_status hd__tune_group(hd__tune_run *run, const size_t *group, size_t count, unsigned rounds);

#endif
