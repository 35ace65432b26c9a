/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - accesses by host code to memory that it must not use at that moment: device memory at
   any time; memory that a copy or kernel uses, until the host has synchronised with it. Copies are
   tracked from the call on (transfers), kernels by the accesses they have made (cells).

   Only instrumented code is checked, not accesses by the C library. Host threads read cells while
   the worker may change them: they see either the old or the new record. */
#include "check/check.h"

#include <stdio.h>
#include <string.h>

#include "observe.h"

enum { TRANSFERS_MAX = 4096, PLACES = 256, REPORTS_MAX = 64, SMALL_COPY = 64 << 10 };

/* Source or destination of a copy or fill that the host has not synchronised with. */
typedef struct transfer {
    uintptr_t base;
    size_t bytes; /* from the first row to the end of the last row */
    size_t pitch, row_bytes;
    int writes;
    uint32_t serial;
} transfer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static transfer transfers[TRANSFERS_MAX];
static unsigned count;
static uintptr_t low = UINTPTR_MAX, high; /* range that contains all transfers */
static unsigned generation = 1;

/* ---- transfers ------------------------------------------------------------------------------- */

/* With the lock held. */
static void transfers_changed(void)
{
    uintptr_t from = UINTPTR_MAX, to = 0;

    for (unsigned i = 0; i < count; i++) {
        const transfer *t = &transfers[i];

        from = t->base < from ? t->base : from;
        to = t->base + t->bytes > to ? t->base + t->bytes : to;
    }
    __atomic_store_n(&low, from, __ATOMIC_RELAXED);
    __atomic_store_n(&high, to, __ATOMIC_RELAXED);
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

/* Drops the oldest if there are too many. */
static void transfer_add(const transfer *t)
{
    (void)pthread_mutex_lock(&lock);
    if (count == TRANSFERS_MAX)
        memmove(transfers, transfers + 1, --count * sizeof *transfers);
    transfers[count++] = *t;
    transfers_changed();
    (void)pthread_mutex_unlock(&lock);
}

/* Memory that host code may access in place. Small pageable sources are read before the copy call
   returns, so they are not tracked. */
static int host_may_touch(const void *pointer, size_t bytes, int writes)
{
    hd_cpu_allocation found;
    int where = hd_cpu_memory_find(pointer, &found);

    if (where == 0)
        return writes || bytes > SMALL_COPY;
    return where == 1 && found.kind != HD_MEM_DEVICE && found.kind != HD_MEM_COHERENT;
}

static void side_begins(const hd_cpu_op *op, const void *base, size_t pitch, int writes)
{
    transfer t = {.base = (uintptr_t)base, .writes = writes, .serial = op->check->serial};

    if (op->kind == HD_CPU_OP_FILL || op->rows == 1)
        t.bytes = op->row_bytes * op->rows;
    else
        t.bytes = pitch * (op->rows - 1) + op->row_bytes;
    t.pitch = op->kind == HD_CPU_OP_FILL || op->rows == 1 ? t.bytes : pitch;
    t.row_bytes = op->kind == HD_CPU_OP_FILL ? t.bytes : op->row_bytes;
    if (host_may_touch(base, op->row_bytes * op->rows, writes))
        transfer_add(&t);
}

void hd_check_transfer_begins(const hd_cpu_op *op)
{
    side_begins(op, op->to, op->to_pitch, 1);
    if (op->kind == HD_CPU_OP_COPY)
        side_begins(op, op->from, op->from_pitch, 0);
}

void hd_check_transfers_end(void)
{
    unsigned kept = 0;

    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count; i++) {
        const hd_check_op *op = hd_check_op_of(transfers[i].serial);

        if (op && !hd_check_host_knows(op))
            transfers[kept++] = transfers[i];
    }
    if (kept != count) {
        count = kept;
        transfers_changed();
    }
    (void)pthread_mutex_unlock(&lock);
}

static int touches(const transfer *t, uintptr_t address, size_t bytes)
{
    size_t column;

    if (address - t->base >= t->bytes)
        return t->base - address < bytes;
    column = (address - t->base) % t->pitch;
    return column < t->row_bytes || column + bytes > t->pitch;
}

/* Serial of a transfer that conflicts with the access; 0: none. Caches the range around the address
   that has no transfers. */
