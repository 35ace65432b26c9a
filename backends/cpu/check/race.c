/* SPDX-License-Identifier: Apache-2.0 */
/* race.c - compares every access with what was recorded about its bytes. */
#include "check.h"

#include <stdio.h>
#include <string.h>

_Thread_local hd_check_now hd_check_me;
pthread_mutex_t hd_check_lock = PTHREAD_MUTEX_INITIALIZER;

enum { AHEAD = 16 }; /* cells */

/* What an access is, as far as cells need it. */
typedef struct visitor {
    hd_check_record mine; /* without bytes */
    hd_check_access kind;
    int reads_only;  /* an atomic that does not write */
    int writes_only; /* one to which it does not matter what was there */
    int shared, written;
    uintptr_t address, pc;
    uint32_t floor, synced; /* of operations and of the block: what came before is ordered */
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

static const char *verb_of(hd_check_access kind, int reads_only)
{
    if (kind == HD_CHECK_ATOMIC)
        return reads_only ? "reads atomically" : "updates atomically";
    return kind == HD_CHECK_READ ? "reads" : "writes";
}

/* A read of what nobody had written is a consequence of the race. */
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
    f = hd_check_finding_here(code, verb_of(v->kind, v->reads_only), v->pc);
    f.side[1] = hd_check_side_of(r, theirs);
    f.side[1].verb = verb_of(theirs, (r->meta & HD_CHECK_READS) != 0);
    hd_check_describe(v->address, f.object, sizeof f.object);
    hd_check_report(&f);
}

/* Kept for a while: where a race explains it, the race is told and not this. */
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

void hd_check_tell_unwritten(hd_cpu_resident *block)
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
    return r->serial == v->mine.serial && !((r->meta ^ v->mine.meta) & HD_CHECK_THREAD);
}

static inline void against(const hd_check_record *r, hd_check_access theirs, uint32_t bytes,
                           const visitor *v)
{
    if (r->serial < v->floor || !(r->meta & bytes) || is_mine(r, v) ||
        (r->serial == v->mine.serial && r->tick < v->synced))
        return;
    if (!hd_check_known(r))
        race(r, theirs, v);
}

/* Two atomics never race, unless the scope of one does not reach the other. */
static inline void against_atomic(const hd_check_record *r, uint32_t bytes, const visitor *v)
{
    const hd_check_op *op, *other;
    unsigned scope = (r->meta & HD_CHECK_SCOPE) >> HD_CHECK_SCOPE_SHIFT, mine = hd_check_me.scope;

    if (!r->serial || !(r->meta & bytes) || r->serial == v->mine.serial)
        return;
    if (mine < scope)
        scope = mine;
    if (scope == HD_CHECK_SYSTEM || (r->meta & HD_CHECK_READS && v->reads_only))
        return;
    op = hd_check_me.check->op;
    if (scope == HD_CHECK_DEVICE) {
        other = r->serial - op->serial < op->blocks ? op : hd_check_op_of(r->serial);
        if (!other || other->device == op->device)
            return;
    }
    if (!hd_check_known(r))
        race(r, HD_CHECK_ATOMIC, v);
}

static inline void put(hd_check_record *r, const visitor *v, uint32_t bytes, uint32_t keep)
{
    uint32_t kept = r->meta & keep;

    r->serial = v->mine.serial;
    r->tick = v->mine.tick;
    r->place = v->mine.place;
    r->meta = v->mine.meta | bytes | kept;
}

static inline int passed(const hd_check_record *r, const visitor *v)
{
    return r->serial < v->floor || is_mine(r, v) ||
           (r->serial == v->mine.serial && r->tick < v->synced);
}

/* Of several readers that nothing orders, the newest stays, and one that is far from it. */
static inline void note_read(hd_check_cell *cell, const visitor *v, uint32_t bytes)
{
    hd_check_record *slot = &cell->read;

    if (is_mine(slot, v) && slot->tick == v->mine.tick)
        bytes |= slot->meta & HD_CHECK_BYTES;
    else if (!passed(slot, v)) {
        unsigned shift = hd_check_me.block->shift;
        int near = slot->serial == v->mine.serial && thread_of(slot) >> shift == hd_check_me.warp;

        if (passed(&cell->other_read, v) || !near)
            slot = &cell->other_read;
    }
    put(slot, v, bytes, 0);
}

