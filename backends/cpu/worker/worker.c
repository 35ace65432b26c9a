/* SPDX-License-Identifier: Apache-2.0 */
/* worker.c - the threads that run blocks. A worker goes round: parked blocks whose wait is over,
   then new blocks of the launches it visits, then launches it has not visited yet; then it waits.

   Blocks of a launch start in the order of their numbers on each worker, and chunks of numbers are
   claimed in order: the lowest block that is not finished always runs or can start, so waiting for
   blocks of lower numbers cannot dead-lock. */
#include "observe.h"

#include <fenv.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

hd_cpu_engine hd_cpu = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
_Thread_local hd_cpu_worker *hd_cpu_self;

enum { SPINS = 4000, SPINS_OF_YIELD = 64, SLEEP_MIN_US = 50, SLEEP_MAX_US = 1000 };

double hd_cpu_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void breathe(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- a worker's part in a launch ------------------------------------------------------------- */

static void visit_wake(hd_cpu_visit *visit)
{
    if (visit->awake)
        return;
    visit->awake = 1;
    __atomic_fetch_add(&visit->launch->awake, 1, __ATOMIC_ACQ_REL);
    if (visit->full)
        __atomic_fetch_sub(&visit->launch->full, 1, __ATOMIC_ACQ_REL);
    visit->full = 0;
}

/* Nothing of the launch can run on this worker now. Tells the host thread that may wait for it. */
static void visit_settle(hd_cpu_visit *visit)
{
    hd_cpu_launch *launch = visit->launch;

    if (!visit->awake)
        return;
    visit->awake = 0;
    visit->full = visit->residents == launch->residents;
    if (visit->full)
        __atomic_fetch_add(&launch->full, 1, __ATOMIC_ACQ_REL);
    __atomic_fetch_sub(&launch->awake, 1, __ATOMIC_ACQ_REL);
    if (!hd_cpu_launch_waits(launch))
        return;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (hd_cpu.host_waiters)
        (void)pthread_cond_broadcast(&hd_cpu.changed);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

static int visit_claim(hd_cpu_visit *visit)
{
    hd_cpu_launch *launch = visit->launch;
    size_t at;

    if (__atomic_load_n(&launch->next, __ATOMIC_RELAXED) >= launch->blocks)
        return 0;
    visit_wake(visit);
    at = __atomic_fetch_add(&launch->next, launch->chunk, __ATOMIC_ACQ_REL);
    if (at >= launch->blocks)
        return 0;
    visit->at = at;
    visit->end = launch->blocks - at < launch->chunk ? launch->blocks : at + launch->chunk;
    return 1;
}

int hd_cpu_urgent_waits(const hd_cpu_worker *worker)
{
    return __atomic_load_n(&hd_cpu.urgent, __ATOMIC_RELAXED) != worker->urgent_seen;
}

int hd_cpu_visit_next(hd_cpu_resident *block)
{
    hd_cpu_visit *visit = &block->launch->visit[block->worker->id];

    if (visit->at == visit->end || __atomic_load_n(&block->launch->failed, __ATOMIC_RELAXED) ||
        hd_cpu_urgent_waits(block->worker))
        return 0;
    visit->done++;
    visit->at++;
    hd_cpu_block_follow(block);
    return 1;
}

/* A failed launch starts no more blocks: they count as done. */
static void visit_drop(hd_cpu_visit *visit)
{
    hd_cpu_launch *launch = visit->launch;
    size_t next = __atomic_exchange_n(&launch->next, launch->blocks, __ATOMIC_ACQ_REL);

    if (next < launch->blocks)
        visit->done += launch->blocks - next;
    visit->done += visit->end - visit->at;
    visit->at = visit->end;
}

static void visit_leave(hd_cpu_worker *worker, hd_cpu_visit *visit)
{
    hd_cpu_visit **link = &worker->visits;

    while (*link != visit)
        link = &(*link)->next;
    *link = visit->next;
    worker->look = 1;
    visit_settle(visit);
}

/* Reports what is done; the last one ends the launch. The visit ends when nothing can follow. */
static void visit_report(hd_cpu_worker *worker, hd_cpu_visit *visit)
{
    hd_cpu_launch *launch = visit->launch;
    size_t done = visit->done;
    int over, last;

    if (__atomic_load_n(&launch->failed, __ATOMIC_ACQUIRE)) {
        visit_drop(visit);
        done = visit->done;
    }
    over = !visit->residents && visit->at == visit->end &&
           __atomic_load_n(&launch->next, __ATOMIC_ACQUIRE) >= launch->blocks;
    visit->done = 0;
    last = done && __atomic_sub_fetch(&launch->remaining, done, __ATOMIC_ACQ_REL) == 0;
    if (over)
        visit_leave(worker, visit);
    if (last) {
        hd_check_launch_ends(launch);
        hd_cpu_op_launched(launch);
    }
    if (over)
        hd_cpu_launch_release(launch);
}

/* ---- running a block ------------------------------------------------------------------------- */

static hd_cpu_resident *resident_take(hd_cpu_worker *worker, hd_cpu_launch *launch)
{
    hd_cpu_resident *block = worker->free_residents;
    hd_cpu_dims *dims;

    if (block)
        worker->free_residents = block->next;
    else
        block = hd_cpu_resident_make(worker);
    if (!block)
        return NULL;
    dims = &block->view.dims;
    block->launch = launch;
    block->threads = launch->threads;
    dims->warp_size = hd_cpu_config_get()->warp_size;
    dims->threads = launch->threads;
    dims->block_dim = launch->block;
    dims->grid_dim = launch->grid;
    block->shift = dims->warp_size == 64 ? 6 : 5;
    block->lane_mask = dims->warp_size - 1;
    block->all_lanes = ~(uint64_t)0 >> (64 - dims->warp_size);
    block->warps = (launch->threads + dims->warp_size - 1) >> block->shift;
    return block;
}

static void resident_retire(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    hd_cpu_visit *visit = &block->launch->visit[worker->id];

    hd_check_block_ends(block);
    visit->residents--;
    visit->done++;
    block->next = worker->free_residents;
    worker->free_residents = block;
}

static void stuck_report(hd_cpu_resident *block)
{
    char text[HD_CPU_TEXT] = "";
    hd_status status = hd_cpu_stuck_status(block);

    hd_cpu_describe(block, text, sizeof text);
    hd_check_stuck(block, text);
    hd_cpu_launch_fail(block->launch, status, "%s: %s",
                       status == HD_ERR_STATE ? "lanes disagree about their collective"
                                              : "no thread of the block can ever go on",
                       text);
}

static void settle_block(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    if (worker->fault) {
        hd_cpu_fault_report(worker, block);
        block->state = HD_CPU_BROKEN;
    }
    if (block->state == HD_CPU_PARKED) {
        block->next = worker->parked;
        worker->parked = block;
        return;
    }
    if (block->state == HD_CPU_STUCK)
        stuck_report(block);
    if (block->state == HD_CPU_BROKEN) /* unless the reason is known */
        hd_cpu_launch_fail(block->launch, HD_ERR_NO_MEMORY, "no memory for the stacks of a block");
    if (block->state != HD_CPU_DONE)
        hd_cpu_block_abandon(block);
    resident_retire(worker, block);
}

static void run(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    void *to;

    __atomic_store_n(&worker->running, block, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
    block->state = HD_CPU_RUNS;
    to = hd_cpu_block_resume(block);
    if (block->state == HD_CPU_RUNS) {
        hd_check_enters(block);
        worker->inside = 1;
        hd_cpu_switch(&worker->main.sp, to);
        worker->inside = 0;
        hd_check_leaves();
    }
    settle_block(worker, block);
    __atomic_store_n(&worker->running, NULL, __ATOMIC_RELEASE);
    visit_report(worker, &block->launch->visit[worker->id]);
}

/* ---- finding something to run ---------------------------------------------------------------- */

static void parked_drop(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    hd_cpu_launch *launch = block->launch;

    if (launch->status == HD_ERR_DEADLOCK && !launch->polled && !block->rests) {
        char text[HD_CPU_TEXT] = "";

        hd_cpu_describe(block, text, sizeof text);
        hd_check_stuck(block, text);
        (void)pthread_mutex_lock(&hd_cpu.lock);
        hd_cpu_launch_fail_locked(launch, HD_ERR_DEADLOCK, text);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
    }
    hd_cpu_block_abandon(block);
    resident_retire(worker, block);
    visit_report(worker, &launch->visit[worker->id]);
}

/* Goes once through the parked blocks. */
static int resume_parked(hd_cpu_worker *worker)
{
    hd_cpu_resident *list = worker->parked, *block;
    int ran = 0, over;

    worker->parked = NULL;
    while ((block = list)) {
        list = block->next;
        if (__atomic_load_n(&block->launch->failed, __ATOMIC_ACQUIRE)) {
            parked_drop(worker, block);
            ran = 1;
            continue;
        }
        if (block->rests) {
            over = --block->rests == 0;
        } else {
            over = hd_cpu_waits_poll_guarded(worker, block);
        }
        if (over < 0) {
            hd_cpu_fault_report(worker, block);
            parked_drop(worker, block);
            ran = 1;
        } else if (over) {
            visit_wake(&block->launch->visit[worker->id]);
            run(worker, block);
            ran = 1;
        } else {
            block->next = worker->parked;
            worker->parked = block;
        }
    }
    return ran;
}

/* Nobody else can go on: one of those that rest does. */
static int rouse(hd_cpu_worker *worker)
{
    for (hd_cpu_resident *block = worker->parked; HD_CPU_CHECK && block; block = block->next) {
        if (block->rests) {
            block->rests = 1;
            return 1;
        }
    }
    return hd_check_hold_ends(worker);
}

static int start_block(hd_cpu_worker *worker, hd_cpu_visit *visit)
{
    hd_cpu_resident *block;

    if (__atomic_load_n(&visit->launch->failed, __ATOMIC_ACQUIRE)) {
        if (visit->residents)
            return 0;
        visit_report(worker, visit);
        return 1;
    }
    if (visit->residents == visit->launch->residents)
        return 0;
    if (visit->at == visit->end && !visit_claim(visit))
        return 0;
    if (visit->at == 0)
        hd_check_launch_begins(visit->launch);
    block = resident_take(worker, visit->launch);
    if (!block) {
        hd_cpu_launch_fail(visit->launch, HD_ERR_NO_MEMORY, "no memory for a resident block");
        return 1;
    }
    visit->residents++;
    hd_cpu_block_begin(block, visit->at++);
    run(worker, block);
    return 1;
}

static int start_any(hd_cpu_worker *worker)
{
    for (hd_cpu_visit *visit = worker->visits, *next; visit; visit = next) {
        next = visit->next;
        if (start_block(worker, visit))
            return 1;
        if (!visit->residents && visit->at == visit->end) { /* claimed up by others */
            visit_report(worker, visit);
            return 1;
        }
    }
    return 0;
}

/* ---- idle ------------------------------------------------------------------------------------ */

/* Under the lock: till someone wakes the worker and no host thread has it. */
static void sleep_while_lent(hd_cpu_worker *worker)
{
    worker->asleep = 1;
    do {
        (void)pthread_cond_wait(&worker->wake, &hd_cpu.lock);
    } while (worker->lent);
    worker->asleep = 0;
}

static void sleep_for(hd_cpu_worker *worker, long microseconds)
{
    struct timespec until;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (worker->work_seen == hd_cpu.work && !microseconds) {
        sleep_while_lent(worker);
    } else if (worker->work_seen == hd_cpu.work) {
        worker->asleep = 1;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += microseconds * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&worker->wake, &hd_cpu.lock, &until);
        worker->asleep = 0;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

static void spin_begin(hd_cpu_worker *worker)
{
    int room = (int)hd_cpu_config_get()->cpus - 1; /* the host thread needs a CPU too */

    if (!worker->parked && __atomic_load_n(&hd_cpu.spinners, __ATOMIC_RELAXED) >= room)
        return;
    worker->spins = 1;
    __atomic_fetch_add(&hd_cpu.spinners, 1, __ATOMIC_RELAXED);
}

void hd_cpu_spin_end(hd_cpu_worker *worker)
{
    if (worker->spins)
        __atomic_fetch_sub(&hd_cpu.spinners, 1, __ATOMIC_RELAXED);
    worker->spins = 0;
}

static void spin(unsigned round)
{
    if (round % SPINS_OF_YIELD == SPINS_OF_YIELD - 1)
        (void)sched_yield();
    else
        breathe();
}

/* Nothing at all is here: a short spin, since launches follow one another. Only the count of
   launches is looked at, for a host thread may take the worker meanwhile, which then counts as one
   that sleeps, and does unless it is wanted. 0: nothing came. */
static int spin_free(hd_cpu_worker *worker)
{
    const uint64_t seen = worker->work_seen;
    int came = 0;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    worker->idle = 1;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    for (unsigned round = 0; round < SPINS && !came; round++) {
        came = __atomic_load_n(&hd_cpu.work, __ATOMIC_ACQUIRE) != seen;
        spin(round);
    }
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (!worker->idle && (worker->lent || !(worker->visits || hd_cpu_workers_wanted())))
        sleep_while_lent(worker);
    worker->idle = worker->asleep = 0;
    hd_cpu_spin_end(worker);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return came;
}

/* Nothing to do for the round-th time: a spin, then sleep, with parked blocks only for moments that
   grow longer. */
static void idle(hd_cpu_worker *worker, unsigned round)
{
    long sleep = SLEEP_MIN_US * (long)(round > SPINS ? round - SPINS : 1);

    if (round == 0) {
        for (hd_cpu_visit *visit = worker->visits; visit; visit = visit->next)
            visit_settle(visit);
        spin_begin(worker);
    }
    if (worker->spins && !worker->parked && !worker->visits) {
        if (spin_free(worker))
            return;
    } else if (worker->spins && round < SPINS) {
        spin(round);
        return;
    }
    hd_cpu_spin_end(worker);
    if (worker->parked)
        hd_cpu_watchdog(worker);
    sleep_for(worker, worker->parked ? (sleep < SLEEP_MAX_US ? sleep : SLEEP_MAX_US) : 0);
}

int hd_cpu_worker_step(hd_cpu_worker *worker)
{
    int moved = resume_parked(worker);

    return start_any(worker) || moved;
}

static void *worker_main(void *argument)
{
    hd_cpu_worker *worker = argument;
    unsigned round = 0;

    hd_cpu_self = worker;
    worker->runner = pthread_self();
    (void)fesetenv(FE_DFL_ENV); /* the host's rounding and flushing of denormals stay the host's */
    hd_cpu_signals_thread(worker);
    for (;;) {
        int moved = resume_parked(worker);

        if (hd_cpu_urgent_waits(worker))
            (void)hd_cpu_launches_enter(worker);
        if (start_any(worker) || hd_cpu_launches_enter(worker) || (!moved && rouse(worker)))
            moved = 1;
        if (moved)
            hd_cpu_spin_end(worker);
        else
            idle(worker, round);
        round = moved ? 0 : round + 1;
    }
    return NULL;
}

static hd_cpu_worker *worker_make(unsigned id)
{
    hd_cpu_worker *worker = aligned_alloc(64, sizeof *worker);
    pthread_condattr_t attributes;

    if (!worker)
        return NULL;
    memset(worker, 0, sizeof *worker);
    worker->id = id;
    worker->serial = (uint64_t)id << 48; /* of blocks: no two of them have the same one */
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&worker->wake, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    return worker;
}

void hd_cpu_workers_start(void)
{
    unsigned wanted = hd_cpu_config_get()->workers;

    hd_cpu.active_end = &hd_cpu.active;
    for (unsigned i = 0; i < wanted; i++) {
        hd_cpu.worker[i] = worker_make(i);
        if (!hd_cpu.worker[i])
            break;
        hd_cpu.workers++;
    }
    for (unsigned i = 0; i < hd_cpu.workers; i++)
        if (pthread_create(&hd_cpu.worker[i]->thread, NULL, worker_main, hd_cpu.worker[i]) == 0)
            (void)pthread_detach(hd_cpu.worker[i]->thread);
    hd_cpu_watch_start();
}
