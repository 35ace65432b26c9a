/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - a bar on standard error while a long job runs; nothing where that is no terminal. */
#ifndef HEDDLE_CLI_APP_PROGRESS_H
#define HEDDLE_CLI_APP_PROGRESS_H

#include <stdint.h>

typedef struct cli_progress {
    const char *what;
    uint64_t total;      /* bytes, UINT64_MAX where unknown */
    double began, drawn; /* seconds */
    int shown;           /* standard error is a terminal */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const char *what, uint64_t total);
void cli_progress_update(cli_progress *progress, uint64_t done);
/* Takes the bar away. */
void cli_progress_end(cli_progress *progress);

/* Seconds of a clock that only goes forward. */
double cli_now(void);

#endif
