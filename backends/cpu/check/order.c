/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - which operation comes before which. Streams have numbers, and each operation knows how
   many operations of every stream are done when it begins: those before it in its own stream, what
   the stream has waited for, and what the host had seen the end of when it enqueued it. The host
   counts as one, whatever the number of its threads: that can only hide a missing order.

   The lock here is held for moments only and under any other one. The table of operations holds
   those that something may still be compared with; whoever was given one may go on using it for a
   while after it has left the table. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checked.h"

enum {
    KEPT_MAX = 1 << 17, /* operations in the table at most, if no more than these are under way */
    RETIRED_MAX = 1 << 12, /* and gone ones that may still be looked at */
    TRIM_AT = 1 << 10,
    CACHED = 4,
    BLOCKS_MAX = 1 << 30,
    MARGIN = 1 << 24,
    WIPED_AT_ONCE = 1 << 30
};

static const uint32_t half = (uint32_t)1 << 31; /* serials are wiped by halves */

/* What is known of a stream, or of those that had its number before. */
typedef struct slot {
    hd_check_clock clock; /* of what is done when its next operation begins */
    uint32_t issued;
    unsigned known; /* all operations with lower numbers are in the clock */
    int device, live, legacy, blocking;
} slot;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slot *slots;
static unsigned slot_count;
static hd_check_clock host;                       /* what the host has seen the end of */
static hd_check_clock ended[HD_CPU_MAX_DEVICES];  /* of blocking streams that are destroyed */
static hd_check_op **table;                       /* in the order of numbers */
static size_t table_first, table_end, table_room; /* the part in use */
static size_t trim_at = TRIM_AT;
static unsigned generation; /* changes when operations leave the table */
static unsigned numbers, unfinished;
static uint32_t next_serial = 1;
static hd_check_op *retired, **retired_end = &retired;
static unsigned retired_count;
static hd_check_op *executing; /* host functions that run */

int hd_check_pending;

static void *must(void *memory)
{
    if (!memory) {
        (void)fprintf(stderr, "heddle check: no memory left for the checker\n");
        abort();
    }
    return memory;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static int covers(const hd_check_clock *clock, unsigned stream, uint32_t index)
{
    return stream < clock->count && clock->at[stream] >= index;
}

static void clock_grow(hd_check_clock *clock, unsigned count)
{
    if (clock->count >= count)
        return;
    clock->at = must(realloc(clock->at, count * sizeof *clock->at));
    memset(clock->at + clock->count, 0, (count - clock->count) * sizeof *clock->at);
    clock->count = count;
}

static void clock_join(hd_check_clock *into, const hd_check_clock *from)
{
    clock_grow(into, from->count);
    for (unsigned i = 0; i < from->count; i++)
        if (into->at[i] < from->at[i])
            into->at[i] = from->at[i];
}

static void clock_see(hd_check_clock *clock, unsigned stream, uint32_t index)
{
    clock_grow(clock, stream + 1);
    if (clock->at[stream] < index)
        clock->at[stream] = index;
}

static hd_check_clock clock_copy(const hd_check_clock *from)
{
    hd_check_clock copy = {NULL, 0};

    clock_join(&copy, from);
    return copy;
}

int hd_check_op_before(const hd_check_op *first, const hd_check_op *second)
{
    return covers(&second->before, first->stream, first->index);
}

/* ---- the table of operations ----------------------------------------------------------------- */

static void table_add(hd_check_op *op)
{
    if (table_end == table_room && table_first > table_room / 2) {
        memmove(table, table + table_first, (table_end - table_first) * sizeof *table);
        table_end -= table_first;
        table_first = 0;
    } else if (table_end == table_room) {
        table_room = table_room ? 2 * table_room : 256;
        table = must(realloc(table, table_room * sizeof *table));
    }
    table[table_end++] = op;
}

static void retire(hd_check_op *op)
{
    op->next = NULL;
    *retired_end = op;
    retired_end = &op->next;
    if (++retired_count <= RETIRED_MAX)
        return;
    op = retired;
    retired = op->next;
    retired_count--;
    free(op->before.at);
    free(op);
}

static void table_drop(size_t count)
{
    if (!count)
        return;
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
    while (count--)
        retire(table[table_first++]);
}

/* Operations that are done, that the host has seen the end of and that come before all that are
   under way can be forgotten from the front on. If there are too many, done ones go anyway. */
static void table_trim(void)
{
    size_t count = table_end - table_first, gone = 0;
    hd_check_clock least = clock_copy(&host);

    for (size_t i = table_first; i < table_end; i++)
        if (!table[i]->done)
            for (unsigned s = 0; s < least.count; s++) {
                uint32_t known = s < table[i]->before.count ? table[i]->before.at[s] : 0;

                least.at[s] = known < least.at[s] ? known : least.at[s];
            }
    while (gone < count && table[table_first + gone]->done &&
           (count - gone > KEPT_MAX ||
            covers(&least, table[table_first + gone]->stream, table[table_first + gone]->index)))
        gone++;
    free(least.at);
    table_drop(gone);
    count -= gone;
    trim_at = count > TRIM_AT / 2 ? 2 * count : TRIM_AT;
    if (count <= KEPT_MAX && trim_at > KEPT_MAX)
        trim_at = KEPT_MAX + TRIM_AT;
}

/* Serials only ever grow from one entry to the next, but may begin anew once. */
static hd_check_op *table_find(uint32_t serial)
{
    size_t low = table_first, high = table_end;
    uint32_t base;

    if (low == high)
        return NULL;
    base = table[low]->serial;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (table[middle]->serial - base <= serial - base)
            low = middle;
        else
            high = middle;
    }
    return serial - table[low]->serial < table[low]->blocks ? table[low] : NULL;
}

