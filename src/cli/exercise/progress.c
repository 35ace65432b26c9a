/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - a user's progress: one line per exercise in a file of the user's state folder. */
#include "exercise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/replace.h"

#define FILE_NAME "heddle/exercises"

/* The path of the progress file; creates missing folders if `make`. */
static int find_file(char path[PATH_MAX], bool make)
{
    const char *state = hd__environment("XDG_STATE_HOME"), *home = hd__environment("HOME");
    char folder[PATH_MAX];

    if (state && *state == '/')
        snprintf(folder, sizeof folder, "%s", state);
    else if (home && *home == '/' && strlen(home) < PATH_MAX - 32)
        snprintf(folder, sizeof folder, "%s/.local/state", home);
    else
        return -1;
    path_join(path, folder, FILE_NAME);
    for (char *at = path + 1; make && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            make = false; /* writing the file will fail and report the reason */
        *at = '/';
    }
    return *path ? 0 : -1;
}

/* "NAME HINTS DATE" ("-" for no date). */
static bool read_line(const char *line, exercise_progress *progress)
{
    memset(progress, 0, sizeof *progress);
    if (sscanf(line, "%63s %u %15s", progress->name, &progress->hints, progress->solved) != 3)
        return false;
    if (strcmp(progress->solved, "-") == 0)
        progress->solved[0] = '\0';
    return true;
}

void progress_read(const exercise *e, exercise_progress *progress_out)
{
    exercise_progress read;
    char path[PATH_MAX], *text = find_file(path, false) == 0 ? file_text(path) : NULL;

    memset(progress_out, 0, sizeof *progress_out);
    strcpy(progress_out->name, e->name);
    for (char *rest = text, *line; rest && (line = strsep(&rest, "\n")) != NULL;)
        if (read_line(line, &read) && strcmp(read.name, e->name) == 0)
            *progress_out = read;
    free(text);
}

typedef struct rewritten {
    const char *before;
    const exercise_progress *changed;
} rewritten;

static int write_lines(FILE *stream, void *state)
{
    const rewritten *r = state;
    const exercise_progress *changed = r->changed;
    exercise_progress other;
    char *copy = strdup(r->before ? r->before : "");

    for (char *rest = copy, *line; rest && (line = strsep(&rest, "\n")) != NULL;)
        if (*line && (!read_line(line, &other) || strcmp(other.name, changed->name) != 0))
            fprintf(stream, "%s\n", line);
    free(copy);
    fprintf(stream, "%s %u %s\n", changed->name, changed->hints,
            *changed->solved ? changed->solved : "-");
    return copy && !ferror(stream) ? 0 : -1;
}

/* Waits until no other process rewrites the file, whose lines would be lost. The lock ends with the
   descriptor, -1 without one. It is on a file beside it, which is not replaced. */
static int lock_file(const char *path)
{
    char beside[PATH_MAX];
    int fd = -1;

    if (snprintf(beside, sizeof beside, "%s.lock", path) < (int)sizeof beside)
        fd = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
        continue;
    return fd;
}

void progress_write(const cli_command *command, const exercise_progress *progress)
{
    char path[PATH_MAX], *before;
    rewritten r = {NULL, progress};
    int lock;

    if (find_file(path, true) < 0)
        return;
    lock = lock_file(path);
    r.before = before = file_text(path);
    if (hd__replace_file(path, write_lines, &r) < 0)
        cli_note(command, "progress is not kept: %s: %s", path, strerror(errno));
    free(before);
    if (lock >= 0)
        close(lock);
}
