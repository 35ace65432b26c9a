/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - the progress bar. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

enum { BAR_CELLS = 30 };
#define FIRST_DRAW 0.3 /* seconds; shorter jobs show no bar */
#define NEXT_DRAW 0.1

double cli_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_begin(cli_progress *progress, const char *what, uint64_t total)
{
    progress->what = what;
    progress->unit = NULL;
    progress->total = total;
    progress->began = cli_now();
    progress->drawn = progress->began + FIRST_DRAW - NEXT_DRAW;
    progress->shown = isatty(STDERR_FILENO);
}

void cli_progress_begin_count(cli_progress *progress, const char *what, const char *unit,
                              uint64_t total)
{
    cli_progress_begin(progress, what, total);
    progress->unit = unit;
}

void cli_progress_update(cli_progress *progress, uint64_t done)
{
    char bytes[CLI_NUMBER], bar[BAR_CELLS + 1];
    double now, seconds;

    if (!progress->shown || (now = cli_now()) < progress->drawn + NEXT_DRAW)
        return;
    progress->drawn = now;
    seconds = now - progress->began;
    cli_text_bytes((double)done, bytes);
    if (progress->total == UINT64_MAX || progress->total == 0) {
        fprintf(stderr, "\r%s %s, %.2f GB/s\033[K", progress->what, bytes,
                (double)done / seconds * 1e-9);
        return;
    }
    for (int i = 0; i < BAR_CELLS; i++)
        bar[i] = (double)i * (double)progress->total < (double)done * BAR_CELLS ? '#' : '.';
    bar[BAR_CELLS] = '\0';
    if (progress->unit) {
        fprintf(stderr, "\r%s [%s] %3.0f %% of %llu %s\033[K", progress->what, bar,
                100.0 * (double)done / (double)progress->total, (unsigned long long)progress->total,
                progress->unit);
        return;
    }
    cli_text_bytes((double)progress->total, bytes);
    fprintf(stderr, "\r%s [%s] %3.0f %% of %s, %.2f GB/s\033[K", progress->what, bar,
            100.0 * (double)done / (double)progress->total, bytes, (double)done / seconds * 1e-9);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown && progress->drawn > progress->began + FIRST_DRAW - NEXT_DRAW)
        fputs("\r\033[K", stderr);
    progress->shown = 0;
}