hd_check_op *hd_check_op_of(uint32_t serial)
{
    static _Thread_local struct {
        unsigned generation, next;
        hd_check_op *op[CACHED];
    } seen __attribute__((tls_model("initial-exec")));
    hd_check_op *op;

    if (seen.generation != __atomic_load_n(&generation, __ATOMIC_ACQUIRE))
        memset(&seen, 0, sizeof seen);
    for (unsigned i = 0; i < CACHED; i++)
        if (seen.op[i] && serial - seen.op[i]->serial < seen.op[i]->blocks)
            return seen.op[i];
    if (!serial)
        return NULL;
    (void)pthread_mutex_lock(&lock);
    op = table_find(serial);
    seen.generation = generation;
    (void)pthread_mutex_unlock(&lock);
    if (op)
        seen.op[seen.next++ % CACHED] = op;
    return op;
}

unsigned hd_check_op_count(void)
{
    unsigned count;

    (void)pthread_mutex_lock(&lock);
    count = numbers;
    (void)pthread_mutex_unlock(&lock);
    return count;
}

/* ---- serial numbers -------------------------------------------------------------------------- */

static uint32_t blocks_of(const hd_cpu_op *op)
{
    if (op->kind != HD_CPU_OP_LAUNCH)
        return 1;
    return op->launch->blocks < BLOCKS_MAX ? (uint32_t)op->launch->blocks : BLOCKS_MAX;
}

static void cells_wipe(hd_check_cell *cells, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *cells; i++) {
        uint32_t kept = cells[i].write.meta & HD_CHECK_KEPT;

        memset(&cells[i], 0, sizeof *cells);
        cells[i].write.meta = kept;
    }
}

/* Nobody has accessed anything; what is written stays so. Pages never touched stay away. */
static void wipe(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = hd_check_bytes / 4 * sizeof(hd_check_cell);
    unsigned char *there = must(malloc(WIPED_AT_ONCE / page));

    for (size_t at = 0; at < bytes; at += WIPED_AT_ONCE) {
        char *from = (char *)hd_check_cells + at;
        size_t length = bytes - at < WIPED_AT_ONCE ? bytes - at : WIPED_AT_ONCE;

        if (mincore(from, length, there) != 0)
            continue;
        for (size_t i = 0; i < length / page; i++)
            if (there[i] & 1)
                cells_wipe((hd_check_cell *)(void *)(from + i * page), page);
    }
    free(there);
}

void hd_check_room(const hd_cpu_op *op)
{
    uint32_t blocks = blocks_of(op);
    int crosses;

    (void)pthread_mutex_lock(&lock);
    crosses = (next_serial ^ (next_serial + blocks + MARGIN)) >= half;
    if (crosses)
        next_serial = next_serial >= half ? 1 : half;
    (void)pthread_mutex_unlock(&lock);
    if (!crosses)
        return;
    (void)pthread_mutex_lock(&hd_check_lock);
    wipe();
    (void)pthread_mutex_unlock(&hd_check_lock);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* A number is free again when the host has seen the end of all that carried it. */
static unsigned slot_free(void)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (!slots[i].live && covers(&host, i, slots[i].issued))
            return i;
    slots = must(realloc(slots, (slot_count + 1) * sizeof *slots));
    memset(&slots[slot_count], 0, sizeof *slots);
    return slot_count++;
}

