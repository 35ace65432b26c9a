/* SPDX-License-Identifier: Apache-2.0 */
/* learned.c - order that passes from device to device through a flag, and on along streams: a
   kernel that waited for the release of another one comes after what streams had put before that,
   and so does everything behind the kernel that waited. This is known when an operation begins, not
   when it is enqueued. */
#include "knowledge.h"
#include "order.h"

static hd_check_op *learners; /* with hd_check_order_lock */

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
        if (!op->learned.count) {
            op->next_learner = learners;
            learners = op;
        }
        hd_check_clock_join(&op->learned, &theirs->before);
        hd_check_stream_learns(op->stream, &op->learned);
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

void hd_check_recall(hd_check_op *op)
{
    for (const hd_check_op *l = learners; l; l = l->next_learner)
        if (hd_check_op_before(l, op))
            hd_check_clock_join(&op->before, &l->learned);
}

void hd_check_pass_on(hd_check_op *op, hd_check_op *const *left, size_t count)
{
    hd_check_op **link = &learners;

    while (*link && *link != op)
        link = &(*link)->next_learner;
    if (*link)
        *link = op->next_learner;
    for (size_t i = 0; i < count; i++)
        if (!left[i]->begun && hd_check_op_before(op, left[i]))
            hd_check_clock_join(&left[i]->before, &op->learned);
}
