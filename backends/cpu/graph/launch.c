/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - a launch of a graph enqueues a copy of each step's operation in the lane of the step.

       stream   [wait end] record begin ....................... wait last steps, record end
       lane 0                  wait begin   A  record   B
       lane 1                                  wait A   C  record

   The mark `end` makes the next launch of the same graph wait for this one. */
#include "graph/graph.h"

#include <stdlib.h>

#include "observe.h"

/* Operations to be enqueued. */
typedef struct batch {
    hd_stream *stream;
    hd_cpu_op **ops;
    size_t count, room;
    hd_cpu_mark **marks; /* by step; NULL: sets none */
    hd_cpu_mark *begin, *end;
} batch;

/* Adds an operation on `stream`. NULL: out of memory. */
static hd_cpu_op *add(batch *b, hd_cpu_op_kind kind, hd_cpu_stream *stream)
{
    hd_stream handle = {.native = stream};
    hd_cpu_op *op;

    if (b->count == b->room) {
        size_t room = b->room ? 2 * b->room : 64;
        hd_cpu_op **more = realloc(b->ops, room * sizeof(hd_cpu_op *));

        if (!more)
            return NULL;
        b->ops = more;
        b->room = room;
    }
    op = hd_cpu_op_make(kind, &handle);
    if (op)
        b->ops[b->count++] = op;
    return op;
}

/* Takes a reference to the mark. */
static int add_wait(batch *b, hd_cpu_stream *stream, hd_cpu_mark *mark)
{
    hd_cpu_op *op = add(b, HD_CPU_OP_WAIT, stream);

    if (!op)
        return 0;
    op->mark = mark;
    mark->refs++;
    return 1;
}

/* The operation owns the mark. NULL: out of memory. */
static hd_cpu_mark *add_record(batch *b, hd_cpu_stream *stream)
{
    hd_cpu_op *op = add(b, HD_CPU_OP_RECORD, stream);

    return op ? op->mark = hd_cpu_mark_make(stream) : NULL;
}

static int copy_launch(hd_cpu_op *op, const hd_cpu_launch *from)
{
    const hd_launch_config config = {from->grid, from->block, from->shared_bytes, NULL, 0};

    op->launch = hd_cpu_launch_make(from->kernel, &config, from->args, from->device);
    if (!op->launch)
        return 0;
    op->launch->chunk = from->chunk; /* 1 if all blocks must be resident */
    op->launch->op = op;
    return 1;
}

static int add_work(batch *b, hd_cpu_stream *lane, const hd_cpu_op *from)
{
    hd_cpu_op *op = add(b, from->kind, lane);

    if (!op)
        return 0;
    op->to = from->to;
    op->from = from->from;
    op->to_pitch = from->to_pitch;
    op->from_pitch = from->from_pitch;
    op->row_bytes = from->row_bytes;
    op->rows = from->rows;
    op->value = from->value;
    op->function = from->function;
    op->argument = from->argument;
    HD_OBSERVE(op.recorded(op, from));
    return !from->launch || copy_launch(op, from->launch);
}

static int add_event(batch *b, hd_cpu_stream *lane, const hd_cpu_step *s)
{
    hd_cpu_op *op = add(b, s->kind, lane);

    if (!op)
        return 0;
    op->event = s->event;
    if (s->kind == HD_CPU_OP_RECORD)
        op->mark = hd_cpu_mark_make(lane);
    return s->kind == HD_CPU_OP_WAIT || op->mark;
}

static int add_step(batch *b, const hd_cpu_exec *e, size_t at)
{
    const hd_cpu_step *s = &e->steps[at];
    hd_cpu_stream *lane = e->lanes[s->lane];
    int good = !s->root || add_wait(b, lane, b->begin);

    for (size_t k = s->from; good && k < s->upto; k++)
        good = add_wait(b, lane, b->marks[e->waits[k]]);
    if (good && s->op)
        good = add_work(b, lane, s->op);
    else if (good && s->event)
        good = add_event(b, lane, s);
    if (good && s->marked)
        good = (b->marks[at] = add_record(b, lane)) != NULL;
    return good;
}

/* Adds everything that one launch enqueues, in a valid order. With the lock held. */
static int fill(batch *b, const hd_cpu_exec *e)
{
    hd_cpu_stream *stream = b->stream->native;
    int good = !e->end || add_wait(b, stream, e->end);

    good = good && (b->begin = add_record(b, stream));
    for (unsigned i = 0; i < e->lane_count; i++)
        e->lanes[i]->priority = stream->priority;
    for (size_t i = 0; good && i < e->count; i++)
        good = add_step(b, e, i);
    for (size_t i = 0; good && i < e->count; i++)
        if (e->steps[i].last)
            good = add_wait(b, stream, b->marks[i]);
    return good && (b->end = add_record(b, stream));
}

/* With the lock held. */
static void drop(batch *b)
{
    while (b->count)
        hd_cpu_op_drop(b->ops[--b->count]);
}

/* Checks again: memory that a node uses may have been freed since the node was created. */
static hd_status check(const hd_cpu_exec *e)
{
    hd_status status = HD_OK;

    for (size_t i = 0; status >= 0 && i < e->count; i++)
        if (e->steps[i].op &&
            (e->steps[i].kind == HD_CPU_OP_COPY || e->steps[i].kind == HD_CPU_OP_FILL))
            status = hd_cpu_transfer_check("hd_graph_launch", e->steps[i].op);
    return status;
}

hd_status hdb_graph_launch(void *native, hd_stream *stream)
{
    hd_cpu_exec *e = native;
    batch b = {.stream = stream};
    hd_status status = check(e);
    int good;

    if (status < 0)
        return status;
    b.marks = calloc(e->count + 1, sizeof(hd_cpu_mark *));
    (void)pthread_mutex_lock(&hd_cpu.lock);
    good = b.marks && fill(&b, e);
    if (good) {
        hd_cpu_mark_release(e->end);
        e->end = b.end;
        e->end->refs++;
    } else {
        drop(&b);
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    if (good)
        hd_cpu_enqueue_all(b.ops, b.count);
    free(b.ops);
    free(b.marks);
    return good ? HD_OK : hd__fail(HD_ERR_NO_MEMORY, "hd_graph_launch", "no memory for the launch");
}