void hd_check_stream_made(hd_cpu_stream *stream)
{
    slot *s;

    (void)pthread_mutex_lock(&lock);
    stream->number = slot_free();
    s = &slots[stream->number];
    free(s->clock.at);
    s->clock = clock_copy(&host);
    clock_see(&s->clock, stream->number, s->issued);
    s->device = stream->device;
    s->legacy = stream->legacy;
    s->blocking = stream->blocking;
    s->live = 1;
    (void)pthread_mutex_unlock(&lock);
}

void hd_check_stream_gone(hd_cpu_stream *stream)
{
    slot *s;

    (void)pthread_mutex_lock(&lock);
    s = &slots[stream->number];
    s->live = 0;
    if (s->blocking)
        clock_join(&ended[s->device], &s->clock);
    (void)pthread_mutex_unlock(&lock);
}

/* The rules of the legacy default stream; see held_by_legacy in stream.c. */
static void legacy_join(slot *s)
{
    if (!s->blocking)
        return;
    for (slot *t = slots; t < slots + slot_count; t++)
        if (t != s && t->live && t->blocking && t->device == s->device && (t->legacy || s->legacy))
            clock_join(&s->clock, &t->clock);
    if (s->legacy)
        clock_join(&s->clock, &ended[s->device]);
}

/* ---- operations ------------------------------------------------------------------------------ */

static const char *name_of(hd_cpu_op_kind kind)
{
    static const char *const names[] = {
        [HD_CPU_OP_LAUNCH] = "hd_launch",   [HD_CPU_OP_COPY] = "hd_copy",
        [HD_CPU_OP_FILL] = "hd_fill",       [HD_CPU_OP_FUNCTION] = "hd_stream_host_function",
        [HD_CPU_OP_FREE] = "hd_free_async",
    };

    return names[kind];
}

/* Every operation with a lower serial comes before this one. */
static uint32_t floor_of(slot *s, const hd_check_op *op)
{
    unsigned oldest = numbers - (unsigned)(table_end - table_first) + 1;

    if (s->known < oldest)
        s->known = oldest;
    while (s->known < op->number) {
        const hd_check_op *earlier = table[table_first + (s->known - oldest)];

        if (!hd_check_op_before(earlier, op)) /* serials may have begun anew in between */
            return earlier->serial < op->serial ? earlier->serial : 0;
        s->known++;
    }
    return op->serial;
}

unsigned hd_check_operations(void)
{
    return __atomic_load_n(&numbers, __ATOMIC_RELAXED);
}

static hd_check_op *op_make(const hd_cpu_op *op)
{
    hd_check_op *made = must(calloc(1, sizeof *made));

    made->blocks = blocks_of(op);
    made->stream = op->stream->number;
    made->device = op->stream->device;
    made->what = name_of(op->kind);
    if (op->kind == HD_CPU_OP_LAUNCH) {
        made->kernel = op->launch->kernel;
        made->grid = op->launch->grid;
        made->block = op->launch->block;
        made->shared_bytes = op->launch->shared_bytes;
        hd_check_launched(made);
    }
    hd_check_stack(made->stack);
    return made;
}

static void issue(hd_check_op *made, slot *s)
{
    made->serial = next_serial;
    next_serial += made->blocks;
    made->number = ++numbers;
    made->index = ++s->issued;
    made->before = clock_copy(&s->clock);
    clock_see(&s->clock, made->stream, made->index);
    table_add(made);
    made->floor = floor_of(s, made);
    unfinished++;
    hd_check_pending = 1;
    if (table_end - table_first > trim_at)
        table_trim();
}

static void mark_set(hd_cpu_mark *mark, const hd_check_clock *clock)
{
    mark->clock = must(calloc(1, sizeof *mark->clock));
    clock_join(mark->clock, clock);
}

void hd_check_enqueued(hd_cpu_op *op)
{
    slot *s;

    if (op->kind != HD_CPU_OP_WAIT && op->kind != HD_CPU_OP_RECORD)
        op->check = op_make(op);
    (void)pthread_mutex_lock(&lock);
    s = &slots[op->stream->number];
    clock_join(&s->clock, &host);
    for (const hd_check_op *f = executing; f; f = f->next)
        clock_join(&s->clock, &f->before);
    legacy_join(s);
    if (op->check)
        issue(op->check, s);
    else if (op->kind == HD_CPU_OP_RECORD)
        mark_set(op->mark, &s->clock);
    else if (op->mark->clock)
        clock_join(&s->clock, op->mark->clock);
    (void)pthread_mutex_unlock(&lock);
    if (op->kind == HD_CPU_OP_LAUNCH)
        hd_check_lint_launch(op->check);
    if (op->kind == HD_CPU_OP_FREE)
        hd_check_free_asked(op->to);
    else if (op->kind == HD_CPU_OP_COPY || op->kind == HD_CPU_OP_FILL)
        hd_check_transfer_begins(op);
}

