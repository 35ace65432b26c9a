/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - state of a worker. Each layer has its part, from the stacks of fibers to the trace of
   a polling loop. */
#ifndef HEDDLE_CPU_LAUNCH_WORKER_H
#define HEDDLE_CPU_LAUNCH_WORKER_H

#include <setjmp.h>

#include "core/engine.h"
#include "fiber/stack.h"

typedef struct hd_cpu_work_share hd_cpu_work_share; /* launch.h */

struct hd_cpu_worker {
    hd_cpu_fiber main; /* the OS thread's own stack */
    hd_cpu_fiber gone; /* discarded: stack pointer of an abandoned stack */
    hd_cpu_fibers fibers;
    hd_cpu_resident *running;
    hd_cpu_resident *parked;
    hd_cpu_resident *unvisited; /* parked, not visited yet in this round of resume_parked */
    hd_cpu_resident *free_residents;
    hd_cpu_work_share *shares;
    unsigned id;
    uint64_t serial;
    uint64_t work_seen;
    int urgent_seen;
    int look; /* there may be a launch to join */
    int asleep, spins;
    int idle; /* its thread spins and accesses nothing else of the worker */
    int lent; /* a host thread stands in for it */
    uint64_t progress_seen;
    double look_time, idle_seconds; /* watchdog: time of the last look, and idle time since then */
    void *handler_stack;            /* signal stack */
    volatile int inside;            /* a fiber runs, not the worker's own stack */
    volatile int polling;           /* reads the addresses of parked threads, on its own stack */
    sigjmp_buf poll;
    volatile int fault; /* signal caught in a thread of the running block */
    void *volatile fault_address;
    void *volatile fault_pc;       /* SIGTRAP: the loop that polls fault_address */
    pthread_t runner;              /* OS thread that currently acts as the worker */
    uint64_t stall_serial;         /* block that was running when stall.c last looked */
    unsigned stalls;               /* number of looks at which that has not changed */
    volatile int trace_ends;       /* if the thread polls, abandon its block */
    uint64_t polls;                /* serial of a block that a trace has found to poll */
    volatile unsigned trace_steps; /* of the next trace */
    volatile unsigned poll_steps;  /* of the trace that found it */
    pthread_cond_t wake;
    pthread_t thread;
} HD_ALIGN(64);

#endif