static uint32_t transfer_met(uintptr_t address, size_t bytes, int writes)
{
    static _Thread_local struct {
        unsigned generation;
        uintptr_t from, to;
    } clear __attribute__((tls_model("initial-exec")));
    uintptr_t from = 0, to = UINTPTR_MAX;
    uint32_t met = 0;
    int inside = 0;

    if (clear.generation == __atomic_load_n(&generation, __ATOMIC_ACQUIRE) &&
        address >= clear.from && address + bytes <= clear.to)
        return 0;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count && !met; i++) {
        const transfer *t = &transfers[i];
        uintptr_t end = t->base + t->bytes;

        if (end <= address)
            from = end > from ? end : from;
        else if (t->base >= address + bytes)
            to = t->base < to ? t->base : to;
        else
            inside = 1;
        if ((writes || t->writes) && touches(t, address, bytes))
            met = t->serial;
    }
    if (!inside) {
        clear.generation = generation;
        clear.from = from;
        clear.to = to;
    }
    (void)pthread_mutex_unlock(&lock);
    return met;
}

/* ---- findings -------------------------------------------------------------------------------- */

/* Whether this finding was reported often enough: a loop in host code would repeat it endlessly. */
static int reported_often(hd_check_code code, uintptr_t pc)
{
    static struct {
        uintptr_t pc;
        unsigned times;
    } place[PLACES];
    size_t i = ((size_t)pc * 0x9e3779b97f4a7c15u >> 32 ^ (size_t)code) % PLACES;

    if (place[i].pc != (pc ^ (uintptr_t)code)) {
        place[i].pc = pc ^ (uintptr_t)code;
        place[i].times = 0;
    }
    return place[i].times++ >= REPORTS_MAX;
}

static hd_check_finding finding(hd_check_code code, uintptr_t address, int writes)
{
    hd_check_finding f = {.code = code};

    f.side[0] = (hd_check_side){.verb = writes ? "writes" : "reads", .thread = ~0u};
    hd_check_stack(f.side[0].stack);
    hd_check_describe(address, f.object, sizeof f.object);
    return f;
}

static void misuse(hd_check_code code, const hd_check_allocation *a, uintptr_t address,
                   size_t bytes, int writes, uintptr_t pc)
{
    hd_check_finding f;

    if (reported_often(code, pc))
        return;
    f = finding(code, address, writes);
    (void)snprintf(f.detail, sizeof f.detail, "%zu bytes at %p", bytes, (void *)address);
    if (code == HD_CHECK_USE_AFTER_FREE) {
        f.side[1] = (hd_check_side){.verb = "frees", .thread = ~0u};
        memcpy(f.side[1].stack, a->freed_stack, sizeof f.side[1].stack);
    }
    hd_check_report(&f);
}

static void meets_transfer(uint32_t serial, uintptr_t address, int writes, uintptr_t pc)
{
    hd_check_code code = writes ? HD_CHECK_HOST_REUSE : HD_CHECK_HOST_EARLY;
    const hd_check_op *op = hd_check_op_of(serial);
    hd_check_finding f;

    if (!op || hd_check_host_knows(op) || reported_often(code, pc))
        return;
    f = finding(code, address, writes);
    f.side[1] = (hd_check_side){.verb = "uses it", .op = op, .thread = ~0u};
    memcpy(f.side[1].stack, op->stack, sizeof f.side[1].stack);
    hd_check_report(&f);
}

/* ---- memory shared by host and kernels ---------------------------------------------------- */

/* Whether host code may access the bytes in place; if not, reports it. */
static int may_touch(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    static _Thread_local struct {
        unsigned version;
        uintptr_t base, bytes;
    } good __attribute__((tls_model("initial-exec")));
    unsigned version = __atomic_load_n(&hd_check_memory_version, __ATOMIC_ACQUIRE);
    const hd_check_allocation *a;

    if (good.version == version && address - good.base < good.bytes &&
        bytes <= good.bytes - (address - good.base))
        return 1;
    a = hd_check_allocation_at(address);
    if (!a)
        return 0; /* not by host code */
    if (address - a->base >= a->bytes || bytes > a->bytes - (address - a->base))
        misuse(HD_CHECK_BOUNDS_GLOBAL, a, address, bytes, writes, pc);
    else if (a->freed)
        misuse(HD_CHECK_USE_AFTER_FREE, a, address, bytes, writes, pc);
    else if (a->kind == HD_MEM_DEVICE || a->kind == HD_MEM_COHERENT)
        misuse(HD_CHECK_DEVICE_POINTER, a, address, bytes, writes, pc);
    else {
        good.version = version;
        good.base = a->base;
        good.bytes = a->bytes;
        return 1;
    }
    return 0;
}

/* The operation of the record, if it may still be running as far as the host knows; else NULL. */
static const hd_check_op *under_way(const hd_check_record *r, uint32_t bytes)
{
    const hd_check_op *op;

    if (!r->serial || !(r->meta & bytes))
        return NULL;
    op = hd_check_op_of(r->serial);
    return op && !hd_check_host_knows(op) ? op : NULL;
}

