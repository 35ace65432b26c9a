/* SPDX-License-Identifier: Apache-2.0 */
/* active.c - the list of active launches, which have unclaimed blocks, and how workers join
   them. */
#include "launch/work_share.h"

/* With the lock held: removes launches without unclaimed blocks from the list. */
static void active_tidy(void)
{
    hd_cpu_launch **link = &hd_cpu.active;

    while (*link) {
        hd_cpu_launch *launch = *link;

        if (__atomic_load_n(&launch->next, __ATOMIC_RELAXED) < launch->blocks) {
            link = &launch->next_active;
            continue;
        }
        *link = launch->next_active;
        hd_cpu_launch_release(launch);
    }
    hd_cpu.active_end = link;
}

int hd_cpu_launches_enter(hd_cpu_worker *worker)
{
    uint64_t work = __atomic_load_n(&hd_cpu.work, __ATOMIC_ACQUIRE);
    int entered = 0;

    if (work == worker->work_seen && !worker->look)
        return 0;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    worker->work_seen = work;
    worker->urgent_seen = hd_cpu.urgent;
    worker->look = 0;
    active_tidy();
    for (hd_cpu_launch *launch = hd_cpu.active; launch; launch = launch->next_active) {
        hd_cpu_work_share *share = &launch->share[worker->id];

        if (share->launch)
            continue;
        hd_cpu_work_share_begin(worker, launch);
        entered = 1;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return entered;
}

/* Counts the blocks of all active launches: earlier ones may be waiting for workers too. */
unsigned hd_cpu_workers_wanted(void)
{
    size_t blocks = 0;

    for (const hd_cpu_launch *at = hd_cpu.active; at && blocks < hd_cpu.workers;
         at = at->next_active) {
        size_t next = __atomic_load_n(&at->next, __ATOMIC_RELAXED);

        blocks += next < at->blocks ? at->blocks - next : 0;
    }
    return blocks < hd_cpu.workers ? (unsigned)blocks : hd_cpu.workers;
}

void hd_cpu_launch_activate(hd_cpu_launch *launch)
{
    unsigned wanted;
    unsigned spinning = (unsigned)__atomic_load_n(&hd_cpu.spinners, __ATOMIC_RELAXED);

    __atomic_fetch_add(&launch->refs, 1, __ATOMIC_RELAXED);
    launch->next_active = NULL;
    active_tidy();
    *hd_cpu.active_end = launch;
    hd_cpu.active_end = &launch->next_active;
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
    if (launch->priority)
        __atomic_fetch_add(&hd_cpu.urgent, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.work, 1, __ATOMIC_RELEASE);
    hd_cpu_watch_wake();
    wanted = hd_cpu_workers_wanted();
    spinning += launch->host != NULL;
    if (wanted <= spinning)
        return;
    wanted -= spinning;
    for (unsigned i = 0; i < hd_cpu.workers && wanted; i++)
        if (hd_cpu.worker[i]->asleep && !hd_cpu.worker[i]->lent) {
            (void)pthread_cond_signal(&hd_cpu.worker[i]->wake);
            wanted--;
        }
}
