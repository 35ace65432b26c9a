/* SPDX-License-Identifier: Apache-2.0 */
/* symbol.c - device variables and constants: one copy per virtual device, created on first use
   by a kernel or the host with its initial contents. */
#include "memory/allocations.h"
#include "observe.h"

#include <stdlib.h>
#include <string.h>

typedef struct copy_made {
    struct copy_made *next;
    hd_cpu_cell *cell;
} copy_made;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static copy_made *made[HD_CPU_MAX_DEVICES];

/* Zeroed. Memory from the checker's region is never freed. */
static void *copy_take(size_t bytes)
{
    void *copy;

    if (HD_OBSERVED)
        return HD_OBSERVE_OR(NULL, memory.reserve(bytes));
    copy = aligned_alloc(HD_CPU_ALIGN_MAX, bytes);
    if (copy)
        memset(copy, 0, bytes);
    return copy;
}

static void copy_free(void *copy)
{
    if (!HD_OBSERVED)
        free(copy);
}

static void *copy_make(hd_cpu_cell *cell, int device)
{
    size_t bytes = (cell->bytes + HD_CPU_ALIGN_MAX - 1) / HD_CPU_ALIGN_MAX * HD_CPU_ALIGN_MAX;
    copy_made *record = malloc(sizeof *record);
    void *copy = copy_take(bytes);

    if (!record || !copy) {
        free(record);
        copy_free(copy);
        return NULL;
    }
    if (cell->initial)
        memcpy(copy, cell->initial, cell->bytes);
    HD_OBSERVE(memory.symbol_made(copy, cell, device));
    record->cell = cell;
    record->next = made[device];
    made[device] = record;
    __atomic_store_n(&cell->copy[device], copy, __ATOMIC_RELEASE);
    return copy;
}

void *hd_cpu_cell_copy(hd_cpu_cell *cell, int device)
{
    void *copy;

    (void)pthread_mutex_lock(&lock);
    copy = cell->copy[device];
    if (!copy)
        copy = copy_make(cell, device);
    (void)pthread_mutex_unlock(&lock);
    return copy;
}

void hd_cpu_symbols_reset(int device)
{
    (void)pthread_mutex_lock(&lock);
    while (made[device]) {
        copy_made *record = made[device];

        made[device] = record->next;
        copy_free(record->cell->copy[device]);
        __atomic_store_n(&record->cell->copy[device], NULL, __ATOMIC_RELEASE);
        free(record);
    }
    (void)pthread_mutex_unlock(&lock);
}

static int inside(const copy_made *record, int device, uintptr_t address)
{
    uintptr_t base = (uintptr_t)record->cell->copy[device];

    return address >= base && address - base < record->cell->bytes;
}

int hd_cpu_symbol_find(const void *pointer, hd_cpu_allocation *found)
{
    int hit = 0;

    (void)pthread_mutex_lock(&lock);
    for (int device = 0; device < HD_CPU_MAX_DEVICES && !hit; device++) {
        for (const copy_made *r = made[device]; r && !hit; r = r->next)
            hit = inside(r, device, (uintptr_t)pointer);
        if (hit) {
            found->base = NULL;
            found->bytes = 0;
            found->kind = HD_MEM_DEVICE;
            found->device = device;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return hit;
}

hd_status hdb_symbol_address(const hd_symbol *symbol, int ordinal, void **address)
{
    hd_status status = hd_cpu_ready("hd_symbol_address");
    void *copy;

    if (status < 0)
        return status;
    copy = hd_cpu_cell_copy((hd_cpu_cell *)(uintptr_t)symbol->handle, ordinal);
    if (!copy)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_symbol_address", "no memory for %s", symbol->name);
    *address = copy;
    return HD_OK;
}
