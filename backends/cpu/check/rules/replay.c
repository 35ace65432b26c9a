/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - runs launches a second time at the other warp size and compares the memory afterwards.
   HEDDLE_CHECK_REPLAY=n does so for the first n launches of each kernel that have the device to
   themselves.

   The worker forks before the launch's first block. The child has this thread only and a copy of
   all memory, and runs the same launch with warps of 64 lanes instead of 32 or vice versa. At its
   end it sends a hash of every 4 KiB of live memory, then the pieces that the parent requests. The
   child reports nothing else, and ends after a few seconds at the latest, or with its parent: a
   launch that waits for the host or takes too long is not compared.

       parent  fork --- runs the launch -------- compares hashes --- requests pieces --- reports
                  \                                  ^                    |    ^
       child       --- runs at the other warp size --+ hashes             +----+ pieces --- ends */
#include "observe.h"
#include "check/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 4096, SECONDS = 10, LIVE_MAX = 256 << 20 };

static const double watchdog = 0.5; /* seconds */

typedef struct answer { /* sent first by the child */
    hd_status status;
    char text[256];
} answer;

typedef struct piece {
    uint64_t address, bytes;
} piece;

/* The launch being compared; accessed by the worker only. */
static struct {
    hd_cpu_launch *launch;
    pid_t child;
    int fd;
    unsigned operations;
    double began;
} now;

/* ---- which launches -------------------------------------------------------------------------- */

typedef struct replayed {
    struct replayed *next;
    const hd_kernel *kernel;
    unsigned times;
} replayed;

static replayed *replayed_of(const hd_kernel *kernel)
{
    static replayed *all;
    replayed *r = all;

    while (r && r->kernel != kernel)
        r = r->next;
    if (!r && (r = calloc(1, sizeof *r))) {
        r->kernel = kernel;
        r->next = all;
        all = r;
    }
    return r;
}

static size_t live_bytes(void)
{
    size_t bytes = 0;

    for (const hd_check_allocation *a = NULL; (a = hd_check_live_after(a ? a->base : 0));)
        bytes += a->bytes;
    return bytes;
}

static int wanted(const hd_cpu_launch *launch)
{
    replayed *r;

    if (!hd_check_options.replay || hd_check_replaying || now.launch || launch->failed)
        return 0;
    r = replayed_of(launch->kernel);
    if (!r || r->times >= hd_check_options.replay || hd_check_any_registered() ||
        live_bytes() > LIVE_MAX)
        return 0;
    r->times++;
    return 1;
}

/* ---- pieces of memory ------------------------------------------------------------------------ */

