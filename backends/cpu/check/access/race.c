/* SPDX-License-Identifier: Apache-2.0 */
/* race.c - compares every access of a kernel with the recorded accesses to the same bytes. */
#include "check/access/compare.h"

#include <stdio.h>
#include <string.h>

/* The current access. */
typedef struct visitor {
    hd_check_mark mark; /* mark without bytes */
    uint32_t serial, tick;
    hd_check_access kind;
    int reads_only;  /* an atomic load */
    int writes_only; /* an atomic that ignores the old value */
    unsigned *gap;   /* copy of a struct: length of the current run of uninitialised bytes */
    int shared, written;
    uintptr_t address, pc;
    uint32_t floor, synced; /* of operation and block: earlier accesses are ordered */
} visitor;

/* ---- order ----------------------------------------------------------------------------------- */

static unsigned thread_of(const hd_check_record *r)
{
    return r->meta & HD_CHECK_THREAD;
}

static int known_in_block(const hd_check_record *r)
{
    const hd_check_now *now = &hd_check_me;
    const hd_check_block *b = now->check;
    unsigned thread = thread_of(r), shift = now->block->shift;
    const hd_check_warp *warp = &b->warp[now->warp];

    if (r->tick < b->synced || thread == now->linear)
        return 1;
    if (thread >> shift != now->warp)
        return 0;
    if (r->tick < warp->synced)
        return 1;
    return warp->pairs &&
           r->tick < warp->pairs[now->lane * HD_CHECK_LANES + (thread & now->block->lane_mask)];
}

int hd_check_known(const hd_check_record *r)
{
    const hd_check_block *b = hd_check_me.check;
    const hd_check_op *op = b->op;

    if (r->serial < op->floor)
        return 1;
    if (r->serial == b->serial) {
        if (known_in_block(r))
            return 1;
    } else if (r->serial - op->serial >= op->blocks) {
        const hd_check_op *other = hd_check_op_of(r->serial);

        if (!other || hd_check_op_before(other, op))
            return 1;
    }
    return b->taught && hd_check_knows(r);
}

/* ---- reports --------------------------------------------------------------------------------- */

static hd_check_code code_of(const hd_check_record *r, hd_check_access theirs, const visitor *v)
{
    const hd_check_now *now = &hd_check_me;
    const hd_check_op *op = now->check->op;
    int atomics = (theirs == HD_CHECK_ATOMIC) + (v->kind == HD_CHECK_ATOMIC);

    if (r->serial - op->serial >= op->blocks)
        return atomics == 2 ? HD_CHECK_RACE_SCOPE : HD_CHECK_STREAM_ORDER;
    if (atomics == 2)
        return HD_CHECK_RACE_SCOPE;
    if (atomics)
        return HD_CHECK_RACE_ATOMIC;
    if (r->serial != now->check->serial && hd_check_saw_flag())
        return HD_CHECK_MISSING_FENCE;
    if (r->serial != now->check->serial)
        return HD_CHECK_RACE_BLOCKS;
    if (thread_of(r) >> now->block->shift == now->warp)
        return HD_CHECK_RACE_WARP;
    return v->shared ? HD_CHECK_RACE_SHARED : HD_CHECK_RACE_GLOBAL;
}

/* A read of uninitialised memory at this place is a consequence of the race: drops it. */
static void explained(hd_check_block *b, uintptr_t pc)
{
    for (unsigned i = 0; i < b->unwritten_count; i++)
        if (b->unwritten[i].pc == pc)
            b->unwritten[i].address = 0;
}

static void __attribute__((noinline))
race(const hd_check_record *r, hd_check_access theirs, const visitor *v)
{
    hd_check_code code = code_of(r, theirs, v);
    uintptr_t other = hd_check_place_pc(r->place);
    hd_check_finding f;

    explained(hd_check_me.check, other);
    explained(hd_check_me.check, v->pc);
    if (hd_check_again(code, v->pc, other))
        return;
    f = hd_check_finding_here(code, hd_check_verb_of(v->kind, v->reads_only), v->pc);
    f.side[1] = hd_check_side_of(r, theirs);
    f.side[1].verb = hd_check_verb_of(theirs, (r->meta & HD_CHECK_READS) != 0);
    hd_check_describe(v->address, f.object, sizeof f.object);
    hd_check_report(&f);
}

