/* SPDX-License-Identifier: Apache-2.0 */
/* observe.h - how the checker (check/) watches the CPU engine and decides its schedule: through one
   struct of functions, which check/observer.c defines. The fast engine has no such struct and no
   calls. All layers may include this: it knows their objects by name alone.

   The engine tests which of the two it is only through HD_OBSERVE and HD_OBSERVED. */
#ifndef HEDDLE_CPU_OBSERVE_H
#define HEDDLE_CPU_OBSERVE_H

#include "runtime/backend.h"
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

/* What heap.c keeps between two allocations, and shared.c between two arrays, so that a step too
   far hits nothing. */
enum { HD_OBSERVE_RED_ZONE = 256 * HD_OBSERVED };

/* For whose sake a thread that could go on may have to wait. */
typedef enum hd_cpu_preemption { HD_PREEMPT_BLOCK, HD_PREEMPT_WARP } hd_cpu_preemption;

/* How far hd_free has come: asked for; refused, since the pointer is none of an allocation; or the
   program keeps the memory to the end. */
typedef enum hd_cpu_free_stage { HD_FREE_ASKED, HD_FREE_REFUSED, HD_FREE_NEVER } hd_cpu_free_stage;

/* Who runs when. Each answer must be possible: the engine does not check it. */
typedef struct hd_cpu_schedule {
    /* The block that a launch starts as its index-th one. */
    size_t (*block_at)(const hd_cpu_launch *launch, size_t index);
    /* The thread that starts in position `at`. */
    unsigned (*thread_at)(const hd_cpu_resident *block, unsigned at);
    /* HD_PREEMPT_BLOCK: for so many rounds of the worker other blocks run instead; HD_PREEMPT_WARP:
       another warp runs instead, chosen by this number. 0: no preemption. */
    unsigned (*preempt)(hd_cpu_resident *block, hd_cpu_preemption which);
    /* Whether a thread that the schedule holds (HD_CPU_WAIT_HELD) may go on. */
    int (*hold_over)(const hd_cpu_waiter *waiter);
    /* Nobody else can go on: lets one of these go. 0: there is none. */
    int (*hold_ends)(const hd_cpu_worker *worker);
} hd_cpu_schedule;

/* Blocks; by the worker that runs them. */
typedef struct hd_cpu_block_observer {
    int (*made)(hd_cpu_resident *block); /* 0: no memory */
    void (*begins)(hd_cpu_resident *block, size_t index);
    void (*ends)(hd_cpu_resident *block);
    /* The worker runs threads of the block from now on; NULL: no longer. */
    void (*runs)(hd_cpu_resident *block);
    /* The running block declares a shared array; its bytes are not written yet. */
    void (*shared_declared)(hd_cpu_resident *block, void *data, size_t bytes);
    /* All threads that have not returned have met. */
    void (*block_met)(hd_cpu_resident *block);
    /* Lanes have met (whole: all that exist) to synchronise or to exchange values. */
    void (*warp_met)(hd_cpu_resident *block, unsigned warp, uint64_t lanes, int whole,
                     unsigned kind, const hd_cpu_place *place);
    /* A lane arrives with a mask. */
    void (*masked)(hd_cpu_resident *block, unsigned linear, uint64_t mask,
                   const hd_cpu_place *place);
    /* Somebody is the first to arrive in a collective of all threads, of a warp, or of a group of
       lanes in this slot; -1: does not apply. */
    void (*first)(hd_cpu_resident *block, int warp, int slot);
    /* Somebody arrives at `place` where others wait at `other` for the same collective. */
    void (*diverged)(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
                     const hd_cpu_place *other, int warp, int slot);
    /* A thread leaves the kernel because its assertion has failed. */
    void (*assert_failed)(hd_cpu_resident *block, unsigned linear);
    /* The block can never go on, or waits for too long. */
    void (*stuck)(hd_cpu_resident *block, const char *text);
    /* A thread faulted; `is_pc`: the address is that of the instruction. */
    void (*faulted)(hd_cpu_resident *block, const char *why, const void *address, int is_pc);
    /* As hd_cpu_trace (worker/step.h). */
    void (*trace)(hd_cpu_worker *worker, int end);
} hd_cpu_block_observer;

/* Operations; under hd_cpu.lock unless said otherwise. */
typedef struct hd_cpu_op_observer {
    void (*prepared)(const hd_cpu_op *op); /* about to be enqueued; without the lock */
    void (*enqueued)(hd_cpu_op *op);
    /* A copy, fill or host function begins; without the lock. 0: its memory is gone, it cannot. */
    int (*may_run)(hd_cpu_op *op);
    /* The first block of the launch begins, its last one has ended; by the worker. */
    void (*launch_begins)(hd_cpu_launch *launch);
    void (*launch_ends)(hd_cpu_launch *launch);
    /* A kernel has failed, or its launch was refused. */
    void (*launch_failed)(void);
    /* It is beyond what the device or the kernel's bounds allow; without the lock. */
    void (*launch_refused)(const hd_kernel *kernel, const hd_launch_config *config);
    void (*finished)(hd_cpu_op *op);
    /* The operation becomes the node of a graph (node NULL), or does the node's work. */
    void (*recorded)(hd_cpu_op *op, const hd_cpu_op *node);
    void (*gone)(hd_cpu_op *op);
    void (*stream)(hd_cpu_stream *stream, int made); /* else it goes */
    void (*mark_gone)(hd_cpu_mark *mark);
    /* The host knows from now on that all of the stream, of the mark, or of the device is done. */
    void (*joined)(const hd_cpu_stream *stream, const hd_cpu_mark *mark, int device);
    /* A stream shall wait for an event that was never recorded; without the lock. */
    void (*unrecorded)(void);
} hd_cpu_op_observer;

/* Memory; without the lock. */
typedef struct hd_cpu_memory_observer {
    /* Memory for kernels, zero; NULL: no room. It is not given back. */
    void *(*reserve)(size_t bytes);
    /* own: heddle's, which gives it back by itself. */
    void (*allocated)(const void *pointer, size_t bytes, hd_memory_kind kind, int device, int own);
    void (*symbol_made)(const void *copy, const hd_cpu_cell *cell, int device);
    void (*registered)(const void *pointer, size_t bytes, int registered); /* else no longer */
    void (*freeing)(const void *pointer, hd_cpu_free_stage stage);
    void (*freed)(const void *pointer, const hd_cpu_op *by); /* by: NULL for hd_free */
    void (*reset)(int device);
    void (*peer)(int device, int of, int enabled);
    /* The program gives a call a stream, event, graph ... that it destroyed before. */
    void (*dead_handle)(const char *call, const void *handle, const char *what);
} hd_cpu_memory_observer;

typedef struct hd_cpu_observing {
    void (*configured)(hd_cpu_config *config); /* the variables are read; once */
    void (*starts)(void);                      /* before everything else of the engine */
    hd_cpu_schedule schedule;
    hd_cpu_block_observer block;
    hd_cpu_op_observer op;
    hd_cpu_memory_observer memory;
} hd_cpu_observing;

extern const hd_cpu_observing hd_cpu_observer;

/* HD_OBSERVE(block.begins(block, index)); nothing of it is left in the fast engine, whose answer
   is the first one of HD_OBSERVE_OR. */
#define HD_OBSERVE(call) (HD_OBSERVED ? hd_cpu_observer.call : (void)0)
#define HD_OBSERVE_OR(otherwise, call) (HD_OBSERVED ? hd_cpu_observer.call : (otherwise))

#endif
