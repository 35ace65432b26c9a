/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - splits a sort into tiles and parts, and launches its kernels. */
#include "plan.h"

#include "drivers/sort/space.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

unsigned hd__sort_force_threads, hd__sort_force_passes, hd__sort_force_part;
unsigned hd__sort_force_team;

typedef struct sort_kernels {
    size_t key_bytes, value_bytes;
    const unsigned *items; /* per thread */
    const hd_kernel *pass;
} sort_kernels;

#define ROW(key, value)                                                                            \
    {key, value, &hd__sort_items_##key##_##value, &hd__sort_pass_##key##_##value##_kernel},
static const sort_kernels rows[] = {HD__SORT_LIST(ROW)};

static const sort_kernels *find(size_t key_bytes, size_t value_bytes)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].key_bytes == key_bytes && rows[i].value_bytes == value_bytes)
            return &rows[i];
    return NULL;
}

static int is_serial(void)
{
    return HD_SERIAL_THREADS && !hd__sort_force_threads;
}

static size_t carve(size_t *at, size_t bytes)
{
    const size_t begin = *at;
    *at += (bytes + 255) / 256 * 256;
    return begin;
}

hd_status hd__sort_split(const char *call, size_t n, hd_type type, size_t value_bytes,
                         hd__sort_plan *plan)
{
    const size_t size = hd_type_bytes(type);
    size_t at = HD__SORT_HEADER_BYTES;
    if ((int)type < 0 || type >= HD_TYPE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown element type %d", (int)type);
    if (size < 4)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "keys of type %s; u32 i32 f32 u64 i64 f64 are",
                        hd_type_name(type));
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return hd__fail(HD_ERR_ARGUMENT, call, "value_bytes is %zu; it must be 0, 4 or 8",
                        value_bytes);
    if (n > SIZE_MAX / 64)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu keys of %zu bytes do not fit in memory", n,
                        size);
    plan->n = n;
    plan->key_bytes = size;
    plan->value_bytes = value_bytes;
    plan->tile = is_serial() ? HD__SORT_SERIAL_TILE
                             : *find(size, value_bytes)->items * HD__SORT_THREADS;
    plan->tiles = n / plan->tile + (n % plan->tile != 0);
    plan->part = (hd__sort_force_part ? hd__sort_force_part : HD__SORT_VALUE / plan->tile) *
                 plan->tile;
    /* One more merge within the block takes 1.5 us for 4-byte codes; for 8-byte codes it takes
       longer than another launch. */
    plan->small = !is_serial() && !hd__sort_force_passes &&
                  n <= (size + value_bytes == 4 ? HD__SORT_SMALL_KEYS : HD__SORT_RUN);
    plan->merged = !is_serial() && !hd__sort_force_passes && n * size <= HD__SORT_MERGE_BYTES;
    plan->begins = carve(&at, HD__SORT_COUNT_BYTES);
    plan->part_begins = carve(&at, 2 * HD__SORT_BINS * sizeof(uint64_t));
    plan->words = carve(&at, plan->tiles * HD__SORT_BINS * sizeof(uint32_t));
    plan->keys = carve(&at, n * size);
    plan->values = carve(&at, n * value_bytes);
    plan->bytes = at;
    return HD_OK;
}

static hd_status launch(const hd_kernel *kernel, size_t blocks, unsigned threads, size_t shared,
                        void *task, hd_stream *stream)
{
    void *args[] = {task};
    return hd_launch_kernel(
        kernel,
        hd_launch_with(hd_dim((unsigned)blocks, 1, 1), hd_dim(threads, 1, 1), shared, stream), args,
        __FILE__, __LINE__);
}

static uint64_t deciding(const hd__sort_job *job)
{
    return (job->bits < 64 ? ((uint64_t)1 << job->bits) - 1 : UINT64_MAX) << job->first_bit;
}

/* Every block sorts `run` keys. Without values, and if all bits are compared, equal keys are
   identical; otherwise their positions distinguish them. */
