/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - detects dead ranks on the node, and waits that exceed the timeout. */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/backend.h"

enum {
    TICK_MS = 20,
    STEP_MS = 100,    /* limit for one clock step, so that a stopped process does not age */
    QUIET_MS = 10000, /* a rank without a tick for this long counts as dead */
    ABORT_SECONDS = 5 /* for MPI_Abort; then the process exits */
};

enum { ABSENT, HERE, LEFT };

/* The state that a rank publishes to the others on its node. */
typedef struct slot {
    _Alignas(64) _Atomic uint64_t ticks;
    _Atomic uint64_t since; /* this rank's age in ms when its wait began */
    _Atomic int state;
    _Atomic int wait;
    _Atomic int peer;
    int rank;
    int64_t pid;
    uint64_t pid_space;         /* PID namespace: needed to check another rank's process */
    char failure[HD__MPI_NOTE]; /* the failure that it waits to agree on; set before `wait` */
} slot;

typedef struct page {
    _Atomic int ending; /* a rank is ending the job */
    slot slots[];
} page;

/* What this rank has observed of another one. */
typedef struct sight {
    uint64_t ticks, at;
} sight;

struct hd__mpi_watch {
    MPI_Comm comm, node;
    MPI_Win window;
    page *shared;
    slot *own;
    sight *sights;
    const hd_mpi_place *places;
    int size, node_size;
    _Atomic uint64_t age;    /* ms that this rank has run */
    _Atomic int64_t timeout; /* ms; negative: no timeout */
    atomic_int stopping;
    int watched; /* the thread runs */
    pthread_t thread;
    hd__mpi_watch *earlier; /* next older watch of this process */
};

/* Watches of this process, latest first. A thread that ends the job takes the lock and keeps it: no
   watch can be stopped then, and no other thread ends the job as well. */
static pthread_mutex_t watches_lock = PTHREAD_MUTEX_INITIALIZER;
static hd__mpi_watch *watches;

static const char *wait_text(int wait)
{
    static const char *const texts[] = {
#define TEXT_(name, text) text,
        HD__MPI_WAIT_LIST(TEXT_)
#undef TEXT_
    };
    return wait >= 0 && wait < (int)(sizeof texts / sizeof *texts) ? texts[wait] : "?";
}

/* ---- ending the job -------------------------------------------------------------------------- */

/* Ranks with several communicators watch each other in each; the page of the largest communicator,
   or of the oldest such, decides which rank prints. */
static page *deciding_page(const hd__mpi_watch *watch)
{
    for (const hd__mpi_watch *w = watches; w; w = w->earlier)
        watch = w->node_size >= watch->node_size ? w : watch;
    return watch->shared;
}

/* One rank of the node prints the line; all call MPI_Abort, in case one of them cannot. */
static void end_job(hd__mpi_watch *watch, const char *line)
{
    struct timespec moment = {ABORT_SECONDS - 1, 0};
    (void)pthread_mutex_lock(&watches_lock);
    if (atomic_exchange(&deciding_page(watch)->ending, 1) == 0) {
        (void)dprintf(STDERR_FILENO, "heddle: mpi: %s; rank %d ends the job\n", line,
                      watch->own->rank);
    } else {
        (void)nanosleep(&moment, NULL);
    }
    (void)signal(SIGALRM, SIG_DFL);
    (void)alarm(ABORT_SECONDS);
    (void)MPI_Abort(watch->comm, 1);
    _exit(1);
}

static void describe(const hd__mpi_watch *watch, int rank, char *text, size_t size)
{
    const hd_mpi_place *place = &watch->places[rank];
    (void)snprintf(text, size, "rank %d (%s, process %lld, device %d)", rank, place->host,
                   (long long)place->pid, place->device);
}

static void rank_died(hd__mpi_watch *watch, const slot *other)
{
    char who[160], line[320];
    describe(watch, other->rank, who, sizeof who);
    (void)snprintf(line, sizeof line, "%s died: its process is gone", who);
    end_job(watch, line);
}

/* The process may be stopped, or it was in another container and is gone. */
static void rank_is_quiet(hd__mpi_watch *watch, const slot *other, double seconds)
{
    char who[160], line[320];
    describe(watch, other->rank, who, sizeof who);
    (void)snprintf(line, sizeof line, "%s gives no sign of life for %.1f s", who, seconds);
    end_job(watch, line);
}

static const slot *slot_of(const hd__mpi_watch *watch, int rank)
{
    for (int i = 0; i < watch->node_size; i++)
        if (watch->shared->slots[i].rank == rank)
            return &watch->shared->slots[i];
    return NULL;
}

/* The rank to blame, in this order: another rank that is not waiting; one that reported a failure
   (maybe this one); one that waits for another operation. */
