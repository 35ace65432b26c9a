/* SPDX-License-Identifier: Apache-2.0 */
/* replace.h - a file that is written as a whole or not at all. */
#ifndef HEDDLE_BASE_REPLACE_H
#define HEDDLE_BASE_REPLACE_H

#include <stdio.h>

/* Writes everything to the stream; 0, or -1. */
typedef int (*hd__replace_write)(FILE *stream, void *state);

/* Lets `write` fill a new file beside `path`, which then takes its place: a reader never sees half
   of it, and where writing fails or a signal ends the program, the old file stays and the new one
   is removed. Symbolic links are followed: the file that they lead to is replaced, or made. The
   new file has the permissions of the old one, and its owner and group where the system allows it.
   A file that may not be written is refused (EACCES), for root too where nobody may write it.
   What is not a regular file, a pipe or a device, and what /proc/PID/fd leads to, is written in
   place. 0, or -1 with errno, which is 0 where the reason is not known. */
int hd__replace_file(const char *path, hd__replace_write write, void *state);

/* Whether hd__replace_file could begin now; leaves what is there as it is. 0, or -1 with errno. */
int hd__replace_probe(const char *path);

#endif
