/* SPDX-License-Identifier: Apache-2.0 */
/* watchdog.c - detects blocks that wait for each other forever. Called by idle workers that have
   parked blocks: if for HEDDLE_CPU_WATCHDOG seconds no block ran, no operation started or ended and
   no host function or copy was running, nothing known to the engine can end the waits. */
#include "worker/worker.h"

#include <stdio.h>

/* Looks are about a millisecond apart. Of a longer gap only this much counts, because the process
   may have been stopped; 20 ms, so that the timeout is not delayed on a busy machine. */
static const double gap_max = 0.02;

int hd_cpu_somebody_works(void)
{
    if (__atomic_load_n(&hd_cpu.executing, __ATOMIC_ACQUIRE))
        return 1;
    for (unsigned i = 0; i < hd_cpu.workers; i++)
        if (__atomic_load_n(&hd_cpu.worker[i]->running, __ATOMIC_ACQUIRE))
            return 1;
    return 0;
}

/* Each worker appends what its parked blocks wait for when it drops them. */
static void end_launches(double seconds)
{
    char text[128];

    (void)snprintf(text, sizeof text, "nothing has moved for %g s", seconds);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (hd_cpu_launch *launch = hd_cpu.flight; launch; launch = launch->next_flight)
        if (launch->status == HD_OK)
            hd_cpu_launch_fail_locked(launch, HD_ERR_DEADLOCK, text);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

void hd_cpu_watchdog(hd_cpu_worker *worker)
{
    double limit = hd_cpu_config_get()->watchdog, now, gap;
    uint64_t progress = __atomic_load_n(&hd_cpu.progress, __ATOMIC_ACQUIRE);

    if (limit <= 0)
        return;
    now = hd_cpu_now();
    gap = now - worker->look_time;
    worker->look_time = now;
    if (progress != worker->progress_seen || hd_cpu_somebody_works()) {
        worker->progress_seen = progress;
        worker->idle_seconds = 0;
        return;
    }
    worker->idle_seconds += gap < gap_max ? gap : gap_max;
    if (worker->idle_seconds >= limit) {
        end_launches(limit);
        worker->idle_seconds = 0;
    }
}
