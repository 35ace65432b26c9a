/* SPDX-License-Identifier: Apache-2.0 */
/* symbolizer.c - queries addr2line for functions and lines, through a socket. One process per
   module is kept running, because starting it costs far more than a query.

   The program must not notice the process: wait() does not return it and no SIGCHLD arrives,
   because its parent is a cloned thread without exit signal that only waits for it. It has none of
   the program's files open, and it ends with the program.

   Why not libdw (elfutils) in this process: one query takes 161,000 bytes of stack, more than a
   kernel's thread has, and memory of the program that is being checked; an error in the parser
   would end this program; and it would load five libraries into each one. It has no names for
   functions without debug information, and 1 line of 61,834 differed. It would save 6 of the 10 ms
   that a run with a finding takes in a program of 3 MB, 70 ms in one of 55 MB; addr2line would
   have to stay for systems without libdw. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/environment.h"

#ifndef HD_CHECK_ADDR2LINE
#define HD_CHECK_ADDR2LINE "addr2line"
#endif

/* Queried after each address, to mark the end of its answer. */
#define NOWHERE "0xffffffffffffffff"

enum {
    PROCESSES = 16,
    ANSWER_MS = 20000,
    END_MS = 2000,
    LINE = 8192,
    STACK = 64 << 10, /* of the process until it executes addr2line */
    PARENT_STACK = 16 << 10,
    FIRST_FD = 100
};

typedef struct process {
    const char *module;
    int fd;
    pid_t parent;
    struct stat made; /* identifies the socket: the program may close unknown descriptors */
    size_t from, to;  /* unread part of the buffer */
    char buffer[LINE];
} process;

static process processes[PROCESSES]; /* parent 0: unused */
static int unusable;
static pid_t owner; /* a forked child shares the sockets and must not use them */

/* ---- starting addr2line ---------------------------------------------------------------------- */

typedef struct start {
    int fd;
    const char *program;
    char *const *arguments;
    int error, done;
} start;

static start starting; /* one start at a time: the processes share this memory meanwhile */

static int becomes(void *argument)
{
    const start *s = &starting;
    sigset_t none;
    int null = open("/dev/null", O_WRONLY);

    (void)argument;
    (void)sigemptyset(&none);
    (void)dup2(s->fd, 0);
    (void)dup2(s->fd, 1);
    (void)dup2(null >= 0 ? null : s->fd, 2);
#ifdef SYS_close_range
    (void)syscall(SYS_close_range, 3u, ~0u, 4u); /* 4: close-on-exec */
#endif
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)execvp(s->program, s->arguments);
    starting.error = errno;
    return 127;
}

static void close_all(void)
{
    enum { LIKELY = 4096 };

#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0u, ~0u, 0u) == 0)
        return;
#endif
    for (int fd = 0; fd < LIKELY; fd++)
        (void)close(fd);
}

/* The parent: shares the program's memory, but sends no signal when it ends, so that wait() ignores
   it. It uses the thread-local memory of the thread that created it and must not change errno: no
   call here fails. */
static int parent(void *argument)
{
    static char stack[STACK] __attribute__((aligned(64)));
    int child = clone(becomes, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, argument);

    if (child < 0)
        starting.error = errno;
    close_all();
    __atomic_store_n(&starting.done, 1, __ATOMIC_RELEASE);
    if (child > 0)
        (void)syscall(SYS_wait4, child, NULL, 0, NULL);
    return 0;
}

static const char *program(void)
{
    const char *named = hd__environment("HEDDLE_ADDR2LINE");

    if (named)
        return named;
    if (access(HD_CHECK_ADDR2LINE, X_OK) == 0 || !hd__environment_is_trusted())
        return HD_CHECK_ADDR2LINE;
    return "addr2line"; /* searched in PATH */
}

/* If clone() refuses a process without exit signal, as in some emulators: an ordinary child. In an
   emulator, /proc/PID/exe as other processes see it is the emulator, so the module's path is
   resolved first. */
