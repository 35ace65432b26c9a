/* SPDX-License-Identifier: Apache-2.0 */
/* suffix.h - what the end of a file's name says about its format. */
#ifndef HEDDLE_IO_SUFFIX_H
#define HEDDLE_IO_SUFFIX_H

#include <stdbool.h>

/* Whether a path ends with a suffix (".csv"), in letters of any case, behind a name. */
bool hd__io_ends_with(const char *path, const char *suffix);

/* The suffix of a path that is known to stand for some format, as ".csv" or ".gz"; NULL: none. */
const char *hd__io_known_suffix(const char *path);

#endif
