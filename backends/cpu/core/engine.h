/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - what all threads of the process share.

   A worker is an OS thread that runs blocks. It holds resident blocks: started, not finished. A
   resident block stays with its worker; its threads are fibers once they have blocked. A launch is
   shared by all workers, each of which has a share of its work.

   The engine is built in layers: core, memory, fiber, launch, block, worker, stream, graph, and the
   interface to the runtime above them. Each includes and calls those below it; what a lower one has
   to tell an upper one goes through a function that the upper one has left with it: the entry of a
   fiber, on_done of a launch, record of a capture, hd_cpu_start. */
#ifndef HEDDLE_CPU_CORE_ENGINE_H
#define HEDDLE_CPU_CORE_ENGINE_H

#include <pthread.h>
#include <stdarg.h>

#include "core/config.h"
#include "runtime/backend.h"

enum { HD_CPU_TEXT = 1024 }; /* bytes of an error */

typedef struct hd_cpu_worker hd_cpu_worker;
typedef struct hd_cpu_launch hd_cpu_launch;
typedef struct hd_cpu_resident hd_cpu_resident;
typedef struct hd_cpu_op hd_cpu_op;
typedef struct hd_cpu_stream hd_cpu_stream;

/* What all threads of the process share. `lock` guards streams, operations, lists of launches. */
typedef struct hd_cpu_engine {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an operation finished or came to wait */
    int host_waiters;       /* threads in `changed` */
    hd_cpu_launch *active, **active_end;
    hd_cpu_launch *flight;
    unsigned workers;
    hd_cpu_worker *worker[HD_CPU_MAX_WORKERS];
    int spinners;                   /* idle workers that are not asleep */
    int urgent;                     /* launches ever activated with a priority */
    size_t queued;                  /* operations in streams */
    hd_cpu_stream *streams;         /* all but empty lanes */
    int executing;                  /* host threads that run a copy or a host function */
    pthread_cond_t watch;           /* of the thread of stall.c */
    int watch_sleeps;               /* until a launch wakes it */
    uint64_t work HD_ALIGN(64);     /* launches ever activated */
    uint64_t progress HD_ALIGN(64); /* changes whenever anything moves */
} hd_cpu_engine;

extern hd_cpu_engine hd_cpu;
extern _Thread_local hd_cpu_worker *hd_cpu_self; /* NULL on threads of the user's */

double hd_cpu_now(void); /* seconds, monotonic */

/* Starts all layers, once; start.c sets it before main. */
extern void (*hd_cpu_start)(void);
/* HD_OK, or the detail of a variable that cannot be used; starts the engine on first use. */
hd_status hd_cpu_ready(const char *call);

/* For the thread of stall.c: a launch has become active. Under the lock. */
static inline void hd_cpu_watch_wake(void)
{
    if (hd_cpu.watch_sleeps) /* there is one */
        (void)pthread_cond_signal(&hd_cpu.watch);
}

#endif
