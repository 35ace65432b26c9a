/* SPDX-License-Identifier: Apache-2.0 */
/* work_share.h - a worker's share of a launch: the blocks that it has claimed. */
#ifndef HEDDLE_CPU_LAUNCH_WORK_SHARE_H
#define HEDDLE_CPU_LAUNCH_WORK_SHARE_H

#include "launch/launch.h"

/* Adds the launch to the worker's list. With the lock held, unless called by the worker itself. */
void hd_cpu_work_share_begin(hd_cpu_worker *worker, hd_cpu_launch *launch);
/* Claims another chunk of blocks; 0 if all are claimed. */
int hd_cpu_work_share_claim(hd_cpu_work_share *share);
/* No block of the launch can run on this worker now. Notifies a host thread that waits for this. */
void hd_cpu_work_share_settle(hd_cpu_work_share *share);
/* Reports finished blocks; the last report ends the launch. The share ends if no block can
   follow. */
void hd_cpu_work_share_report(hd_cpu_worker *worker, hd_cpu_work_share *share);

/* A block of the launch runs on this worker again. */
static inline void hd_cpu_work_share_wake(hd_cpu_work_share *share)
{
    if (share->awake)
        return;
    share->awake = 1;
    __atomic_fetch_add(&share->launch->awake, 1, __ATOMIC_ACQ_REL);
    if (share->full)
        __atomic_fetch_sub(&share->launch->full, 1, __ATOMIC_ACQ_REL);
    share->full = 0;
}

/* Whether a launch with a priority was activated that the worker has not joined yet. */
static inline int hd_cpu_urgent_waits(const hd_cpu_worker *worker)
{
    return __atomic_load_n(&hd_cpu.urgent, __ATOMIC_RELAXED) != worker->urgent_seen;
}

/* A block of the chunk has finished and the next one takes its place; 0 if there is none. */
static inline int hd_cpu_work_share_next(hd_cpu_worker *worker, hd_cpu_launch *launch)
{
    hd_cpu_work_share *share = &launch->share[worker->id];

    if (share->at == share->end || __atomic_load_n(&launch->failed, __ATOMIC_RELAXED) ||
        hd_cpu_urgent_waits(worker))
        return 0;
    share->done++;
    share->at++;
    return 1;
}

#endif
