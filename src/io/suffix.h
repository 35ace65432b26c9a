/* SPDX-License-Identifier: Apache-2.0 */
/* suffix.h - recognizes formats by the suffix of a file's name. */
#ifndef HEDDLE_IO_SUFFIX_H
#define HEDDLE_IO_SUFFIX_H

#include <stdbool.h>

/* Whether a path ends with a suffix (".csv"), ignoring case, after a non-empty name. */
bool hd__io_ends_with(const char *path, const char *suffix);

/* The suffix of a path that is known to stand for a format, such as ".csv" or ".gz"; NULL: none. */
const char *hd__io_known_suffix(const char *path);

#endif