static hd_status sort_runs(const hd__sort_job *job, unsigned run, void *keys_out, void *values_out,
                           hd_stream *stream)
{
    const hd__sort_plan *plan = &job->plan;
    const hd_kernel *kernel = &hd__sort_small_u64_kernel;
    hd__sort_small_task task = {0};
    task.keys_in = job->keys.in;
    task.keys_out = keys_out;
    task.values_in = job->values.in;
    task.values_out = values_out;
    task.n = (uint32_t)plan->n;
    task.key_bytes = (uint32_t)plan->key_bytes;
    task.value_bytes = (uint32_t)plan->value_bytes;
    task.whole = job->bits == 8 * plan->key_bytes;
    task.first_bit = job->first_bit;
    task.decide = deciding(job);
    task.order = job->order;
    if (task.whole && plan->value_bytes == 0)
        kernel = plan->key_bytes == 4 ? &hd__sort_small_u32_kernel : kernel;
    else if (job->bits + HD__SORT_PLACE_BITS <= 64)
        task.place_bits = HD__SORT_PLACE_BITS;
    else
        kernel = &hd__sort_small_placed_kernel;
    return launch(kernel, (plan->n + run - 1) / run, run / HD__SORT_SMALL_ITEMS, 0, &task, stream);
}

hd_status hd__sort_small(const hd__sort_job *job, hd_stream *stream)
{
    const size_t warp = hd__device_at(stream->device)->warp_size * HD__SORT_SMALL_ITEMS;
    const size_t warps = (job->plan.n + warp - 1) / warp;
    return sort_runs(job, (unsigned)(warps * warp), job->keys.out, job->values.out, stream);
}

/* As many threads per key as keep all compute units busy. */
static unsigned team_for(uint32_t n, unsigned chosen, hd_stream *stream)
{
    const unsigned units = hd__device_at(stream->device)->units;
    unsigned team = HD__SORT_MERGE_TEAM;
    while (team > 1 && n / HD__SORT_MERGE_THREADS * team > units)
        team /= 2;
    if (chosen)
        team = chosen;
    return hd__sort_force_team ? hd__sort_force_team : team;
}

hd_status hd__sort_merged(const hd__sort_job *job, void *memory, hd_stream *stream)
{
    const hd__sort_plan *plan = &job->plan;
    char *keys = (char *)memory + plan->keys, *values = (char *)memory + plan->values;
    hd__sort_merge_task task = {0};
    task.n = (uint32_t)plan->n;
    task.run = task.n <= HD__SORT_FEW_RUNS * HD__SORT_SHORT_RUN ? HD__SORT_SHORT_RUN : HD__SORT_RUN;
    if (job->choice.of[HD__SORT_KNOB_RUN])
        task.run = job->choice.of[HD__SORT_KNOB_RUN];
    task.team = team_for(task.n, job->choice.of[HD__SORT_KNOB_TEAM], stream);
    task.keys_in = keys;
    task.values_in = values;
    task.keys_out = job->keys.out;
    task.values_out = job->values.out;
    task.value_bytes = (uint32_t)plan->value_bytes;
    task.decide = deciding(job);
    task.order = job->order;
    const unsigned each = HD__SORT_MERGE_THREADS / task.team;
    HD_TRY(sort_runs(job, task.run, keys, values, stream));
    return launch(plan->key_bytes == 4 ? &hd__sort_merge_4_kernel : &hd__sort_merge_8_kernel,
                  (plan->n + each - 1) / each, HD__SORT_MERGE_THREADS, plan->n * plan->key_bytes,
                  &task, stream);
}

static hd_status count(const hd__sort_job *job, char *memory, hd_stream *stream)
{
    const hd__sort_plan *plan = &job->plan;
    const size_t vectors = plan->n / (16 / plan->key_bytes) + 1;
    const size_t chunks = plan->n / HD__SORT_SERIAL_TILE + 1;
    hd__sort_count_task task = {0};
    task.keys = job->keys.in;
    task.n = plan->n;
    task.order = job->order;
    task.first_bit = job->first_bit;
    task.passes = job->passes;
    task.last_mask = job->last_mask;
    task.aligned = (uintptr_t)job->keys.in % 16 == 0;
    task.ticket = (uint32_t *)(void *)memory;
    task.counts = (uint64_t *)(void *)(memory + HD__SORT_TICKET_BYTES);
    task.begins = (uint64_t *)(void *)(memory + plan->begins);
    task.words = (uint32_t *)(void *)(memory + plan->words);
    task.word_vectors = plan->tiles * HD__SORT_BINS / 4;
    const size_t blocks = is_serial() ? (chunks < 64 ? chunks : 64)
                                      : hd_launch_loop(vectors, HD__SORT_THREADS, stream).grid.x;
    return launch(plan->key_bytes == 4 ? &hd__sort_count_4_kernel : &hd__sort_count_8_kernel,
                  blocks, is_serial() ? 1 : HD__SORT_THREADS, 0, &task, stream);
}