static int spawn_plainly(char **module, pid_t *child)
{
    static char path[PATH_MAX];
    posix_spawn_file_actions_t files;
    ssize_t length = readlink(*module, path, sizeof path - 1);
    int error = posix_spawn_file_actions_init(&files);

    if (length > 0) {
        path[length] = '\0';
        *module = path;
    }

    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&files, starting.fd, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, starting.fd, 1);
    if (!error)
        error = posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(child, starting.program, &files, NULL, starting.arguments, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Returns 0 or the error. *parent_out is the process to wait for. */
static int process_begin(int fd, const char *module, unsigned slot, pid_t *parent_out)
{
    static char stacks[PROCESSES][PARENT_STACK] __attribute__((aligned(64)));
    char *arguments[] = {(char *)(uintptr_t)program(),
                         (char *)(uintptr_t) "-a",
                         (char *)(uintptr_t) "-f",
                         (char *)(uintptr_t) "-i",
                         (char *)(uintptr_t) "-e",
                         (char *)(uintptr_t)module,
                         NULL};
    sigset_t all, before;

    starting = (start){fd, arguments[0], arguments, 0, 0};
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    *parent_out = clone(parent, stacks[slot] + PARENT_STACK, CLONE_VM, NULL);
    if (*parent_out < 0)
        starting.error = errno == EINVAL ? spawn_plainly(&arguments[5], parent_out) : errno;
    else
        while (!__atomic_load_n(&starting.done, __ATOMIC_ACQUIRE))
            (void)usleep(50);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return starting.error;
}

static void complain(const char *why)
{
    static int complained;
    char text[512];
    int length = snprintf(text, sizeof text,
                          "heddle check: %s: %s; places are shown as module and offset (install "
                          "binutils, or name one in HEDDLE_ADDR2LINE)\n",
                          program(), why);

    if (!complained)
        hd_check_write(STDERR_FILENO, text, length > 0 ? strlen(text) : 0);
    complained = 1;
}

/* Duplicates the socket to a descriptor that programs do not normally use. */
static int high(int fd)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);

    if (moved < 0)
        return fd;
    (void)close(fd);
    return moved;
}

