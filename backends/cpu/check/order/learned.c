/* SPDX-License-Identifier: Apache-2.0 */
/* learned.c - order that passes from one device to another through a flag, and on along streams. A
   kernel that has waited for another kernel's release happens after everything that streams order
   before the releasing kernel, and so do all operations after the waiting kernel. This is known
   when an operation begins, not when it is enqueued.

       stream 0   A --- K1 (release) ...
                             \
       stream 1               K2 (wait) --- B        A happens before K2 and B

   A kernel that reads any value stored by another kernel, without acquire, knows only that this
   kernel had begun. Operations that streams order before it have made all their reads, so that
   operations after the reading kernel may overwrite what they read; their writes need not be
   visible. */
#include "knowledge.h"
#include "order.h"

/* Collects the releases that are known directly; those of the block's own kernel add nothing. */
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
