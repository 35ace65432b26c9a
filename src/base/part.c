/* SPDX-License-Identifier: Apache-2.0 */
/* part.c - a temporary file beside a target, which a signal removes. */
#include "part.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 100 };

/* ---- signals --------------------------------------------------------------------------------- */

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { DEADLY = sizeof deadly / sizeof *deadly };

/* State for the signal handler, which runs on any thread. While the file is being created, a file
   of that name may belong to someone else: the signal is then deferred until the owner is known. */
enum { NO_PART, OPENING, OPEN };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int now_is, pending;
static pid_t owner;
static char open_path[PATH_MAX];
static struct sigaction before[DEADLY];
static int watched[DEADLY];

/* A forked child does not remove its parent's file. */
static void on_signal(int number)
{
    const int why = errno, ours = owner == getpid();

    if (ours && atomic_load(&now_is) == OPENING) {
        atomic_store(&pending, number);
        return;
    }
    if (ours && atomic_load(&now_is) == OPEN)
        (void)unlink(open_path);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    errno = why;
}

static void watch(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    owner = getpid();
    for (int i = 0; i < DEADLY; i++) {
        (void)sigaction(deadly[i], NULL, &before[i]);
        watched[i] = !(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_DFL;
        if (watched[i])
            (void)sigaction(deadly[i], &action, NULL);
    }
}

/* Handlers that the program has set in the meantime are kept. A deferred signal ends the program
   now. */
static void stop_watching(void)
{
    struct sigaction current;
    int number;

    for (int i = 0; i < DEADLY; i++)
        if (watched[i] && sigaction(deadly[i], NULL, &current) == 0 &&
            current.sa_handler == on_signal)
            (void)sigaction(deadly[i], &before[i], NULL);
    number = atomic_exchange(&pending, 0);
    if (number)
        (void)raise(number);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* 0, or -1 if the name is too long. */
static int name_part(const char *target, int number, char path[PATH_MAX])
{
    const long pid = (long)getpid();
    const int used = number ? snprintf(path, PATH_MAX, "%s.%ld-%d.part", target, pid, number)
                            : snprintf(path, PATH_MAX, "%s.%ld.part", target, pid);

    if (used >= 0 && used < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

static int open_part(const char *path, mode_t mode)
{
    int fd;

    memcpy(open_path, path, strlen(path) + 1);
    atomic_store(&now_is, OPENING);
    do
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    atomic_store(&now_is, fd < 0 ? NO_PART : OPEN);
    return fd;
}

static void end(void)
{
    const int why = errno;

    atomic_store(&now_is, NO_PART);
    stop_watching();
    (void)pthread_mutex_unlock(&lock);
    errno = why;
}

int hd__part_begin(const char *target, mode_t mode, hd__part *part_out)
{
    int number = 0;

    (void)pthread_mutex_lock(&lock);
    watch();
    do
        part_out->fd = name_part(target, number, part_out->path) == 0
                           ? open_part(part_out->path, mode)
                           : -1;
    while (part_out->fd < 0 && errno == EEXIST && ++number < NAMES);
    if (part_out->fd < 0)
        end();
    else if (atomic_load(&pending))
        on_signal(atomic_load(&pending));
    return part_out->fd < 0 ? -1 : 0;
}

int hd__part_finish(const hd__part *part, const char *target)
{
    if (rename(part->path, target) != 0) {
        hd__part_drop(part);
        return -1;
    }
    end();
    return 0;
}

void hd__part_drop(const hd__part *part)
{
    const int why = errno;

    (void)unlink(part->path);
    errno = why;
    end();
}