static int find_absent(const hd__mpi_watch *watch)
{
    int absent = HD__MPI_NOBODY, failed = HD__MPI_NOBODY;
    for (int i = 0; i < watch->node_size; i++) {
        const slot *other = &watch->shared->slots[i];
        const int wait = atomic_load(&other->wait);
        if (wait == HD__MPI_BUSY && other != watch->own)
            return other->rank;
        if (failed < 0 && wait == HD__MPI_AGREE && other->failure[0])
            failed = other->rank;
        if (absent < 0 && wait != atomic_load(&watch->own->wait))
            absent = other->rank;
    }
    return failed < 0 ? absent : failed;
}

/* The rank that all others wait for, as far as this node knows: the end of the chain of ranks that
   wait for each other, or an absent one. */
static int find_late(const hd__mpi_watch *watch)
{
    int peer = atomic_load(&watch->own->peer);
    for (int step = 0; peer >= 0 && step < watch->node_size; step++) {
        const slot *other = slot_of(watch, peer);
        const int next = other ? atomic_load(&other->peer) : HD__MPI_NOBODY;
        if (next < 0 || next == watch->own->rank)
            break;
        peer = next;
    }
    return peer < 0 ? find_absent(watch) : peer;
}

static void waited_too_long(hd__mpi_watch *watch, double seconds)
{
    const int late = find_late(watch);
    const slot *other = late >= 0 ? slot_of(watch, late) : NULL;
    const int doing = other ? atomic_load(&other->wait) : HD__MPI_BUSY;
    const char *failure = doing == HD__MPI_AGREE ? other->failure : "";
    char self[160], who[160] = "a rank of another node", line[512 + HD__MPI_NOTE];
    describe(watch, watch->own->rank, self, sizeof self);
    if (late >= 0)
        describe(watch, late, who, sizeof who);
    else if (watch->node_size == watch->size) /* all wait, but not for each other */
        (void)snprintf(who, sizeof who, "some rank's device");
    (void)snprintf(line, sizeof line, "%s is late: %s %s, and has waited %.1f s%s%s%s%s", who, self,
                   wait_text(atomic_load(&watch->own->wait)), seconds,
                   other ? "; the late one " : "", other ? wait_text(doing) : "",
                   *failure ? " that it has failed: " : "", failure);
    end_job(watch, line);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* At most half of the timeout, so that a wait for a dead rank is reported as its death. */
static uint64_t quiet_limit(const hd__mpi_watch *watch)
{
    const int64_t timeout = atomic_load(&watch->timeout);
    return timeout > 0 && timeout / 2 < QUIET_MS ? (uint64_t)timeout / 2 : QUIET_MS;
}

static void look_at(hd__mpi_watch *watch, int index)
{
    const slot *other = &watch->shared->slots[index];
    sight *seen = &watch->sights[index];
    const uint64_t ticks = atomic_load(&other->ticks);
    if (other == watch->own || atomic_load(&other->state) != HERE)
        return;
    if (ticks != seen->ticks) {
        seen->ticks = ticks;
        seen->at = watch->age;
        return;
    }
    if (other->pid_space == watch->own->pid_space && kill((pid_t)other->pid, 0) < 0 &&
        errno == ESRCH && atomic_load(&other->state) == HERE)
        rank_died(watch, other);
    if (watch->age - seen->at > quiet_limit(watch))
        rank_is_quiet(watch, other, 1e-3 * (double)(watch->age - seen->at));
}

static void look_at_self(hd__mpi_watch *watch)
{
    const int64_t timeout = atomic_load(&watch->timeout);
    const uint64_t since = atomic_load(&watch->own->since);
    if (atomic_load(&watch->own->wait) == HD__MPI_BUSY || timeout < 0)
        return;
    if (watch->age > since && watch->age - since > (uint64_t)timeout &&
        since == atomic_load(&watch->own->since))
        waited_too_long(watch, 1e-3 * (double)(watch->age - since));
}

static int64_t clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *watch_thread(void *argument)
{
    hd__mpi_watch *watch = argument;
    const struct timespec tick = {0, TICK_MS * 1000000L};
    int64_t last = clock_ms();
    while (!atomic_load(&watch->stopping)) {
        const int64_t now = clock_ms();
        const int64_t step = now - last;
        last = now;
        atomic_fetch_add(&watch->age, (uint64_t)(step < STEP_MS ? step : STEP_MS));
        atomic_fetch_add(&watch->own->ticks, 1);
        for (int i = 0; i < watch->node_size; i++)
            look_at(watch, i);
        look_at_self(watch);
        (void)nanosleep(&tick, NULL);
    }
    return NULL;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void sign_in(hd__mpi_watch *watch, int node_rank)
{
    struct stat space;
    slot *own = &watch->shared->slots[node_rank];
    int rank = 0;
    (void)MPI_Comm_rank(watch->comm, &rank);
    own->rank = rank;
    own->failure[0] = '\0';
    own->pid = getpid();
    own->pid_space = stat("/proc/self/ns/pid", &space) == 0 ? (uint64_t)space.st_ino
                                                            : (uint64_t)own->pid;
    atomic_store(&own->peer, HD__MPI_NOBODY);
    atomic_store(&own->wait, HD__MPI_BUSY);
    atomic_store(&own->state, HERE);
    watch->own = own;
}

static int make_page(hd__mpi_watch *watch, int node_rank)
{
    const size_t bytes = sizeof(page) + (size_t)watch->node_size * sizeof(slot) + _Alignof(page);
    MPI_Aint size = 0;
    int unit = 1;
    void *base = NULL;
    int code = MPI_Win_allocate_shared(node_rank == 0 ? (MPI_Aint)bytes : 0, 1, MPI_INFO_NULL,
                                       watch->node, &base, &watch->window);
    if (code == MPI_SUCCESS)
        code = MPI_Win_shared_query(watch->window, 0, &size, &unit, &base);
    if (code != MPI_SUCCESS)
        return code;
    watch->shared = (page *)(((uintptr_t)base + _Alignof(page) - 1) & ~(_Alignof(page) - 1));
    if (node_rank == 0) {
        atomic_store(&watch->shared->ending, 0);
        for (int i = 0; i < watch->node_size; i++) {
            atomic_store(&watch->shared->slots[i].state, ABSENT);
            atomic_store(&watch->shared->slots[i].ticks, 0);
        }
    }
    return MPI_Barrier(watch->node);
}

static void list_watch(hd__mpi_watch *watch)
{
    (void)pthread_mutex_lock(&watches_lock);
    watch->earlier = watches;
    watches = watch;
    (void)pthread_mutex_unlock(&watches_lock);
}

static void unlist_watch(const hd__mpi_watch *watch)
{
    (void)pthread_mutex_lock(&watches_lock);
    for (hd__mpi_watch **at = &watches; *at; at = &(*at)->earlier)
        if (*at == watch) {
            *at = watch->earlier;
            break;
        }
    (void)pthread_mutex_unlock(&watches_lock);
}

/* The thread blocks all signals, which are for the program's threads. */
static int start_thread(hd__mpi_watch *watch)
{
    sigset_t all, before;
    int failed;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&watch->thread, NULL, watch_thread, watch);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

hd_status hd__mpi_watch_start(MPI_Comm comm, MPI_Comm node, const hd_mpi_place *places, int size,
                              double timeout, hd__mpi_watch **watch)
{
    static const char call[] = "hd_mpi_create";
    hd__mpi_watch *made = calloc(1, sizeof *made);
    int node_rank = 0, alone = made == NULL, any = 1;
    if (made) {
        made->comm = comm;
        made->node = node;
        made->places = places;
        made->size = size;
        (void)MPI_Comm_size(node, &made->node_size);
        made->sights = calloc((size_t)made->node_size, sizeof *made->sights);
        alone = made->sights == NULL;
    }
    (void)MPI_Comm_rank(node, &node_rank);
    if (MPI_Allreduce(&alone, &any, 1, MPI_INT, MPI_MAX, node) != MPI_SUCCESS || any) {
        if (made)
            free(made->sights);
        free(made);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the watch");
    }
    if (make_page(made, node_rank) != MPI_SUCCESS) {
        free(made->sights);
        free(made);
        return hd__fail(HD_ERR_BACKEND, call, "no memory that the ranks of this node share");
    }
    hd__mpi_watch_timeout(made, timeout);
    sign_in(made, node_rank);
    list_watch(made);
    *watch = made;
    made->watched = start_thread(made) == 0;
    if (!made->watched) {
        atomic_store(&made->own->state, LEFT);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no thread for the watch");
    }
    return HD_OK;
}

void hd__mpi_watch_stop(hd__mpi_watch *watch)
{
    if (!watch)
        return;
    hd__mpi_watch_enter(watch, HD__MPI_LEAVE, HD__MPI_EVERYBODY);
    (void)MPI_Barrier(watch->node);
    atomic_store(&watch->own->state, LEFT);
    atomic_store(&watch->stopping, 1);
    if (watch->watched)
        (void)pthread_join(watch->thread, NULL);
    unlist_watch(watch);
    (void)MPI_Win_free(&watch->window);
    free(watch->sights);
    free(watch);
}

void hd__mpi_watch_timeout(hd__mpi_watch *watch, double seconds)
{
    const double limit = 1e9; /* 30 years */
    atomic_store(&watch->timeout,
                 seconds < 0 ? -1 : (int64_t)(1e3 * (seconds < limit ? seconds : limit)));
}

void hd__mpi_watch_note(hd__mpi_watch *watch, const char *failure)
{
    if (watch)
        (void)snprintf(watch->own->failure, sizeof watch->own->failure, "%s", failure);
}

void hd__mpi_watch_enter(hd__mpi_watch *watch, hd__mpi_wait wait, int peer)
{
    if (!watch)
        return;
    atomic_store(&watch->own->since, watch->age);
    atomic_store(&watch->own->peer, peer);
    atomic_store(&watch->own->wait, (int)wait);
}

void hd__mpi_watch_leave(hd__mpi_watch *watch)
{
    if (!watch)
        return;
    atomic_store(&watch->own->wait, HD__MPI_BUSY);
    atomic_store(&watch->own->peer, HD__MPI_NOBODY);
}
