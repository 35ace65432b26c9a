/* SPDX-License-Identifier: Apache-2.0 */
/* free.c - the end of allocations: freed while in use, twice, at a bad address, or never. */
#include "check/allocations.h"

#include <string.h>

static void report_free(hd_check_code code, const void *pointer, const hd_check_entry *e)
{
    hd_check_finding f = {.code = code};

    f.side[0] = (hd_check_side){.verb = "frees", .thread = ~0u};
    hd_check_stack(f.side[0].stack);
    if (code == HD_CHECK_DOUBLE_FREE)
        f.side[1] = hd_check_side_of_host("frees", e->is.freed_stack);
    hd_check_describe((uintptr_t)pointer, f.object, sizeof f.object);
    hd_check_report(&f);
}

static hd_check_entry *entry_of(const void *pointer)
{
    hd_check_entry *e;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    e = hd_check_entry_at((uintptr_t)pointer);
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    return e;
}

void hd_check_bad_free(const void *pointer)
{
    const hd_check_entry *e = entry_of(pointer);
    int twice = e && e->is.freed && e->is.base == (uintptr_t)pointer;

    report_free(twice ? HD_CHECK_DOUBLE_FREE : HD_CHECK_BAD_FREE, pointer, e);
}

int hd_check_free_due(const hd_check_allocation *allocation)
{
    return allocation->freed || ((const hd_check_entry *)(const void *)allocation)->free_asked;
}

void hd_check_free_asked(const void *pointer)
{
    hd_check_entry *e = entry_of(pointer);

    if (!e)
        return;
    if (e->free_asked) {
        report_free(HD_CHECK_DOUBLE_FREE, pointer, e);
        return;
    }
    e->free_asked = 1;
    hd_check_stack(e->is.freed_stack);
}

void hd_check_memory_kept(const void *pointer)
{
    hd_check_entry *e = entry_of(pointer);

    if (e)
        e->own = 1;
}

/* Reports operations that have used the allocation and may still be running. */
static void check_users(const hd_check_entry *e, const hd_check_op *by)
{
    for (unsigned i = 0; i < HD_CHECK_USERS; i++) {
        const hd_check_op *user = hd_check_op_of(e->is.used_by[i]);
        hd_check_finding f = {.code = HD_CHECK_FREE_IN_USE};

        if (!user || hd_cpu_device_lost(user->device) || /* which then does nothing any more */
            (by ? hd_check_op_before(user, by) : hd_check_host_knows(user)))
            continue;
        f.side[0] = hd_check_side_of_free(e);
        f.side[1] = hd_check_side_of_op("uses", user);
        hd_check_describe(e->is.base, f.object, sizeof f.object);
        hd_check_report(&f);
        return;
    }
}

void hd_check_freed(const void *pointer, const hd_cpu_op *op)
{
    const hd_check_op *by = op ? op->check : NULL;
    hd_check_entry *e = entry_of(pointer);

    if (!e || e->is.freed)
        return;
    (void)pthread_mutex_lock(&hd_check_entries_lock);
    e->is.freed = 1;
    e->freed_by = by ? by->serial : 0;
    e->freed_at = by ? 0 : hd_check_op_count();
    hd_check_entries_changed();
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    check_users(e, by);
}

/* The device was reset: its allocations are gone, which is not a leak. */
void hd_check_memory_reset(int device)
{
    hd_check_entry *e;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    for (size_t i = 0; (e = hd_check_entry_number(i)); i++) {
        if (e->is.device != device || e->is.freed || e->is.kind == HD_MEM_PINNED ||
            e->is.kind == HD_MEM_MAPPED)
            continue;
        e->is.freed = 1;
        e->freed_by = 0;
        hd_check_stack(e->is.freed_stack);
    }
    hd_check_entries_changed();
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
}

static const hd_check_entry *entry_number(size_t i)
{
    const hd_check_entry *e;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    e = hd_check_entry_number(i);
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    return e;
}

static int launch_failed;

void hd_check_launch_failed(void)
{
    __atomic_store_n(&launch_failed, 1, __ATOMIC_RELAXED);
}

/* Not after a failed kernel, because programs then end early. On a lost device nothing can be
   freed. */
void hd_check_leaks(void)
{
    const hd_check_entry *e;

    if (__atomic_load_n(&launch_failed, __ATOMIC_RELAXED))
        return;

    for (size_t i = 0; (e = entry_number(i)); i++) {
        hd_check_finding f = {.code = HD_CHECK_LEAK};

        if (e->is.freed || e->free_asked || e->own || e->is.name ||
            hd_cpu_device_lost(e->is.device))
            continue;
        f.side[0] = hd_check_side_of_host("allocates", e->is.stack);
        hd_check_describe(e->is.base, f.object, sizeof f.object);
        hd_check_report(&f);
    }
}
