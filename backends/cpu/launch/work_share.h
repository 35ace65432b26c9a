/* SPDX-License-Identifier: Apache-2.0 */
/* work_share.h - one worker's share of a launch: the blocks that it has claimed. */
#ifndef HEDDLE_CPU_LAUNCH_WORK_SHARE_H
#define HEDDLE_CPU_LAUNCH_WORK_SHARE_H

#include "launch/launch.h"

/* Puts the launch into the worker's list. Under the lock, except by the worker itself. */
void hd_cpu_work_share_begin(hd_cpu_worker *worker, hd_cpu_launch *launch);
/* Another chunk of blocks; 0 if all are claimed. */
int hd_cpu_work_share_claim(hd_cpu_work_share *share);
/* Nothing of the launch can run on this worker now. Tells the host thread that may wait for it. */
void hd_cpu_work_share_settle(hd_cpu_work_share *share);
/* Reports what is done; the last one ends the launch. The share ends when nothing can follow. */
void hd_cpu_work_share_report(hd_cpu_worker *worker, hd_cpu_work_share *share);

/* Something of the launch runs on this worker again. */
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

/* A launch with a priority has come that the worker has not seen yet. */
static inline int hd_cpu_urgent_waits(const hd_cpu_worker *worker)
{
    return __atomic_load_n(&hd_cpu.urgent, __ATOMIC_RELAXED) != worker->urgent_seen;
}

/* One block of the chunk is done and the next one of it begins in its place; 0 if there is none. */
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
