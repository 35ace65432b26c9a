/* SPDX-License-Identifier: Apache-2.0 */
/* spool.c - buffers a stream of unknown length. */
#include "spool.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

enum { MEMORY = 256 << 20, ROOM = 1 << 16, PATH_BYTES = 4096 };

int cli_spool_begin(cli_spool *spool)
{
    const char *text = hd__environment("HEDDLE_SPOOL_MEMORY");
    unsigned long long most;
    char *end;

    memset(spool, 0, sizeof *spool);
    spool->most = MEMORY;
    if (!text || !*text)
        return 0;
    errno = 0;
    most = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || most == 0 || most > SIZE_MAX)
        return -1;
    spool->most = (size_t)most;
    return 0;
}

static int write_all(FILE *file, const void *bytes, size_t count)
{
    return count == 0 || fwrite(bytes, 1, count, file) == count ? 0 : -1;
}

/* Moves the data from memory to an unlinked file. */
static int move_to_file(cli_spool *spool)
{
    const char *folder = hd__environment("TMPDIR");
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/heddle-spool.XXXXXX",
                                folder && *folder ? folder : "/tmp");
    int descriptor;

    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkstemp(path);
    if (descriptor < 0)
        return -1;
    (void)unlink(path);
    spool->file = fdopen(descriptor, "w+b");
    if (!spool->file) {
        (void)close(descriptor);
        return -1;
    }
    if (write_all(spool->file, spool->data, spool->bytes) < 0)
        return -1;
    free(spool->data);
    spool->data = NULL;
    return 0;
}

static int make_room(cli_spool *spool, size_t count)
{
    size_t room = spool->room ? spool->room : ROOM;
    unsigned char *grown;

    while (room - spool->bytes < count)
        room *= 2;
    if (room == spool->room)
        return 0;
    grown = realloc(spool->data, room);
    if (!grown)
        return -1;
    spool->data = grown;
    spool->room = room;
    return 0;
}

int cli_spool_add(cli_spool *spool, const void *bytes, size_t count)
{
    if (!spool->file && count > spool->most - spool->bytes && move_to_file(spool) < 0)
        return -1;
    if (spool->file) {
        if (write_all(spool->file, bytes, count) < 0)
            return -1;
    } else if (make_room(spool, count) == 0) {
        memcpy(spool->data + spool->bytes, bytes, count);
    } else {
        return -1;
    }
    spool->bytes += count;
    return 0;
}

int cli_spool_finish(cli_spool *spool)
{
    if (!spool->file)
        return make_room(spool, 1);
    (void)snprintf(spool->path, sizeof spool->path, "/dev/fd/%d", fileno(spool->file));
    return fflush(spool->file) == 0 ? 0 : -1;
}

void cli_spool_free(cli_spool *spool)
{
    free(spool->data);
    if (spool->file)
        (void)fclose(spool->file);
    memset(spool, 0, sizeof *spool);
}
