/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - which operation comes before which. Streams have numbers, and each operation knows how
   many operations of every stream are done when it begins: those before it in its own stream, what
   the stream has waited for, and what the host had seen the end of when it enqueued it. The host
   counts as one, whatever the number of its threads: that can only hide a missing order. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a stream, or of those that had its number before. */
typedef struct slot {
    hd_check_clock clock; /* of what is done when its next operation begins */
    hd_check_clock read;  /* of what has read all that it reads */
    uint32_t issued;
    unsigned known; /* all operations with lower numbers are in the clock */
    int device, live, legacy, blocking;
} slot;

pthread_mutex_t hd_check_order_lock = PTHREAD_MUTEX_INITIALIZER;
static slot *slots;
static unsigned slot_count;
static hd_check_clock host;                      /* what the host has seen the end of */
static hd_check_clock ended[HD_CPU_MAX_DEVICES]; /* of blocking streams that are destroyed */
static hd_check_op *executing;                   /* host functions that run */

int hd_check_pending;

/* ---- streams --------------------------------------------------------------------------------- */

/* A number is free again when the host has seen the end of all that carried it. */
static unsigned slot_free(void)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (!slots[i].live && hd_check_covers(&host, i, slots[i].issued))
            return i;
    slots = hd_check_must(realloc(slots, (slot_count + 1) * sizeof *slots));
    memset(&slots[slot_count], 0, sizeof *slots);
    return slot_count++;
}

void hd_check_stream_made(hd_cpu_stream *stream)
{
    slot *s;

    (void)pthread_mutex_lock(&hd_check_order_lock);
    stream->number = slot_free();
    s = &slots[stream->number];
    free(s->clock.at);
    s->clock = hd_check_clock_copy(&host);
    hd_check_clock_see(&s->clock, stream->number, s->issued);
    s->device = stream->device;
    s->legacy = stream->legacy;
    s->blocking = stream->blocking;
    s->live = 1;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

void hd_check_stream_gone(hd_cpu_stream *stream)
{
    slot *s;

    (void)pthread_mutex_lock(&hd_check_order_lock);
    s = &slots[stream->number];
    s->live = 0;
    if (s->blocking)
        hd_check_clock_join(&ended[s->device], &s->clock);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

void hd_check_stream_learns(const hd_check_op *op)
{
    hd_check_clock_join(&slots[op->stream].clock, &op->learned);
    hd_check_clock_join(&slots[op->stream].read, &op->seen);
}

/* The rules of the legacy default stream; see held_by_legacy in stream.c. */
static void legacy_join(slot *s)
{
    if (!s->blocking)
        return;
    for (slot *t = slots; t < slots + slot_count; t++)
        if (t != s && t->live && t->blocking && t->device == s->device && (t->legacy || s->legacy))
            hd_check_clock_join(&s->clock, &t->clock);
    if (s->legacy)
        hd_check_clock_join(&s->clock, &ended[s->device]);
}

/* ---- operations ------------------------------------------------------------------------------ */

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
        made->sized = op->stack ? op->sized : hd__shared_sized();
        hd_check_launched(made);
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
    op->sized = op->kind == HD_CPU_OP_LAUNCH && hd__shared_sized();
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

static void issue(hd_check_op *made, slot *s)
{
    made->index = ++s->issued;
    made->before = hd_check_clock_copy(&s->clock);
    made->read = hd_check_clock_copy(&s->read);
    hd_check_clock_see(&s->clock, made->stream, made->index);
    hd_check_history_add(made, &host);
    hd_check_history_floor(made, &s->known);
    hd_check_pending = 1;
}

static void mark_set(hd_cpu_mark *mark, const hd_check_clock *clock)
{
    mark->clock = hd_check_must(calloc(1, sizeof *mark->clock));
    hd_check_clock_join(mark->clock, clock);
}

void hd_check_enqueued(hd_cpu_op *op)
{
    slot *s;

    if (op->kind != HD_CPU_OP_WAIT && op->kind != HD_CPU_OP_RECORD)
        op->check = op_make(op);
    (void)pthread_mutex_lock(&hd_check_order_lock);
    s = &slots[op->stream->number];
    hd_check_clock_join(&s->clock, &host);
    for (const hd_check_op *f = executing; f; f = f->next)
        hd_check_clock_join(&s->clock, &f->before);
    legacy_join(s);
    if (op->check)
        issue(op->check, s);
    else if (op->kind == HD_CPU_OP_RECORD)
        mark_set(op->mark, &s->clock);
    else if (op->mark && op->mark->clock)
        hd_check_clock_join(&s->clock, op->mark->clock);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    if (op->kind == HD_CPU_OP_LAUNCH)
        hd_check_lint_launch(op->check);
    if (op->kind == HD_CPU_OP_FREE)
        hd_check_free_asked(op->to);
    else if (op->kind == HD_CPU_OP_COPY || op->kind == HD_CPU_OP_FILL)
        hd_check_transfer_begins(op);
}

void hd_check_mark_gone(hd_cpu_mark *mark)
{
    if (mark->clock)
        free(mark->clock->at);
    free(mark->clock);
}

static void executing_remove(const hd_check_op *op)
{
    for (hd_check_op **link = &executing; *link; link = &(*link)->next)
        if (*link == op) {
            *link = op->next;
            return;
        }
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
        (void)pthread_mutex_lock(&hd_check_order_lock);
        op->check->next = executing;
        executing = op->check;
        (void)pthread_mutex_unlock(&hd_check_order_lock);
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
    if (!op->check)
        return;
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_history_done(op->check);
    if (op->kind == HD_CPU_OP_FUNCTION)
        executing_remove(op->check);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

/* ---- what the host has seen the end of ------------------------------------------------------- */

static int host_knows_all(void)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (slots[i].issued && !hd_check_covers(&host, i, slots[i].issued))
            return 0;
    return 1;
}

int hd_check_host_knows(const hd_check_op *op)
{
    int knows;

    (void)pthread_mutex_lock(&hd_check_order_lock);
    knows = hd_check_covers(&host, op->stream, op->index);
    for (const hd_check_op *f = executing; f && !knows; f = f->next)
        knows = hd_check_op_before(op, f);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    return knows;
}

void hd_check_host_learns(const hd_check_op *op)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_clock_join(&host, &op->before);
    hd_check_clock_see(&host, op->stream, op->index);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

/* With the lock, which it gives up: the host clock has grown. Under hd_cpu.lock nothing can begin,
   so that nobody needs what is forgotten here. */
static void host_grown(void)
{
    int all = host_knows_all(), idle = hd_check_history_seen(&host, all);

    if (all)
        hd_check_pending = 0;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    if (idle)
        hd_check_variables_drop();
    hd_check_transfers_end();
}

void hd_check_joined_stream(const hd_cpu_stream *stream)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_clock_join(&host, &slots[stream->number].clock);
    host_grown();
}

void hd_check_joined_mark(const hd_cpu_mark *mark)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    if (mark->clock)
        hd_check_clock_join(&host, mark->clock);
    host_grown();
}

void hd_check_joined_device(int device)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    for (const slot *s = slots; s < slots + slot_count; s++)
        if (s->device == device)
            hd_check_clock_join(&host, &s->clock);
    host_grown();
}
