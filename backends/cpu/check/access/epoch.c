/* SPDX-License-Identifier: Apache-2.0 */
/* epoch.c - epochs: what the accesses of one block at one place and one tick have in common, so
   that a mark in a cell needs 8 bytes. Numbers grow; the last HD_CHECK_EPOCHS of them are kept. */
#include "check/order/order.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

hd_check_epoch *hd_check_epochs;
uint32_t hd_check_epochs_end = 1;
hd_check_recent hd_check_recents[HD_CHECK_RECENT];

static uint32_t begin = 1;    /* nobody asks for earlier ones */
static unsigned begun_number; /* the highest of the operations that have begun */

enum { GIVEN_BACK = 1 << 18 }; /* epochs, at least */

/* All are in use: who accessed what until now is forgotten. */
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
    __atomic_store_n(&begin, hd_check_epochs_end, __ATOMIC_RELAXED);
    (void)pthread_mutex_unlock(&hd_check_order_lock);
}

uint32_t hd_check_epoch_make(uint32_t serial, uint32_t tick, uint32_t place)
{
    uint32_t number;

    if (hd_check_epochs_end - begin >= HD_CHECK_EPOCHS - 1 || hd_check_epochs_end == UINT32_MAX)
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

/* Epoch 0 is nobody's. */
void hd_check_over(uint32_t epoch_floor)
{
    const uint32_t floor = epoch_floor ? epoch_floor : 1;

    memcpy(hd_check_me.over, (uint32_t[]){floor, UINT32_MAX, floor, UINT32_MAX},
           sizeof hd_check_me.over);
}

/* No access that is older than the tick has an epoch from here on. */
uint32_t hd_check_tick(hd_check_block *b)
{
    b->tick++;
    hd_check_me.epoch_now = hd_check_epochs_end;
    if (hd_check_me.when)
        hd_check_me.when = hd_check_when(b);
    return b->tick;
}

hd_check_record hd_check_record_of(hd_check_mark mark)
{
    hd_check_record record = {0, 0, 0, mark.meta};
    const hd_check_epoch *e;

    if (mark.epoch < __atomic_load_n(&begin, __ATOMIC_RELAXED))
        return record;
    e = &hd_check_epochs[mark.epoch % HD_CHECK_EPOCHS];
    record.serial = e->serial;
    record.tick = e->tick;
    record.place = e->place;
    return record;
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
    if (op->floor == op->serial) /* all that began earlier is over */
        op->epoch_floor = hd_check_epochs_end;
}

/* The part of the ring from one epoch to another is not needed; whole pages go. */
static void give_back(uint32_t from, uint32_t to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uint32_t at = from % HD_CHECK_EPOCHS, end = at + (to - from);
    uintptr_t first, last;

    if (end > HD_CHECK_EPOCHS) {
        give_back(from, from + (HD_CHECK_EPOCHS - at));
        give_back(from + (HD_CHECK_EPOCHS - at), to);
        return;
    }
    first = ((uintptr_t)&hd_check_epochs[at] + page - 1) & ~(page - 1);
    last = (uintptr_t)(hd_check_epochs + end) & ~(page - 1);
    if (last > first)
        (void)madvise((void *)first, last - first, MADV_DONTNEED);
}

/* With hd_check_order_lock. */
void hd_check_epochs_drop(uint32_t below)
{
    const uint32_t end = __atomic_load_n(&hd_check_epochs_end, __ATOMIC_ACQUIRE);
    const uint32_t from = __atomic_load_n(&begin, __ATOMIC_RELAXED);

    if (!below)
        below = end;
    if (below <= from || below - from < GIVEN_BACK)
        return;
    __atomic_store_n(&begin, below, __ATOMIC_RELAXED);
    give_back(from, below);
}
