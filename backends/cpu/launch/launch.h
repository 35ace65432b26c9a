/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h - a launch of a kernel, divided among workers.

       blocks   0 ............ next ............ blocks - 1
                claimed in chunks | unclaimed
       share[w] of worker w: [at, end) claimed and not started, `residents` running or parked */
#ifndef HEDDLE_CPU_LAUNCH_LAUNCH_H
#define HEDDLE_CPU_LAUNCH_LAUNCH_H

#include "launch/worker.h"

enum {
    HD_CPU_RESIDENT = 32,          /* maximum resident blocks of one launch on a worker */
    HD_CPU_RESIDENT_THREADS = 8192 /* and their maximum number of threads */
};

/* One worker's share of a launch. */
struct hd_cpu_work_share {
    hd_cpu_launch *launch;
    struct hd_cpu_work_share *next;
    size_t at, end; /* blocks claimed and not started */
    size_t done;    /* finished blocks that were not reported yet */
    unsigned residents;
    int awake, full;
} HD_ALIGN(64);

struct hd_cpu_launch {
    size_t bytes; /* size of this allocation */
    const hd_kernel *kernel;
    hd_cpu_entry *entry;
    void **args;
    hd_dim3 grid, block;
    unsigned threads;
    int device;
    int priority; /* priority of its stream: smaller runs first */
    size_t shared_bytes;
    size_t blocks, chunk;
    unsigned residents;                     /* maximum resident blocks per worker */
    hd_cpu_op *op;                          /* the operation */
    void (*on_done)(hd_cpu_launch *launch); /* once, by the worker that ended the last block */
    hd_cpu_worker *host;        /* the worker that the host thread stands in for; NULL: none */
    hd_cpu_launch *next_active; /* list of launches with unclaimed blocks */
    hd_cpu_launch *next_flight; /* list of unfinished launches */
    int refs;
    hd_status status; /* the failure, guarded by the lock */
    char text[HD_CPU_TEXT];
    size_t next HD_ALIGN(64);      /* first unclaimed block */
    size_t remaining HD_ALIGN(64); /* unfinished blocks */
    int failed;
    int awake;                 /* shares with a runnable block */
    int full;                  /* shares without room for another block */
    int polled;                /* failed because of a polling loop: other blocks are not reported */
    hd_cpu_work_share share[]; /* per worker */
};

/* Maximum resident blocks with that many threads, per worker and launch. */
unsigned hd_cpu_residents(unsigned threads);
/* Allocates a launch and copies the arguments. NULL: out of memory. */
hd_cpu_launch *hd_cpu_launch_make(const hd_kernel *kernel, const hd_launch_config *config,
                                  void **args, int device);
/* Drops one reference. */
void hd_cpu_launch_release(hd_cpu_launch *launch);
/* Whether every block that can start has started, and all running ones wait for something
   outside. */
int hd_cpu_launch_waits(const hd_cpu_launch *launch);
/* Fails the launch: unstarted blocks are dropped, waiting ones abandoned. The first reason counts;
   texts of later calls are appended if there is room. Takes the lock. */
void hd_cpu_launch_fail(hd_cpu_launch *launch, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hd_cpu_launch_fail_locked(hd_cpu_launch *launch, hd_status status, const char *text);

/* ---- launches with unclaimed blocks (active.c) ----------------------------------------------- */

/* Adds the launch to the active ones and wakes workers. With the lock held. */
void hd_cpu_launch_activate(hd_cpu_launch *launch);
/* Gives the worker a share of each active launch that it has not joined; 0 if there is none. */
int hd_cpu_launches_enter(hd_cpu_worker *worker);
/* Number of workers that could claim a block. With the lock held. */
unsigned hd_cpu_workers_wanted(void);

#endif