/* Reported at the end of the block, unless a race explains it. */
static void __attribute__((noinline)) unwritten(const visitor *v)
{
    hd_check_block *b = hd_check_me.check;

    for (unsigned i = 0; i < b->unwritten_count; i++)
        if (b->unwritten[i].pc == v->pc)
            return;
    if (b->unwritten_count == sizeof b->unwritten / sizeof *b->unwritten)
        return;
    b->unwritten[b->unwritten_count++] = (struct hd_check_unwritten){v->address, v->pc,
                                                                     hd_check_me.linear, v->shared};
}

void hd_check_report_unwritten(hd_cpu_resident *block)
{
    hd_check_block *b = block->check;

    for (unsigned i = 0; i < b->unwritten_count; i++) {
        const struct hd_check_unwritten *u = &b->unwritten[i];
        hd_check_finding f;

        if (!u->address)
            continue;
        memset(&f, 0, sizeof f);
        f.code = u->shared ? HD_CHECK_UNINIT_SHARED : HD_CHECK_UNINIT_GLOBAL;
        f.side[0] = (hd_check_side){.verb = "reads",
                                    .op = b->op,
                                    .block = b->serial - b->op->serial,
                                    .thread = u->thread,
                                    .pc = u->pc};
        hd_check_describe_of(block, u->address, f.object, sizeof f.object);
        hd_check_report(&f);
    }
    b->unwritten_count = 0;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static inline int is_mine(const hd_check_record *r, const visitor *v)
{
    return r->serial == v->serial && !((r->meta ^ v->mark.meta) & HD_CHECK_THREAD);
}

static inline int passed(const hd_check_record *r, const visitor *v)
{
    return r->serial < v->floor || is_mine(r, v) || (r->serial == v->serial && r->tick < v->synced);
}

static inline void against(hd_check_mark mark, hd_check_access theirs, uint32_t bytes,
                           const visitor *v)
{
    hd_check_record r;

    if (!(mark.meta & bytes))
        return;
    r = hd_check_record_of(mark);
    if (!passed(&r, v) && !hd_check_known(&r) &&
        !hd_check_reads_are_over(&r, theirs, hd_check_me.check->op))
        race(&r, theirs, v);
}

/* Two atomics do not race, unless the scope of one does not include the other thread. */
static inline void against_atomic(hd_check_mark mark, uint32_t bytes, const visitor *v)
{
    const hd_check_record r = hd_check_record_of(mark);
    const hd_check_op *op, *other;
    unsigned scope = (r.meta & HD_CHECK_SCOPE) >> HD_CHECK_SCOPE_SHIFT, mine = hd_check_me.scope;

    if (!r.serial || !(r.meta & bytes) || r.serial == v->serial)
        return;
    if (mine < scope)
        scope = mine;
    if (scope == HD_CHECK_SYSTEM || (r.meta & HD_CHECK_READS && v->reads_only))
        return;
    op = hd_check_me.check->op;
    if (scope == HD_CHECK_DEVICE) {
        other = r.serial - op->serial < op->blocks ? op : hd_check_op_of(r.serial);
        if (!other || other->device == op->device)
            return;
    }
    if (!hd_check_known(&r))
        race(&r, HD_CHECK_ATOMIC, v);
}

static inline hd_check_mark mark_of(const visitor *v, uint32_t bytes)
{
    return (hd_check_mark){v->mark.epoch, v->mark.meta | bytes};
}

/* The mark has the same thread, place and tick, so that the new mark can include its bytes. */
static inline int is_same(hd_check_mark mark, const visitor *v)
{
    return mark.epoch == v->mark.epoch && !((mark.meta ^ v->mark.meta) & HD_CHECK_THREAD);
}

/* Of several unordered readers, keeps the latest one and one of another block or warp. */
static inline void note_read(hd_check_cell *cell, hd_check_rare *rare, const visitor *v,
                             uint32_t bytes)
{
    const hd_check_record r = hd_check_record_of(cell->read);

    if (is_same(cell->read, v)) {
        bytes |= r.meta & HD_CHECK_BYTES;
    } else if (!passed(&r, v)) {
        const hd_check_record other = hd_check_record_of(rare->other_read);
        unsigned shift = hd_check_me.block->shift;
        int near = r.serial == v->serial && thread_of(&r) >> shift == hd_check_me.warp;

        if (passed(&other, v) || !near) {
            rare->other_read = mark_of(v, bytes);
            cell->write.meta |= HD_CHECK_RARE;
            return;
        }
    }
    cell->read = mark_of(v, bytes);
}

enum { PADDING_MAX = 15 }; /* padding before a member: no type is aligned to more than 16 */

/* Reports a run of uninitialised bytes that is too long for padding. */
static void __attribute__((noinline))
check_copied(const hd_check_cell *cell, uint32_t bytes, const visitor *v)
{
    for (unsigned i = 0; i < 4; i++) {
        if (!(bytes & 1u << (HD_CHECK_BYTES_SHIFT + i)))
            continue;
        *v->gap = cell->write.meta & 1u << (HD_CHECK_INIT_SHIFT + i) ? 0 : *v->gap + 1;
        if (*v->gap > PADDING_MAX)
            unwritten(v);
    }
}

static inline void check_written(const hd_check_cell *cell, uint32_t bytes, const visitor *v)
{
    const uint32_t wanted = bytes << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);

    if (v->gap && !v->written)
        check_copied(cell, bytes, v);
    else if ((cell->write.meta & wanted) != wanted && !v->written)
        unwritten(v);
}

