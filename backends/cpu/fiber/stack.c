/* SPDX-License-Identifier: Apache-2.0 */
/* stack.c - memory for the stacks of threads that block. Each worker has its own stacks and keeps
   them forever.

       | guard | base ... stack, grows down <-- | hd_cpu_fiber | stagger |

   A stack has a guard page below it unless the process runs short of memory mappings; stacks
   without one are used only if no others are free. Stacks are an odd number of pages apart, and
   their tops are staggered: with equal low address bits they would map to few cache sets (measured:
   1.5 times slower). */
#include "fiber/stack.h"

#include "core/config.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACKS = 128, COLOURS = 21, COLOUR_BYTES = 192, GUARDS_MAX = 16384 };

typedef struct hd_cpu_stacks {
    struct hd_cpu_stacks *next;
    char *memory;
    unsigned used;
} hd_cpu_stacks;

static int guards_used;

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Bytes from one stack to the next: the stack and its guard page. */
static size_t stride(void)
{
    size_t pages = hd_cpu_config_get()->stack / page_bytes();

    return (pages + 1 + pages % 2) * page_bytes();
}

static hd_cpu_stacks *chunk_make(hd_cpu_fibers *fibers)
{
    hd_cpu_stacks *chunk = malloc(sizeof *chunk);
    void *memory = mmap(NULL, stride() * STACKS, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (!chunk || memory == MAP_FAILED) {
        free(chunk);
        if (memory != MAP_FAILED)
            (void)munmap(memory, stride() * STACKS);
        return NULL;
    }
    chunk->memory = memory;
    chunk->used = 0;
    chunk->next = fibers->stacks;
    fibers->stacks = chunk;
    return chunk;
}

static size_t guard_make(char *stack)
{
    if (__atomic_load_n(&guards_used, __ATOMIC_RELAXED) >= GUARDS_MAX)
        return 0;
    if (mprotect(stack, page_bytes(), PROT_NONE) != 0)
        return 0;
    __atomic_fetch_add(&guards_used, 1, __ATOMIC_RELAXED);
    return page_bytes();
}

hd_cpu_fiber *hd_cpu_fiber_make(hd_cpu_fibers *fibers)
{
    hd_cpu_fiber *old = fibers->free_unguarded;
    size_t bytes = stride();
    hd_cpu_stacks *chunk = fibers->stacks;

    if (old) {
        fibers->free_unguarded = old->next;
        return old;
    }
    if (!chunk || chunk->used == STACKS)
        chunk = chunk_make(fibers);
    if (!chunk)
        return NULL;
    unsigned number = chunk->used++;
    char *stack = chunk->memory + number * bytes, *low = stack + guard_make(stack);
    char *top = stack + bytes - sizeof(hd_cpu_fiber) - COLOUR_BYTES * (1 + number % COLOURS);
    hd_cpu_fiber *fiber = (hd_cpu_fiber *)(void *)((uintptr_t)top & ~(uintptr_t)63);

    fiber->base = low;
    fiber->guarded = low != stack;
    fiber->bytes = (size_t)((char *)fiber - low);
    hd_cpu_fiber_prepare(fiber, fibers->entry);
    return fiber;
}

int hd_cpu_stack_guards(const hd_cpu_fibers *fibers, const void *address)
{
    size_t page = page_bytes(), bytes = stride();

    for (const hd_cpu_stacks *chunk = fibers->stacks; chunk; chunk = chunk->next) {
        uintptr_t offset = (uintptr_t)address - (uintptr_t)chunk->memory;
        if (offset < bytes * STACKS && offset % bytes < page)
            return 1;
    }
    return 0;
}
