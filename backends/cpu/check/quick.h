/* SPDX-License-Identifier: Apache-2.0 */
/* quick.h - what the hooks do themselves: reads and writes that the hot half of the cell shows to
   be in order. hd_check_kernel_access decides the same for all others, and more slowly. */
#ifndef HEDDLE_CPU_CHECK_QUICK_H
#define HEDDLE_CPU_CHECK_QUICK_H

#include "check.h"

#define HD_CHECK_ALWAYS_ static inline __attribute__((always_inline))

enum { HD_CHECK_AHEAD = 16 }; /* cells that are fetched before they are asked for */

HD_CHECK_ALWAYS_ const hd_check_range *hd_check_quick_range(const hd_check_now *now,
                                                            uintptr_t address, size_t bytes)
{
    for (unsigned i = 0; i < HD_CHECK_RANGES; i++)
        if (address - now->range[i].from < now->range[i].bytes)
            return bytes <= now->range[i].bytes - (address - now->range[i].from) ? &now->range[i]
                                                                                 : NULL;
    return NULL;
}

/* The running thread's own accesses, and those before the block's last barrier or of operations
   that come before; *bytes: those that the mark has of the same thread and tick. 0: not known. */
HD_CHECK_ALWAYS_ int hd_check_quick_passed(hd_check_mark mark, const hd_check_now *now,
                                           uint32_t *bytes)
{
    const hd_check_block *b = now->check;
    const hd_check_epoch *e;

    if (mark.epoch < now->epoch_floor)
        return 1;
    e = &hd_check_epochs[mark.epoch % HD_CHECK_EPOCHS];
    if (e->serial != b->serial)
        return e->serial < now->floor;
    if ((mark.meta & HD_CHECK_THREAD) != now->linear)
        return e->tick < b->synced;
    if (e->tick == b->tick)
        *bytes = mark.meta & HD_CHECK_BYTES;
    return 1;
}

/* 0: not known, or none yet. */
HD_CHECK_ALWAYS_ uint32_t hd_check_quick_epoch(const hd_check_block *b, uintptr_t pc)
{
    const hd_check_recent *r = &hd_check_recents[hd_check_recent_slot(pc)];

    return r->pc == pc && r->serial == b->serial && r->tick == b->tick ? r->epoch : 0;
}

/* 0: nothing was done, somebody else has to look at it. */
HD_CHECK_ALWAYS_ int hd_check_quick_read(hd_check_cell *cell, uint32_t in, int written,
                                         const hd_check_now *now, uint32_t epoch)
{
    const uint32_t init = in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
    const hd_check_mark write = cell->write, read = cell->read;
    uint32_t bytes = 0, other = 0;

    if (write.meta & HD_CHECK_RARE || (!written && (write.meta & init) != init) ||
        !hd_check_quick_passed(write, now, &other) || !hd_check_quick_passed(read, now, &bytes))
        return 0;
    cell->read = (hd_check_mark){epoch, now->linear | in | bytes};
    return 1;
}

HD_CHECK_ALWAYS_ int hd_check_quick_write(hd_check_cell *cell, uint32_t in, const hd_check_now *now,
                                          uint32_t epoch)
{
    const uint32_t init = in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
    const hd_check_mark write = cell->write, read = cell->read;
    uint32_t bytes = 0;

    if (write.meta & HD_CHECK_RARE || !hd_check_quick_passed(write, now, &bytes) ||
        !hd_check_quick_passed(read, now, &bytes))
        return 0;
    if (!(read.meta & HD_CHECK_BYTES & ~in))
        cell->read.epoch = 0;
    cell->write = (hd_check_mark){epoch, now->linear | in | init | (write.meta & HD_CHECK_KEPT)};
    return 1;
}

/* An access of 1, 2, 4, 8 or 16 bytes by the running thread to memory of the region. 0: it is not
   done. Granules of a wide access that were in order may be visited twice; that changes nothing.
   Calls nobody, so that the hooks save no registers. */
HD_CHECK_ALWAYS_ int hd_check_quick(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    const hd_check_now *now = &hd_check_me;
    hd_check_cell *cell = (hd_check_cell *)(now->cells + (address & ~(uintptr_t)3) * 4);
    const hd_check_range *range = hd_check_quick_range(now, address, bytes);
    const uint32_t in = bytes >= 4 ? HD_CHECK_BYTES
                                   : ((1u << bytes) - 1) << ((address & 3) + HD_CHECK_BYTES_SHIFT);
    const uint32_t epoch = hd_check_quick_epoch(now->check, pc);

    if (!range || !epoch || address & (bytes - 1))
        return 0;
    __builtin_prefetch(cell + HD_CHECK_AHEAD, 1);
    for (size_t i = 0; i < (bytes + 3) / 4; i++)
        if (writes ? !hd_check_quick_write(cell + i, in, now, epoch)
                   : !hd_check_quick_read(cell + i, in, range->written, now, epoch))
            return 0;
    return 1;
}

#endif
