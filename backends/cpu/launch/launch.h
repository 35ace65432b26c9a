/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h - one launch of a kernel, divided among workers. */
#ifndef HEDDLE_CPU_LAUNCH_LAUNCH_H
#define HEDDLE_CPU_LAUNCH_LAUNCH_H

#include "launch/worker.h"

enum {
    HD_CPU_RESIDENT = 32,          /* blocks of one launch that a worker holds at most */
    HD_CPU_RESIDENT_THREADS = 8192 /* and their threads */
};

/* One worker's share of a launch. */
struct hd_cpu_work_share {
    hd_cpu_launch *launch;
    struct hd_cpu_work_share *next;
    size_t at, end; /* blocks it has claimed and not started */
    size_t done;    /* finished, not yet reported */
    unsigned residents;
    int awake, full;
} HD_ALIGN(64);

struct hd_cpu_launch {
    size_t bytes; /* of memory that it is in */
    const hd_kernel *kernel;
    hd_cpu_entry *entry;
    void **args;
    hd_dim3 grid, block;
    unsigned threads;
    int device;
    int priority; /* of its stream: smaller goes first */
    size_t shared_bytes;
    size_t blocks, chunk;
    unsigned residents;                     /* that one worker may hold */
    hd_cpu_op *op;                          /* whose launch it is */
    void (*on_done)(hd_cpu_launch *launch); /* once, by the worker that ended the last block */
    hd_cpu_worker *host; /* the worker in whose place the host thread will run blocks; NULL: none */
    hd_cpu_launch *next_active; /* has blocks that nobody claimed */
    hd_cpu_launch *next_flight; /* is not finished */
    int refs;
    hd_status status; /* what went wrong, under the lock */
    char text[HD_CPU_TEXT];
    size_t next HD_ALIGN(64);      /* first block that nobody claimed */
    size_t remaining HD_ALIGN(64); /* blocks not finished */
    int failed;
    int awake;                 /* shares with something to run */
    int full;                  /* shares with no room for another block */
    int polled;                /* failed because of a loop that polls: nobody else is to blame */
    hd_cpu_work_share share[]; /* per worker */
};

/* Blocks of so many threads that a worker may hold of one launch. */
unsigned hd_cpu_residents(unsigned threads);
/* Room for the launch of a kernel; arguments are copied. NULL: no memory. */
hd_cpu_launch *hd_cpu_launch_make(const hd_kernel *kernel, const hd_launch_config *config,
                                  void **args, int device);
/* Drops one reference. */
void hd_cpu_launch_release(hd_cpu_launch *launch);
/* Every block that could start has started, and those that run wait for something outside. */
int hd_cpu_launch_waits(const hd_cpu_launch *launch);
/* Ends the launch: blocks not started are dropped, waiting ones abandoned. The first reason stays;
   text of later calls for the same launch is appended where there is room. Takes the lock. */
void hd_cpu_launch_fail(hd_cpu_launch *launch, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hd_cpu_launch_fail_locked(hd_cpu_launch *launch, hd_status status, const char *text);

/* ---- launches with blocks that nobody has claimed (active.c) --------------------------------- */

/* Hands the launch to the workers. Under the lock. */
void hd_cpu_launch_activate(hd_cpu_launch *launch);
/* Gives the worker its share of launches that it has not seen yet; 0 if there are none. */
int hd_cpu_launches_enter(hd_cpu_worker *worker);
/* Workers for whom there is a block that nobody has claimed. Under the lock. */
unsigned hd_cpu_workers_wanted(void);

#endif
