/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - hd_select, hd_partition, hd_unique, hd_run_lengths: check the arguments and launch one
   kernel. */
#include "plan.h"

#include <string.h>

#include "drivers/array.h"
#include "drivers/scan/look_back.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

int hd__select_force_blocks;
int hd__select_force_many;

#define WHERE_NAME(name, text) text,
static const char *const where_names[] = {HD_WHERE_LIST(WHERE_NAME)};

const char *hd_where_name(hd_where_kind kind)
{
    return (int)kind >= 0 && kind < HD_WHERE_COUNT_ ? where_names[kind] : "unknown comparison";
}

/* In the order of hd_type. */
#define KERNELS(mode)                                                                              \
    {                                                                                              \
        &hd__##mode##_u8_kernel, NULL, NULL, NULL, &hd__##mode##_u32_kernel,                       \
            &hd__##mode##_i32_kernel, &hd__##mode##_u64_kernel, &hd__##mode##_i64_kernel, NULL,    \
            &hd__##mode##_f32_kernel, &hd__##mode##_f64_kernel                                     \
    }
enum { SELECT, PARTITION, UNIQUE, RUNS, MANY_RUNS, COUNT, MODES };
static const hd_kernel *const kernels[MODES][HD_TYPE_COUNT_] = {
    KERNELS(select), KERNELS(partition), KERNELS(unique),
    KERNELS(runs),   KERNELS(many_runs), KERNELS(count)};
/* Kernels with one block per tile. */
static const hd_kernel *const once[COUNT][HD_TYPE_COUNT_] = {
    KERNELS(once_select), KERNELS(once_partition), KERNELS(once_unique), KERNELS(once_runs),
    KERNELS(once_many_runs)};

/* ---- sizes ----------------------------------------------------------------------------------- */

static size_t smallest_tile(hd_type type)
{
    return hd__select_tile(hd_type_bytes(type), 1, HD__SELECT_WIDEST, HD__SELECT_THREADS);
}

static hd_status check_size(const char *call, size_t n, hd_type type)
{
    if ((int)type < 0 || type >= HD_TYPE_COUNT_ || !kernels[SELECT][type])
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "elements are u8, i32, u32, i64, u64, f32 or f64, not %s",
                        hd_type_name(type));
    if (n > SIZE_MAX / 2 / hd_type_bytes(type) || n / smallest_tile(type) >= INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes are too many", n,
                        hd_type_bytes(type));
    return HD_OK;
}

static int serial(void)
{
    return HD_SERIAL_THREADS && !hd__select_force_blocks;
}

static uint32_t tiles_of(size_t n, size_t tile)
{
    return (uint32_t)(n / tile + (n % tile != 0));
}

static int lengths(int mode)
{
    return mode == RUNS || mode == MANY_RUNS;
}

static int many(size_t n)
{
    return n > UINT32_MAX || hd__select_force_many;
}

/* 32-bit words that a tile publishes. */
static unsigned pieces_of(int mode)
{
    return mode == MANY_RUNS ? HD__SELECT_MANY_RUN_PIECES
           : mode == RUNS    ? HD__SELECT_RUN_PIECES
                             : HD__SELECT_PIECES;
}

hd_status hd_select_workspace(size_t n, hd_type type, size_t *bytes)
{
    static const char call[] = "hd_select_workspace";
    HD_TRY(check_size(call, n, type));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    *bytes = hd__look_back_workspace(tiles_of(n, smallest_tile(type)),
                                     pieces_of(many(n) ? MANY_RUNS : RUNS), 0);
    return HD_OK;
}

/* How a launch splits its elements. */
typedef struct tiling {
    unsigned threads; /* per block */
    uint32_t tiles, blocks;
    size_t stage; /* bytes of a tile in shared memory */
} tiling;

static tiling tiling_for(size_t n, int mode, hd_type type, unsigned threads, hd_stream *stream)
{
    const size_t size = hd_type_bytes(type);
    const uint32_t tile = hd__select_tile(size, lengths(mode),
                                          hd__device_at(stream->device)->warp_size, threads);
    tiling c;
    c.threads = threads;
    c.tiles = tiles_of(n, tile);
    c.stage = hd__select_stage_bytes(size, lengths(mode), tile);
    c.blocks = hd__look_back_blocks(c.tiles, HD__SELECT_SLOTS * c.stage, HD__SELECT_BLOCKS_PER_UNIT,
                                    stream);
    return c;
}

/* With one block per tile, a block has an additional warp and tiles are powers of two; blocks that
   process several tiles would have too few registers for that. */
