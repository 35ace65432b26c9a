/* SPDX-License-Identifier: Apache-2.0 */
/* observe.h - the checker's hooks in the CPU engine: a struct of functions, defined in
   check/observer.c, through which the checker watches the engine and decides its schedule. The
   engine without the checker has neither the struct nor the calls. All layers may include this
   file: it only declares the names of their types.

   The engine distinguishes the two builds only by HD_OBSERVE and HD_OBSERVED. */
#ifndef HEDDLE_CPU_OBSERVE_H
#define HEDDLE_CPU_OBSERVE_H

#include "runtime/backend.h"
#include "runtime/counters.h"
#include <heddle/backend/cpu_block.h>

#if HD_CPU_CHECK
#define HD_OBSERVED 1
#else
#define HD_OBSERVED 0
#endif

typedef struct hd_cpu_config hd_cpu_config;
typedef struct hd_cpu_launch hd_cpu_launch;
typedef struct hd_cpu_mark hd_cpu_mark;
typedef struct hd_cpu_op hd_cpu_op;
typedef struct hd_cpu_resident hd_cpu_resident;
typedef struct hd_cpu_stream hd_cpu_stream;
typedef struct hd_cpu_waiter hd_cpu_waiter;
typedef struct hd_cpu_worker hd_cpu_worker;

/* Red zone between allocations (heap.c) and between shared arrays (shared.c), so that an access
   past the end hits no valid data. */
enum { HD_OBSERVE_RED_ZONE = 256 * HD_OBSERVED };

/* In whose favour a runnable thread is preempted: another block or another warp. */
typedef enum hd_cpu_preemption { HD_PREEMPT_BLOCK, HD_PREEMPT_WARP } hd_cpu_preemption;

/* Progress of hd_free: requested; refused, because the pointer is not the start of an allocation;
   or never freed, because heddle keeps this internal memory for reuse. */
typedef enum hd_cpu_free_stage { HD_FREE_ASKED, HD_FREE_REFUSED, HD_FREE_NEVER } hd_cpu_free_stage;

/* The schedule. Each answer must be valid: the engine does not check it. */
typedef struct hd_cpu_schedule {
    /* The block to start as the launch's index-th one. */
    size_t (*block_at)(const hd_cpu_launch *launch, size_t index);
    /* The thread to start in position `at`. */
    unsigned (*thread_at)(const hd_cpu_resident *block, unsigned at);
    /* HD_PREEMPT_BLOCK: number of rounds for which the worker runs other blocks instead;
       HD_PREEMPT_WARP: a number that selects the warp to run instead. 0: no preemption. */
    unsigned (*preempt)(hd_cpu_resident *block, hd_cpu_preemption which);
    /* Whether a thread held by the schedule (HD_CPU_WAIT_HELD) may continue. */
    int (*hold_over)(const hd_cpu_waiter *waiter);
    /* No other thread can continue: releases a held one. 0: there is none. */
    int (*hold_ends)(const hd_cpu_worker *worker);
} hd_cpu_schedule;

/* Blocks; called by the worker that runs them. */
typedef struct hd_cpu_block_observer {
    int (*made)(hd_cpu_resident *block); /* 0: out of memory */
    void (*begins)(hd_cpu_resident *block, size_t index);
    void (*ends)(hd_cpu_resident *block);
    /* The worker runs threads of this block from now on; NULL: it stops running the block. */
    void (*runs)(hd_cpu_resident *block);
    /* The running block declares a shared array; its bytes are not initialised yet. */
    void (*shared_declared)(hd_cpu_resident *block, void *data, size_t bytes);
    /* All threads that have not returned have reached the barrier. */
    void (*block_met)(hd_cpu_resident *block);
    /* Lanes have met (whole: all that have not returned) to synchronise or to exchange values. */
    void (*warp_met)(hd_cpu_resident *block, unsigned warp, uint64_t lanes, int whole,
                     unsigned kind, const hd_cpu_place *place);
    /* A lane calls a collective with a mask. */
    void (*masked)(hd_cpu_resident *block, unsigned linear, uint64_t mask,
                   const hd_cpu_place *place);
    /* A thread is the first to arrive in a collective of the block, of a warp, or of a group of
       lanes in this slot; -1: not applicable. */
    void (*first)(hd_cpu_resident *block, int warp, int slot);
    /* A thread arrives at `place` while others wait at `other` for the same collective. */
    void (*diverged)(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
                     const hd_cpu_place *other, int warp, int slot);
    /* A thread leaves the kernel because of a failed assertion. */
    void (*assert_failed)(hd_cpu_resident *block, unsigned linear);
    /* The block is deadlocked or exceeded the watchdog's time. */
    void (*stuck)(hd_cpu_resident *block, const char *text);
    /* A thread faulted; `is_pc`: the address is the faulting instruction's. */
    void (*faulted)(hd_cpu_resident *block, const char *why, const void *address, int is_pc);
    /* As hd_cpu_trace (worker/step.h). */
    void (*trace)(hd_cpu_worker *worker, int end);
} hd_cpu_block_observer;

