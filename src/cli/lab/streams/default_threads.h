/* SPDX-License-Identifier: Apache-2.0 */
/* default_threads.h - host threads of the two kinds that C programs have. */
#ifndef HEDDLE_CLI_LAB_STREAMS_DEFAULT_THREADS_H
#define HEDDLE_CLI_LAB_STREAMS_DEFAULT_THREADS_H

#include <stddef.h>

enum { CLI_THREADS_MAX = 64 };

/* Runs body(state, i) for each i below count on a thread of its own, all at once, and waits for
   them. 0, or -1: they cannot be had. */
int cli_threads_posix(size_t count, void (*body)(void *state, size_t i), void *state);
/* The same with the threads of OpenMP, the caller's among them; -1 where the build has none. */
int cli_threads_have_openmp(void);
int cli_threads_openmp(size_t count, void (*body)(void *state, size_t i), void *state);

#endif
