/* SPDX-License-Identifier: Apache-2.0 */
/* child.c - runs the checked program once, with a time limit, and records how it ends. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/app/progress.h"

enum { TAIL_BYTES = 4096, TAIL_LINES = 12, POLL_NS = 2000000 };

static volatile sig_atomic_t stopped; /* signal that stops the check */

static void stop(int number)
{
    stopped = number;
}

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof *stopping };

/* ---- in the child ---------------------------------------------------------------------------- */

static void set(const char *name, const char *format, uint64_t value)
{
    char text[64];

    snprintf(text, sizeof text, format, value);
    setenv(name, text, 1);
}

static void set_variables(const check_job *job, const check_setup *setup, const char *report)
{
    setenv("HEDDLE_CHECK_REPORT", report, 1);
    set("HEDDLE_CPU_WARP", "%" PRIu64, setup->warp);
    set("HEDDLE_CHECK_SEED", "%" PRIu64, setup->seed);
    if (setup->lazy)
        set("HEDDLE_CPU_STREAMS", "lazy:%" PRIu64, setup->lazy_seed);
    else
        setenv("HEDDLE_CPU_STREAMS", "eager", 1);
    for (unsigned i = 0; check_given(i); i++)
        if (setup->left_out >> i & 1)
            unsetenv(check_given(i));
    if (job->strict)
        setenv("HEDDLE_CHECK_STRICT", "1", 1);
    if (job->suppress[0])
        setenv("HEDDLE_CHECK_SUPPRESS", job->suppress, 1);
    if (job->replay)
        set("HEDDLE_CHECK_REPLAY", "%" PRIu64, job->replay);
}

/* Copies the rest of standard input to an unlinked file. -1 with errno. */
static int copy_input(off_t at)
{
    FILE *copy = tmpfile();
    char bytes[1 << 16];
    ssize_t got = 0;

    if (!copy)
        return -1;
    while ((got = pread(0, bytes, sizeof bytes, at)) > 0) {
        if (fwrite(bytes, 1, (size_t)got, copy) != (size_t)got)
            return -1;
        at += got;
    }
    return got == 0 && fflush(copy) == 0 && lseek(fileno(copy), 0, SEEK_SET) == 0 ? fileno(copy)
                                                                                  : -1;
}

/* If standard input is a file, every run reads it from its current position, with its own file
   offset: the caller's offset does not move, so a script may keep reading from it. Otherwise the
   run gets empty input. A file that cannot be reopened is copied. */
static int open_input(void)
{
    const off_t at = lseek(0, 0, SEEK_CUR);
    struct stat info;
    int fd;

    if (fstat(0, &info) != 0 || !S_ISREG(info.st_mode) || at < 0)
        return open("/dev/null", O_RDONLY);
    fd = open("/proc/self/fd/0", O_RDONLY);
    if (fd < 0)
        return copy_input(at);
    return lseek(fd, at, SEEK_SET) == at ? fd : -1;
}

/* Where the program's output goes: a file, or with --verbose the tool's standard error. */
static int open_output(const check_job *job, const char *path)
{
    return job->verbose ? 2 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
}

