/* SPDX-License-Identifier: Apache-2.0 */
/* replace.c - writes a file beside its target and renames it. */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "part.h"

enum { LINKS_MAX = 40 }; /* limit of the kernel */

typedef struct place {
    char target[PATH_MAX]; /* the file itself, after all symbolic links */
    struct stat old;
    int exists;
    int in_place;
} place;

/* ---- resolving the path ---------------------------------------------------------------------- */

/* Length of a path's folder including the last slash; 0 for the current folder. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Links in /proc refer to an open file, which may no longer have a path. */
static int is_open_file(const char *link)
{
    char folder[PATH_MAX];
    const size_t length = folder_length(link);
    struct statfs facts;

    memcpy(folder, link, length);
    folder[length] = '\0';
    return length > 0 && statfs(folder, &facts) == 0 && facts.f_type == PROC_SUPER_MAGIC;
}

/* Follows a symbolic link, relative to its folder unless it is absolute. 1: `at` is not a link and
   stays unchanged; 0: followed; -1 with errno. */
static int follow_once(char at[PATH_MAX])
{
    char text[PATH_MAX];
    const ssize_t length = readlink(at, text, sizeof text);
    const size_t folder = length > 0 && text[0] == '/' ? 0 : folder_length(at);

    if (length < 0)
        return errno == EINVAL || errno == ENOENT ? 1 : -1;
    if (folder + (size_t)length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(at + folder, text, (size_t)length);
    at[folder + (size_t)length] = '\0';
    return 0;
}

static int follow(place *p)
{
    int last = 0;

    for (int links = 0; !last && !p->in_place; links++) {
        char before[PATH_MAX];

        memcpy(before, p->target, sizeof before);
        if (links > LINKS_MAX)
            errno = ELOOP;
        last = links > LINKS_MAX ? -1 : follow_once(p->target);
        if (last < 0)
            return -1;
        p->in_place = !last && is_open_file(before);
    }
    return 0;
}

/* Opens the file to let the kernel check permissions; this changes nothing. */
static int check_writable(const char *path, const struct stat *old)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        return -1;
    (void)close(fd);
    if (old->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH))
        return 0;
    errno = EACCES;
    return -1;
}

static int find_place(const char *path, place *p)
{
    const size_t length = strlen(path);

    memset(p, 0, sizeof *p);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(p->target, path, length + 1);
    p->exists = stat(path, &p->old) == 0;
    if (!p->exists && errno != ENOENT)
        return -1;
    if (p->exists && S_ISDIR(p->old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    p->in_place = p->exists && !S_ISREG(p->old.st_mode);
    if (p->in_place)
        return 0;
    return follow(p) == 0 && (!p->exists || check_writable(path, &p->old) == 0) ? 0 : -1;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Calls `write` with the decimal point of the C locale, whatever the program's locale is. */
static int write_plain(FILE *stream, hd__replace_write write, void *state)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = uselocale(plain);
    const int failed = write(stream, state), why = errno;

    (void)uselocale(before);
    if (plain != (locale_t)0)
        freelocale(plain);
    errno = why;
    return failed;
}

/* Writes the contents and closes the descriptor. */
static int fill(int fd, hd__replace_write write, void *state)
{
    FILE *stream = fdopen(fd, "wb");
    int failed, why = errno;

    if (!stream) {
        (void)close(fd);
        errno = why;
        return -1;
    }
    errno = 0;
    failed = write_plain(stream, write, state) != 0 || fflush(stream) != 0 || ferror(stream);
    why = errno;
    if (fclose(stream) != 0 && !failed)
        return -1;
    errno = why;
    return failed ? -1 : 0;
}

static int write_in_place(const char *path, hd__replace_write write, void *state)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);

    return fd < 0 ? -1 : fill(fd, write, state);
}

/* If the group cannot be kept, group permissions are limited to those of others. */
static int take_over(int fd, const struct stat *old)
{
    struct stat made;
    mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);

    if (fstat(fd, &made) != 0)
        return -1;
    if (made.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXO) << 3;
    if (made.st_uid != old->st_uid && fchown(fd, old->st_uid, (gid_t)-1) != 0)
        errno = 0; /* the owner is then the writer, as for any new file */
    return fchmod(fd, mode);
}

int hd__replace_file(const char *path, hd__replace_write write, void *state)
{
    place p;
    hd__part part;

    if (find_place(path, &p) != 0)
        return -1;
    if (p.in_place)
        return write_in_place(path, write, state);
    if (hd__part_begin(p.target, p.exists ? 0600 : 0666, &part) != 0)
        return -1;
    if (p.exists && take_over(part.fd, &p.old) != 0) {
        (void)close(part.fd);
        hd__part_drop(&part);
        return -1;
    }
    if (fill(part.fd, write, state) == 0)
        return hd__part_finish(&part, p.target);
    hd__part_drop(&part);
    return -1;
}

int hd__replace_probe(const char *path)
{
    place p;
    hd__part part;

    if (find_place(path, &p) != 0)
        return -1;
    if (p.in_place)
        return 0;
    if (hd__part_begin(p.target, 0600, &part) != 0)
        return -1;
    (void)close(part.fd);
    hd__part_drop(&part);
    return 0;
}
