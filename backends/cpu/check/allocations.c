/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.c - the table of allocations, sorted by address. Freed ones stay until their
   addresses are reused, which heap.c delays as long as possible. No finding may be reported with
   the lock held, because reports look up the allocation of an address here. */
#include "check/allocations.h"

#include <stdlib.h>
#include <string.h>

enum { GONE_MAX = 4096, NEAR = 1 << 20 };

pthread_mutex_t hd_check_entries_lock = PTHREAD_MUTEX_INITIALIZER;
static hd_check_entry **table;
static size_t count, room;
unsigned hd_check_memory_version = 1; /* changes with every allocation, free and change of peers */
static hd_check_entry *gone, **gone_end = &gone; /* removed; other threads may still read them */
static unsigned gone_count;

void hd_check_entries_changed(void)
{
    __atomic_fetch_add(&hd_check_memory_version, 1, __ATOMIC_RELEASE);
}

/* Number of entries that start at or below the address. */
static size_t below(uintptr_t address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table[middle]->is.base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int holds(const hd_check_entry *e, uintptr_t address)
{
    return address - e->is.base < e->is.bytes;
}

hd_check_entry *hd_check_entry_at(uintptr_t address)
{
    size_t n = below(address);

    return n && holds(table[n - 1], address) ? table[n - 1] : NULL;
}

hd_check_entry *hd_check_entry_number(size_t i)
{
    return i < count ? table[i] : NULL;
}

static void bury(hd_check_entry *e)
{
    e->next = NULL;
    *gone_end = e;
    gone_end = &e->next;
    if (++gone_count <= GONE_MAX)
        return;
    e = gone;
    gone = e->next;
    gone_count--;
    free(e);
}

/* Removes the entries that overlap the bytes, which are being reused. */
static void remove_in(uintptr_t base, size_t bytes)
{
    size_t first = below(base), last = first;

    if (first && holds(table[first - 1], base))
        first--;
    while (last < count && table[last]->is.base - base < bytes)
        last++;
    for (size_t i = first; i < last; i++)
        bury(table[i]);
    memmove(&table[first], &table[last], (count - last) * sizeof *table);
    count -= last - first;
}

void hd_check_entry_insert(hd_check_entry *e)
{
    size_t n;

    remove_in(e->is.base, e->is.bytes);
    n = below(e->is.base);
    if (count == room) {
        hd_check_entry **more = realloc(table, (room + 256) * 2 * sizeof *more);

        if (!more) {
            free(e);
            return;
        }
        table = more;
        room = (room + 256) * 2;
    }
    memmove(&table[n + 1], &table[n], (count - n) * sizeof *table);
    table[n] = e;
    count++;
    hd_check_entries_changed();
}

static uintptr_t distance(const hd_check_entry *e, uintptr_t address)
{
    if (holds(e, address))
        return 0;
    return address < e->is.base ? e->is.base - address : address - (e->is.base + e->is.bytes) + 1;
}

const hd_check_allocation *hd_check_allocation_at(uintptr_t address)
{
    const hd_check_entry *found = NULL;
    size_t n;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    n = below(address);
    if (n)
        found = table[n - 1];
    if (n < count && (!found || distance(table[n], address) < distance(found, address)))
        found = table[n];
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    return found && distance(found, address) < NEAR ? &found->is : NULL;
}

const hd_check_allocation *hd_check_live_after(uintptr_t base)
{
    const hd_check_allocation *found = NULL;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    for (size_t i = below(base); i < count && !found; i++)
        if (!table[i]->is.freed && !table[i]->own)
            found = &table[i]->is;
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    return found;
}