/* Sets task->resident, by which blocks prefetch later tiles. */
static hd_status set_resident(const hd_kernel *kernel, unsigned ahead, hd__sort_pass_task *task,
                              hd_stream *stream)
{
    enum { NEVER = 1 << 30 }; /* more than there are tiles */
    unsigned per_unit = 1;
    if (!is_serial())
        HD_TRY(hd_occupancy(kernel, stream->device, HD__SORT_THREADS, 0, &per_unit));
    task->resident = per_unit * hd__device_at(stream->device)->units;
    if (ahead && !is_serial())
        task->resident = ahead == HD__SORT_NOT_AHEAD ? NEVER : ahead * task->resident;
    return HD_OK;
}

/* The parts of one pass, one launch each: the last tile of a part leaves where each digit begins in
   the next part. */
static hd_status launch_parts(const hd__sort_job *job, hd__sort_pass_task *task, char *memory,
                              hd_stream *stream)
{
    const hd__sort_plan *plan = &job->plan;
    const char *keys = (const char *)task->keys_in, *values = (const char *)task->values_in;
    uint64_t *begins = (uint64_t *)(void *)(memory + plan->part_begins);
    const hd_kernel *kernel = find(plan->key_bytes, plan->value_bytes)->pass;
    HD_TRY(set_resident(kernel, job->choice.of[HD__SORT_KNOB_AHEAD], task, stream));
    for (size_t first = 0, number = 0; first < plan->n; first += plan->part, number++) {
        const size_t left = plan->n - first;
        task->count = (uint32_t)(left < plan->part ? left : plan->part);
        task->keys_in = keys + first * plan->key_bytes;
        task->values_in = values ? values + first * plan->value_bytes : NULL;
        task->words = (uint32_t *)(void *)(memory + plan->words) +
                      first / plan->tile * HD__SORT_BINS;
        task->next_begins = left > plan->part ? begins + number % 2 * HD__SORT_BINS : NULL;
        HD_TRY(launch(kernel, (task->count + plan->tile - 1) / plan->tile,
                      is_serial() ? 1 : HD__SORT_THREADS, 0, task, stream));
        task->begins = task->next_begins;
    }
    return HD_OK;
}

/* In place, with an odd number of passes, the first pass would overwrite its input: it reads a
   copy. */
static hd_status set_out(hd__sort_buffers *buffers, void *other, unsigned passes, size_t bytes,
                         hd_stream *stream)
{
    buffers->other = other;
    if (bytes == 0 || buffers->in != buffers->out || passes % 2 == 0)
        return HD_OK;
    HD_TRY(hd_copy_bytes(other, buffers->in, 1, bytes, stream));
    buffers->in = other;
    return HD_OK;
}

static void *target(const hd__sort_buffers *buffers, unsigned passes_left)
{
    return passes_left % 2 ? buffers->out : buffers->other;
}

hd_status hd__sort_passes(hd__sort_job *job, void *memory, hd_stream *stream)
{
    const hd__sort_plan *plan = &job->plan;
    char *base = memory;
    HD_TRY(set_out(&job->keys, base + plan->keys, job->passes, plan->n * plan->key_bytes, stream));
    HD_TRY(set_out(&job->values, base + plan->values, job->passes, plan->n * plan->value_bytes,
                   stream));
    HD_TRY(count(job, base, stream));
    for (unsigned pass = 0; pass < job->passes; pass++) {
        hd__sort_pass_task task = {0};
        const int is_last = pass == job->passes - 1;
        task.keys_in = pass ? target(&job->keys, job->passes - pass + 1) : job->keys.in;
        task.values_in = pass ? target(&job->values, job->passes - pass + 1) : job->values.in;
        task.keys_out = target(&job->keys, job->passes - pass);
        task.values_out = target(&job->values, job->passes - pass);
        task.shift = job->first_bit + pass * HD__SORT_BITS;
        task.mask = is_last ? job->last_mask : HD__SORT_BINS - 1;
        task.ready = (pass + 1) % 2;
        task.encode = pass == 0;
        task.decode = (uint32_t)is_last;
        task.order = job->order;
        task.begins = (const uint64_t *)(void *)(base + plan->begins) + pass * HD__SORT_BINS;
        task.ticket = (uint32_t *)memory + 1;
        HD_TRY(launch_parts(job, &task, base, stream));
    }
    return HD_OK;
}
