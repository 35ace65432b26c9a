/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - order of operations by vector clocks. Each operation has the number of operations of
   every stream that are done when it begins: those before it in its own stream, those that the
   stream has waited for, and those that the host had synchronised with when it enqueued the
   operation.

       stream 0   A1 --- A2 --- record e
                                    \
       stream 1          B1 ----- wait e --- B2       B2.before = {stream 0: 2, stream 1: 1}

   All host threads count as one, which can hide a missing order but never report a false one. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

/* State of a stream number, including earlier streams that had the number. */
typedef struct slot {
    hd_check_clock clock; /* operations that are done when the stream's next operation begins */
    hd_check_clock read;  /* operations whose reads are done by then */
    uint32_t issued;
    unsigned known; /* all operations with lower numbers are in the clock */
    int device, live, legacy, blocking;
} slot;

static slot *slots;
static unsigned slot_count;
static hd_check_clock host;                      /* that the host has synchronised with */
static hd_check_clock ended[HD_CPU_MAX_DEVICES]; /* operations of destroyed blocking streams */
static hd_check_op *executing;                   /* host functions that are running */

int hd_check_pending;

/* ---- streams --------------------------------------------------------------------------------- */

/* A number can be reused when the host has synchronised with all operations that carried it. */
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

/* The rules of the legacy default stream; see held_by_legacy in stream/advance.c. */
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

void hd_check_order_enqueue(hd_cpu_op *op)
{
    slot *s;

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
}

void hd_check_mark_gone(hd_cpu_mark *mark)
{
    if (mark->clock)
        free(mark->clock->at);
    free(mark->clock);
}

/* Removes the operation if it is a running host function. */
static void executing_remove(const hd_check_op *op)
{
    for (hd_check_op **link = &executing; *link; link = &(*link)->next)
        if (*link == op) {
            *link = op->next;
            return;
        }
}

void hd_check_order_execute(hd_check_op *function)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    function->next = executing;
    executing = function;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

void hd_check_order_finish(hd_check_op *op)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_history_done(op);
    executing_remove(op);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

/* ---- synchronisation of the host ------------------------------------------------------------- */

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

/* The host clock has grown. Called with the lock held, which is released. 1: no operation is
   running. */
static int host_grown(void)
{
    int all = host_knows_all(), idle = hd_check_history_seen(&host, all);

    if (all)
        hd_check_pending = 0;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    return idle;
}

int hd_check_order_join_stream(const hd_cpu_stream *stream)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_clock_join(&host, &slots[stream->number].clock);
    return host_grown();
}

int hd_check_order_join_mark(const hd_cpu_mark *mark)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    if (mark->clock)
        hd_check_clock_join(&host, mark->clock);
    return host_grown();
}

int hd_check_order_join_device(int device)
{
    (void)pthread_mutex_lock(&hd_check_order_lock);
    for (const slot *s = slots; s < slots + slot_count; s++)
        if (s->device == device)
            hd_check_clock_join(&host, &s->clock);
    return host_grown();
}
