/* SPDX-License-Identifier: Apache-2.0 */
/* idle.c - an idle worker spins for a moment, since launches often follow each other closely, and
   then sleeps. */
#include "core/relax.h"
#include "launch/work_share.h"
#include "worker/worker.h"

#include <time.h>

enum { SPINS = 4000, SPINS_OF_YIELD = 64, SLEEP_MIN_US = 50, SLEEP_MAX_US = 1000 };

/* With the lock held: sleeps until the worker is woken and no host thread stands in for it. */
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

/* 0: sleeping is better. */
static int spin(unsigned round)
{
    if (round % SPINS_OF_YIELD == SPINS_OF_YIELD - 1)
        return !hd_cpu_yield();
    hd_cpu_relax();
    return 1;
}

/* A short spin while the worker has no work at all. It reads only the count of launches, because a
   host thread may borrow the worker meanwhile; the worker then counts as asleep, and goes to sleep
   unless it is needed. 0: no launch arrived. */
static int spin_free(hd_cpu_worker *worker)
{
    const uint64_t seen = worker->work_seen;
    int came = 0;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    worker->idle = 1;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    for (unsigned round = 0; round < SPINS && !came; round++) {
        came = __atomic_load_n(&hd_cpu.work, __ATOMIC_ACQUIRE) != seen;
        if (!came && !spin(round))
            break;
    }
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (!worker->idle && (worker->lent || !(worker->shares || hd_cpu_workers_wanted())))
        sleep_while_lent(worker);
    worker->idle = worker->asleep = 0;
    hd_cpu_spin_end(worker);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return came;
}

/* Spins, then sleeps; with parked blocks only for short, increasing times. */
void hd_cpu_worker_idle(hd_cpu_worker *worker, unsigned round)
{
    long sleep = SLEEP_MIN_US * (long)(round > SPINS ? round - SPINS : 1);

    if (round == 0) {
        for (hd_cpu_work_share *share = worker->shares; share; share = share->next)
            hd_cpu_work_share_settle(share);
        spin_begin(worker);
    }
    if (worker->spins && !worker->parked && !worker->shares) {
        if (spin_free(worker))
            return;
    } else if (worker->spins && round < SPINS && spin(round)) {
        return;
    }
    hd_cpu_spin_end(worker);
    if (worker->parked)
        hd_cpu_watchdog(worker);
    sleep_for(worker, worker->parked ? (sleep < SLEEP_MAX_US ? sleep : SLEEP_MAX_US) : 0);
}