static void __attribute__((noreturn))
become(const check_job *job, const check_setup *setup, const check_files *files, int failed)
{
    int in = open_input(), out, errors, error;

    (void)setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (int i = 0; i < STOPPING; i++)
        signal(stopping[i], SIG_DFL);
    out = open_output(job, files->printed);
    errors = job->judge ? open_output(job, files->errors) : out;
    if (in < 0 || out < 0 || errors < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(errors, 2) < 0)
        goto broken;
    set_variables(job, setup, files->report);
    execvp(job->program[0], job->program);
broken:
    error = errno;
    while (write(failed, &error, sizeof error) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

/* ---- in the parent --------------------------------------------------------------------------- */

static void wait_a_moment(void)
{
    struct timespec moment = {0, POLL_NS};

    nanosleep(&moment, NULL);
}

static void end_group(pid_t child)
{
    if (kill(-child, SIGKILL) < 0)
        kill(child, SIGKILL);
}

/* Until the program ends, reaches the time limit, or the check is interrupted. */
static void wait_for(const check_job *job, pid_t child, check_run *run)
{
    double began = cli_now();
    int status = 0, ended;

    while ((ended = waitpid(child, &status, WNOHANG) == child) == 0) {
        run->timed_out = job->timeout > 0 && cli_now() - began > job->timeout;
        if (run->timed_out || stopped)
            break;
        wait_a_moment();
    }
    if (!ended) {
        end_group(child);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    if (ended && job->judge)
        (void)kill(-child, SIGKILL); /* what the program has left running */
    run->seconds = cli_now() - began;
    if (WIFEXITED(status))
        run->status = WEXITSTATUS(status);
    else if (WIFSIGNALED(status) && !run->timed_out && !stopped)
        run->signal = WTERMSIG(status);
}

static int start_and_wait(const check_job *job, const check_files *files, check_run *run)
{
    int pipe_ends[2], error = 0;
    pid_t child;

    if (pipe2(pipe_ends, O_CLOEXEC) < 0)
        return errno;
    fflush(NULL);
    child = fork();
    if (child == 0)
        become(job, &run->setup, files, pipe_ends[1]);
    close(pipe_ends[1]);
    if (child < 0)
        error = errno;
    else if (read(pipe_ends[0], &error, sizeof error) != sizeof error)
        error = 0;
    close(pipe_ends[0]);
    if (child > 0)
        wait_for(job, child, run);
    return error;
}

/* The beginning of a file; NULL if it cannot be read. */
static char *begin_of(const char *file)
{
    FILE *stream = fopen(file, "r");
    char *text = stream ? calloc(1, CHECK_KEPT + 1) : NULL;

    if (text)
        text[fread(text, 1, CHECK_KEPT, stream)] = '\0';
    if (stream)
        fclose(stream);
    return text;
}

/* Size and FNV-1a hash of a whole file, by which outputs are compared: the text that is kept ends
   at CHECK_KEPT bytes or at the first NUL. */
static void measure(const char *file, uint64_t *bytes_out, uint64_t *hash_out)
{
    FILE *stream = fopen(file, "r");
    unsigned char bytes[1 << 12];
    uint64_t count = 0, hash = 0xcbf29ce484222325u;
    size_t got;

    while (stream && (got = fread(bytes, 1, sizeof bytes, stream)) > 0) {
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
        count += got;
    }
    if (stream)
        fclose(stream);
    *bytes_out = count;
    *hash_out = hash;
}

int check_child(const check_job *job, const check_files *files, check_run *run)
{
    struct sigaction action, before[STOPPING];

    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < STOPPING; i++)
        sigaction(stopping[i], &action, &before[i]);
    run->error = start_and_wait(job, files, run);
    for (int i = 0; i < STOPPING; i++)
        sigaction(stopping[i], &before[i], NULL);
    if (!job->verbose && (run->status || run->signal || run->timed_out))
        run->tail = check_tail(files->printed);
    if (job->judge) {
        run->output = begin_of(files->printed);
        run->errors = begin_of(files->errors);
        measure(files->printed, &run->output_bytes, &run->output_hash);
    }
    return stopped;
}

char *check_tail(const char *file)
{
    FILE *stream = fopen(file, "r");
    char *text = calloc(1, TAIL_BYTES + 1);
    size_t length = 0, lines = 0, from;

    if (stream && text) {
        if (fseek(stream, -(long)TAIL_BYTES, SEEK_END) < 0)
            rewind(stream);
        length = fread(text, 1, TAIL_BYTES, stream);
    }
    if (stream)
        fclose(stream);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (from = length; from > 0; from--)
        if (text[from - 1] == '\n' && ++lines == TAIL_LINES)
            break;
    if (length == 0) {
        free(text);
        return NULL;
    }
    memmove(text, text + from, length - from + 1);
    return text;
}
