/* SPDX-License-Identifier: Apache-2.0 */
/* epoch.c - epochs: an epoch stands for all accesses of one block at one place in the code and one
   tick, so that a mark in a cell fits into 8 bytes. Numbers increase; the last HD_CHECK_EPOCHS
   epochs are stored in a ring. */
#include "check/check.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

hd_check_epoch *hd_check_epochs;
uint32_t hd_check_epochs_end = 1;

uint32_t hd_check_epochs_begin = 1; /* epochs below are no longer needed */

enum { GIVEN_BACK = 1 << 18 }; /* minimum number of epochs to give back at once */

/* Epoch 0 means no access. */
void hd_check_over(uint32_t epoch_floor)
{
    const uint32_t floor = epoch_floor ? epoch_floor : 1;

    memcpy(hd_check_me.over, (uint32_t[]){floor, UINT32_MAX, floor, UINT32_MAX},
           sizeof hd_check_me.over);
}

/* Accesses before the new tick have epochs below epoch_now. */
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

/* Returns whole pages of the ring that hold epochs [from, to) to the system. */
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

/* With hd_check_order_lock held. */
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
