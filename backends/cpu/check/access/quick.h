/* SPDX-License-Identifier: Apache-2.0 */
/* quick.h - the quick path of the hooks: reads and writes whose order is evident from the
   frequently used half of the cell. hd_check_kernel_access handles all others, more slowly. */
#ifndef HEDDLE_CPU_CHECK_ACCESS_QUICK_H
#define HEDDLE_CPU_CHECK_ACCESS_QUICK_H

#include "check/check.h"

#define HD_CHECK_ALWAYS_ static inline __attribute__((always_inline))

enum { HD_CHECK_AHEAD = 16 }; /* prefetch distance in cells */

typedef uint32_t hd_check_four __attribute__((vector_size(16), may_alias)); /* a cell */
typedef uint64_t hd_check_pair __attribute__((vector_size(16)));

#ifdef __clang__
#define HD_CHECK_UNROLL_ _Pragma("unroll")
#else
#define HD_CHECK_UNROLL_ _Pragma("GCC unroll 4")
#endif

HD_CHECK_ALWAYS_ const hd_check_range *hd_check_quick_range(const hd_check_now *now,
                                                            uintptr_t address, size_t bytes)
{
    for (unsigned i = 0; i < HD_CHECK_RANGES; i++)
        if (address - now->range[i].from < now->range[i].bytes)
            return bytes <= now->range[i].bytes - (address - now->range[i].from) ? &now->range[i]
                                                                                 : NULL;
    return NULL;
}

/* For a mark of an operation that may still be running: 1 if the access is ordered after it.
   Ordered are the running thread's own accesses and, with `all`, accesses before the block's last
   barrier and those of earlier operations. 0: unknown. */
HD_CHECK_ALWAYS_ int hd_check_quick_passed(hd_check_mark mark, const hd_check_now *now, int all)
{
    const int mine = (mark.meta & HD_CHECK_THREAD) == now->linear;
    const hd_check_epoch *e;

    if (mark.epoch >= now->epoch_now)
        return mine;
    if (!all)
        return 0;
    e = &hd_check_epochs[mark.epoch % HD_CHECK_EPOCHS];
    if (e->serial != now->check->serial)
        return e->serial < now->floor;
    return mine || e->tick < now->check->synced;
}

/* 0: nothing was done; the access needs the slow path. */
HD_CHECK_ALWAYS_ int hd_check_quick_read(hd_check_cell *cell, uint32_t in, uint32_t epoch,
                                         uint32_t need, const hd_check_now *now, int all)
{
    const hd_check_mark write = cell->write, read = cell->read;

    if ((write.meta ^ HD_CHECK_INIT) & need ||
        (write.epoch >= now->over[0] && !hd_check_quick_passed(write, now, all)) ||
        (read.epoch >= now->over[0] && !hd_check_quick_passed(read, now, all)))
        return 0;
    cell->read = (hd_check_mark){epoch, now->linear | in};
    return 1;
}

/* `also`: bytes that the mark covers in addition. */
HD_CHECK_ALWAYS_ int hd_check_quick_write(hd_check_cell *cell, uint32_t in, uint32_t also,
                                          uint32_t epoch, const hd_check_now *now, int all)
{
    const uint32_t init = in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
    const hd_check_mark write = cell->write, read = cell->read;

    if (write.meta & HD_CHECK_RARE ||
        (write.epoch >= now->over[0] && !hd_check_quick_passed(write, now, all)) ||
        (read.epoch >= now->over[0] && !hd_check_quick_passed(read, now, all)))
        return 0;
    if (!(read.meta & HD_CHECK_BYTES & ~in))
        cell->read.epoch = 0;
    cell->write = (hd_check_mark){epoch,
                                  now->linear | in | also | init | (write.meta & HD_CHECK_KEPT)};
    return 1;
}

/* Whole granules; 0 if any of them has a mark of an operation that may still be running. */
HD_CHECK_ALWAYS_ int hd_check_quick_reads(hd_check_cell *cell, size_t cells, uint32_t epoch,
                                          uint32_t need, const hd_check_now *now)
{
    const hd_check_four over = *(const hd_check_four *)now->over, init = {0, HD_CHECK_INIT},
                        wanted = {0, need};
    const hd_check_mark mark = {epoch, now->linear | HD_CHECK_BYTES};
    hd_check_four bad = {0};
    hd_check_pair both;

    HD_CHECK_UNROLL_
    for (size_t i = 0; i < cells; i++) {
        const hd_check_four marks = *(const hd_check_four *)&cell[i];

        bad |= (hd_check_four)(marks >= over) | ((marks ^ init) & wanted);
    }
    both = (hd_check_pair)bad;
    if (both[0] | both[1])
        return 0;
    HD_CHECK_UNROLL_
    for (size_t i = 0; i < cells; i++)
        cell[i].read = mark;
    return 1;
}

