/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - state shared by all threads of the process.

   A worker is an OS thread that runs blocks. It holds resident blocks: started, not finished. A
   resident block stays with its worker; its threads are fibers once they have blocked. A launch is
   shared by all workers, each of which has a share of its work.

   The engine is built in layers; each includes and calls only those below it:

       backend interface (runtime/backend.h): device.c, memory.c, ...
       graph    captured operations, replayed
       stream   queues of operations, events, copies
       worker   OS threads, watchdog, faults
       block    threads of a resident block, collectives, shared memory
       launch   grids, and each worker's share of them
       fiber    stacks and the switch between them
       memory   allocations
       core     configuration, global state

   Calls upwards go through function pointers that the upper layer sets: entry of a fiber, on_done
   of a launch, record of a capture, hd_cpu_start. */
#ifndef HEDDLE_CPU_CORE_ENGINE_H
#define HEDDLE_CPU_CORE_ENGINE_H

#include <pthread.h>
#include <stdarg.h>

#include "core/config.h"
#include "runtime/backend.h"

enum { HD_CPU_TEXT = 1024 }; /* bytes of an error message */

typedef struct hd_cpu_worker hd_cpu_worker;
typedef struct hd_cpu_launch hd_cpu_launch;
typedef struct hd_cpu_resident hd_cpu_resident;
typedef struct hd_cpu_op hd_cpu_op;
typedef struct hd_cpu_stream hd_cpu_stream;

/* `lock` guards streams, operations and lists of launches. */
typedef struct hd_cpu_engine {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an operation has finished or waits for the host */
    int host_waiters;       /* threads that wait for `changed` */
    hd_cpu_launch *active, **active_end;
    hd_cpu_launch *flight;
    unsigned workers;
    hd_cpu_worker *worker[HD_CPU_MAX_WORKERS];
    int spinners;                   /* idle workers that spin */
    int urgent;                     /* number of launches ever activated with a priority */
    size_t queued;                  /* operations in streams */
    hd_cpu_stream *streams;         /* all except empty lanes */
    int executing;                  /* host threads that are running a copy or a host function */
    pthread_cond_t watch;           /* wakes the thread of stall.c */
    int watch_sleeps;               /* that thread sleeps until a launch wakes it */
    uint64_t work HD_ALIGN(64);     /* number of launches ever activated */
    uint64_t progress HD_ALIGN(64); /* changes whenever any work advances */
} hd_cpu_engine;

extern hd_cpu_engine hd_cpu;
extern _Thread_local hd_cpu_worker *hd_cpu_self; /* NULL on the user's threads */

double hd_cpu_now(void); /* seconds, monotonic */

/* Starts all layers, once; set by start.c before main. */
extern void (*hd_cpu_start)(void);
/* Starts the engine on first use. HD_OK, or the error of an invalid environment variable. */
hd_status hd_cpu_ready(const char *call);

/* Wakes the thread of stall.c: a launch has become active. With the lock held. */
static inline void hd_cpu_watch_wake(void)
{
    if (hd_cpu.watch_sleeps) /* the thread exists */
        (void)pthread_cond_signal(&hd_cpu.watch);
}

#endif