static process *process_make(const char *module)
{
    unsigned slot = 0;
    process *made;
    int pair[2], error;

    while (slot < PROCESSES && processes[slot].parent)
        slot++;
    if (slot == PROCESSES || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return NULL;
    made = &processes[slot];
    memset(made, 0, sizeof *made);
    error = process_begin(pair[1], module, slot, &made->parent);
    made->fd = high(pair[0]);
    (void)close(pair[1]);
    made->module = hd_check_keep(module);
    if (made->parent < 0)
        made->parent = 0;
    if (!error && made->module && fstat(made->fd, &made->made) == 0)
        return made;
    (void)close(made->fd);
    made->fd = -1;
    if (made->parent && waitpid(made->parent, NULL, (int)__WALL) > 0)
        made->parent = 0;
    if (error) {
        complain(strerror(error));
        unusable = 1;
    }
    return NULL;
}

/* ---- queries --------------------------------------------------------------------------------- */

static int still_ours(const process *p)
{
    struct stat now;

    return p->fd >= 0 && fstat(p->fd, &now) == 0 && now.st_dev == p->made.st_dev &&
           now.st_ino == p->made.st_ino;
}

/* A process that does not end in time keeps its slot, because its parent's stack is in use. */
static void process_end(process *p)
{
    if (still_ours(p)) {
        (void)shutdown(p->fd, SHUT_RDWR); /* also for children that inherited the socket */
        (void)close(p->fd);
    }
    p->fd = -1;
    for (int waited = 0; waited < END_MS; waited++) {
        if (waitpid(p->parent, NULL, (int)__WALL | WNOHANG) != 0) {
            p->parent = 0;
            return;
        }
        (void)usleep(1000);
    }
}

static process *process_of(const char *module)
{
    if (!owner)
        owner = getpid();
    if (owner != getpid())
        return NULL;
    for (unsigned i = 0; i < PROCESSES; i++) {
        process *p = &processes[i];

        if (!p->parent || p->fd < 0 || strcmp(p->module, module) != 0)
            continue;
        if (still_ours(p))
            return p;
        process_end(p);
    }
    return process_make(module);
}

void hd_check_symbolize_end(void)
{
    for (unsigned i = 0; i < PROCESSES && owner == getpid(); i++)
        if (processes[i].parent && processes[i].fd >= 0)
            process_end(&processes[i]);
    unusable = 1;
}

/* The next line of the answer without its line feed; NULL: end of input. */
static char *next_line(process *p)
{
    for (;;) {
        char *line = p->buffer + p->from, *end = memchr(line, '\n', p->to - p->from);
        struct pollfd ready = {p->fd, POLLIN, 0};
        ssize_t got;

        if (end) {
            *end = '\0';
            p->from = (size_t)(end + 1 - p->buffer);
            return line;
        }
        memmove(p->buffer, line, p->to - p->from);
        p->to -= p->from;
        p->from = 0;
        if (p->to == sizeof p->buffer)
            return NULL;
        got = poll(&ready, 1, ANSWER_MS);
        if (got < 0 && errno == EINTR)
            continue;
        if (got > 0)
            got = recv(p->fd, p->buffer + p->to, sizeof p->buffer - p->to, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return NULL;
        p->to += (size_t)got;
    }
}

static const char *known(const char *text)
{
    return text[0] == '?' ? NULL : hd_check_keep(text);
}

/* "file:12 (discriminator 3)", "file:?", "??:0" */
static void read_place(char *text, hd_check_frame *frame)
{
    char *colon = strrchr(text, ':'), *end, *real;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;

    if (!colon || text[0] == '?' || line <= 0 || line > INT32_MAX)
        return;
    *colon = '\0';
    real = realpath(text, NULL);
    frame->file = hd_check_keep(real ? real : text);
    frame->line = frame->file ? (int)line : 0;
    free(real);
}

/* Reads pairs of lines up to the end mark; -1 if they end early. */
static int read_answer(process *p, hd_check_frame frames[HD_CHECK_FRAMES])
{
    int count = 0, ended = 0;
    char *line = next_line(p); /* the address, echoed */

    while (line && (line = next_line(p)) != NULL) {
        hd_check_frame frame = {NULL, 0, NULL};
        int mark = strcmp(line, NOWHERE) == 0;

        if (mark) {
            ended = 1;
            continue; /* followed by its own two lines */
        }
        frame.function = known(line);
        line = next_line(p);
        if (!line || ended)
            break;
        read_place(line, &frame);
        if (count < HD_CHECK_FRAMES)
            frames[count++] = frame;
    }
    return line ? count : -1;
}

static int ask(const char *module, uintptr_t address, hd_check_frame frames[HD_CHECK_FRAMES])
{
    process *p = process_of(module);
    char question[64];
    int count = -1, length;

    if (!p)
        return 0;
    length = snprintf(question, sizeof question, "%#lx\n" NOWHERE "\n", (unsigned long)address);
    if (send(p->fd, question, (size_t)length, MSG_NOSIGNAL) == length)
        count = read_answer(p, frames);
    if (count < 0)
        process_end(p);
    return count;
}

unsigned hd_check_symbolize(const char *module, uintptr_t address,
                            hd_check_frame frames[HD_CHECK_FRAMES])
{
    int count;

    if (unusable || access(module, R_OK) != 0 || strcmp(program(), "none") == 0)
        return 0;
    count = ask(module, address, frames);
    if (count < 0) /* the process was killed by someone: retry once */
        count = ask(module, address, frames);
    if (count < 0)
        complain("gives no answer");
    if (count == 1 && !frames[0].function && !frames[0].line)
        return 0;
    return count < 0 ? 0 : (unsigned)count;
}