void hd_check_mark_gone(hd_cpu_mark *mark)
{
    if (mark->clock)
        free(mark->clock->at);
    free(mark->clock);
}

static void executing_remove(const hd_check_op *op)
{
    for (hd_check_op **link = &executing; *link; link = &(*link)->next)
        if (*link == op) {
            *link = op->next;
            return;
        }
}

static void rows_access(const hd_cpu_op *op, const void *base, size_t pitch, hd_check_access kind)
{
    if (!hd_check_inside((uintptr_t)base))
        return;
    if (op->kind == HD_CPU_OP_FILL || pitch == op->row_bytes) {
        hd_check_range_access(op->check, (uintptr_t)base, op->row_bytes * op->rows, kind);
        return;
    }
    for (size_t row = 0; row < op->rows; row++)
        hd_check_range_access(op->check, (uintptr_t)base + row * pitch, op->row_bytes, kind);
}

int hd_check_executes(hd_cpu_op *op)
{
    int good;

    if (op->kind == HD_CPU_OP_FUNCTION) {
        (void)pthread_mutex_lock(&lock);
        op->check->next = executing;
        executing = op->check;
        (void)pthread_mutex_unlock(&lock);
        return 1;
    }
    (void)pthread_mutex_lock(&hd_check_lock);
    good = hd_check_used(op->check, (uintptr_t)op->to, "writes") &&
           (op->kind == HD_CPU_OP_FILL || hd_check_used(op->check, (uintptr_t)op->from, "reads"));
    if (good && op->kind == HD_CPU_OP_COPY)
        rows_access(op, op->from, op->from_pitch, HD_CHECK_READ);
    if (good)
        rows_access(op, op->to, op->to_pitch, HD_CHECK_WRITE);
    (void)pthread_mutex_unlock(&hd_check_lock);
    return good;
}

void hd_check_finished(hd_cpu_op *op)
{
    if (!op->check)
        return;
    (void)pthread_mutex_lock(&lock);
    op->check->done = 1;
    unfinished--;
    if (op->kind == HD_CPU_OP_FUNCTION)
        executing_remove(op->check);
    (void)pthread_mutex_unlock(&lock);
}

/* ---- what the host has seen the end of ------------------------------------------------------- */

static int host_knows_all(void)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (slots[i].issued && !covers(&host, i, slots[i].issued))
            return 0;
    return 1;
}

int hd_check_host_knows(const hd_check_op *op)
{
    int knows;

    (void)pthread_mutex_lock(&lock);
    knows = covers(&host, op->stream, op->index);
    for (const hd_check_op *f = executing; f && !knows; f = f->next)
        knows = hd_check_op_before(op, f);
    (void)pthread_mutex_unlock(&lock);
    return knows;
}

void hd_check_host_learns(const hd_check_op *op)
{
    (void)pthread_mutex_lock(&lock);
    clock_join(&host, &op->before);
    clock_see(&host, op->stream, op->index);
    (void)pthread_mutex_unlock(&lock);
}

/* With the lock, which it gives up: the host clock has grown. Under hd_cpu.lock nothing can begin,
   so that nobody needs what is forgotten here. */
static void host_grown(void)
{
    int all = host_knows_all(), idle = all && !unfinished;

    if (all)
        hd_check_pending = 0;
    if (idle)
        table_drop(table_end - table_first);
    else if (table_end - table_first > trim_at)
        table_trim();
    (void)pthread_mutex_unlock(&lock);
    if (idle)
        hd_check_variables_drop();
    hd_check_transfers_end();
}

void hd_check_joined_stream(const hd_cpu_stream *stream)
{
    (void)pthread_mutex_lock(&lock);
    clock_join(&host, &slots[stream->number].clock);
    host_grown();
}

void hd_check_joined_mark(const hd_cpu_mark *mark)
{
    (void)pthread_mutex_lock(&lock);
    if (mark->clock)
        clock_join(&host, mark->clock);
    host_grown();
}

void hd_check_joined_device(int device)
{
    (void)pthread_mutex_lock(&lock);
    for (const slot *s = slots; s < slots + slot_count; s++)
        if (s->device == device)
            clock_join(&host, &s->clock);
    host_grown();
}
