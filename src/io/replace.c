/* SPDX-License-Identifier: Apache-2.0 */
/* replace.c - a file written beside its path and renamed. */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_to(const char *path, hd__replace_write write, void *state)
{
    FILE *stream = fopen(path, "wb");
    int failed, why;

    if (!stream)
        return -1;
    failed = write(stream, state) != 0 || fflush(stream) != 0 || ferror(stream);
    why = errno;
    if (fclose(stream) != 0 && !failed)
        return -1;
    errno = why;
    return failed ? -1 : 0;
}

/* 0, or -1 where that is too long. */
static int name_beside(const char *path, char beside[PATH_MAX])
{
    if (snprintf(beside, PATH_MAX, "%s.%ld.part", path, (long)getpid()) < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int hd__replace_probe(const char *path)
{
    char beside[PATH_MAX];
    struct stat there;
    int fd;

    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = EISDIR;
        return S_ISDIR(there.st_mode) ? -1 : 0;
    }
    if (name_beside(path, beside) != 0)
        return -1;
    fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    (void)close(fd);
    return remove(beside);
}

int hd__replace_file(const char *path, hd__replace_write write, void *state)
{
    char beside[PATH_MAX];
    struct stat there;
    int why;

    errno = 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return write_to(path, write, state);
    if (name_beside(path, beside) != 0)
        return -1;
    errno = 0;
    if (write_to(beside, write, state) == 0 && rename(beside, path) == 0)
        return 0;
    why = errno;
    (void)remove(beside);
    errno = why;
    return -1;
}
