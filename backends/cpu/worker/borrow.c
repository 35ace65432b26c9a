/* SPDX-License-Identifier: Apache-2.0 */
/* borrow.c - a host thread does the work of a sleeping worker, in the launch that it waits for
   anyway: nobody has to be woken, which takes longer than most kernels.

   It must come back when the launch is left behind with blocks that wait, and their threads cannot
   change from one OS thread to another: compilers keep addresses of thread-local variables. So only
   kernels are run here whose files have no code that waits for something outside the launch. What
   waits for other blocks of the launch is seen through. */
#include "block/modes.h"
#include "launch/kernel.h"
#include "launch/work_share.h"
#include "observe.h"
#include "worker/worker.h"

#include <sched.h>
#include <time.h>

enum { SPINS = 1000, PAUSE_NS = 20000 };

/* The address sanitizer would have to know the host's stack; what the checker sees must not depend
   on who runs it. */
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

/* One that spins would take the only block itself, later than this thread can; of several it takes
   one at once, while one that sleeps is better left asleep. */
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

/* Blocks that run elsewhere are waited for. */
static void rest(hd_cpu_worker *worker, unsigned round)
{
    const struct timespec pause = {0, PAUSE_NS};

    if (round < SPINS) {
        (void)sched_yield();
        return;
    }
    hd_cpu_watchdog(worker);
    (void)nanosleep(&pause, NULL);
}

/* For a launch with a priority the worker's own thread takes over between two blocks. Others that
   come meanwhile would have to wait for it too. */
static void run_blocks(hd_cpu_worker *worker)
{
    unsigned round = 0;

    while (worker->shares) {
        if (hd_cpu_worker_step(worker))
            round = 0;
        else
            rest(worker, round++);
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
