/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - compares the accesses of copies, fills and frees with the recorded ones. */
#include "check/access/compare.h"

#include <string.h>

static int op_knows(const hd_check_op *op, const hd_check_record *r)
{
    const hd_check_op *other;

    if (r->serial < op->floor || r->serial == op->serial)
        return 1;
    other = hd_check_op_of(r->serial);
    return !other || hd_check_op_before(other, op);
}

static void op_against(const hd_check_op *op, hd_check_mark mark, hd_check_access theirs,
                       hd_check_access kind, uintptr_t address, uint32_t bytes)
{
    hd_check_finding f;
    hd_check_record r;

    if (mark.epoch < op->epoch_floor || !(mark.meta & bytes))
        return;
    r = hd_check_record_of(mark);
    if (!r.serial || op_knows(op, &r) || hd_check_reads_are_over(&r, theirs, op))
        return;
    memset(&f, 0, sizeof f);
    f.code = HD_CHECK_STREAM_ORDER;
    f.side[0] = (hd_check_side){.verb = hd_check_verb_of(kind, 0), .op = op, .thread = ~0u};
    f.side[1] = hd_check_side_of(&r, theirs);
    f.side[1].verb = hd_check_verb_of(theirs, 0);
    hd_check_describe(address, f.object, sizeof f.object);
    hd_check_report(&f);
}

/* Keeps a second reader if it is not ordered with this one. */
static void op_note_read(const hd_check_op *op, hd_check_cell *cell, hd_check_rare *rare,
                         hd_check_mark mine)
{
    const hd_check_record r = hd_check_record_of(cell->read);

    if (r.serial && cell->read.epoch >= op->epoch_floor && !op_knows(op, &r)) {
        rare->other_read = cell->read;
        cell->write.meta |= HD_CHECK_RARE;
    }
    cell->read = mine;
}

static void op_visit(const hd_check_op *op, hd_check_mark mine, hd_check_access kind,
                     uintptr_t address, hd_check_cell *cell, hd_check_rare *rare)
{
    const uint32_t kept = cell->write.meta & (HD_CHECK_KEPT | HD_CHECK_RARE), bytes = mine.meta;

    op_against(op, cell->write, HD_CHECK_WRITE, kind, address, bytes);
    if (kept & HD_CHECK_RARE)
        op_against(op, rare->atomic, HD_CHECK_ATOMIC, kind, address, bytes);
    if (kind == HD_CHECK_READ) {
        op_note_read(op, cell, rare, mine);
        return;
    }
    op_against(op, cell->read, HD_CHECK_READ, kind, address, bytes);
    if (kept & HD_CHECK_RARE)
        op_against(op, rare->other_read, HD_CHECK_READ, kind, address, bytes);
    cell->write = mine;
    cell->write.meta |= kept | bytes << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
}

/* The operation accesses only part of the granule, or the granule is already split. */
static void op_visit_bytes(const hd_check_op *op, hd_check_mark mine, hd_check_access kind,
                           uintptr_t granule)
{
    hd_check_cell *cell = hd_check_cell_of(granule);

    if (!(cell->write.meta & HD_CHECK_SPLIT))
        hd_check_split(granule);
    for (unsigned i = 0; i < 4; i++) {
        const hd_check_mark part = {mine.epoch, mine.meta & 1u << (HD_CHECK_BYTES_SHIFT + i)};

        if (part.meta)
            op_visit(op, part, kind, granule + i, hd_check_cell_at(granule + i),
                     hd_check_rare_at(granule + i));
    }
}

void hd_check_range_access(hd_check_op *op, uintptr_t address, size_t bytes, hd_check_access kind)
{
    const uintptr_t end = address + bytes;
    uint32_t epoch;

    hd_check_epoch_floor(op);
    epoch = hd_check_epoch_make(op->serial, 0, 0);
    for (uintptr_t granule = address & ~(uintptr_t)3; granule < end; granule += 4) {
        const hd_check_mark mine = {epoch, hd_check_bytes_in(granule, address, end)};
        hd_check_cell *cell = hd_check_cell_of(granule);

        if (mine.meta != HD_CHECK_BYTES || cell->write.meta & HD_CHECK_SPLIT)
            op_visit_bytes(op, mine, kind, granule);
        else
            op_visit(op, mine, kind, granule, cell, hd_check_rare_of(granule));
    }
}
