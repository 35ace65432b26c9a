/* SPDX-License-Identifier: Apache-2.0 */
/* epoch.c - epochs: what the accesses of one block at one place and one tick have in common, so
   that a mark in a cell needs 8 bytes. Numbers grow; the last HD_CHECK_EPOCHS of them are kept. */
#include "check/check.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

hd_check_epoch *hd_check_epochs;
uint32_t hd_check_epochs_end = 1;

uint32_t hd_check_epochs_begin = 1; /* nobody asks for earlier ones */

enum { GIVEN_BACK = 1 << 18 }; /* epochs, at least */

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

    if (mark.epoch < __atomic_load_n(&hd_check_epochs_begin, __ATOMIC_RELAXED))
        return record;
    e = &hd_check_epochs[mark.epoch % HD_CHECK_EPOCHS];
    record.serial = e->serial;
    record.tick = e->tick;
    record.place = e->place;
    return record;
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
    const uint32_t from = __atomic_load_n(&hd_check_epochs_begin, __ATOMIC_RELAXED);

    if (!below)
        below = end;
    if (below <= from || below - from < GIVEN_BACK)
        return;
    __atomic_store_n(&hd_check_epochs_begin, below, __ATOMIC_RELAXED);
    give_back(from, below);
}
