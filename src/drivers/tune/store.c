/* SPDX-License-Identifier: Apache-2.0 */
/* store.c - replaces the file of tuned choices as a whole. */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/replace.h"

enum { LOCK_TRIES = 40, LOCK_PAUSE = 50000000 }; /* 2 s in pauses of 50 ms */

/* ---- writing --------------------------------------------------------------------------------- */

static void print_text(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            (void)fprintf(to, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            (void)fprintf(to, "\\u%04x", (unsigned char)*text);
        else
            (void)fputc(*text, to);
    (void)fputc('"', to);
}

static void print_member(FILE *to, const char *key, const char *text)
{
    (void)fprintf(to, "\"%s\": ", key);
    print_text(to, text);
    (void)fputs(", ", to);
}

static void print_entry(FILE *to, const hd__tune_entry *entry)
{
    (void)fputc('{', to);
    print_member(to, "name", entry->name);
    print_member(to, "type", entry->type);
    (void)fprintf(to, "\"from\": %llu, \"values\": {", 1ull << 2 * entry->bucket);
    for (size_t i = 0; i < entry->knob_count; i++) {
        (void)fputs(i ? ", " : "", to);
        print_text(to, entry->knobs[i]);
        (void)fprintf(to, ": %u", entry->values[i]);
    }
    (void)fprintf(to, "}, \"speedup\": %.4f, ", entry->speedup);
    print_member(to, "device", entry->place.device);
    print_member(to, "driver", entry->place.driver);
    print_member(to, "compiler", entry->place.compiler);
    (void)fputs("\"source\": ", to);
    print_text(to, entry->place.source);
    (void)fputc('}', to);
}

static int print_all(FILE *to, void *state)
{
    const hd__tune_entries *entries = state;
    (void)fprintf(to, "{\"format\": \"heddle-tune\", \"version\": %d, \"choices\": [",
                  HD__TUNE_FORMAT);
    for (size_t i = 0; i < entries->count; i++) {
        (void)fputs(i ? ",\n" : "\n", to);
        print_entry(to, &entries->all[i]);
    }
    (void)fputs("\n]}\n", to);
    return ferror(to) ? -1 : 0;
}

/* ---- the lock -------------------------------------------------------------------------------- */

/* Creates the missing folders of a path. Failures show when the file is written. */
static void make_folders(char *path)
{
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(path, 0777);
        *at = '/';
    }
}

/* Locks PATH.lock, which stays: removing it would let two processes lock different files. */
static hd_status lock_file(const char *call, const char *path, int *lock)
{
    const struct timespec pause = {0, LOCK_PAUSE};
    char name[PATH_MAX + 8];
    if (strlen(path) >= PATH_MAX)
        return hd__fail(HD_ERR_IO, call, "%s: %s", path, strerror(ENAMETOOLONG));
    (void)snprintf(name, sizeof name, "%s.lock", path);
    make_folders(name);
    *lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (*lock < 0)
        return hd__fail(HD_ERR_IO, call, "%s: %s", name, strerror(errno));
    for (int tries = 0; flock(*lock, LOCK_EX | LOCK_NB) != 0; tries++) {
        const int why = errno;
        if (why == EWOULDBLOCK && tries < LOCK_TRIES) {
            (void)nanosleep(&pause, NULL);
            continue;
        }
        (void)close(*lock);
        if (why == EWOULDBLOCK)
            return hd__fail(HD_ERR_TIMEOUT, call,
                            "%s is in use by another process; it was not changed", path);
        return hd__fail(HD_ERR_IO, call, "%s: %s", name, strerror(why));
    }
    return HD_OK;
}

static hd_status replace(const char *call, const char *path, int anyway, hd__tune_change change,
                         void *state)
{
    hd__tune_entries entries = {NULL, 0, 0};
    hd_status status = hd__tune_read(call, path, &entries);
    if (status < 0 && !anyway)
        return status;
    status = change(state, &entries);
    if (status >= 0) {
        errno = 0;
        if (hd__replace_file(path, print_all, &entries) != 0)
            status = hd__fail(HD_ERR_IO, call, "%s: %s", path,
                              errno ? strerror(errno) : "write error");
    }
    hd__tune_entries_free(&entries);
    return status;
}

hd_status hd__tune_update(const char *call, const char *path, int anyway, hd__tune_change change,
                          void *state)
{
    int lock = -1;
    HD_TRY(lock_file(call, path, &lock));
    const hd_status status = replace(call, path, anyway, change, state);
    (void)close(lock);
    return status;
}
