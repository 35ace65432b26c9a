/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - the threads that run blocks, and who looks after them. */
#ifndef HEDDLE_CPU_WORKER_WORKER_H
#define HEDDLE_CPU_WORKER_WORKER_H

#include "block/block.h"

void hd_cpu_workers_start(void);
/* Once through the worker's parked blocks, then a new one; 0 if nothing could run. */
int hd_cpu_worker_step(hd_cpu_worker *worker);

/* ---- nothing to do (idle.c) ------------------------------------------------------------------ */

/* Nothing to do for the round-th time. */
void hd_cpu_worker_idle(hd_cpu_worker *worker, unsigned round);
/* The worker does not count any more as one that spins. */
void hd_cpu_spin_end(hd_cpu_worker *worker);

/* ---- host threads that run blocks (borrow.c); with the lock ---------------------------------- */

/* A worker that sleeps, for the calling thread to do its work in a launch to be activated next;
   NULL: none, or the launch may wait for something outside, and the thread could not come back. */
hd_cpu_worker *hd_cpu_borrow(hd_cpu_launch *launch);
/* Runs blocks of the launch, without the lock, until no more can start or a launch with a priority
   has come. */
void hd_cpu_serve(hd_cpu_worker *worker, hd_cpu_launch *launch);
void hd_cpu_give_back(hd_cpu_worker *worker);

/* ---- faults (fault.c) ------------------------------------------------------------------------ */

void hd_cpu_signals_install(void);
void hd_cpu_signals_thread(hd_cpu_worker *worker); /* its stack for handlers */
void hd_cpu_signals_host(void); /* of a host thread that will run blocks, until it ends */
/* hd_cpu_waits_poll from the worker's own stack; -1 if an address is not there any more, which
   hd_cpu_fault_report reports. */
int hd_cpu_waits_poll_guarded(hd_cpu_worker *worker, hd_cpu_resident *block, int may_give_up);
/* work(argument) on a host thread; 0 if it touched an address that is not there, *fault. */
int hd_cpu_guarded(void (*work)(void *), void *argument, const void **fault);
/* A signal caught while the worker ran a thread: reports it. */
void hd_cpu_fault_report(hd_cpu_worker *worker, hd_cpu_resident *block);

/* ---- the watchdog (watchdog.c) --------------------------------------------------------------- */

/* Called by a worker that has parked blocks and nothing to do. */
void hd_cpu_watchdog(hd_cpu_worker *worker);
/* A block, a copy or a host function is under way. */
int hd_cpu_somebody_works(void);

/* ---- loops that poll (stall.c) --------------------------------------------------------------- */

void hd_cpu_watch_start(void);

#endif
