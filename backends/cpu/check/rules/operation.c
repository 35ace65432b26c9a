/* SPDX-License-Identifier: Apache-2.0 */
/* operation.c - operations as the engine enqueues, runs and completes them: the call that created
   each, and the memory that it accesses. */
#include "check/order/order.h"

#include <stdlib.h>
#include <string.h>

/* Notes of hdb_launch_called for the next operation of the thread. */
static _Thread_local struct {
    const void *frame;
    int sized;
} caller;

void hd_check_launch_called(const void *frame, int sized)
{
    caller.frame = frame;
    caller.sized = sized;
}

static const char *name_of(hd_cpu_op_kind kind)
{
    static const char *const names[] = {
        [HD_CPU_OP_LAUNCH] = "hd_launch",   [HD_CPU_OP_COPY] = "hd_copy",
        [HD_CPU_OP_FILL] = "hd_fill",       [HD_CPU_OP_FUNCTION] = "hd_stream_host_function",
        [HD_CPU_OP_FREE] = "hd_free_async",
    };

    return names[kind];
}

static hd_check_op *op_make(const hd_cpu_op *op)
{
    hd_check_op *made = hd_check_must(calloc(1, sizeof *made));

    made->blocks = hd_check_blocks_of(op);
    made->stream = op->stream->number;
    made->device = op->stream->device;
    made->what = name_of(op->kind);
    if (op->kind == HD_CPU_OP_LAUNCH) {
        made->kernel = op->launch->kernel;
        made->grid = op->launch->grid;
        made->block = op->launch->block;
        made->shared_bytes = op->launch->shared_bytes;
        made->sized = op->stack ? op->sized : caller.sized;
        if (!op->stack)
            hd_check_launched(made, caller.frame);
    }
    if (op->stack)
        memcpy(made->stack, op->stack, sizeof made->stack);
    else
        hd_check_stack(made->stack);
    return made;
}

void hd_check_planned(hd_cpu_op *op)
{
    op->stack = hd_check_must(calloc(HD_CHECK_STACK, sizeof *op->stack));
    op->sized = op->kind == HD_CPU_OP_LAUNCH && caller.sized;
    hd_check_stack(op->stack);
}

void hd_check_planned_as(hd_cpu_op *op, const hd_cpu_op *node)
{
    if (!node->stack)
        return;
    op->stack = hd_check_must(calloc(HD_CHECK_STACK, sizeof *op->stack));
    op->sized = node->sized;
    memcpy(op->stack, node->stack, HD_CHECK_STACK * sizeof *op->stack);
}

void hd_check_room(const hd_cpu_op *op)
{
    if (hd_check_history_room(op))
        return;
    (void)pthread_mutex_lock(&hd_check_lock);
    hd_check_wipe();
    (void)pthread_mutex_unlock(&hd_check_lock);
}

void hd_check_enqueued(hd_cpu_op *op)
{
    if (op->kind != HD_CPU_OP_WAIT && op->kind != HD_CPU_OP_RECORD)
        op->check = op_make(op);
    hd_check_order_enqueue(op);
    if (op->kind == HD_CPU_OP_LAUNCH)
        hd_check_lint_launch(op->check);
    if (op->kind == HD_CPU_OP_FREE)
        hd_check_free_asked(op->to);
    else if (op->kind == HD_CPU_OP_COPY || op->kind == HD_CPU_OP_FILL)
        hd_check_transfer_begins(op);
}

static void rows_access(const hd_cpu_op *op, const void *base, size_t pitch, hd_check_access kind)
{
    if (!hd_check_inside((uintptr_t)base))
        return;
    if (op->kind == HD_CPU_OP_FILL || pitch == op->row_bytes) {
        hd_check_range_access(op->check, (uintptr_t)base, op->row_bytes * op->rows, kind);
        return;
    }
    for (size_t row = 0; row < op->rows; row++)
        hd_check_range_access(op->check, (uintptr_t)base + row * pitch, op->row_bytes, kind);
}

int hd_check_executes(hd_cpu_op *op)
{
    int good;

    if (op->kind == HD_CPU_OP_FUNCTION) {
        hd_check_order_execute(op->check);
        return 1;
    }
    (void)pthread_mutex_lock(&hd_check_lock);
    good = hd_check_used(op->check, (uintptr_t)op->to, "writes") &&
           (op->kind == HD_CPU_OP_FILL || hd_check_used(op->check, (uintptr_t)op->from, "reads"));
    if (good && op->kind == HD_CPU_OP_COPY)
        rows_access(op, op->from, op->from_pitch, HD_CHECK_READ);
    if (good)
        rows_access(op, op->to, op->to_pitch, HD_CHECK_WRITE);
    (void)pthread_mutex_unlock(&hd_check_lock);
    return good;
}

void hd_check_finished(hd_cpu_op *op)
{
    if (op->check)
        hd_check_order_finish(op->check);
}

/* ---- synchronisation of the host ------------------------------------------------------------- */

static void joined(int idle)
{
    if (idle)
        hd_check_variables_drop();
    hd_check_transfers_end();
}

void hd_check_joined_stream(const hd_cpu_stream *stream)
{
    joined(hd_check_order_join_stream(stream));
}

void hd_check_joined_mark(const hd_cpu_mark *mark)
{
    joined(hd_check_order_join_mark(mark));
}

void hd_check_joined_device(int device)
{
    joined(hd_check_order_join_device(device));
}
