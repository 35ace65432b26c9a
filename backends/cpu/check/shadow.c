/* SPDX-License-Identifier: Apache-2.0 */
/* shadow.c - the region that holds all memory of kernels, and its cells. All are reserved once;
   pages are taken when they are first touched. */
#include "order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uintptr_t hd_check_base;
size_t hd_check_bytes;
hd_check_cell *hd_check_cells;
hd_check_rare *hd_check_rares;

enum { WHOLE_PAGES = 1 << 16, WIPED_AT_ONCE = 1 << 30 };

/* Cells and their rare halves are of one size. */
#define HALF sizeof(hd_check_cell)
static_assert(HALF == sizeof(hd_check_rare), "one walk does both");

/* Beside the memory of devices and of the host, each with as much for its gaps: shared memory of
   resident blocks, symbols. */
static const size_t rest = (size_t)3 << 30;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t given;

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Under the lock. */
static void region_make(void)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    size_t bytes = 2 * config->memory * ((size_t)config->devices + 1) + rest;
    const size_t half = bytes / 4 * HALF;
    void *memory = map(bytes), *cells = memory ? map(2 * half) : NULL;
    void *epochs = cells ? map(HD_CHECK_EPOCHS * sizeof *hd_check_epochs) : NULL;

    if (!epochs) {
        if (cells)
            (void)munmap(cells, 2 * half);
        if (memory)
            (void)munmap(memory, bytes);
        return;
    }
    hd_check_epochs = epochs;
    hd_check_cells = cells;
    hd_check_rares = (hd_check_rare *)(void *)((char *)cells + half);
    hd_check_base = (uintptr_t)memory;
    hd_check_bytes = bytes;
    (void)madvise(cells, 2 * half, MADV_NOHUGEPAGE);
    (void)madvise(cells, 2 * half, MADV_DONTDUMP);
}

void *hd_check_reserve(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (bytes + 2 * page - 1) & ~(page - 1);
    void *memory = NULL;

    (void)pthread_mutex_lock(&lock);
    if (!hd_check_base)
        region_make();
    if (hd_check_base && rounded <= hd_check_bytes - given) {
        memory = (void *)(hd_check_base + given);
        given += rounded; /* with a page between neighbours that belongs to nobody */
    }
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

int hd_check_in_shadow(uintptr_t address)
{
    return address - (uintptr_t)hd_check_cells < hd_check_bytes / 4 * 2 * HALF;
}

void hd_check_shadow_private(void)
{
    (void)madvise(hd_check_cells, hd_check_bytes / 4 * 2 * HALF, MADV_WIPEONFORK);
}

/* ---- forgetting ------------------------------------------------------------------------------ */

static void forget(char *from, char *to)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *first = (char *)(((uintptr_t)from + page - 1) & ~(page - 1));
    char *last = (char *)((uintptr_t)to & ~(page - 1));

    if (to - from < WHOLE_PAGES || last <= first) {
        memset(from, 0, (size_t)(to - from));
        return;
    }
    memset(from, 0, (size_t)(first - from));
    (void)madvise(first, (size_t)(last - first), MADV_DONTNEED);
    memset(last, 0, (size_t)(to - last));
}

void hd_check_forget(uintptr_t address, size_t bytes)
{
    forget((char *)hd_check_cell_of(address), (char *)hd_check_cell_of(address + bytes + 3));
    forget((char *)hd_check_rare_of(address), (char *)hd_check_rare_of(address + bytes + 3));
}

static void cells_wipe(hd_check_cell *cells, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *cells; i++) {
        uint32_t kept = cells[i].write.meta & HD_CHECK_KEPT;

        memset(&cells[i], 0, sizeof *cells);
        cells[i].write.meta = kept;
    }
}

/* Pages never touched stay away. */
static void pages_wipe(char *from, size_t bytes, int rare)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *there = hd_check_must(malloc(WIPED_AT_ONCE / page));

    for (size_t at = 0; at < bytes; at += WIPED_AT_ONCE) {
        size_t length = bytes - at < WIPED_AT_ONCE ? bytes - at : WIPED_AT_ONCE;

        if (mincore(from + at, length, there) != 0)
            continue;
        for (size_t i = 0; i < length / page; i++)
            if (there[i] & 1 && rare)
                memset(from + at + i * page, 0, page);
            else if (there[i] & 1)
                cells_wipe((hd_check_cell *)(void *)(from + at + i * page), page);
    }
    free(there);
}

void hd_check_wipe(void)
{
    pages_wipe((char *)hd_check_cells, hd_check_bytes / 4 * HALF, 0);
    pages_wipe((char *)hd_check_rares, hd_check_bytes / 4 * HALF, 1);
}
