/* SPDX-License-Identifier: Apache-2.0 */
/* spool.h - buffers a stream of unknown length: a short one in memory, a long one in an unlinked
   file in $TMPDIR (/tmp), from which it is read again. */
#ifndef HEDDLE_CLI_INPUT_SPOOL_H
#define HEDDLE_CLI_INPUT_SPOOL_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_spool {
    unsigned char *data;
    size_t bytes, room; /* room: capacity of data while in memory */
    size_t most;        /* limit for memory: HEDDLE_SPOOL_MEMORY, or 256 MiB */
    FILE *file;         /* NULL: not created yet */
    char path[24];      /* path to open the complete file; empty if in memory */
} cli_spool;

/* 0, or -1: HEDDLE_SPOOL_MEMORY is not a number of bytes. */
int cli_spool_begin(cli_spool *spool);
/* Appends bytes. 0, or -1 with errno set; call cli_spool_free in either case. */
int cli_spool_add(cli_spool *spool, const void *bytes, size_t count);
/* From here until cli_spool_free all bytes are in spool->data or in the file spool->path. 0, or -1
   with errno set. */
int cli_spool_finish(cli_spool *spool);
/* May follow a failure; accepts a zeroed spool. */
void cli_spool_free(cli_spool *spool);

#endif
