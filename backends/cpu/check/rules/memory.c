/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - creation of allocations. */
#include "check/allocations.h"

#include <stdlib.h>

static void add(const void *pointer, size_t bytes, hd_memory_kind kind, int device,
                const hd_cpu_cell *cell, int own)
{
    hd_check_entry *e = calloc(1, sizeof *e);

    if (!e)
        return;
    e->is.base = (uintptr_t)pointer;
    e->is.bytes = bytes;
    e->is.kind = kind;
    e->is.device = device;
    e->is.name = cell ? cell->name : NULL;
    e->is.constant = cell && cell->constant;
    e->own = own;
    if (!cell)
        hd_check_stack(e->is.stack);
    hd_check_forget(e->is.base, bytes);
    (void)pthread_mutex_lock(&hd_check_entries_lock);
    hd_check_entry_insert(e);
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
}

void hd_check_allocated(const void *pointer, size_t bytes, hd_memory_kind kind, int device, int own)
{
    add(pointer, bytes, kind, device, NULL, own);
}

void hd_check_symbol_made(const void *copy, const hd_cpu_cell *cell, int device)
{
    add(copy, cell->bytes, HD_MEM_DEVICE, device, cell, 0);
}
