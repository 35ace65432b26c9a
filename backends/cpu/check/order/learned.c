/* SPDX-License-Identifier: Apache-2.0 */
/* learned.c - order that passes from device to device through a flag, and on along streams: a
   kernel that waited for the release of another one comes after what streams had put before that,
   and so does everything behind the kernel that waited. This is known when an operation begins, not
   when it is enqueued.

   A kernel that merely saw a value that another one stored, in whatever order, knows that this one
   had begun: what streams had put before that has read all that it reads, and may be overwritten
   from the next kernel on. What it wrote need not be there yet. */
#include "knowledge.h"
#include "order.h"

static hd_check_op *learners; /* with hd_check_order_lock */

/* Before anything is learned or seen; with the lock. */
static void add_learner(hd_check_op *op)
{
    if (op->learned.count || op->seen.count)
        return;
    op->next_learner = learners;
    learners = op;
}

/* The releases that are known by themselves; the running block's own kernel teaches nothing. */
static void gather(hd_check_op *op, const hd_check_knowledge *knows)
{
    for (unsigned i = 0; i < knows->count; i++) {
        const hd_check_ref *ref = &knows->refs[i];
        const hd_check_release *r = &ref->variable->releases[ref->to - 1];
        const hd_check_op *theirs = hd_check_op_of(r->serial);

        if (!theirs || theirs == op || !hd_check_reaches(ref, r))
            continue;
        (void)pthread_mutex_lock(&hd_check_order_lock);
        add_learner(op);
        hd_check_clock_join(&op->learned, &theirs->before);
        hd_check_clock_join(&op->seen, &theirs->read);
        hd_check_stream_learns(op);
        (void)pthread_mutex_unlock(&hd_check_order_lock);
    }
}

void hd_check_hand_over(hd_check_block *b)
{
    (void)pthread_mutex_lock(&hd_check_lock);
    gather(b->op, &b->knows);
    for (unsigned w = 0; w < HD_CPU_MAX_WARPS; w++)
        gather(b->op, &b->warp[w].knows);
    for (unsigned t = 0; t < HD_CPU_MAX_THREADS; t++)
        gather(b->op, &b->lane[t].knows);
    (void)pthread_mutex_unlock(&hd_check_lock);
}

void hd_check_sees(hd_check_op *op, uint32_t serial)
{
    const hd_check_op *theirs = hd_check_op_of(serial);

    if (!theirs || theirs == op || theirs->serial == op->seen_last)
        return;
    op->seen_last = theirs->serial;
    (void)pthread_mutex_lock(&hd_check_order_lock);
    if (!hd_check_op_before(theirs, op)) {
        add_learner(op);
        hd_check_clock_join(&op->seen, &theirs->before);
        hd_check_clock_join(&op->seen, &theirs->read);
        hd_check_stream_learns(op);
    }
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

int hd_check_read_before(uint32_t serial, const hd_check_op *op)
{
    const hd_check_op *theirs = hd_check_op_of(serial);

    return !theirs || hd_check_covers(&op->read, theirs->stream, theirs->index);
}

void hd_check_recall(hd_check_op *op)
{
    for (const hd_check_op *l = learners; l; l = l->next_learner)
        if (hd_check_op_before(l, op)) {
            hd_check_clock_join(&op->before, &l->learned);
            hd_check_clock_join(&op->read, &l->seen);
        }
}

void hd_check_pass_on(hd_check_op *op, hd_check_op *const *left, size_t count)
{
    hd_check_op **link = &learners;

    while (*link && *link != op)
        link = &(*link)->next_learner;
    if (*link)
        *link = op->next_learner;
    for (size_t i = 0; i < count; i++)
        if (!left[i]->begun && hd_check_op_before(op, left[i])) {
            hd_check_clock_join(&left[i]->before, &op->learned);
            hd_check_clock_join(&left[i]->read, &op->seen);
        }
}