static tiling tiling_of(size_t n, int mode, hd_type type, hd_stream *stream)
{
    tiling c = {1, tiles_of(n, HD__SELECT_SERIAL_TILE), 0, 0};
    c.blocks = c.tiles;
    if (serial())
        return c;
    if (HD__SELECT_ONCE_THREADS % hd__device_at(stream->device)->warp_size == 0) {
        c = tiling_for(n, mode, type, HD__SELECT_ONCE_THREADS, stream);
        if (c.blocks == c.tiles)
            return c;
    }
    return tiling_for(n, mode, type, HD__SELECT_THREADS, stream);
}

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status launch(const hd__select_task *task, int mode, hd_type type, hd_stream *stream)
{
    hd__select_task copy = *task;
    void *args[] = {&copy};
    const tiling c = tiling_of(task->n, mode, type, stream);
    const int each = c.blocks == c.tiles;
    if (!each) /* each block takes tickets until no tiles are left */
        copy.look.draws = c.tiles + c.blocks;
    return hd_launch_kernel(each && !serial() ? once[mode][type] : kernels[mode][type],
                            hd_launch_with(hd_dim(c.blocks, 1, 1), hd_dim(c.threads, 1, 1),
                                           each ? c.stage : HD__SELECT_SLOTS * c.stage, stream),
                            args, __FILE__, __LINE__);
}

/* Counts first, for a partition into one array: the kernel needs to know where the rejected
   elements begin. */
static hd_status launch_count(const hd__select_task *task, hd_type type, hd_stream *stream)
{
    hd__select_task count = *task;
    void *args[] = {&count};
    const size_t items = HD__SELECT_ITEMS(hd_type_bytes(type), 0);
    count.out = NULL;
    if (serial())
        return launch(&count, SELECT, type, stream);
    HD_TRY(hd_fill_bytes(task->count, 0, 1, sizeof *task->count, stream));
    return hd_launch_kernel(kernels[COUNT][type],
                            hd_launch_loop(task->n / items + 1, HD__SELECT_THREADS, stream), args,
                            __FILE__, __LINE__);
}

static hd_status launch_all(const hd__select_task *task, int mode, hd_type type, hd_stream *stream)
{
    if (mode == PARTITION && !task->rejected)
        HD_TRY(launch_count(task, type, stream));
    return launch(task, mode, type, stream);
}