/* One or two bytes. The mark to be replaced must not cover other bytes, unless it belongs to the
   same thread, place and tick. */
HD_CHECK_ALWAYS_ int hd_check_quick_narrow(uintptr_t address, size_t bytes, int writes,
                                           const hd_check_recent *r, const hd_check_now *now,
                                           int all)
{
    const unsigned shift = (unsigned)(address & 3) + HD_CHECK_BYTES_SHIFT;
    const uint32_t in = ((1u << bytes) - 1) << shift;
    const uint32_t init = in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
    hd_check_cell *cell = (hd_check_cell *)(now->cells + (address & ~(uintptr_t)3) * 4);
    const hd_check_mark old = writes ? cell->write : cell->read;
    uint32_t also = 0;

    if (old.epoch && old.meta & HD_CHECK_BYTES & ~in) {
        if (old.epoch != r->epoch || (old.meta & HD_CHECK_THREAD) != now->linear)
            return 0;
        also = old.meta & HD_CHECK_BYTES;
    }
    __builtin_prefetch(cell + HD_CHECK_AHEAD / 4, 1);
    return writes ? hd_check_quick_write(cell, in, also, r->epoch, now, all)
                  : hd_check_quick_read(cell, in | also, r->epoch, r->need & (init | HD_CHECK_RARE),
                                        now, all);
}

/* Like hd_check_quick_narrow, for a split granule: each byte has its own cell. */
HD_CHECK_ALWAYS_ int hd_check_quick_bytes(uintptr_t address, size_t bytes, int writes,
                                          const hd_check_recent *r, const hd_check_now *now,
                                          int all)
{
    hd_check_cell *cell = (hd_check_cell *)(now->byte_cells + address * 16);

    __builtin_prefetch(cell + HD_CHECK_AHEAD, 1);
    for (size_t i = 0; i < bytes; i++) {
        const uint32_t in = 1u << ((address + i) % 4 + HD_CHECK_BYTES_SHIFT);
        const uint32_t init = in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);

        if (writes ? !hd_check_quick_write(cell + i, in, 0, r->epoch, now, all)
                   : !hd_check_quick_read(cell + i, in, r->epoch, r->need & (init | HD_CHECK_RARE),
                                          now, all))
            return 0;
    }
    return 1;
}

/* An access of 1, 2, 4, 8 or 16 bytes by the running thread to the array that the instruction
   accessed last. 0: not handled. The slow path then repeats granules of a wide access that were
   already recorded, which changes nothing. Without `all`, it tests only
   what streaming accesses need, so that it is short enough to be inlined in the hooks; it calls no
   function, so that these save no registers. */
HD_CHECK_ALWAYS_ int hd_check_quick(uintptr_t address, size_t bytes, int writes, uintptr_t pc,
                                    int all)
{
    const hd_check_now *now = &hd_check_me;
    const hd_check_recent *r = &hd_check_recents[hd_check_recent_slot(pc)];
    hd_check_cell *cell = (hd_check_cell *)(now->cells + address * 4);

    if (r->pc != pc || r->when != now->when || address - r->from > r->last || address & (bytes - 1))
        return 0;
    if (bytes < 4) {
        cell = (hd_check_cell *)(now->cells + (address & ~(uintptr_t)3) * 4);
        return cell->write.meta & HD_CHECK_SPLIT
                   ? hd_check_quick_bytes(address, bytes, writes, r, now, all)
                   : hd_check_quick_narrow(address, bytes, writes, r, now, all);
    }
    __builtin_prefetch(cell + HD_CHECK_AHEAD, 1);
    if (bytes > 4 && !writes && !all)
        return hd_check_quick_reads(cell, bytes / 4, r->epoch, r->need, now);
    for (size_t i = 0; i < bytes / 4; i++)
        if (writes ? !hd_check_quick_write(cell + i, HD_CHECK_BYTES, 0, r->epoch, now, all)
                   : !hd_check_quick_read(cell + i, HD_CHECK_BYTES, r->epoch, r->need, now, all))
            return 0;
    return 1;
}

#endif
