/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - the state of a worker: of it each layer keeps its own part here, from the stacks of
   fibers to the trace of a loop that polls. */
#ifndef HEDDLE_CPU_LAUNCH_WORKER_H
#define HEDDLE_CPU_LAUNCH_WORKER_H

#include <setjmp.h>

#include "core/engine.h"
#include "fiber/stack.h"

typedef struct hd_cpu_work_share hd_cpu_work_share; /* launch.h */

struct hd_cpu_worker {
    hd_cpu_fiber main; /* the OS thread's own stack */
    hd_cpu_fiber gone; /* where a stack that is given up saves itself */
    hd_cpu_fibers fibers;
    hd_cpu_resident *running;
    hd_cpu_resident *parked;
    hd_cpu_resident *unvisited; /* parked, and not looked at yet in this round of resume_parked */
    hd_cpu_resident *free_residents;
    hd_cpu_work_share *shares;
    unsigned id;
    uint64_t serial;
    uint64_t work_seen;
    int urgent_seen;
    int look; /* there may be a launch to enter */
    int asleep, spins;
    int idle; /* its thread spins and touches nothing else of it */
    int lent; /* a host thread does its work */
    uint64_t progress_seen;
    double look_time, idle_seconds; /* the watchdog's: last look, and what it saw since then */
    void *handler_stack;            /* for signals */
    volatile int inside;            /* on a thread's stack, not on its own */
    volatile int polling; /* looks at addresses that parked threads wait on, from its own stack */
    sigjmp_buf poll;
    volatile int fault; /* signal that a thread of the running block got */
    void *volatile fault_address;
    void *volatile fault_pc; /* of SIGTRAP: a loop that polls the address */
    pthread_t runner;        /* whoever does its work just now */
    uint64_t stall_serial;   /* of the block that it ran at the last look of stall.c */
    unsigned stalls;         /* looks for which it has been the same */
    volatile int trace_ends; /* if the thread polls, its block is given up */
    uint64_t polls;          /* serial of a block of which a trace has shown it */
    pthread_cond_t wake;
    pthread_t thread;
} HD_ALIGN(64);

#endif
