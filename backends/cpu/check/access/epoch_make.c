/* SPDX-License-Identifier: Apache-2.0 */
/* epoch_make.c - creates epochs as accesses need them, and sets the epoch floor of operations: the
   epochs below which no comparison is necessary. */
#include "check/order/order.h"

#include <string.h>

hd_check_recent hd_check_recents[HD_CHECK_RECENT];

static unsigned begun_number; /* highest number of an operation that has begun */

/* The ring is full or the numbers are used up: forgets all accesses recorded so far. */
static void start_anew(void)
{
    hd_check_wipe();
    memset(hd_check_recents, 0, sizeof hd_check_recents);
    (void)pthread_mutex_lock(&hd_check_order_lock);
    if (hd_check_epochs_end > UINT32_MAX / 2) {
        hd_check_history_epochs_anew();
        hd_check_over(0);
        hd_check_me.epoch_now = 1;
        __atomic_store_n(&hd_check_epochs_end, 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&hd_check_epochs_begin, hd_check_epochs_end, __ATOMIC_RELAXED);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

uint32_t hd_check_epoch_make(uint32_t serial, uint32_t tick, uint32_t place)
{
    uint32_t number;

    if (hd_check_epochs_end - hd_check_epochs_begin >= HD_CHECK_EPOCHS - 1 ||
        hd_check_epochs_end == UINT32_MAX)
        start_anew();
    number = hd_check_epochs_end;
    hd_check_epochs[number % HD_CHECK_EPOCHS] = (hd_check_epoch){serial, tick, place};
    __atomic_store_n(&hd_check_epochs_end, number + 1, __ATOMIC_RELEASE);
    return number;
}

hd_check_recent *hd_check_recent_at(const hd_check_block *b, uintptr_t pc)
{
    hd_check_recent *r = &hd_check_recents[hd_check_recent_slot(pc)];
    const uint64_t when = hd_check_when(b);

    if (r->pc != pc || r->when != when)
        *r = (hd_check_recent){
            pc, when, hd_check_epoch_make(b->serial, b->tick, hd_check_place_of(pc)), 0, 1, 0};
    return r;
}

void hd_check_epoch_floor(hd_check_op *op)
{
    if (op->begun)
        return;
    op->begun = 1;
    (void)pthread_mutex_lock(&hd_check_order_lock);
    hd_check_recall(op);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    if (op->number <= begun_number)
        return;
    begun_number = op->number;
    if (op->floor == op->serial) /* all operations that began earlier have finished */
        op->epoch_floor = hd_check_epochs_end;
}
