/* SPDX-License-Identifier: Apache-2.0 */
/* part.h - the temporary file written beside a target before it replaces the target. It is removed
   by signals that end the program: SIGHUP, SIGINT, SIGQUIT and SIGTERM, if the program has not set
   its own handlers. */
#ifndef HEDDLE_BASE_PART_H
#define HEDDLE_BASE_PART_H

#include <limits.h>
#include <sys/types.h>

typedef struct hd__part {
    int fd;
    char path[PATH_MAX]; /* TARGET.PID.part, or TARGET.PID-N.part if that exists */
} hd__part;

/* Creates a new file beside `target`, open for writing; an existing file or link of that name is
   neither opened nor followed. 0, or -1 with errno. One part at a time: a second thread waits until
   the first has called hd__part_finish or hd__part_drop. */
int hd__part_begin(const char *target, mode_t mode, hd__part *part_out);

/* Renames the part to the target; the caller has closed part->fd. 0, or -1 with errno, in which
   case the part is removed. */
int hd__part_finish(const hd__part *part, const char *target);

/* Removes the part; the caller has closed part->fd. */
void hd__part_drop(const hd__part *part);

#endif
