/* SPDX-License-Identifier: Apache-2.0 */
/* observer.c - the table of the checker's functions that the engine calls (observe.h). */
#include "check/observer.h"
#include "check/shadow.h"

#include <stdlib.h>

static void configured(hd_cpu_config *config)
{
    hd_check_environment(config);
    hd_check_report_configured(config);
}

static void runs(hd_cpu_resident *block)
{
    if (block)
        hd_check_enters(block);
    else
        hd_check_leaves();
}

static void shared_declared(hd_cpu_resident *block, void *data, size_t bytes)
{
    hd_check_shared_used(block);
    hd_check_shared_begins(data, bytes);
}

static void warp_met(hd_cpu_resident *block, unsigned warp, uint64_t lanes, int whole,
                     unsigned kind, const hd_cpu_place *place)
{
    if (kind == HD_CPU_SYNC)
        hd_check_warp_meets(block, warp, lanes, whole);
    else
        hd_check_shuffled(block, warp, lanes, kind, place);
}

static void recorded(hd_cpu_op *op, const hd_cpu_op *node)
{
    if (node)
        hd_check_planned_as(op, node);
    else
        hd_check_planned(op);
}

static void gone(hd_cpu_op *op)
{
    free(op->stack);
}

static void stream(hd_cpu_stream *stream, int made)
{
    if (made)
        hd_check_stream_made(stream);
    else
        hd_check_stream_gone(stream);
}

static void joined(const hd_cpu_stream *of, const hd_cpu_mark *mark, int device)
{
    if (of)
        hd_check_joined_stream(of);
    else if (mark)
        hd_check_joined_mark(mark);
    else
        hd_check_joined_device(device);
}

static void registered(const void *pointer, size_t bytes, int registered)
{
    if (registered)
        hd_check_registered(pointer, bytes);
    else
        hd_check_unregistered(pointer, bytes);
}

static void freeing(const void *pointer, hd_cpu_free_stage stage)
{
    if (stage == HD_FREE_ASKED)
        hd_check_free_asked(pointer);
    else if (stage == HD_FREE_REFUSED)
        hd_check_bad_free(pointer);
    else
        hd_check_memory_kept(pointer);
}

const hd_cpu_observing hd_cpu_observer = {
    .configured = configured,
    .starts = hd_check_start,
    .schedule =
        {
            .block_at = hd_check_block_at,
            .thread_at = hd_check_thread_at,
            .preempt = hd_check_preempt,
            .hold_over = hd_check_hold_over,
            .hold_ends = hd_check_hold_ends,
        },
    .block =
        {
            .made = hd_check_block_make,
            .begins = hd_check_block_begins,
            .ends = hd_check_block_ends,
            .runs = runs,
            .shared_declared = shared_declared,
            .block_met = hd_check_block_meets,
            .warp_met = warp_met,
            .masked = hd_check_masked,
            .first = hd_check_first,
            .diverged = hd_check_diverged,
            .assert_failed = hd_check_assert_failed,
            .stuck = hd_check_stuck,
            .faulted = hd_check_faulted,
            .trace = hd_check_trace,
        },
    .op =
        {
            .launch_called = hd_check_launch_called,
            .prepared = hd_check_room,
            .enqueued = hd_check_enqueued,
            .may_run = hd_check_executes,
            .launch_begins = hd_check_launch_begins,
            .launch_ends = hd_check_launch_ends,
            .launch_failed = hd_check_launch_failed,
            .launch_refused = hd_check_lint_refused,
            .finished = hd_check_finished,
            .recorded = recorded,
            .gone = gone,
            .stream = stream,
            .mark_gone = hd_check_mark_gone,
            .joined = joined,
            .unrecorded = hd_check_unrecorded,
        },
    .memory =
        {
            .reserve = hd_check_reserve,
            .allocated = hd_check_allocated,
            .symbol_made = hd_check_symbol_made,
            .registered = registered,
            .freeing = freeing,
            .freed = hd_check_freed,
            .reset = hd_check_memory_reset,
            .peer = hd_check_peer,
            .dead_handle = hd_check_dead_handle,
        },
    .counting = {.start = hd_check_count_start, .stop = hd_check_count_stop},
};