/* Operations; called with hd_cpu.lock held unless stated otherwise. */
typedef struct hd_cpu_op_observer {
    /* The calling thread is about to launch or to add a kernel node; as hdb_launch_called. */
    void (*launch_called)(const void *frame, int sized);
    void (*prepared)(const hd_cpu_op *op); /* about to be enqueued; without the lock */
    void (*enqueued)(hd_cpu_op *op);
    /* A copy, fill or host function begins; without the lock. 0: its memory was freed, so it must
       not run. */
    int (*may_run)(hd_cpu_op *op);
    /* The first block of the launch begins; its last block has ended. Called by the worker. */
    void (*launch_begins)(hd_cpu_launch *launch);
    void (*launch_ends)(hd_cpu_launch *launch);
    /* A kernel has failed, or its launch was refused. */
    void (*launch_failed)(void);
    /* The launch exceeds the limits of the device or the kernel's bounds; without the lock. */
    void (*launch_refused)(const hd_kernel *kernel, const hd_launch_config *config);
    void (*finished)(hd_cpu_op *op);
    /* The operation becomes a node of a graph (node NULL), or is an execution of that node. */
    void (*recorded)(hd_cpu_op *op, const hd_cpu_op *node);
    void (*gone)(hd_cpu_op *op);
    void (*stream)(hd_cpu_stream *stream, int made); /* made 0: the stream is destroyed */
    void (*mark_gone)(hd_cpu_mark *mark);
    /* The host has synchronised with the whole stream, with the mark, or with the device. */
    void (*joined)(const hd_cpu_stream *stream, const hd_cpu_mark *mark, int device);
    /* A stream is asked to wait for an event that was never recorded; without the lock. */
    void (*unrecorded)(void);
} hd_cpu_op_observer;

/* Memory; called without the lock. */
typedef struct hd_cpu_memory_observer {
    /* Zeroed memory for kernels, never returned; NULL: out of memory. */
    void *(*reserve)(size_t bytes);
    /* own: allocated by heddle internally, which frees it itself. */
    void (*allocated)(const void *pointer, size_t bytes, hd_memory_kind kind, int device, int own);
    void (*symbol_made)(const void *copy, const hd_cpu_cell *cell, int device);
    void (*registered)(const void *pointer, size_t bytes, int registered); /* unregistered if 0 */
    void (*freeing)(const void *pointer, hd_cpu_free_stage stage);
    void (*freed)(const void *pointer, const hd_cpu_op *by); /* by: NULL for hd_free */
    void (*reset)(int device);
    void (*peer)(int device, int of, int enabled);
    /* The program passes a call a stream, event, graph etc. that it has destroyed. */
    void (*dead_handle)(const char *call, const void *handle, const char *what);
} hd_cpu_memory_observer;

/* Counts of a kernel's memory requests, as in runtime/counters.h. */
typedef struct hd_cpu_counting {
    int (*start)(const hd_kernel *kernel); /* 0: out of memory */
    void (*stop)(const hd_kernel *kernel, hdb_counters *counters_out);
} hd_cpu_counting;

typedef struct hd_cpu_observing {
    void (*configured)(hd_cpu_config *config); /* the environment variables were read; once */
    void (*starts)(void);                      /* before any other part of the engine starts */
    hd_cpu_schedule schedule;
    hd_cpu_block_observer block;
    hd_cpu_op_observer op;
    hd_cpu_memory_observer memory;
    hd_cpu_counting counting;
} hd_cpu_observing;

extern const hd_cpu_observing hd_cpu_observer;

/* HD_OBSERVE(block.begins(block, index)) calls the checker; it compiles to nothing in the engine
   without the checker, where HD_OBSERVE_OR is its first argument. */
#define HD_OBSERVE(call) (HD_OBSERVED ? hd_cpu_observer.call : (void)0)
#define HD_OBSERVE_OR(otherwise, call) (HD_OBSERVED ? hd_cpu_observer.call : (otherwise))

#endif
