/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - a progress bar on standard error; nothing if that is not a terminal. */
#ifndef HEDDLE_CLI_APP_PROGRESS_H
#define HEDDLE_CLI_APP_PROGRESS_H

#include <stdint.h>

typedef struct cli_progress {
    const char *what;
    const char *unit;    /* what is counted, in the plural; NULL: bytes */
    uint64_t total;      /* UINT64_MAX if unknown */
    double began, drawn; /* seconds */
    int shown;           /* standard error is a terminal */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const char *what, uint64_t total);
/* The same for a count of things other than bytes. */
void cli_progress_begin_count(cli_progress *progress, const char *what, const char *unit,
                              uint64_t total);
void cli_progress_update(cli_progress *progress, uint64_t done);
/* Erases the bar. */
void cli_progress_end(cli_progress *progress);

/* Seconds of a monotonic clock. */
double cli_now(void);

#endif