static inline void check_written(const hd_check_cell *cell, uint32_t bytes, const visitor *v)
{
    const uint32_t wanted = bytes << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);

    if ((cell->write.meta & wanted) != wanted && !v->written)
        unwritten(v);
}

/* A write comes after them, so whoever comes after the write comes after them too. */
static inline void drop(hd_check_record *r, uint32_t bytes)
{
    if (!(r->meta & HD_CHECK_BYTES & ~bytes))
        r->serial = 0;
}

static inline void visit(hd_check_cell *cell, uint32_t bytes, const visitor *v)
{
    const uint32_t init = bytes << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);

    against(&cell->write, HD_CHECK_WRITE, bytes, v);
    if (v->kind == HD_CHECK_READ) {
        if (!(cell->atomic.meta & HD_CHECK_READS))
            against(&cell->atomic, HD_CHECK_ATOMIC, bytes, v);
        check_written(cell, bytes, v);
        note_read(cell, v, bytes);
        return;
    }
    if (!v->reads_only) {
        against(&cell->read, HD_CHECK_READ, bytes, v);
        against(&cell->other_read, HD_CHECK_READ, bytes, v);
    }
    if (v->kind == HD_CHECK_WRITE) {
        against(&cell->atomic, HD_CHECK_ATOMIC, bytes, v);
        drop(&cell->read, bytes);
        drop(&cell->other_read, bytes);
        drop(&cell->atomic, bytes);
        put(&cell->write, v, bytes, HD_CHECK_KEPT);
        cell->write.meta |= init;
        return;
    }
    against_atomic(&cell->atomic, bytes, v);
    if (!v->writes_only)
        check_written(cell, bytes, v);
    put(&cell->atomic, v, bytes, 0);
    if (!v->reads_only)
        cell->write.meta |= init;
}

/* hd_check_place_of, in a place like the last one. */
static inline uint32_t place_of(uintptr_t pc)
{
    uint64_t last = __atomic_load_n(&hd_check_window, __ATOMIC_RELAXED);

    if (last >> (32 - HD_CHECK_WINDOW_BITS) != (uint64_t)pc >> HD_CHECK_WINDOW_BITS)
        return hd_check_place_of(pc);
    return (uint32_t)last << HD_CHECK_WINDOW_BITS | ((uint32_t)pc & HD_CHECK_WINDOW_MASK);
}

/* The bytes of [address, end) in the granule. */
static inline uint32_t bytes_in(uintptr_t granule, uintptr_t address, uintptr_t end)
{
    unsigned from = address > granule ? (unsigned)(address - granule) : 0;
    unsigned to = end - granule < 4 ? (unsigned)(end - granule) : 4;

    return ((1u << to) - (1u << from)) << HD_CHECK_BYTES_SHIFT;
}

/* ---- memory of kernels ----------------------------------------------------------------------- */

static void __attribute__((noinline))
wrong(hd_check_code code, uintptr_t address, hd_check_access kind, uintptr_t pc, size_t bytes)
{
    hd_check_finding f = hd_check_finding_here(code, verb_of(kind, 0), pc);

    hd_check_describe(address, f.object, sizeof f.object);
    (void)snprintf(f.detail, sizeof f.detail, "%zu bytes at %p", bytes, (void *)address);
    hd_check_report(&f);
}

