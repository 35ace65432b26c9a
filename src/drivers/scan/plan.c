/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - checks a scan's arrays and launches it. */
#include "plan.h"

#include "drivers/tune/choice.h"
#include "drivers/scan/space.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

#include <string.h>

unsigned hd__scan_force_threads;

hd_status hd__scan_tiles(const char *call, size_t n, size_t size, size_t value_bytes,
                         uint32_t *tiles)
{
    const size_t tile = hd_scan_tile(size, value_bytes);
    size_t count;
    if (n > SIZE_MAX / 2 / size)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory", n,
                        size);
    count = n / tile + (n % tile != 0);
    if (count > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes are too many", n, size);
    *tiles = count ? (uint32_t)count : 1;
    return HD_OK;
}

hd_status hd__scan_array_usable(const char *call, const hd__scan_array *array, size_t n,
                                hd_stream *stream, const void **usable, uint32_t *aligned)
{
    /* User-defined types are aligned to 4 or 8 bytes like words. */
    const size_t alignment = array->size < 8 ? array->size : array->size % 8 == 0 ? 8 : 4;
    void *reached = NULL;
    HD_TRY(hd__array_usable(call, array->what, array->pointer, n * array->size, alignment, stream,
                            &reached));
    *usable = reached;
    if ((uintptr_t)reached % 16 != 0)
        *aligned = 0;
    return HD_OK;
}

hd_status hd__scan_overlap(const char *call, const hd__scan_array *in, const hd__scan_array *out,
                           size_t n, int in_place)
{
    const uintptr_t a = (uintptr_t)in->pointer, b = (uintptr_t)out->pointer;
    if (in_place && a == b)
        return HD_OK;
    if (a < b + n * out->size && b < a + n * in->size)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s overlaps %s%s", out->what, in->what,
                        in_place ? " without being the same" : "");
    return HD_OK;
}

size_t hd__scan_repair_bytes(uint32_t tiles)
{
    return tiles > 1 ? (size_t)tiles * HD_SCAN_STRIPS : 0;
}

static uint32_t blocks_for(hd__tune_choice choice, uint32_t tiles, size_t stage_bytes,
                           hd_stream *stream)
{
    const unsigned chosen = choice.of[HD__SCAN_KNOB_BLOCKS];
    if (chosen == HD__SCAN_BLOCK_PER_TILE)
        return tiles;
    if (chosen)
        return hd__look_back_persistent(tiles, stage_bytes, chosen, stream);
    return hd__look_back_blocks(tiles, stage_bytes, HD_SCAN_BLOCKS_PER_UNIT, stream);
}

static hd_status launch(hd__tune_choice choice, const hd_kernel *kernel, hd_scan_task *task,
                        size_t size, size_t value_bytes, hd_stream *stream)
{
    const size_t stage_bytes = hd_scan_stage_bytes(size, value_bytes);
    const int many = hd__scan_force_threads || choice.of[HD__SCAN_KNOB_THREADS];
    unsigned threads = HD_SERIAL_THREADS && !many ? 1 : HD_SCAN_THREADS;
    const uint32_t tiles = task->look.tiles;
    const uint32_t blocks = threads == 1 ? tiles : blocks_for(choice, tiles, stage_bytes, stream);
    void *args[] = {task};
    task->workers = hd__device_at(stream->device)->units;
    if (blocks < tiles) { /* each takes tickets until no tiles are left */
        task->look.draws = tiles + blocks;
        if (HD_SCAN_HELPERS(value_bytes))
            threads += 2 * hd__device_at(stream->device)->warp_size;
    }
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(threads, 1, 1),
                                           blocks < tiles ? stage_bytes : 0, stream),
                            args, __FILE__, __LINE__);
}

/* Scans of user-defined values and of pairs are not tuned. */
static hd__tune_choice choice_for(const hd_scan_task *task, int type, const hd_stream *stream)
{
    const hd__tune_choice none = {{0}};
    if (type < 0)
        return none;
    return hd__tune_choose(HD__TUNE_SCAN, task->in2 ? HD__SCAN_KIND_SEGMENTS : HD__SCAN_KIND_PLAIN,
                           (unsigned)type, task->count, stream->device);
}

hd_status hd__scan_launch(const char *call, const hd_kernel *kernel, hd_scan_task *task, int type,
                          size_t size, size_t value_bytes, size_t bytes_moved,
                          hd_workspace *workspace, hd_stream *stream)
{
    static const hd__look_back_marks marks, repair_marks;
    uint32_t tiles = 0;
    size_t more = 0;
    void *own = NULL;
    hd_status status;
    HD_TRY(hd__scan_tiles(call, task->count, size, value_bytes, &tiles));
    const hd__tune_choice choice = choice_for(task, type, stream);
    task->cached = bytes_moved <= hd__device_at(stream->device)->cache_bytes;
    if (choice.of[HD__SCAN_KNOB_CACHE])
        task->cached = choice.of[HD__SCAN_KNOB_CACHE] == 1;
    task->look.tiles = tiles;
    if (tiles == 1)
        return launch(choice, kernel, task, size, value_bytes, stream);
    if (task->repairs)
        more = hd__scan_repair_bytes(tiles);
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__look_back_memory(call, tiles, (unsigned)(value_bytes / 4), more,
                                  more ? repair_marks : marks, workspace, stream, &task->look,
                                  more ? &own : NULL);
    task->again = own;
    if (status >= 0)
        status = launch(choice, kernel, task, size, value_bytes, stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

static void first_of_integers(hd_type type, hd_reduce_op op, void *first)
{
    const size_t size = hd_type_bytes(type);
    const int is_signed = type == HD_I32 || type == HD_I64;
    const uint64_t top = size == 4 ? UINT32_MAX : UINT64_MAX;
    const uint64_t largest = is_signed ? top >> 1 : top, smallest = is_signed ? ~(top >> 1) : 0;
    const uint64_t value = op == HD_SUM ? 0 : op == HD_MIN ? largest : smallest;
    const uint32_t low = (uint32_t)value;
    memcpy(first, size == 4 ? (const void *)&low : (const void *)&value, size);
}

void hd__scan_first(hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                    void *first)
{
    /* -0.0 is the identity of addition; but the sum of no elements is +0.0. */
    const double zero = kind == HD_SCAN_INCLUSIVE ? -0.0 : 0.0;
    const double infinity = (double)__builtin_inff();
    const double value = op == HD_SUM ? zero : op == HD_MIN ? infinity : -infinity;
    const float narrow = (float)value;
    if (initial)
        memcpy(first, initial, hd_type_bytes(type));
    else if (type == HD_F64)
        memcpy(first, &value, sizeof value);
    else if (type == HD_F32)
        memcpy(first, &narrow, sizeof narrow);
    else
        first_of_integers(type, op, first);
}