static uint64_t hash_of(const piece *p)
{
    const unsigned char *at = (const unsigned char *)(uintptr_t)p->address;
    uint64_t hash = p->bytes, word = 0;

    for (size_t i = 0; i < p->bytes; i += 8) {
        size_t left = p->bytes - i;

        memcpy(&word, at + i, left < 8 ? left : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The next piece after `p`; the first one if `p` is empty. 0: no more. */
static int piece_next(piece *p, const hd_check_allocation **in)
{
    uint64_t end = *in ? (*in)->base + (*in)->bytes : 0, at = p->address + p->bytes;

    if (!*in || at >= end) {
        *in = hd_check_live_after(*in ? (*in)->base : 0);
        if (!*in)
            return 0;
        at = (*in)->base;
        end = at + (*in)->bytes;
    }
    p->address = at;
    p->bytes = end - at < PIECE ? end - at : PIECE;
    return 1;
}

static int send_all(int fd, const void *data, size_t bytes)
{
    while (bytes) {
        ssize_t sent = send(fd, data, bytes, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return 0;
        data = (const char *)data + sent;
        bytes -= (size_t)sent;
    }
    return 1;
}

/* 0: end of data, or the deadline has passed. */
static int receive_all(int fd, void *data, size_t bytes, double deadline)
{
    while (bytes) {
        struct pollfd ready = {fd, POLLIN, 0};
        double left = deadline - hd_cpu_now();
        ssize_t got = 0;

        if (left <= 0 || poll(&ready, 1, (int)(1000 * left) + 1) < 0)
            if (left <= 0 || errno != EINTR)
                return 0;
        if (ready.revents && (got = recv(fd, data, bytes, 0)) <= 0)
            return 0;
        data = (char *)data + got;
        bytes -= (size_t)got;
    }
    return 1;
}

/* ---- the child ------------------------------------------------------------------------------- */

static void child_prepare(void)
{
    hd_cpu_config *config = (hd_cpu_config *)(uintptr_t)hd_cpu_config_get();
    struct rlimit no_core = {0, 0};
    int nowhere = open("/dev/null", O_RDWR);
    sigset_t clock;

    hd_check_replaying = 1;
    hd_check_options.report = NULL;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)signal(SIGALRM, SIG_DFL);
    (void)sigemptyset(&clock);
    (void)sigaddset(&clock, SIGALRM);
    (void)pthread_sigmask(SIG_UNBLOCK, &clock, NULL);
    (void)alarm(SECONDS);
    if (nowhere < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0)
        _exit(1);
    config->warp_size = config->warp_size == 32 ? 64 : 32;
    config->watchdog = watchdog; /* threads that the launch waits for are missing */
}

static void __attribute__((noreturn)) child_answer(const hd_cpu_launch *launch)
{
    const hd_check_allocation *in = NULL;
    piece p = {0, 0};
    answer a = {launch->status, ""};

    (void)snprintf(a.text, sizeof a.text, "%.255s", launch->text);
    if (!send_all(now.fd, &a, sizeof a))
        _exit(1);
    while (piece_next(&p, &in)) {
        uint64_t hash = hash_of(&p);

        if (!send_all(now.fd, &hash, sizeof hash))
            _exit(1);
    }
    while (receive_all(now.fd, &p, sizeof p, hd_cpu_now() + SECONDS))
        if (!send_all(now.fd, (const void *)(uintptr_t)p.address, p.bytes))
            break;
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

static hd_check_finding about(const hd_cpu_launch *launch)
{
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = HD_CHECK_WARP_DEPENDENT;
    f.side[0].verb = "is made";
    f.side[0].op = launch->op->check;
    f.side[0].thread = ~0u;
    return f;
}

static unsigned other_size(void)
{
    return hd_cpu_config_get()->warp_size == 32 ? 64 : 32;
}

/* The launch succeeds in the parent and fails in the child. Failures that may come from a lack of
   memory, or of another thread to wait for, are not reported. */
static void report_failure(const hd_cpu_launch *launch, const answer *a)
{
    hd_check_finding f = about(launch);

    if (a->status != HD_ERR_STATE && a->status != HD_ERR_ILLEGAL_ADDRESS &&
        a->status != HD_ERR_ASSERT)
        return;
    (void)snprintf(f.detail, sizeof f.detail, "at warp size %u the launch fails: %.180s",
                   other_size(), a->text);
    hd_check_report(&f);
}

/* Describes the address as for a thread of the launch. */
static void describe(const hd_cpu_launch *launch, uintptr_t address, char *text, size_t size)
{
    hd_cpu_resident *block = hd_cpu_self->free_residents, *before = hd_check_me.block;

    hd_check_me.block = block && block->launch == launch ? block : NULL;
    hd_check_describe(address, text, size);
    hd_check_me.block = before;
}

/* The last writer of the address, if it was this launch: the place to look for the reason. */
static hd_check_side writer(const hd_cpu_launch *launch, uintptr_t address)
{
    const hd_check_op *op = launch->op->check;
    const hd_check_record write = hd_check_record_of(hd_check_cell_at(address)->write);
    const hd_check_record atomic = hd_check_record_of(hd_check_rare_at(address)->atomic);

    if (atomic.serial - op->serial < op->blocks && !(atomic.meta & HD_CHECK_READS))
        return hd_check_side_of(&atomic, HD_CHECK_ATOMIC);
    if (write.serial - op->serial < op->blocks)
        return hd_check_side_of(&write, HD_CHECK_WRITE);
    return (hd_check_side){.verb = "is made", .op = op, .thread = ~0u};
}

/* The value at `at`, with the element type that the description of the object names. */
static void put_value(char *text, size_t size, const unsigned char *at, const char *object)
{
    uint32_t word;
    float real;
    double wide;

    memcpy(&word, at, sizeof word);
    memcpy(&real, at, sizeof real);
    if (strstr(object, "(double") || strstr(object, "(const double")) {
        memcpy(&wide, at, sizeof wide);
        (void)snprintf(text, size, "%.17g", wide);
    } else if (strstr(object, "(float") || strstr(object, "(const float")) {
        (void)snprintf(text, size, "%.9g", (double)real);
    } else {
        (void)snprintf(text, size, "%u (%#x)", word, word);
    }
}

static void report_difference(const hd_cpu_launch *launch, const piece *p,
                              const unsigned char *theirs, size_t pieces)
{
    unsigned char ours[PIECE + 8] = {0},
                               other[PIECE + 8] = {0}; /* + 8: the last value may be cut */
    hd_check_finding f = about(launch);
    char here[64], there[64];
    size_t at = 0;

    memcpy(ours, (const void *)(uintptr_t)p->address, p->bytes);
    memcpy(other, theirs, p->bytes);
    while (at < p->bytes && ours[at] == other[at])
        at++;
    if (at == p->bytes)
        return;
    at &= ~(size_t)3;
    f.side[0] = writer(launch, p->address + at);
    describe(launch, p->address + at, f.object, sizeof f.object);
    if (strstr(f.object, "double *"))
        at &= ~(size_t)7;
    put_value(here, sizeof here, ours + at, f.object);
    put_value(there, sizeof there, other + at, f.object);
    (void)snprintf(f.detail, sizeof f.detail,
                   "%s with warps of %u lanes, %s with %u; memory differs in %zu piece%s of 4 KiB",
                   here, hd_cpu_config_get()->warp_size, there, other_size(), pieces,
                   pieces == 1 ? "" : "s");
    hd_check_report(&f);
}

/* 0: the child did not answer. */
static int compare(const hd_cpu_launch *launch, double deadline)
{
    const hd_check_allocation *in = NULL;
    piece p = {0, 0}, first = {0, 0};
    unsigned char theirs[PIECE];
    size_t pieces = 0;
    answer a;

    if (!receive_all(now.fd, &a, sizeof a, deadline))
        return 0;
    if (a.status != HD_OK) {
        a.text[sizeof a.text - 1] = 0;
        report_failure(launch, &a);
        return 1;
    }
    while (piece_next(&p, &in)) {
        uint64_t hash;

        if (!receive_all(now.fd, &hash, sizeof hash, deadline))
            return 0;
        if (hash == hash_of(&p))
            continue;
        if (!pieces++)
            first = p;
    }
    if (!pieces)
        return 1;
    if (!send_all(now.fd, &first, sizeof first) ||
        !receive_all(now.fd, theirs, first.bytes, deadline))
        return 0;
    report_difference(launch, &first, theirs, pieces);
    return 1;
}

static void child_end(void)
{
    (void)close(now.fd);
    (void)kill(now.child, SIGKILL);
    while (waitpid(now.child, NULL, 0) < 0 && errno == EINTR)
        ;
    now.launch = NULL;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* No other work changes memory meanwhile. With the lock held. */
static int alone(const hd_cpu_launch *launch)
{
    return hd_cpu.flight == launch && !launch->next_flight && !hd_cpu.executing;
}

void hd_check_launch_begins(hd_cpu_launch *launch)
{
    int fds[2];
    pid_t child;

    if (!hd_check_options.replay)
        return;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (!alone(launch) || !wanted(launch) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return;
    }
    /* The child gets a zeroed shadow, so that nothing is copied. */
    hd_check_shadow_private();
    now.operations = hd_check_op_count();
    now.began = hd_cpu_now();
    child = fork(); /* with the lock: the child's engine is consistent */
    if (child == 0)
        child_prepare();
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    now.fd = fds[child == 0];
    (void)close(fds[child != 0]);
    if (child < 0) {
        (void)close(now.fd);
        return;
    }
    now.child = child;
    now.launch = launch;
}

void hd_check_launch_ends(hd_cpu_launch *launch)
{
    if (launch != now.launch)
        return;
    if (hd_check_replaying)
        child_answer(launch);
    if (launch->status == HD_OK && now.operations == hd_check_op_count())
        (void)compare(launch, now.began + SECONDS);
    child_end();
}
