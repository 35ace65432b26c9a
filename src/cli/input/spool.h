/* SPDX-License-Identifier: Apache-2.0 */
/* spool.h - keeps bytes whose number is not known before the last has come: few in memory, more in
   a file in $TMPDIR (/tmp) that has no name, from which they are read again. */
#ifndef HEDDLE_CLI_INPUT_SPOOL_H
#define HEDDLE_CLI_INPUT_SPOOL_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_spool {
    unsigned char *data;
    size_t bytes, room; /* room: of data, while it is memory */
    size_t most;        /* bytes that stay in memory: HEDDLE_SPOOL_MEMORY, or 256 MiB */
    FILE *file;         /* NULL: none yet */
    char path[24];      /* where the file can be opened, once all is there; else empty */
} cli_spool;

/* 0, or -1: HEDDLE_SPOOL_MEMORY is no number of bytes. */
int cli_spool_begin(cli_spool *spool);
/* Takes further bytes. 0, or -1 with errno set; cli_spool_free all the same. */
int cli_spool_add(cli_spool *spool, const void *bytes, size_t count);
/* All bytes are in spool->data, or in spool->path, from here on until cli_spool_free. 0, or -1 with
   errno set. */
int cli_spool_finish(cli_spool *spool);
/* Also after a failure, and of a zeroed one. */
void cli_spool_free(cli_spool *spool);

#endif
