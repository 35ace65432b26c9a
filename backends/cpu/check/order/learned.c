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
        hd_check_learner_add(op);
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
        hd_check_learner_add(op);
        hd_check_clock_join(&op->seen, &theirs->before);
        hd_check_clock_join(&op->seen, &theirs->read);
        hd_check_stream_learns(op);
    }
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}
