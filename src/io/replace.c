/* SPDX-License-Identifier: Apache-2.0 */
/* replace.c - a file written beside its path and renamed. */
#include "replace.h"

#include <errno.h>
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

int hd__replace_file(const char *path, hd__replace_write write, void *state)
{
    char beside[PATH_MAX];
    struct stat there;
    int why;

    errno = 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return write_to(path, write, state);
    if (snprintf(beside, sizeof beside, "%s.%ld.part", path, (long)getpid()) >=
        (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    errno = 0;
    if (write_to(beside, write, state) == 0 && rename(beside, path) == 0)
        return 0;
    why = errno;
    (void)remove(beside);
    errno = why;
    return -1;
}
