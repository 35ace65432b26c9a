/* SPDX-License-Identifier: Apache-2.0 */
/* files.c - copies and removes folders, reads text files, runs programs with their output in a
   file. */
#include "exercise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/app/progress.h"

extern char **environ;

void path_join(char path[PATH_MAX], const char *folder, const char *name)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);

    if (length < 0 || length >= PATH_MAX)
        path[0] = '\0';
}

/* Copies until the end of `from`. */
static int copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t got;

    while ((got = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0, put; done < got; done += put) {
            put = write(to, bytes + done, (size_t)(got - done));
            if (put < 0)
                return -1;
        }
    return got < 0 ? -1 : 0;
}

int file_copy(const char *from, const char *to)
{
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int status = out < 0 ? -1 : copy_bytes(in, out), error = errno;

    if (out >= 0 && close(out) < 0 && status == 0) {
        status = -1;
        error = errno;
    }
    if (in >= 0)
        close(in);
    errno = error;
    return status;
}

static int copy_entry(const char *from, const char *to)
{
    struct stat info;

    if (stat(from, &info) < 0)
        return -1;
    if (!S_ISDIR(info.st_mode))
        return file_copy(from, to);
    if (mkdir(to, 0777) < 0 && errno != EEXIST)
        return -1;
    return folder_copy(from, to);
}

int folder_copy(const char *from, const char *to)
{
    DIR *folder = opendir(from);
    const struct dirent *entry;
    int status = folder ? 0 : -1, error;

    while (status == 0 && (entry = readdir(folder)) != NULL) {
        char source[PATH_MAX], target[PATH_MAX];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        path_join(source, from, entry->d_name);
        path_join(target, to, entry->d_name);
        status = copy_entry(source, target);
    }
    error = errno;
    if (folder)
        closedir(folder);
    errno = error;
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

void folder_remove(const char *path)
{
    enum { DESCRIPTORS = 16 };

    (void)nftw(path, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

char *file_text(const char *path)
{
    FILE *stream = fopen(path, "re");
    char *text = NULL, bytes[4096];
    size_t size = 0, got;
    FILE *to = stream ? open_memstream(&text, &size) : NULL;

    while (to && (got = fread(bytes, 1, sizeof bytes, stream)) > 0)
        fwrite(bytes, 1, got, to);
    if (to && fclose(to) != 0) {
        free(text);
        text = NULL;
    }
    if (stream)
        fclose(stream);
    return text;
}

/* Starts a program in a process group of its own. 0 or an error number. */
static int start(char *const *words, const char *log, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC,
                                                 0600);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (error == 0)
        error = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int program_run(char *const *words, const char *log, double limit,
                const volatile sig_atomic_t *stop)
{
    const struct timespec moment = {0, 2000000};
    const double began = cli_now();
    int status = 0, error;
    pid_t child, ended;

    error = start(words, log, &child);
    if (error != 0) {
        errno = error;
        return -1;
    }
    while ((ended = waitpid(child, &status, WNOHANG)) != child) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (*stop || cli_now() - began > limit) {
            kill(-child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR)
                continue;
            errno = *stop ? EINTR : ETIMEDOUT;
            return -1;
        }
        nanosleep(&moment, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