/* Drops a mark that a write replaces: every access ordered after the write is ordered after the
   dropped one too. Returns 1 if the mark is gone. */
static inline int drop(hd_check_mark *mark, uint32_t bytes)
{
    if (!mark->epoch)
        return 1; /* leaves untouched pages of the shadow unallocated */
    if (mark->meta & HD_CHECK_BYTES & ~bytes)
        return 0;
    mark->epoch = 0;
    return 1;
}

static void visit(hd_check_cell *cell, hd_check_rare *rare, uint32_t bytes, const visitor *v)
{
    const uint32_t init = bytes << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);
    int gone;

    against(cell->write, HD_CHECK_WRITE, bytes, v);
    if (v->kind == HD_CHECK_READ) {
        if (!(rare->atomic.meta & HD_CHECK_READS))
            against(rare->atomic, HD_CHECK_ATOMIC, bytes, v);
        check_written(cell, bytes, v);
        note_read(cell, rare, v, bytes);
        return;
    }
    if (!v->reads_only) {
        against(cell->read, HD_CHECK_READ, bytes, v);
        against(rare->other_read, HD_CHECK_READ, bytes, v);
    }
    if (v->kind == HD_CHECK_WRITE) {
        against(rare->atomic, HD_CHECK_ATOMIC, bytes, v);
        (void)drop(&cell->read, bytes);
        gone = drop(&rare->other_read, bytes) & drop(&rare->atomic, bytes);
        if (is_same(cell->write, v))
            bytes |= cell->write.meta & HD_CHECK_BYTES;
        cell->write.epoch = v->mark.epoch;
        cell->write.meta = v->mark.meta | bytes | init | (cell->write.meta & HD_CHECK_KEPT) |
                           (gone ? 0 : HD_CHECK_RARE);
        return;
    }
    against_atomic(rare->atomic, bytes, v);
    if (!v->writes_only)
        check_written(cell, bytes, v);
    if (is_same(rare->atomic, v))
        bytes |= rare->atomic.meta & HD_CHECK_BYTES;
    rare->atomic = mark_of(v, bytes);
    cell->write.meta |= HD_CHECK_RARE | (v->reads_only ? 0 : init);
}

/* The access would replace a mark that also covers other bytes. */
static inline int loses(hd_check_mark mark, uint32_t bytes, const visitor *v)
{
    return mark.epoch && mark.meta & HD_CHECK_BYTES & ~bytes && !is_same(mark, v);
}

static inline int must_split(const hd_check_cell *cell, const hd_check_rare *rare, uint32_t bytes,
                             const visitor *v)
{
    if (bytes == HD_CHECK_BYTES)
        return 0;
    if (v->kind == HD_CHECK_WRITE)
        return loses(cell->write, bytes, v);
    if (v->kind == HD_CHECK_READ)
        return loses(cell->read, bytes, v) || loses(rare->other_read, bytes, v);
    return loses(rare->atomic, bytes, v);
}

