/* SPDX-License-Identifier: Apache-2.0 */
/* op_lifetime.c - creates and releases operations, and the marks that represent records of
   events. */
#include "stream/stream.h"

#include <stdlib.h>

#include "observe.h"

hd_cpu_mark *hd_cpu_mark_make(hd_cpu_stream *stream)
{
    hd_cpu_mark *mark = calloc(1, sizeof *mark);

    if (!mark)
        return NULL;
    mark->stream = stream;
    mark->refs = 1;
    return mark;
}

void hd_cpu_mark_release(hd_cpu_mark *mark)
{
    if (!mark || --mark->refs)
        return;
    HD_OBSERVE(op.mark_gone(mark));
    free(mark);
}

static void set(hd_cpu_event *event, hd_cpu_mark *mark)
{
    hd_cpu_mark_release(event->mark);
    event->mark = mark;
    event->captured = 0;
    mark->refs++;
}

void hd_cpu_event_bind(hd_cpu_op *op)
{
    if (!op->event)
        return;
    if (op->kind == HD_CPU_OP_RECORD) {
        set(op->event, op->mark);
        return;
    }
    op->mark = op->event->mark;
    if (op->mark)
        op->mark->refs++;
}

hd_cpu_op *hd_cpu_op_make(hd_cpu_op_kind kind, hd_stream *stream)
{
    hd_cpu_op *op = calloc(1, sizeof *op);

    if (!op)
        return NULL;
    op->kind = kind;
    op->stream = stream->native;
    op->refs = 2;
    return op;
}

void hd_cpu_op_release(hd_cpu_op *op)
{
    if (--op->refs)
        return;
    hd_cpu_mark_release(op->mark);
    if (op->launch)
        hd_cpu_launch_release(op->launch);
    HD_OBSERVE(op.gone(op));
    free(op->snapshot);
    free(op);
}

void hd_cpu_op_drop(hd_cpu_op *op)
{
    op->refs = 1;
    hd_cpu_op_release(op);
}
