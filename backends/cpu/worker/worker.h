/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - the threads that run blocks, and their supervision. */
#ifndef HEDDLE_CPU_WORKER_WORKER_H
#define HEDDLE_CPU_WORKER_WORKER_H

#include "block/block.h"

void hd_cpu_workers_start(void);
/* Visits the worker's parked blocks once, then starts a new one; 0 if nothing could run. */
int hd_cpu_worker_step(hd_cpu_worker *worker);

/* ---- idle workers (idle.c) ------------------------------------------------------------------- */

/* The worker found nothing to do for the round-th time. */
void hd_cpu_worker_idle(hd_cpu_worker *worker, unsigned round);
/* The worker no longer counts as spinning. */
void hd_cpu_spin_end(hd_cpu_worker *worker);

/* ---- host threads that run blocks (borrow.c); with the lock held ----------------------------- */

/* Borrows an idle worker, for which the calling thread stands in for a launch to be activated
   next; NULL: none, or the launch may wait for something outside, so that the thread could not
   return. */
hd_cpu_worker *hd_cpu_borrow(hd_cpu_launch *launch);
/* Runs blocks of the launch, without the lock, until no more can start or a launch with a priority
   arrives. */
void hd_cpu_serve(hd_cpu_worker *worker, hd_cpu_launch *launch);
void hd_cpu_give_back(hd_cpu_worker *worker);

/* ---- faults (fault.c) ------------------------------------------------------------------------ */

void hd_cpu_signals_install(void);
void hd_cpu_signals_thread(hd_cpu_worker *worker); /* its signal stack */
void hd_cpu_signals_host(void); /* for a host thread that will run blocks, until it ends */
/* hd_cpu_waits_poll on the worker's own stack; -1 if an address is invalid by now, which
   hd_cpu_fault_report reports. */
int hd_cpu_waits_poll_guarded(hd_cpu_worker *worker, hd_cpu_resident *block, int may_give_up);
/* Runs work(argument) on a host thread; 0 if it accessed an invalid address, *fault. */
int hd_cpu_guarded(void (*work)(void *), void *argument, const void **fault);
/* Reports a signal caught while the worker ran a thread. */
void hd_cpu_fault_report(hd_cpu_worker *worker, hd_cpu_resident *block);

/* ---- the watchdog (watchdog.c) --------------------------------------------------------------- */

/* Called by a worker that has parked blocks and nothing to do. */
void hd_cpu_watchdog(hd_cpu_worker *worker);
/* Whether a block, a copy or a host function is running. */
int hd_cpu_somebody_works(void);

/* ---- loops that poll (stall.c) --------------------------------------------------------------- */

void hd_cpu_watch_start(void);

#endif
