/* SPDX-License-Identifier: Apache-2.0 */
/* history.c - the operations that an access may still be compared with, sorted by number, and the
   serials by which records refer to them. A pointer to an operation stays valid for a while after
   it has left the table. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_MAX = 1 << 17,    /* limit, unless more are still running */
    RETIRED_MAX = 1 << 12, /* removed operations that may still be read */
    TRIM_AT = 1 << 10,
    CACHED = 4,
    BLOCKS_MAX = 1 << 30,
    MARGIN = 1 << 24
};

static const uint32_t half = (uint32_t)1 << 31; /* serials are wiped in halves */

static hd_check_op **table;
static size_t table_first, table_end, table_room; /* the part of the table in use */
static size_t trim_at = TRIM_AT;
static unsigned generation; /* changes when operations leave the table */
static unsigned numbers, unfinished;
static uint32_t next_serial = 1;
static hd_check_op *retired, **retired_end = &retired;
static unsigned retired_count;

int hd_check_op_before(const hd_check_op *first, const hd_check_op *second)
{
    return hd_check_covers(&second->before, first->stream, first->index);
}

/* ---- knowledge passed between launches ---------------------------------------------------- */

static hd_check_op *learners; /* guarded by hd_check_order_lock */

void hd_check_learner_add(hd_check_op *op)
{
    if (op->learned.count || op->seen.count)
        return;
    op->next_learner = learners;
    learners = op;
}

int hd_check_read_before(uint32_t serial, const hd_check_op *op)
{
    const hd_check_op *theirs = hd_check_op_of(serial);

    return !theirs || hd_check_covers(&op->read, theirs->stream, theirs->index);
}

void hd_check_recall(hd_check_op *op)
{
    for (const hd_check_op *l = learners; l; l = l->next_learner)
        if (hd_check_op_before(l, op)) {
            hd_check_clock_join(&op->before, &l->learned);
            hd_check_clock_join(&op->read, &l->seen);
        }
}

/* The operation leaves the table: passes its knowledge to operations ordered after it. `left` are
   the `count` others. */
static void pass_on(hd_check_op *op, hd_check_op *const *left, size_t count)
{
    hd_check_op **link = &learners;

    while (*link && *link != op)
        link = &(*link)->next_learner;
    if (*link)
        *link = op->next_learner;
    for (size_t i = 0; i < count; i++)
        if (!left[i]->begun && hd_check_op_before(op, left[i])) {
            hd_check_clock_join(&left[i]->before, &op->learned);
            hd_check_clock_join(&left[i]->read, &op->seen);
        }
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
        table = hd_check_must(realloc(table, table_room * sizeof *table));
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
    free(op->learned.at);
    free(op->read.at);
    free(op->seen.at);
    free(op);
}

static void table_drop(size_t count)
{
    if (!count)
        return;
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
    while (count--) {
        hd_check_op *op = table[table_first++];

        if (op->learned.count || op->seen.count)
            pass_on(op, table + table_first, table_end - table_first);
        retire(op);
    }
    hd_check_epochs_drop(table_first < table_end ? table[table_first]->first_epoch : 0);
}

/* Drops operations from the front that are done, that the host has synchronised with and that are
   ordered before all running ones. If there are too many, drops done ones anyway. */
static void table_trim(const hd_check_clock *host)
{
    size_t count = table_end - table_first, gone = 0;
    hd_check_clock least = hd_check_clock_copy(host);

    for (size_t i = table_first; i < table_end; i++)
        if (!table[i]->done)
            for (unsigned s = 0; s < least.count; s++) {
                uint32_t known = s < table[i]->before.count ? table[i]->before.at[s] : 0;

                least.at[s] = known < least.at[s] ? known : least.at[s];
            }
    while (gone < count && table[table_first + gone]->done &&
           (count - gone > KEPT_MAX || hd_check_covers(&least, table[table_first + gone]->stream,
                                                       table[table_first + gone]->index)))
        gone++;
    free(least.at);
    table_drop(gone);
    count -= gone;
    trim_at = count > TRIM_AT / 2 ? 2 * count : TRIM_AT;
    if (count <= KEPT_MAX && trim_at > KEPT_MAX)
        trim_at = KEPT_MAX + TRIM_AT;
}

/* Serials increase from entry to entry, except that they may wrap around once. */
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
    (void)pthread_mutex_lock(&hd_check_order_lock);
    op = table_find(serial);
    seen.generation = generation;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    if (op)
        seen.op[seen.next++ % CACHED] = op;
    return op;
}

unsigned hd_check_op_count(void)
{
    return __atomic_load_n(&numbers, __ATOMIC_RELAXED);
}

/* ---- serial numbers -------------------------------------------------------------------------- */

uint32_t hd_check_blocks_of(const hd_cpu_op *op)
{
    if (op->kind != HD_CPU_OP_LAUNCH)
        return 1;
    return op->launch->blocks < BLOCKS_MAX ? (uint32_t)op->launch->blocks : BLOCKS_MAX;
}

int hd_check_history_room(const hd_cpu_op *op)
{
    uint32_t blocks = hd_check_blocks_of(op);
    int crosses;

    (void)pthread_mutex_lock(&hd_check_order_lock);
    crosses = (next_serial ^ (next_serial + blocks + MARGIN)) >= half;
    if (crosses)
        next_serial = next_serial >= half ? 1 : half;
    (void)pthread_mutex_unlock(&hd_check_order_lock);
    return !crosses;
}

/* ---- life of operations -------------------------------------------------------------------- */

void hd_check_history_add(hd_check_op *op, const hd_check_clock *host)
{
    op->serial = next_serial;
    next_serial += op->blocks;
    op->number = ++numbers;
    op->first_epoch = __atomic_load_n(&hd_check_epochs_end, __ATOMIC_RELAXED);
    table_add(op);
    unfinished++;
    if (table_end - table_first > trim_at)
        table_trim(host);
}

void hd_check_history_done(hd_check_op *op)
{
    op->done = 1;
    unfinished--;
}

int hd_check_history_seen(const hd_check_clock *host, int all)
{
    int idle = all && !unfinished;

    if (idle)
        table_drop(table_end - table_first);
    else if (table_end - table_first > trim_at)
        table_trim(host);
    return idle;
}

void hd_check_history_floor(hd_check_op *op, unsigned *known)
{
    unsigned oldest = numbers - (unsigned)(table_end - table_first) + 1;

    op->floor = op->serial;
    op->epoch_floor = op->first_epoch;
    if (*known < oldest)
        *known = oldest;
    for (; *known < op->number; (*known)++) {
        const hd_check_op *earlier = table[table_first + (*known - oldest)];

        if (hd_check_op_before(earlier, op))
            continue;
        /* serials may have wrapped around in between */
        op->floor = earlier->serial < op->serial ? earlier->serial : 0;
        op->epoch_floor = earlier->first_epoch;
        return;
    }
}

void hd_check_history_epochs_anew(void)
{
    for (size_t i = table_first; i < table_end; i++)
        table[i]->first_epoch = table[i]->epoch_floor = 0;
}
