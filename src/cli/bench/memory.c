/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - the memory of a benchmark case: enough copies of its arrays to exceed the cache, all
   with the same contents, and memory of the same size for the ceiling. */
#include <string.h>

#include "cli/bench/frame.h"
#include "cli/bench/kernels/bench.h"
#include "cli/input/generate.h"

enum { CACHES_USED = 4, ALIGNMENT = 256, FILL_THREADS = 256 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Bytes of the host's L3 cache; 0 if the system does not report it. */
static int64_t host_cache(void)
{
    FILE *stream = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    char text[32] = "";
    uint64_t bytes = 0;

    if (!stream)
        return 0;
    if (!fgets(text, sizeof text, stream) || !cli_size_read(text, strcspn(text, "\n"), &bytes))
        bytes = 0;
    fclose(stream);
    return (int64_t)bytes;
}

/* Bytes of --cache, otherwise of the largest cache between the device's memory and its cores; on
   the CPU backend this includes a last-level cache that the device's attributes do not report. */
hd_status bench_find_cache(bench *b)
{
    int64_t cache;

    if (b->cache_bytes > 0)
        return HD_OK;
    HD_TRY(hd_device_get(b->device, HD_ATTR_L2_BYTES, &cache));
    if (b->cpu && host_cache() > cache)
        cache = host_cache();
    b->cache_bytes = cache > 0 ? (size_t)cache : (size_t)32 << 20;
    return HD_OK;
}

bench_arrays bench_arrays_of(const bench *b, size_t copy)
{
    const bench_case *c = b->running;
    unsigned char *at = b->memory + copy * b->copy_bytes;
    bench_arrays a;

    memset(&a, 0, sizeof a);
    for (size_t i = 0; i < BENCH_ARRAYS; i++) {
        a.in[i] = c->in_bytes[i] ? at : NULL;
        at += aligned(c->in_bytes[i]);
    }
    for (size_t i = 0; i < BENCH_ARRAYS; i++) {
        a.out[i] = c->out_bytes[i] ? at : NULL;
        at += aligned(c->out_bytes[i]);
    }
    return a;
}

hd_status bench_fill(bench *b, void *to, size_t n, hd_type type, int pattern, uint64_t seed)
{
    unsigned size = (unsigned)hd_type_bytes(type);
    int kind = type == HD_F16 || type == HD_F32 || type == HD_F64 ? GENERATE_FLOAT
               : hd_type_name(type)[0] == 'i'                     ? GENERATE_SIGNED
                                                                  : GENERATE_UNSIGNED;
    hd_launch_config config = hd_launch_loop(n, FILL_THREADS, b->clock.stream);

    if (n == 0)
        return HD_OK;
    switch (size) {
    case 1:
        return hd_launch(bench_fill_1, config, n, kind, pattern, seed, (uint8_t *)to);
    case 2:
        return hd_launch(bench_fill_2, config, n, kind, pattern, seed, (uint16_t *)to);
    case 4:
        return hd_launch(bench_fill_4, config, n, kind, pattern, seed, (uint32_t *)to);
    default:
        return hd_launch(bench_fill_8, config, n, kind, pattern, seed, (uint64_t *)to);
    }
}

int bench_fill_arrays(bench *b, const bench_arrays *a)
{
    const bench_case *c = b->running;

    if (c->fill)
        return c->fill(b, c, a);
    for (size_t i = 0; i < BENCH_ARRAYS; i++)
        if (bench_fill(b, a->in[i], c->in_bytes[i] / hd_type_bytes(c->type), c->type,
                       GENERATE_UNIFORM, 1 + i) < 0)
            return bench_failed_call(b);
    return 0;
}

/* Fills the first copy, then the others from it: the filled part doubles. */
static int fill_copies(bench *b)
{
    bench_arrays first = bench_arrays_of(b, 0);

    if (bench_fill_arrays(b, &first) < 0)
        return -1;
    for (size_t done = 1; done < b->copies; done *= 2) {
        size_t count = b->copies - done < done ? b->copies - done : done;

        if (hd_copy_bytes(b->memory + done * b->copy_bytes, b->memory, count, b->copy_bytes,
                          b->clock.stream) < 0)
            return bench_failed_call(b);
    }
    return 0;
}

/* The number of copies: one if it is larger than the cache, otherwise enough to exceed the cache,
   limited to half of the free memory (the other half is for the ceiling). */
static hd_status count_copies(bench *b)
{
    const bench_case *c = b->running;
    size_t free_bytes, enough = CACHES_USED * b->cache_bytes, whole;

    b->copy_bytes = 0;
    for (size_t i = 0; i < BENCH_ARRAYS; i++)
        b->copy_bytes += aligned(c->in_bytes[i]) + aligned(c->out_bytes[i]);
    b->ceiling_bytes = aligned((size_t)c->bytes);
    HD_TRY(hd_device_memory(b->device, &free_bytes, NULL));
    if (b->copy_bytes == 0) {
        b->copies = 1;
        b->ceiling_copies = 0;
        return HD_OK;
    }
    b->copies = b->copy_bytes >= enough ? 1 : (enough + b->copy_bytes - 1) / b->copy_bytes;
    if (b->copies > 1 && b->copies * b->copy_bytes > free_bytes / 8 * 3)
        b->copies = free_bytes / 8 * 3 / b->copy_bytes + 1;
    whole = b->copies * b->copy_bytes;
    b->ceiling_copies = c->ceiling == BENCH_NO_CEILING || c->bytes <= 0 ? 0
                        : whole > b->ceiling_bytes                      ? whole / b->ceiling_bytes
                                                                        : 1;
    return HD_OK;
}

int bench_make_memory(bench *b)
{
    size_t ceiling;

    if (count_copies(b) < 0)
        return bench_failed_call(b);
    ceiling = b->ceiling_copies * b->ceiling_bytes;
    memset(&b->workspace, 0, sizeof b->workspace);
    b->workspace.bytes = b->running->workspace_bytes;
    if (hd_alloc_bytes((void **)&b->memory, b->copies, b->copy_bytes, HD_MEM_DEVICE, b->device) <
            0 ||
        hd_alloc(&b->ceiling_memory, ceiling, b->device) < 0 ||
        hd_alloc_bytes(&b->workspace.memory, b->workspace.bytes, 1, HD_MEM_DEVICE, b->device) < 0)
        return bench_failed_call(b);
    if (ceiling && hd_launch(ceiling_fill, hd_launch_loop(ceiling / 4, 256, b->clock.stream),
                             ceiling / 4, (uint32_t *)(void *)b->ceiling_memory) < 0)
        return bench_failed_call(b);
    return fill_copies(b);
}

void bench_free_memory(bench *b)
{
    hd_free(b->workspace.memory);
    hd_free(b->ceiling_memory);
    hd_free(b->memory);
    b->workspace.memory = NULL;
    b->ceiling_memory = b->memory = NULL;
}
