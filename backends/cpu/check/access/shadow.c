/* SPDX-License-Identifier: Apache-2.0 */
/* shadow.c - the region that contains all memory of kernels, and its shadow: a cell and a rare half
   per granule, and both again per byte. Address space is reserved once; pages are allocated when
   first touched. */
#include "check/order/order.h"

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
hd_check_cell *hd_check_byte_cells;
hd_check_rare *hd_check_byte_rares;

enum { WHOLE_PAGES = 1 << 16, WIPED_AT_ONCE = 1 << 30 };

/* Cells and rare halves have the same size. */
#define HALF sizeof(hd_check_cell)
static_assert(HALF == sizeof(hd_check_rare), "one walk does both");

/* Two halves per granule, and two per byte. */
#define SHADOW_BYTES(bytes) ((bytes) / 4 * 2 * HALF + (bytes)*2 * HALF)

/* Room besides device and host memory, each of which has as much again for gaps: shared memory of
   resident blocks, and symbols. */
static const size_t rest = (size_t)3 << 30;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t given;

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* With the lock held. */
static void region_make(void)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    size_t bytes = 2 * config->memory * ((size_t)config->devices + 1) + rest;
    const size_t half = bytes / 4 * HALF;
    const size_t byte_half = bytes * HALF, all = SHADOW_BYTES(bytes);
    char *memory = map(bytes), *cells = memory ? map(all) : NULL;
    void *epochs = cells ? map(HD_CHECK_EPOCHS * sizeof *hd_check_epochs) : NULL;

    if (!epochs) {
        if (cells)
            (void)munmap(cells, all);
        if (memory)
            (void)munmap(memory, bytes);
        return;
    }
    hd_check_epochs = epochs;
    hd_check_cells = (hd_check_cell *)(void *)cells;
    hd_check_rares = (hd_check_rare *)(void *)(cells + half);
    hd_check_byte_cells = (hd_check_cell *)(void *)(cells + 2 * half);
    hd_check_byte_rares = (hd_check_rare *)(void *)(cells + 2 * half + byte_half);
    hd_check_base = (uintptr_t)memory;
    hd_check_bytes = bytes;
    (void)madvise(cells, all, MADV_NOHUGEPAGE);
    (void)madvise(cells, all, MADV_DONTDUMP);
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
        given += rounded; /* with an unused page after each */
    }
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

int hd_check_in_shadow(uintptr_t address)
{
    return address - (uintptr_t)hd_check_cells < SHADOW_BYTES(hd_check_bytes);
}

void hd_check_shadow_private(void)
{
    (void)madvise(hd_check_cells, SHADOW_BYTES(hd_check_bytes), MADV_WIPEONFORK);
}

/* ---- split granules -------------------------------------------------------------------------- */

static hd_check_mark part_of(hd_check_mark mark, uint32_t bytes)
{
    if (!(mark.meta & bytes))
        return (hd_check_mark){0, 0};
    mark.meta &= ~((uint32_t)HD_CHECK_BYTES & ~bytes);
    return mark;
}

void hd_check_split(uintptr_t granule)
{
    hd_check_cell *whole = hd_check_cell_of(granule);
    hd_check_rare *rare = hd_check_rare_of(granule);
    const uint32_t kept = whole->write.meta & HD_CHECK_RARE;

    for (unsigned i = 0; i < 4; i++) {
        const uint32_t byte = 1u << (HD_CHECK_BYTES_SHIFT + i),
                       init = 1u << (HD_CHECK_INIT_SHIFT + i);
        hd_check_cell *cell = &hd_check_byte_cells[granule + i - hd_check_base];

        cell->read = part_of(whole->read, byte);
        cell->write = part_of(whole->write, byte);
        cell->write.meta = (cell->write.meta & ~((uint32_t)HD_CHECK_INIT | HD_CHECK_VARIABLE)) |
                           (whole->write.meta & init) | kept;
        if (kept)
            hd_check_byte_rares[granule + i - hd_check_base] = (hd_check_rare){
                part_of(rare->atomic, byte), part_of(rare->other_read, byte)};
    }
    if (kept)
        *rare = (hd_check_rare){{0, 0}, {0, 0}};
    whole->write = (hd_check_mark){0, (whole->write.meta & HD_CHECK_VARIABLE) | HD_CHECK_SPLIT |
                                          HD_CHECK_RARE};
    whole->read = (hd_check_mark){0, 0};
}

/* ---- forgetting accesses --------------------------------------------------------------------- */

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

/* Forgets the cells of bytes. Stale cells are harmless; rare halves must be empty. */
static void forget_bytes(uintptr_t address, size_t bytes)
{
    const uintptr_t from = address - hd_check_base, to = (from + bytes + 3) & ~(uintptr_t)3;

    if (bytes / 4 * HALF >= WHOLE_PAGES) {
        forget((char *)&hd_check_byte_cells[from], (char *)&hd_check_byte_cells[to]);
        forget((char *)&hd_check_byte_rares[from], (char *)&hd_check_byte_rares[to]);
        return;
    }
    for (uintptr_t at = from & ~(uintptr_t)3; at < to; at += 4)
        if (hd_check_cells[at >> 2].write.meta & HD_CHECK_SPLIT)
            memset(&hd_check_byte_rares[at], 0, 4 * HALF);
}

void hd_check_forget(uintptr_t address, size_t bytes)
{
    forget_bytes(address, bytes);
    forget((char *)hd_check_cell_of(address), (char *)hd_check_cell_of(address + bytes + 3));
    forget((char *)hd_check_rare_of(address), (char *)hd_check_rare_of(address + bytes + 3));
}

static void cells_wipe(hd_check_cell *cells, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *cells; i++) {
        uint32_t kept = cells[i].write.meta & HD_CHECK_KEPT;

        if (cells[i].write.meta & HD_CHECK_SPLIT)
            continue; /* nothing else to forget */
        memset(&cells[i], 0, sizeof *cells);
        cells[i].write.meta = kept;
    }
}

/* Wipes pages; untouched ones stay unallocated. */
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
    pages_wipe((char *)hd_check_byte_cells, hd_check_bytes * HALF, 0);
    pages_wipe((char *)hd_check_byte_rares, hd_check_bytes * HALF, 1);
}
