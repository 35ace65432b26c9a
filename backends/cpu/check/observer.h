/* SPDX-License-Identifier: Apache-2.0 */
/* observer.h - the checker's functions for each event of the engine; observer.c enters them in the
   table of ../observe.h. */
#ifndef HEDDLE_CPU_CHECK_OBSERVER_H
#define HEDDLE_CPU_CHECK_OBSERVER_H

#include "block/block.h"
#include "core/device_error.h"
#include "launch/kernel.h"
#include "memory/allocations.h"
#include "observe.h"
#include "stream/stream.h"
#include "worker/worker.h"

/* Reads the checker's variables; called once by the engine's configuration. */
void hd_check_environment(hd_cpu_config *config);
/* Afterwards: reads suppressions and reports variables with invalid values. */
void hd_check_report_configured(hd_cpu_config *config);
/* The engine starts: initialises shadow, suppressions and exit handlers. */
void hd_check_start(void);

/* ---- blocks (check/rules/block.c); called by the worker -------------------------------------- */

int hd_check_block_make(hd_cpu_resident *block); /* 0: out of memory */
/* The running block declares a shared array; its bytes are not initialised yet. */
void hd_check_shared_begins(void *data, size_t bytes);
/* Block number `index` of its launch begins. */
void hd_check_block_begins(hd_cpu_resident *block, size_t index);
void hd_check_block_ends(hd_cpu_resident *block);
/* The worker starts running threads of the block; it stops. */
void hd_check_enters(hd_cpu_resident *block);
void hd_check_leaves(void);
/* The block to start as the launch's index-th one. */
size_t hd_check_block_at(const hd_cpu_launch *launch, size_t index);
/* The thread to start in position `at`. */
unsigned hd_check_thread_at(const hd_cpu_resident *block, unsigned at);
/* As `preempt` of the schedule. */
unsigned hd_check_preempt(hd_cpu_resident *block, hd_cpu_preemption which);
/* Whether the wait of a thread that the checker holds is over. */
int hd_check_hold_over(const hd_cpu_waiter *waiter);
/* No other thread can continue: releases one of the held threads. 0: there is none. */
int hd_check_hold_ends(const hd_cpu_worker *worker);
/* All threads of the block that have not returned have met. */
void hd_check_block_meets(hd_cpu_resident *block);
/* Lanes of a warp have met in hd_sync_warp (all that exist) or hd_sync_warp_in. */
void hd_check_warp_meets(hd_cpu_resident *block, unsigned warp, uint64_t lanes, int whole);
/* Lanes have met to exchange values: a lane may have read from an absent one. */
void hd_check_shuffled(hd_cpu_resident *block, unsigned warp, uint64_t lanes, unsigned kind,
                       const hd_cpu_place *place);
/* A lane calls a collective with a mask. */
void hd_check_masked(hd_cpu_resident *block, unsigned linear, uint64_t mask,
                     const hd_cpu_place *place);
/* A thread leaves the kernel because of a failed assertion. */
void hd_check_assert_failed(hd_cpu_resident *block, unsigned linear);
/* A thread is the first to arrive in a collective of the block, of a warp, or of a group of lanes
   in this slot; -1: not applicable. */
void hd_check_first(hd_cpu_resident *block, int warp, int slot);
/* A thread arrives at `place` while others wait at `other` for the same collective. */
void hd_check_diverged(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
                       const hd_cpu_place *other, int warp, int slot);
/* The block is deadlocked or exceeded the watchdog's time. */
void hd_check_stuck(hd_cpu_resident *block, const char *text);
/* A thread faulted; `is_pc`: the address is the faulting instruction's. */
void hd_check_faulted(hd_cpu_resident *block, const char *why, const void *address, int is_pc);
/* As hd_cpu_trace. */
void hd_check_trace(hd_cpu_worker *worker, int end);

/* ---- operations (rules/operation.c); with hd_cpu.lock held unless stated otherwise ----------- */

/* The calling thread is about to launch or to add a kernel node; without the lock. */
void hd_check_launch_called(const void *frame, int sized);
/* Makes room for the operation's serials, without the lock. */
void hd_check_room(const hd_cpu_op *op);
/* Called before the operation can run, and when it is done. */
void hd_check_enqueued(hd_cpu_op *op);
void hd_check_finished(hd_cpu_op *op);
/* The operation becomes a node of a graph: records the call that created it. */
void hd_check_planned(hd_cpu_op *op);
/* An operation of a graph launch takes the node's record. */
void hd_check_planned_as(hd_cpu_op *op, const hd_cpu_op *node);
/* A copy, fill or host function begins; without the lock. 0: its memory was freed, so it must not
   run. */
int hd_check_executes(hd_cpu_op *op);
void hd_check_stream_made(hd_cpu_stream *stream);
void hd_check_stream_gone(hd_cpu_stream *stream);
void hd_check_mark_gone(hd_cpu_mark *mark);
/* The host has synchronised with the stream, mark or device. */
void hd_check_joined_stream(const hd_cpu_stream *stream);
void hd_check_joined_mark(const hd_cpu_mark *mark);
void hd_check_joined_device(int device);
/* A stream is asked to wait for an event that was never recorded; without the lock. */
void hd_check_unrecorded(void);

/* ---- memory (rules/memory.c, rules/free.c); without the lock --------------------------------- */

/* own: allocated by heddle internally, which frees it itself. */
void hd_check_allocated(const void *pointer, size_t bytes, hd_memory_kind kind, int device,
                        int own);
void hd_check_symbol_made(const void *copy, const hd_cpu_cell *cell, int device);
/* A kernel has failed, or its launch was refused. */
void hd_check_launch_failed(void);
/* Of an allocation: its free is requested; it is never freed, because heddle keeps it for reuse;
   it is freed, by an operation or by hd_free (NULL); its free is refused. */
void hd_check_free_asked(const void *pointer);
void hd_check_memory_kept(const void *pointer);
void hd_check_freed(const void *pointer, const hd_cpu_op *by);
void hd_check_bad_free(const void *pointer);
/* The program passes a call a stream, event, graph etc. that it has destroyed. */
void hd_check_dead_handle(const char *call, const void *handle, const char *what);
void hd_check_registered(const void *pointer, size_t bytes);
void hd_check_unregistered(const void *pointer, size_t bytes);
void hd_check_memory_reset(int device);
void hd_check_peer(int device, int of, int enabled);

/* ---- lints (lint.c, replay.c) ---------------------------------------------------------------- */

/* The amount of shared memory that the running block uses has grown. */
void hd_check_shared_used(const hd_cpu_resident *block);
/* A launch is refused because it exceeds the limits of the device or the kernel's bounds. */
void hd_check_lint_refused(const hd_kernel *kernel, const hd_launch_config *config);
/* The launch's first block begins; its last block has ended. Called by the worker. */
void hd_check_launch_begins(hd_cpu_launch *launch);
void hd_check_launch_ends(hd_cpu_launch *launch);

/* ---- counts of a kernel's requests (profile/count.c); as hd_cpu_counting --------------------- */

int hd_check_count_start(const hd_kernel *kernel);
void hd_check_count_stop(const hd_kernel *kernel, hdb_counters *counters_out);

#endif
