/* SPDX-License-Identifier: Apache-2.0 */
/* work_share.c - a worker's share of a launch: claims blocks and reports finished ones. */
#include "launch/work_share.h"

#include "observe.h"

/* Inserted before the first share whose priority is not higher: among equals the newest runs
   first. */
void hd_cpu_work_share_begin(hd_cpu_worker *worker, hd_cpu_launch *launch)
{
    hd_cpu_work_share *share = &launch->share[worker->id], **link = &worker->shares;

    share->launch = launch;
    __atomic_fetch_add(&launch->refs, 1, __ATOMIC_RELAXED);
    while (*link && (*link)->launch->priority < share->launch->priority)
        link = &(*link)->next;
    share->next = *link;
    *link = share;
}

void hd_cpu_work_share_settle(hd_cpu_work_share *share)
{
    hd_cpu_launch *launch = share->launch;

    if (!share->awake)
        return;
    share->awake = 0;
    share->full = share->residents == launch->residents;
    if (share->full)
        __atomic_fetch_add(&launch->full, 1, __ATOMIC_ACQ_REL);
    __atomic_fetch_sub(&launch->awake, 1, __ATOMIC_ACQ_REL);
    if (!hd_cpu_launch_waits(launch))
        return;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (hd_cpu.host_waiters)
        (void)pthread_cond_broadcast(&hd_cpu.changed);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

int hd_cpu_work_share_claim(hd_cpu_work_share *share)
{
    hd_cpu_launch *launch = share->launch;
    size_t at;

    if (__atomic_load_n(&launch->next, __ATOMIC_RELAXED) >= launch->blocks)
        return 0;
    hd_cpu_work_share_wake(share);
    at = __atomic_fetch_add(&launch->next, launch->chunk, __ATOMIC_ACQ_REL);
    if (at >= launch->blocks)
        return 0;
    share->at = at;
    share->end = launch->blocks - at < launch->chunk ? launch->blocks : at + launch->chunk;
    return 1;
}

/* A failed launch starts no more blocks: the remaining ones count as finished. */
static void drop(hd_cpu_work_share *share)
{
    hd_cpu_launch *launch = share->launch;
    size_t next = __atomic_exchange_n(&launch->next, launch->blocks, __ATOMIC_ACQ_REL);

    if (next < launch->blocks)
        share->done += launch->blocks - next;
    share->done += share->end - share->at;
    share->at = share->end;
}

static void leave(hd_cpu_worker *worker, hd_cpu_work_share *share)
{
    hd_cpu_work_share **link = &worker->shares;

    while (*link != share)
        link = &(*link)->next;
    *link = share->next;
    worker->look = 1;
    hd_cpu_work_share_settle(share);
}

void hd_cpu_work_share_report(hd_cpu_worker *worker, hd_cpu_work_share *share)
{
    hd_cpu_launch *launch = share->launch;
    size_t done = share->done;
    int over, last;

    if (__atomic_load_n(&launch->failed, __ATOMIC_ACQUIRE)) {
        drop(share);
        done = share->done;
    }
    over = !share->residents && share->at == share->end &&
           __atomic_load_n(&launch->next, __ATOMIC_ACQUIRE) >= launch->blocks;
    share->done = 0;
    last = done && __atomic_sub_fetch(&launch->remaining, done, __ATOMIC_ACQ_REL) == 0;
    if (over)
        leave(worker, share);
    if (last) {
        HD_OBSERVE(op.launch_ends(launch));
        launch->on_done(launch);
    }
    if (over)
        hd_cpu_launch_release(launch);
}
