/* SPDX-License-Identifier: Apache-2.0 */
/* part.h - the file that is written beside another before it takes the other's place. A signal that
   ends the program removes it: SIGHUP, SIGINT, SIGQUIT and SIGTERM, while the program has left them
   at their default. */
#ifndef HEDDLE_BASE_PART_H
#define HEDDLE_BASE_PART_H

#include <limits.h>
#include <sys/types.h>

typedef struct hd__part {
    int fd;
    char path[PATH_MAX]; /* TARGET.PID.part, or TARGET.PID-N.part where that is taken */
} hd__part;

/* Makes a new file beside `target`, open for writing; what stands there under its name is neither
   opened nor followed. 0, or -1 with errno. One part at a time: a second thread waits until the
   first has called hd__part_finish or hd__part_drop. */
int hd__part_begin(const char *target, mode_t mode, hd__part *part_out);

/* Puts the part in the target's place; the caller has closed part->fd. 0, or -1 with errno and
   no part left. */
int hd__part_finish(const hd__part *part, const char *target);

/* Removes it; the caller has closed part->fd. */
void hd__part_drop(const hd__part *part);

#endif
