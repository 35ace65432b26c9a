/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - file names that are expanded per process, so that several processes can share one
   setting: HEDDLE_TRACE, and the options --trace and --timeline of the tool. */
#ifndef HEDDLE_RUNTIME_TRACE_PATH_H
#define HEDDLE_RUNTIME_TRACE_PATH_H

#include <stddef.h>

/* `text` with "%p" replaced by the process id. 0: too long; path is then truncated. */
int hd__trace_path(const char *text, char *path, size_t size);

#endif