/* One access has written all four bytes: their own cells are obsolete. */
static inline void join(hd_check_cell *cell, hd_check_mark mark)
{
    mark.meta |= HD_CHECK_BYTES | HD_CHECK_INIT | (cell->write.meta & HD_CHECK_VARIABLE);
    cell->write = mark;
}

static void visit_granule(uintptr_t granule, uint32_t bytes, const visitor *v)
{
    hd_check_cell *cell = hd_check_cell_of(granule);
    hd_check_rare *rare = hd_check_rare_of(granule);

    if (!(cell->write.meta & HD_CHECK_SPLIT)) {
        if (!must_split(cell, rare, bytes, v)) {
            visit(cell, rare, bytes, v);
            return;
        }
        hd_check_split(granule);
    }
    for (unsigned i = 0; i < 4; i++)
        if (bytes & 1u << (HD_CHECK_BYTES_SHIFT + i))
            visit(&hd_check_byte_cells[granule + i - hd_check_base],
                  &hd_check_byte_rares[granule + i - hd_check_base],
                  1u << (HD_CHECK_BYTES_SHIFT + i), v);
    if (v->kind == HD_CHECK_WRITE && bytes == HD_CHECK_BYTES)
        join(cell, v->mark);
}

/* ---- memory of kernels ----------------------------------------------------------------------- */

static void __attribute__((noinline))
wrong(hd_check_code code, uintptr_t address, hd_check_access kind, uintptr_t pc, size_t bytes)
{
    hd_check_finding f = hd_check_finding_here(code, hd_check_verb_of(kind, 0), pc);

    hd_check_me.check->op->strayed = 1;
    hd_check_describe(address, f.object, sizeof f.object);
    (void)snprintf(f.detail, sizeof f.detail, "%zu bytes at %p", bytes, (void *)address);
    hd_check_report(&f);
}

/* The array or allocation that contains all the bytes; NULL: reported. */
static const hd_check_range *range_of(uintptr_t address, size_t bytes, hd_check_access kind,
                                      int shared, uintptr_t pc)
{
    const hd_check_range *range;

    if (!shared)
        return hd_check_usable(address, bytes, kind, pc);
    range = hd_check_shared_usable(hd_check_me.block, address, bytes);
    if (!range)
        wrong(HD_CHECK_BOUNDS_SHARED, address, kind, pc, bytes);
    return range;
}

void hd_check_kernel_access(uintptr_t address, size_t bytes, hd_check_access kind, unsigned scope,
                            hd_check_use use, uintptr_t pc)
{
    const hd_check_now *now = &hd_check_me;
    const uintptr_t end = address + bytes;
    const hd_check_range *range;
    hd_check_recent *recent;
    unsigned gap = 0;
    visitor v = {{0, now->linear},
                 now->check->serial,
                 now->check->tick,
                 kind,
                 use == HD_CHECK_READS_ONLY,
                 use == HD_CHECK_WRITES_ONLY,
                 use == HD_CHECK_COPIES ? &gap : NULL,
                 address - now->shared < now->shared_bytes,
                 0,
                 address,
                 pc,
                 now->floor,
                 now->check->synced};

    if (hd_check_replaying)
        return;
    if (use != HD_CHECK_COPIES && use != HD_CHECK_FILLS && bytes <= 16 && address & (bytes - 1) &&
        !(bytes & (bytes - 1)))
        wrong(HD_CHECK_MISALIGNED, address, kind, pc, bytes);
    range = range_of(address, bytes, kind, v.shared, pc);
    if (!range)
        return;
    v.written = range->written;
    recent = hd_check_recent_at(now->check, pc);
    hd_check_recent_lies_in(recent, range, bytes);
    v.mark.epoch = recent->epoch;
    if (kind == HD_CHECK_ATOMIC)
        v.mark.meta |= scope << HD_CHECK_SCOPE_SHIFT | (v.reads_only ? HD_CHECK_READS : 0);
    for (uintptr_t granule = address & ~(uintptr_t)3; granule < end; granule += 4) {
        v.address = granule > address ? granule : address;
        visit_granule(granule, hd_check_bytes_in(granule, address, end), &v);
    }
    if (gap == bytes) /* no byte lies in it */
        unwritten(&v);
}