static hd_status launch_in(const char *call, hd__select_task *task, int mode, hd_type type,
                           hd_workspace *workspace, hd_stream *stream)
{
    static const hd__look_back_marks marks;
    hd_status status;
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__look_back_memory(call, task->look.tiles, pieces_of(mode), 0, marks, workspace,
                                  stream, &task->look, NULL);
    if (status >= 0)
        status = launch_all(task, mode, type, stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* The arguments of a call; the task's pointers are derived from them. */
typedef struct request {
    const char *call;
    const void *in;
    size_t n;
    hd_type type;
    const hd_where *where; /* NULL: heads of runs */
    void *out, *rejected, *lengths;
    hd_type length_type;
    uint64_t *count;
} request;

static int begins_in(const void *pointer, const void *array, size_t bytes)
{
    return (uintptr_t)pointer - (uintptr_t)array < bytes;
}

/* The device's address of an output. NULL stays NULL if it is allowed. */
static hd_status find_output(const request *r, const char *what, void *pointer, size_t bytes,
                             size_t alignment, const hd__select_task *task, int in_place,
                             hd_stream *stream, void **usable)
{
    const size_t in_bytes = r->n * hd_type_bytes(r->type);
    *usable = NULL;
    HD_TRY(hd__array_usable(r->call, what, pointer, bytes, alignment, stream, usable));
    if (begins_in(*usable, task->in, in_bytes) && !(in_place && *usable == task->in))
        return hd__fail(HD_ERR_ARGUMENT, r->call, "%s begins within the input", what);
    return HD_OK;
}

/* Rejects an output whose first `bytes` bytes overlap the count. */
static hd_status check_count(const request *r, const char *what, const void *output, size_t bytes,
                             const uint64_t *count)
{
    if (output && (begins_in(output, count, sizeof *count) || begins_in(count, output, bytes)))
        return hd__fail(HD_ERR_ARGUMENT, r->call, "%s and count overlap", what);
    return HD_OK;
}

static hd_status find_where(const request *r, hd__select_task *task, hd_stream *stream)
{
    void *flags = NULL;
    if (!r->where)
        return HD_OK;
    if ((int)r->where->kind < 0 || r->where->kind >= HD_WHERE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, r->call, "unknown comparison %d", (int)r->where->kind);
    task->kind = (uint32_t)r->where->kind;
    memcpy(&task->value, &r->where->value, hd_type_bytes(r->type));
    if (r->where->kind == HD_WHERE_FLAGS && r->n > 0)
        HD_TRY(hd__array_usable(r->call, "flags", r->where->flags, r->n, 1, stream, &flags));
    task->flags = (const uint8_t *)flags;
    return HD_OK;
}

static hd_status find_arrays(const request *r, int mode, hd__select_task *task, hd_stream *stream)
{
    const size_t size = hd_type_bytes(r->type);
    const size_t length_size = hd_type_bytes(r->length_type);
    const size_t one_array = mode == PARTITION && !r->rejected ? r->n * size : 0;
    void *usable = NULL;
    if (r->n > 0)
        HD_TRY(hd__array_usable(r->call, "in", r->in, r->n * size, size, stream, &usable));
    task->in = usable;
    if (r->out || mode != SELECT)
        HD_TRY(find_output(r, "out", r->out, one_array, size, task, mode == SELECT, stream,
                           &task->out));
    if (r->rejected)
        HD_TRY(find_output(r, "rejected", r->rejected, 0, size, task, 0, stream, &task->rejected));
    if (lengths(mode))
        HD_TRY(
            find_output(r, "lengths", r->lengths, 0, length_size, task, 0, stream, &task->lengths));
    HD_TRY(find_output(r, "count", r->count, sizeof *r->count, sizeof *r->count, task, 0, stream,
                       &usable));
    task->count = (uint64_t *)usable;
    if (task->out && (task->out == task->rejected || task->out == task->lengths))
        return hd__fail(HD_ERR_ARGUMENT, r->call, "two outputs begin at the same address");
    HD_TRY(check_count(r, "out", task->out, one_array ? one_array : size, task->count));
    HD_TRY(check_count(r, "rejected", task->rejected, size, task->count));
    HD_TRY(check_count(r, "lengths", task->lengths, length_size, task->count));
    return find_where(r, task, stream);
}

static hd_status run(const request *r, int mode, hd_workspace *workspace, hd_stream *stream)
{
    hd__select_task task = {0};
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, r->call, "stream is NULL");
    HD_TRY(check_size(r->call, r->n, r->type));
    HD_TRY(find_arrays(r, mode, &task, stream));
    if (r->n == 0)
        return hd_fill_bytes(task.count, 0, 1, sizeof *task.count, stream);
    task.n = r->n;
    task.wide = r->length_type == HD_U64;
    task.in_place = task.out == task.in;
    task.aligned = ((uintptr_t)task.in | (uintptr_t)task.flags) % 16 == 0;
    task.look.tiles = tiling_of(r->n, mode, r->type, stream).tiles;
    if (task.look.tiles > 1)
        return launch_in(r->call, &task, mode, r->type, workspace, stream);
    return launch_all(&task, mode, r->type, stream);
}

hd_status hd_select(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                    uint64_t *count, hd_workspace *workspace, hd_stream *stream)
{
    const request r = {"hd_select", in, n, type, where, out, NULL, NULL, HD_U64, count};
    if (!where)
        return hd__fail(HD_ERR_ARGUMENT, r.call, "where is NULL");
    return run(&r, SELECT, workspace, stream);
}

hd_status hd_partition(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                       void *rejected, uint64_t *count, hd_workspace *workspace, hd_stream *stream)
{
    const request r = {"hd_partition", in, n, type, where, out, rejected, NULL, HD_U64, count};
    if (!where)
        return hd__fail(HD_ERR_ARGUMENT, r.call, "where is NULL");
    return run(&r, PARTITION, workspace, stream);
}

hd_status hd_unique(const void *in, size_t n, hd_type type, void *out, uint64_t *count,
                    hd_workspace *workspace, hd_stream *stream)
{
    const request r = {"hd_unique", in, n, type, NULL, out, NULL, NULL, HD_U64, count};
    return run(&r, UNIQUE, workspace, stream);
}

hd_status hd_run_lengths(const void *in, size_t n, hd_type type, void *values, hd_type length_type,
                         void *lengths, uint64_t *count, hd_workspace *workspace, hd_stream *stream)
{
    const request r = {"hd_run_lengths", in,   n,       type,        NULL,
                       values,           NULL, lengths, length_type, count};
    if (length_type != HD_U32 && length_type != HD_U64)
        return hd__fail(HD_ERR_ARGUMENT, r.call, "lengths are u32 or u64, not %s",
                        hd_type_name(length_type));
    if (length_type == HD_U32 && n > UINT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, r.call, "lengths of u32 cannot hold %zu elements; use u64",
                        n);
    return run(&r, many(n) ? MANY_RUNS : RUNS, workspace, stream);
}
