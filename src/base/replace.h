/* SPDX-License-Identifier: Apache-2.0 */
/* replace.h - writes a file completely or not at all. */
#ifndef HEDDLE_BASE_REPLACE_H
#define HEDDLE_BASE_REPLACE_H

#include <stdio.h>

/* Writes everything to the stream; 0, or -1. */
typedef int (*hd__replace_write)(FILE *stream, void *state);

/* Lets `write` fill a new file beside `path`, which then replaces it. Readers never see a partial
   file; if writing fails or a signal ends the program, the old file is kept and the new one
   removed. Symbolic links are followed: their target is replaced or created. The new file has the
   permissions of the old one, and its owner and group if the system allows this. A file without
   write permission is refused (EACCES), for root too if nobody may write it. Pipes, devices and
   other special files, and targets of /proc/PID/fd, are written in place. `write` prints numbers as
   in the C locale. 0, or -1 with errno, which is 0 if the reason is unknown. */
int hd__replace_file(const char *path, hd__replace_write write, void *state);

/* Whether hd__replace_file could begin now; changes nothing. 0, or -1 with errno. */
int hd__replace_probe(const char *path);

#endif