void hd_check_kernel_access(uintptr_t address, size_t bytes, hd_check_access kind, unsigned scope,
                            hd_check_use use, uintptr_t pc)
{
    const hd_check_now *now = &hd_check_me;
    const uintptr_t end = address + bytes;
    visitor v = {{now->check->serial, now->check->tick, 0, now->linear},
                 kind,
                 use == HD_CHECK_READS_ONLY,
                 use == HD_CHECK_WRITES_ONLY,
                 0,
                 0,
                 address,
                 pc,
                 now->floor,
                 now->check->synced};

    if (hd_check_replaying)
        return;
    v.shared = address - now->shared < now->shared_bytes;
    if (bytes <= 16 && address & (bytes - 1) && !(bytes & (bytes - 1)))
        wrong(HD_CHECK_MISALIGNED, address, kind, pc, bytes);
    if (v.shared) {
        if (!hd_check_shared_usable(now->block, address, bytes)) {
            wrong(HD_CHECK_BOUNDS_SHARED, address, kind, pc, bytes);
            return;
        }
    } else {
        if ((address - now->live >= now->live_bytes ||
             bytes > now->live_bytes - (address - now->live)) &&
            !hd_check_usable(address, bytes, kind, pc))
            return;
        v.written = now->live_written;
    }
    /* The neighbours' cells come next, as a rule. */
    __builtin_prefetch(hd_check_cell_of(address) + AHEAD, 1);
    v.mine.place = place_of(pc);
    if (kind == HD_CHECK_ATOMIC)
        v.mine.meta |= scope << HD_CHECK_SCOPE_SHIFT | (v.reads_only ? HD_CHECK_READS : 0);
    if ((address & 3) + bytes <= 4) {
        visit(hd_check_cell_of(address), bytes_in(address & ~(uintptr_t)3, address, end), &v);
        return;
    }
    for (uintptr_t granule = address & ~(uintptr_t)3; granule < end; granule += 4) {
        v.address = granule > address ? granule : address;
        visit(hd_check_cell_of(granule), bytes_in(granule, address, end), &v);
    }
}

/* ---- copies and fills ------------------------------------------------------------------------ */

static int op_knows(const hd_check_op *op, const hd_check_record *r)
{
    const hd_check_op *other;

    if (r->serial < op->floor || r->serial == op->serial)
        return 1;
    other = hd_check_op_of(r->serial);
    return !other || hd_check_op_before(other, op);
}

static void op_against(const hd_check_op *op, const hd_check_record *r, hd_check_access theirs,
                       hd_check_access kind, uintptr_t address, uint32_t bytes)
{
    hd_check_finding f;

    if (!r->serial || !(r->meta & bytes) || op_knows(op, r))
        return;
    memset(&f, 0, sizeof f);
    f.code = HD_CHECK_STREAM_ORDER;
    f.side[0] = (hd_check_side){.verb = verb_of(kind, 0), .op = op, .thread = ~0u};
    f.side[1] = hd_check_side_of(r, theirs);
    f.side[1].verb = verb_of(theirs, 0);
    hd_check_describe(address, f.object, sizeof f.object);
    hd_check_report(&f);
}

void hd_check_range_access(const hd_check_op *op, uintptr_t address, size_t bytes,
                           hd_check_access kind)
{
    const uintptr_t end = address + bytes;
    const hd_check_record mine = {op->serial, 0, 0, 0};

    for (uintptr_t granule = address & ~(uintptr_t)3; granule < end; granule += 4) {
        hd_check_cell *cell = hd_check_cell_of(granule);
        uint32_t in = bytes_in(granule, address, end);
        uint32_t init = (cell->write.meta & HD_CHECK_KEPT) |
                        in << (HD_CHECK_INIT_SHIFT - HD_CHECK_BYTES_SHIFT);

        op_against(op, &cell->write, HD_CHECK_WRITE, kind, granule, in);
        op_against(op, &cell->atomic, HD_CHECK_ATOMIC, kind, granule, in);
        if (kind == HD_CHECK_READ) {
            cell->read = mine;
            cell->read.meta |= in;
            continue;
        }
        op_against(op, &cell->read, HD_CHECK_READ, kind, granule, in);
        op_against(op, &cell->other_read, HD_CHECK_READ, kind, granule, in);
        cell->write = mine;
        cell->write.meta |= in | init;
    }
}
