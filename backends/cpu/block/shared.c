/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - shared memory of resident blocks.

   Every static array of the program has one fixed offset in the shared memory of every block,
   assigned on first use. The address range is only reserved: a block uses physical memory only for
   pages that its kernels touch. */
#include "block/block.h"
#include "launch/kernel.h"
#include "observe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Red zone between arrays, so that the checker detects accesses past the end of an array. */
enum {
    GAP = HD_OBSERVE_RED_ZONE,
    LINE = 64,
    DYNAMIC = HD_CPU_ARENA + (GAP + HD_CPU_ALIGN_MAX - 1) / HD_CPU_ALIGN_MAX * HD_CPU_ALIGN_MAX
};

static struct {
    pthread_mutex_t lock;
    unsigned arrays;
    size_t bytes;
    const hd_cpu_array *array[HD_CPU_MAX_ARRAYS];
} given = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void *arena_make(void)
{
    size_t bytes = DYNAMIC + HD_CPU_SHARED_MAX;

    return HD_OBSERVE_OR(reserve(bytes), memory.reserve(bytes));
}

hd_cpu_resident *hd_cpu_resident_make(hd_cpu_worker *worker)
{
    hd_cpu_resident *block = reserve(sizeof *block);

    if (!block)
        return NULL;
    block->arena = arena_make();
    if (!block->arena || !HD_OBSERVE_OR(1, block.made(block))) {
        if (block->arena && !HD_OBSERVED)
            (void)munmap(block->arena, DYNAMIC + HD_CPU_SHARED_MAX);
        (void)munmap(block, sizeof *block);
        return NULL;
    }
    block->view.dynamic = block->arena + DYNAMIC;
    block->worker = worker;
    return block;
}

static size_t round_up(size_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

/* With the lock held. Arrays start on cache lines, at varying offsets within a page. */
static void place(hd_cpu_array *array)
{
    size_t bytes = round_up(array->bytes, LINE) + GAP;
    size_t offset = round_up(given.bytes, array->alignment > LINE ? array->alignment : LINE);

    if (array->number || given.arrays + 1 >= HD_CPU_MAX_ARRAYS || offset + bytes > HD_CPU_ARENA)
        return;
    array->offset = offset;
    given.bytes = offset + bytes;
    given.array[given.arrays] = array;
    __atomic_store_n(&given.arrays, given.arrays + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&array->number, given.arrays, __ATOMIC_RELEASE);
}

static void __attribute__((noreturn)) give_up(hd_cpu_resident *block)
{
    block->state = HD_CPU_BROKEN;
    hd_cpu_block_leave(block);
}

static void limits_check(hd_cpu_resident *block, const hd_cpu_array *array)
{
    hd_cpu_launch *launch = block->launch;
    size_t limit = hd_cpu_config_get()->shared;

    if (block->static_bytes > HD_CPU_STATIC_SHARED)
        hd_cpu_launch_fail(
            launch, HD_ERR_LAUNCH_CONFIG,
            "kernel %s: static shared memory is %zu bytes with array %s, the limit %d",
            launch->kernel->name, block->static_bytes, array->name, (int)HD_CPU_STATIC_SHARED);
    else if (block->static_bytes + launch->shared_bytes > limit)
        hd_cpu_launch_fail(
            launch, HD_ERR_LAUNCH_CONFIG,
            "kernel %s: shared memory is %zu static and %zu dynamic bytes, the limit %zu",
            launch->kernel->name, block->static_bytes, launch->shared_bytes, limit);
    else
        return;
    give_up(block);
}

void hd_cpu_bind_array(const hd_cpu_block *view, hd_cpu_array *array, hd_cpu_view *cache)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);

    if (!__atomic_load_n(&array->number, __ATOMIC_ACQUIRE)) {
        (void)pthread_mutex_lock(&given.lock);
        place(array);
        (void)pthread_mutex_unlock(&given.lock);
        if (!array->number) {
            hd_cpu_launch_fail(block->launch, HD_ERR_NO_MEMORY,
                               "kernel %s, shared array %s: too many shared arrays in the program",
                               block->launch->kernel->name, array->name);
            give_up(block);
        }
    }
    cache->data = block->arena + array->offset;
    cache->serial = view->dims.serial;
    if (block->array_serial[array->number] == view->dims.serial)
        return;
    block->array_serial[array->number] = view->dims.serial;
    block->static_bytes += array->bytes;
    HD_OBSERVE(block.shared_declared(block, cache->data, array->bytes));
    limits_check(block, array);
    hd_cpu_static_used(block->launch->kernel, block->static_bytes);
    memset(cache->data, 0xa5, array->bytes);
}

const hd_cpu_array *hd_cpu_array_first(void)
{
    return __atomic_load_n(&given.arrays, __ATOMIC_ACQUIRE) ? given.array[0] : NULL;
}

const hd_cpu_array *hd_cpu_array_at(const hd_cpu_resident *block, uintptr_t address)
{
    size_t offset = address - (uintptr_t)block->arena;
    unsigned low = 0, high = __atomic_load_n(&given.arrays, __ATOMIC_ACQUIRE);

    if (address < (uintptr_t)block->arena)
        return NULL;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (given.array[middle]->offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? given.array[low - 1] : NULL;
}