/* Returns 1 if it reports a conflict. */
static int against(hd_check_mark theirs, hd_check_access kind, uint32_t in, uintptr_t address,
                   int writes, uintptr_t pc)
{
    const hd_check_record record = hd_check_record_of(theirs);
    hd_check_code code = writes ? HD_CHECK_HOST_REUSE : HD_CHECK_HOST_EARLY;
    hd_check_finding f;

    if (!under_way(&record, in))
        return 0;
    if (reported_often(code, pc))
        return 1;
    f = finding(code, address, writes);
    f.side[1] = hd_check_side_of(&record, kind);
    if (!f.side[1].verb)
        f.side[1].verb = kind == HD_CHECK_READ ? "reads" : "writes";
    if (kind == HD_CHECK_ATOMIC)
        (void)snprintf(f.detail, sizeof f.detail,
                       "for a flag both sides must be atomic, with %s in host code "
                       "(__atomic_%s); volatile orders nothing",
                       writes ? "release" : "acquire", writes ? "store_n" : "load_n");
    hd_check_report(&f);
    return 1;
}

/* Returns 1 if it reports a conflict. */
static int against_cell(uintptr_t at, uint32_t in, uintptr_t address, int writes, uintptr_t pc)
{
    const hd_check_cell *cell = hd_check_cell_at(at);
    const hd_check_rare *rare = hd_check_rare_at(at);

    if (against(cell->write, HD_CHECK_WRITE, in, address, writes, pc) ||
        (!(rare->atomic.meta & HD_CHECK_READS) &&
         against(rare->atomic, HD_CHECK_ATOMIC, in, address, writes, pc)))
        return 1;
    return writes && (against(cell->read, HD_CHECK_READ, in, address, writes, pc) ||
                      against(rare->other_read, HD_CHECK_READ, in, address, writes, pc));
}

static void against_cells(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    const uintptr_t end = address + bytes;

    for (uintptr_t at = address, next; at < end; at = next) {
        const uintptr_t granule = at & ~(uintptr_t)3;

        next = hd_check_cell_of(granule)->write.meta & HD_CHECK_SPLIT ? at + 1 : granule + 4;
        if (against_cell(at, hd_check_bytes_in(granule, at, next < end ? next : end), address,
                         writes, pc))
            return;
    }
}

void hd_check_host_access(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    uint32_t met = 0;

    if (address < __atomic_load_n(&high, __ATOMIC_RELAXED) &&
        address + bytes > __atomic_load_n(&low, __ATOMIC_RELAXED))
        met = transfer_met(address, bytes, writes);
    if (met)
        meets_transfer(met, address, writes, pc);
    if (!hd_check_inside(address) || !may_touch(address, bytes, writes, pc) || !hd_check_pending ||
        met)
        return;
    hd_cpu_drive_for_host();
    against_cells(address, bytes, writes, pc);
}

/* The host may wait for a value with atomic reads: it has then synchronised with the operations
   that wrote the value. */
void hd_check_host_atomic(uintptr_t address, size_t bytes, int reads, int writes, uintptr_t pc)
{
    hd_check_record write, atomic;
    const hd_check_op *op;
    uint32_t in;

    if (!hd_check_inside(address) || !may_touch(address, bytes, writes, pc) || !reads ||
        !hd_check_pending)
        return;
    hd_cpu_drive_for_host();
    write = hd_check_record_of(hd_check_cell_at(address)->write);
    atomic = hd_check_record_of(hd_check_rare_at(address)->atomic);
    in = hd_check_bytes_in(address & ~(uintptr_t)3, address, address + bytes);
    op = under_way(&write, in);
    if (op)
        hd_check_host_learns(op);
    op = under_way(&atomic, in);
    if (op && !(atomic.meta & HD_CHECK_READS))
        hd_check_host_learns(op);
}

void hd_check_unrecorded(void)
{
    hd_check_finding f = {.code = HD_CHECK_EVENT_UNRECORDED};

    f.side[0] = (hd_check_side){.verb = "waits", .thread = ~0u};
    hd_check_stack(f.side[0].stack);
    hd_check_report(&f);
}

void hd_check_dead_handle(const char *call, const void *handle, const char *what)
{
    hd_check_finding f = {.code = HD_CHECK_DEAD_HANDLE};

    f.side[0] = (hd_check_side){.verb = strstr(call, "destroy") ? "destroys" : "uses",
                                .thread = ~0u};
    hd_check_stack(f.side[0].stack);
    (void)snprintf(f.object, sizeof f.object, "%s %p", what, handle);
    hd_check_report(&f);
}
