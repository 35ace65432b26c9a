/* SPDX-License-Identifier: Apache-2.0 */
/* borrow.c - a host thread stands in for an idle worker in the launch that it would wait for
   anyway. This saves waking the worker, which takes longer than most kernels.

   The host thread must return when only waiting blocks of the launch are left, but their fibers
   cannot move to another OS thread, because compilers cache addresses of thread-local variables.
   Therefore only kernels are run here whose files contain no wait for something outside the launch.
   Waits for other blocks of the launch are waited out. */
#include "block/modes.h"
#include "core/relax.h"
#include "launch/kernel.h"
#include "launch/work_share.h"
#include "observe.h"
#include "worker/worker.h"

#include <time.h>

enum { SPINS = 1000, PAUSE_NS = 20000 };

/* AddressSanitizer would need the bounds of the host's stack; the checker's results must not depend
   on which thread runs. */
static const int possible = !HD_CPU_ASAN && !HD_OBSERVED;

static hd_cpu_worker *free_worker(int spins)
{
    for (unsigned i = 0; i < hd_cpu.workers; i++) {
        hd_cpu_worker *worker = hd_cpu.worker[i];

        if ((spins ? worker->idle : worker->asleep) && !worker->lent && !worker->shares &&
            !worker->parked)
            return worker;
    }
    return NULL;
}

/* A single block: prefers a spinning worker, which would otherwise claim the block itself, later
   than this thread can. Several blocks: prefers a sleeping one, because a spinning worker claims a
   block at once. */
hd_cpu_worker *hd_cpu_borrow(hd_cpu_launch *launch)
{
    const int alone = launch->blocks == 1;
    hd_cpu_worker *worker;

    if (!possible || hd_cpu_kernel_waits(launch->kernel))
        return NULL;
    worker = free_worker(alone);
    if (!worker)
        worker = free_worker(!alone);
    if (worker) {
        worker->lent = worker->asleep = 1;
        worker->idle = 0;
        hd_cpu_spin_end(worker);
    }
    return worker;
}

/* Waits for blocks that run elsewhere. */
static void rest(hd_cpu_worker *worker, unsigned *round)
{
    const struct timespec pause = {0, PAUSE_NS};

    if (*round < SPINS) {
        *round = hd_cpu_yield() ? SPINS : *round + 1;
        return;
    }
    hd_cpu_watchdog(worker);
    (void)nanosleep(&pause, NULL);
}

/* Returns between two blocks for a launch with a priority, which the worker's own thread then runs;
   otherwise later launches would have to wait for the host thread. */
static void run_blocks(hd_cpu_worker *worker)
{
    unsigned round = 0;

    while (worker->shares) {
        if (hd_cpu_worker_step(worker))
            round = 0;
        else
            rest(worker, &round);
        if (!worker->parked && hd_cpu_urgent_waits(worker))
            return;
    }
}

void hd_cpu_serve(hd_cpu_worker *worker, hd_cpu_launch *launch)
{
    hd_cpu_modes modes;

    hd_cpu_work_share_begin(worker, launch);
    worker->urgent_seen = hd_cpu.urgent;
    worker->runner = pthread_self();
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    hd_cpu_signals_host();
    modes = hd_cpu_modes_enter();
    hd_cpu_self = worker;
    run_blocks(worker);
    hd_cpu_self = NULL;
    hd_cpu_modes_leave(modes);
    (void)pthread_mutex_lock(&hd_cpu.lock);
}

void hd_cpu_give_back(hd_cpu_worker *worker)
{
    worker->lent = 0;
    worker->runner = worker->thread;
    if (worker->shares || hd_cpu_workers_wanted())
        (void)pthread_cond_signal(&worker->wake);
}
