/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is written as a whole or not at all. */
#ifndef HEDDLE_IO_REPLACE_H
#define HEDDLE_IO_REPLACE_H

#include <stdio.h>

/* Writes everything to the stream; 0, or -1. */
typedef int (*hd__replace_write)(FILE *stream, void *state);

/* Lets `write` fill a file beside `path`, which then takes its place: a reader never sees half of
   it, and a file that was there stays where writing fails. What is there and is no regular file, a
   pipe or a device, stays what it is and is written to. 0, or -1 with errno, which is 0 where
   nothing tells why. */
int hd__replace_file(const char *path, hd__replace_write write, void *state);

/* Whether it could be begun now; what is there stays as it is. 0, or -1 with errno. */
int hd__replace_probe(const char *path);

#endif
