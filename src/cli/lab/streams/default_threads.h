/* SPDX-License-Identifier: Apache-2.0 */
/* default_threads.h - host threads: POSIX and OpenMP. */
#ifndef HEDDLE_CLI_LAB_STREAMS_DEFAULT_THREADS_H
#define HEDDLE_CLI_LAB_STREAMS_DEFAULT_THREADS_H

#include <stddef.h>

enum { CLI_THREADS_MAX = 64 };

/* Runs body(state, i) for each i below count in a separate thread, all at once, and waits for them.
   0, or -1: the threads could not be started. */
int cli_threads_posix(size_t count, void (*body)(void *state, size_t i), void *state);
/* The same with OpenMP threads, including the caller's; -1 if the build has no OpenMP. */
int cli_threads_have_openmp(void);
int cli_threads_openmp(size_t count, void (*body)(void *state, size_t i), void *state);

#endif
