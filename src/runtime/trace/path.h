/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - names of files that several processes are told to write: HEDDLE_TRACE, and --trace
   and --timeline of the tool. */
#ifndef HEDDLE_RUNTIME_TRACE_PATH_H
#define HEDDLE_RUNTIME_TRACE_PATH_H

#include <stddef.h>

/* `text` with the process id where it says "%p". 0: too long; path then has what fits. */
int hd__trace_path(const char *text, char *path, size_t size);

#endif
