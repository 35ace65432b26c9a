/* SPDX-License-Identifier: Apache-2.0 */
/* worker.c - the threads that run blocks. A worker loops: it runs parked blocks whose wait is over,
   then new blocks of the launches that it has joined, then joins new launches; if there is nothing
   to do, it sleeps.

   On each worker blocks of a launch start in ascending order, and chunks are claimed in ascending
   order. The lowest unfinished block is therefore always running or able to start, so that waiting
   for blocks with lower numbers cannot deadlock. */
#include "worker/worker.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "launch/work_share.h"
#include "observe.h"

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
    hd_cpu_work_share *share = &block->launch->share[worker->id];

    HD_OBSERVE(block.ends(block));
    share->residents--;
    share->done++;
    block->next = worker->free_residents;
    worker->free_residents = block;
}

static void stuck_report(hd_cpu_resident *block)
{
    char text[HD_CPU_TEXT] = "";
    hd_status status = hd_cpu_stuck_status(block);

    hd_cpu_describe(block, text, sizeof text);
    HD_OBSERVE(block.stuck(block, text));
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
    if (block->state == HD_CPU_BROKEN) /* unless another reason is known */
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
        HD_OBSERVE(block.runs(block));
        worker->inside = 1;
        hd_cpu_switch(&worker->main.sp, to);
        worker->inside = 0;
        HD_OBSERVE(block.runs(NULL));
    }
    settle_block(worker, block);
    __atomic_store_n(&worker->running, NULL, __ATOMIC_RELEASE);
    hd_cpu_work_share_report(worker, &block->launch->share[worker->id]);
}

/* ---- selecting a block ----------------------------------------------------------------------- */

/* Whether a parked block of a failed launch is deadlocked itself. It is not if the checker defers
   it or holds one of its threads, or if one of its waits has just ended. */
static int is_stuck(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    int over;

    if (block->defer_rounds || hd_cpu_any_held(block))
        return 0;
    over = hd_cpu_waits_poll_guarded(worker, block, 0);
    worker->fault = 0; /* of an address that is gone: the launch has failed already */
    return over == 0;
}

static void parked_drop(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    hd_cpu_launch *launch = block->launch;

    if (launch->status == HD_ERR_DEADLOCK && !launch->polled && is_stuck(worker, block)) {
        char text[HD_CPU_TEXT] = "";

        hd_cpu_describe(block, text, sizeof text);
        HD_OBSERVE(block.stuck(block, text));
        (void)pthread_mutex_lock(&hd_cpu.lock);
        hd_cpu_launch_fail_locked(launch, HD_ERR_DEADLOCK, text);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
    }
    hd_cpu_block_abandon(block);
    resident_retire(worker, block);
    hd_cpu_work_share_report(worker, &launch->share[worker->id]);
}

/* Visits each parked block once. */
static int resume_parked(hd_cpu_worker *worker)
{
    hd_cpu_resident *block;
    int ran = 0, over;

    worker->unvisited = worker->parked;
    worker->parked = NULL;
    while ((block = worker->unvisited)) {
        worker->unvisited = block->next;
        if (__atomic_load_n(&block->launch->failed, __ATOMIC_ACQUIRE)) {
            parked_drop(worker, block);
            ran = 1;
            continue;
        }
        if (block->defer_rounds) {
            over = --block->defer_rounds == 0;
        } else {
            over = hd_cpu_waits_poll_guarded(worker, block, 1);
        }
        if (over < 0) {
            hd_cpu_fault_report(worker, block);
            parked_drop(worker, block);
            ran = 1;
        } else if (over) {
            hd_cpu_work_share_wake(&block->launch->share[worker->id]);
            run(worker, block);
            ran = 1;
        } else {
            block->next = worker->parked;
            worker->parked = block;
        }
    }
    return ran;
}

/* No other block can continue: ends the deferral of one. */
static int undefer(hd_cpu_worker *worker)
{
    for (hd_cpu_resident *block = worker->parked; HD_OBSERVED && block; block = block->next) {
        if (block->defer_rounds) {
            block->defer_rounds = 1;
            return 1;
        }
    }
    return HD_OBSERVE_OR(0, schedule.hold_ends(worker));
}

static int start_block(hd_cpu_worker *worker, hd_cpu_work_share *share)
{
    hd_cpu_resident *block;

    if (__atomic_load_n(&share->launch->failed, __ATOMIC_ACQUIRE)) {
        if (share->residents)
            return 0;
        hd_cpu_work_share_report(worker, share);
        return 1;
    }
    if (share->residents == share->launch->residents)
        return 0;
    if (share->at == share->end && !hd_cpu_work_share_claim(share))
        return 0;
    if (share->at == 0)
        HD_OBSERVE(op.launch_begins(share->launch));
    block = resident_take(worker, share->launch);
    if (!block) {
        hd_cpu_launch_fail(share->launch, HD_ERR_NO_MEMORY, "no memory for a resident block");
        return 1;
    }
    share->residents++;
    hd_cpu_block_begin(block, share->at++);
    run(worker, block);
    return 1;
}

static int start_any(hd_cpu_worker *worker)
{
    for (hd_cpu_work_share *share = worker->shares, *next; share; share = next) {
        next = share->next;
        if (start_block(worker, share))
            return 1;
        if (!share->residents && share->at == share->end) { /* others have claimed all blocks */
            hd_cpu_work_share_report(worker, share);
            return 1;
        }
    }
    return 0;
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
    (void)fesetenv(FE_DFL_ENV); /* not the modes inherited from the host thread */
    hd_cpu_signals_thread(worker);
    for (;;) {
        int moved = resume_parked(worker);

        if (hd_cpu_urgent_waits(worker))
            (void)hd_cpu_launches_enter(worker);
        if (start_any(worker) || hd_cpu_launches_enter(worker) || (!moved && undefer(worker)))
            moved = 1;
        if (moved)
            hd_cpu_spin_end(worker);
        else
            hd_cpu_worker_idle(worker, round);
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
    worker->fibers.entry = hd_cpu_fiber_main;
    worker->serial = (uint64_t)id << 48; /* makes block serials unique across workers */
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
