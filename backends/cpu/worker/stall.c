/* SPDX-License-Identifier: Apache-2.0 */
/* stall.c - finds loops that poll memory. A kernel must wait with hd_wait_*, which lets other
   threads run. A loop around a load blocks its worker, and the thread that it waits for may never
   run.

   Four times a second a thread of the engine checks whether a worker is still in the same block. If
   so, the worker is traced for a moment (step.c; with the checker polling.c): a loop that polls
   repeats the same states without changing anything, which no other loop does. If all running
   workers poll, no thread can end their loops, and their launches fail. */
#include "worker/step.h"
#include "worker/worker.h"

#include <time.h>

enum {
    TICK_NS = 250000000,
    TICKS_UNTIL_TRACE = 2, /* in one block */
    TICKS_UNTIL_SLEEP = 20 /* without a launch */
};

static void tick(void)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&hd_cpu.watch, &hd_cpu.lock, &until);
}

/* Serial of the block that the worker is running; 0: none. */
static uint64_t block_of(const hd_cpu_worker *worker)
{
    const hd_cpu_resident *block = __atomic_load_n(&worker->running, __ATOMIC_ACQUIRE);

    return block ? __atomic_load_n(&block->view.dims.serial, __ATOMIC_RELAXED) : 0;
}

static void count(hd_cpu_worker *worker)
{
    uint64_t serial = block_of(worker);

    worker->stalls = serial && serial == worker->stall_serial ? worker->stalls + 1 : 0;
    worker->stall_serial = serial;
}

/* Whether every running worker polls and no host function is running that could end the loops. */
static int nobody_else(void)
{
    if (__atomic_load_n(&hd_cpu.executing, __ATOMIC_ACQUIRE))
        return 0;
    for (unsigned i = 0; i < hd_cpu.workers; i++) {
        const hd_cpu_worker *worker = hd_cpu.worker[i];

        if (worker->stall_serial &&
            __atomic_load_n(&worker->polls, __ATOMIC_ACQUIRE) != worker->stall_serial)
            return 0;
    }
    return 1;
}

/* With the lock held, so that a host thread that stands in for a worker stays. */
static void look(void)
{
    int end;

    for (unsigned i = 0; i < hd_cpu.workers; i++)
        count(hd_cpu.worker[i]);
    end = nobody_else();
    for (unsigned i = 0; i < hd_cpu.workers; i++)
        if (hd_cpu.worker[i]->stalls >= TICKS_UNTIL_TRACE)
            hd_cpu_trace(hd_cpu.worker[i], end);
}

static void *watch_main(void *unused)
{
    unsigned quiet = 0;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (;;) {
        if (quiet == TICKS_UNTIL_SLEEP) {
            hd_cpu.watch_sleeps = 1;
            (void)pthread_cond_wait(&hd_cpu.watch, &hd_cpu.lock);
            hd_cpu.watch_sleeps = 0;
        }
        tick();
        quiet = hd_cpu.flight ? 0 : quiet < TICKS_UNTIL_SLEEP ? quiet + 1 : quiet;
        if (hd_cpu.flight)
            look();
    }
    return unused;
}

void hd_cpu_watch_start(void)
{
    pthread_condattr_t attributes;
    pthread_t thread;

    if (hd_cpu_config_get()->watchdog <= 0)
        return;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&hd_cpu.watch, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    if (pthread_create(&thread, NULL, watch_main, NULL) == 0)
        (void)pthread_detach(thread);
}
