/* SPDX-License-Identifier: Apache-2.0 */
/* shadow.c - the region that holds all memory of kernels, and its cells. Both are reserved once;
   pages are taken when they are first touched. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uintptr_t hd_check_base;
size_t hd_check_bytes;
hd_check_cell *hd_check_cells;

enum { CELLS_PER_BYTE = 16, WHOLE_PAGES = 1 << 16 };

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
    void *memory = map(bytes), *cells = memory ? map(bytes * CELLS_PER_BYTE) : NULL;

    if (!cells) {
        if (memory)
            (void)munmap(memory, bytes);
        return;
    }
    hd_check_cells = cells;
    hd_check_base = (uintptr_t)memory;
    hd_check_bytes = bytes;
    (void)madvise(cells, bytes * CELLS_PER_BYTE, MADV_NOHUGEPAGE);
    (void)madvise(cells, bytes * CELLS_PER_BYTE, MADV_DONTDUMP);
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

void hd_check_forget(uintptr_t address, size_t bytes)
{
    char *from = (char *)hd_check_cell_of(address);
    char *to = (char *)(hd_check_cell_of(address + bytes + 3));
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
