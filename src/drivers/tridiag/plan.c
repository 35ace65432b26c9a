/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - splits tridiagonal systems into chunks and launches their kernels. */
#include "plan.h"

#include "drivers/tridiag/space.h"
#include "runtime/runtime.h"

unsigned hd__tridiag_force;

/* For reduce and substitute, the kernel with long chunks follows the one with short ones. */
enum {
    WARP,
    BLOCK,
    LANES,
    TEAM,
    REDUCE,
    REDUCE_LONG,
    SUBSTITUTE,
    SUBSTITUTE_LONG,
    SHUFFLE,
    SHARED,
    THOMAS,
    KERNELS
};
#define PAIR(name)                                                                                 \
    {                                                                                              \
        &hd__tridiag_##name##_f32_kernel, &hd__tridiag_##name##_f64_kernel                         \
    }
static const hd_kernel *const kernels[KERNELS][2] = {PAIR(warp),
                                                     PAIR(block),
                                                     PAIR(lanes),
                                                     PAIR(team),
                                                     PAIR(reduce_short),
                                                     PAIR(reduce_long),
                                                     PAIR(substitute_short),
                                                     PAIR(substitute_long),
                                                     PAIR(shuffle),
                                                     PAIR(shared),
                                                     PAIR(thomas)};

static int serial(hd__tune_choice choice)
{
    return HD_SERIAL_THREADS && !(hd__tridiag_force & HD__TRIDIAG_THREADS) &&
           !choice.of[HD__TRIDIAG_KNOB_THREADS];
}

/* Whether interleaved systems are solved in two passes even if one launch could. */
static int by_passes(hd__tune_choice choice)
{
    return (hd__tridiag_force & HD__TRIDIAG_PASSES) || choice.of[HD__TRIDIAG_KNOB_PASSES];
}

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* Rows per chunk. */
static size_t chunk_rows(size_t width, size_t size)
{
    return width == 1 ? HD__TRIDIAG_SHORT_BYTES / size : HD__TRIDIAG_LONG_ROWS;
}

static unsigned power_of_two_from(size_t n, unsigned most)
{
    unsigned p = 1;
    while (p < n && p < most)
        p *= 2;
    return p;
}

/* Kernels loop over what their grid does not cover. */
static hd_status launch(int which, hd_type type, const hd__tridiag_task *task, size_t blocks,
                        unsigned threads, size_t shared_bytes, hd_stream *stream)
{
    const size_t most = (size_t)INT32_MAX / threads;
    const unsigned grid = (unsigned)(blocks < most ? blocks : most);
    void *args[] = {(void *)(uintptr_t)task};
    return hd_launch_kernel(
        kernels[which][type == HD_F64],
        hd_launch_with(hd_dim(grid, 1, 1), hd_dim(threads, 1, 1), shared_bytes, stream), args,
        __FILE__, __LINE__);
}

/* ---- whole systems --------------------------------------------------------------------------- */

/* Width 1: `lanes` threads per system, several systems per block. */
static hd_status launch_whole(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                              hd_stream *stream)
{
    const size_t size = hd_type_bytes(type);
    const size_t kept = 3 * task->chunks * (chunk_rows(1, size) + 1) * size; /* for one thread */
    const unsigned chosen = choice.of[HD__TRIDIAG_KNOB_BLOCK];
    const unsigned threads = chosen ? chosen : HD__TRIDIAG_BLOCK / 2;
    const int small = task->chunks <= HD__TRIDIAG_SHUFFLE;
    size_t most = 0;
    unsigned many;
    HD_TRY(hd__shared_max("hd_tridiag", stream->device, &most));
    if (serial(choice) && kept <= most)
        return launch(small ? WARP : BLOCK, type, task, task->systems, 1, kept, stream);
    if (small) {
        task->lanes = power_of_two_from(task->chunks, HD__TRIDIAG_SHUFFLE);
        many = threads / task->lanes;
    } else {
        task->lanes = (unsigned)task->chunks;
        many = task->lanes > threads ? 1 : threads / task->lanes;
    }
    return launch(small ? WARP : BLOCK, type, task, ceil_div(task->systems, many),
                  many * task->lanes, 0, stream);
}

static size_t lanes_bytes(int which, size_t threads, size_t size)
{
    return hd__tridiag_kept_bytes(threads, size) + hd__tridiag_buffer_bytes(threads, size) +
           (which == TEAM ? hd__tridiag_ends_bytes(threads, size) : 0);
}

/* The number of neighbouring systems in a block that takes `chunks` chunks of each: 128 bytes of a
   row, or what fits in shared memory but at least 32 bytes; otherwise 0. These kernels use 32-bit
   indices. */
static hd_status lanes_for(hd__tune_choice choice, int which, const hd__tridiag_task *task,
                           size_t chunks, size_t size, hd_stream *stream, unsigned *lanes)
{
    size_t most = 0;
    const size_t chosen = choice.of[HD__TRIDIAG_KNOB_LANES];
    unsigned n = power_of_two_from(task->width, (unsigned)((chosen ? chosen : 128) / size));
    *lanes = 0;
    if (task->rows * task->systems > UINT32_MAX)
        return HD_OK;
    HD_TRY(hd__shared_max("hd_tridiag", stream->device, &most));
    while (n > 0 && lanes_bytes(which, chunks * n, size) > most)
        n /= 2;
    *lanes = n * size >= 32 || n >= task->width ? n : 0;
    return HD_OK;
}

/* Sets task->resident, for blocks of `threads` threads. */
static hd_status resident_blocks(int which, hd__tridiag_task *task, hd_type type, size_t threads,
                                 hd_stream *stream)
{
    unsigned per_unit = 0;
    HD_TRY(hd_occupancy(kernels[which][type == HD_F64], stream->device, (unsigned)threads,
                        lanes_bytes(which, threads, hd_type_bytes(type)), &per_unit));
    task->resident = per_unit * hd__device_at(stream->device)->units;
    return HD_OK;
}

/* The number of strips, each one thread's work if threads run one after another. Strips are as wide
   as a page of each row, unless the device has more threads than such strips. Sets task->lanes. */
static size_t strips(hd__tridiag_task *task, hd_type type, const hd_stream *stream)
{
    const size_t least = HD__TRIDIAG_STRIP_LEAST / hd_type_bytes(type);
    const size_t groups = task->systems / task->width;
    const size_t units = (size_t)hd__device_at(stream->device)->units;
    size_t lanes = HD__TRIDIAG_STRIP_MAX / hd_type_bytes(type);
    while (lanes > least && groups * ceil_div(task->width, lanes) < units)
        lanes /= 2;
    task->lanes = (unsigned)lanes;
    return groups * ceil_div(task->width, lanes);
}

static hd_status launch_lanes(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                              hd_stream *stream)
{
    const size_t size = hd_type_bytes(type), threads = task->chunks * task->lanes;
    if (serial(choice))
        return launch(LANES, type, task, strips(task, type, stream), 1,
                      hd__tridiag_column_bytes(task->chunks), stream);
    task->tiles = ceil_div(task->width, task->lanes);
    HD_TRY(resident_blocks(LANES, task, type, threads, stream));
    return launch(LANES, type, task, task->systems / task->width * task->tiles, (unsigned)threads,
                  lanes_bytes(LANES, threads, size), stream);
}

/* Whether one thread can process all rows of systems of width > 1. */
static hd_status column_fits(const hd__tridiag_task *task, hd_stream *stream, int *fits)
{
    size_t most = 0;
    HD_TRY(hd__shared_max("hd_tridiag", stream->device, &most));
    *fits = hd__tridiag_column_bytes(task->chunks) <= most;
    return HD_OK;
}

/* Whether the batch is solved in one launch. Sets task->lanes for the lanes kernel, 0 if width is 1
   or two passes are needed. */
static hd_status plan_whole(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                            hd_stream *stream, int *whole)
{
    const size_t size = hd_type_bytes(type);
    task->lanes = 0;
    task->chunks = ceil_div(task->rows, chunk_rows(task->width, size));
    *whole = task->width == 1 && task->chunks <= HD__TRIDIAG_MAX_SHORT;
    if (task->width == 1 || task->chunks > HD__TRIDIAG_MAX_LONG || by_passes(choice))
        return HD_OK;
    if (serial(choice))
        return column_fits(task, stream, whole);
    HD_TRY(lanes_for(choice, LANES, task, task->chunks, size, stream, &task->lanes));
    *whole = task->lanes > 0;
    return HD_OK;
}

hd_status hd__tridiag_whole(hd__tune_choice choice, const hd__tridiag_task *task, hd_type type,
                            hd_stream *stream, int *whole)
{
    hd__tridiag_task trial = *task;
    return plan_whole(choice, &trial, type, stream, whole);
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* Sets up the task for teams; *blocks is 0 if the device cannot hold a team or the systems are too
   long for one. */
static hd_status plan_team(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                           hd_stream *stream, size_t *blocks)
{
    const size_t size = hd_type_bytes(type);
    size_t strips, turns;
    unsigned threads;
    *blocks = 0;
    task->members = (unsigned)ceil_div(task->chunks, HD__TRIDIAG_MAX_LONG);
    if (task->width == 1 || task->chunks > HD__TRIDIAG_MAX_LONG * HD__TRIDIAG_MAX_LONG ||
        serial(choice) || by_passes(choice))
        return HD_OK;
    HD_TRY(lanes_for(choice, TEAM, task, HD__TRIDIAG_MAX_LONG, size, stream, &task->lanes));
    if (task->lanes == 0)
        return HD_OK;
    threads = HD__TRIDIAG_MAX_LONG * task->lanes;
    HD_TRY(resident_blocks(TEAM, task, type, threads, stream));
    if (task->members > task->resident)
        return HD_OK;
    task->tiles = ceil_div(task->width, task->lanes);
    strips = task->systems / task->width * task->tiles;
    for (task->abreast = 8; task->abreast > 1; task->abreast /= 2)
        if (task->members * task->abreast <= task->resident && task->abreast <= strips)
            break;
    turns = ceil_div(strips, task->abreast);
    if (turns <= (size_t)INT32_MAX / threads / (task->members * task->abreast))
        *blocks = turns * task->members * task->abreast;
    return HD_OK;
}

static hd_status launch_team(hd__tridiag_task *task, hd_type type, size_t blocks, char *memory,
                             hd_stream *stream)
{
    const size_t size = hd_type_bytes(type), strips = blocks / task->members;
    const size_t header = 256 + ((strips * sizeof *task->arrived + 255) & ~(size_t)255);
    const unsigned threads = HD__TRIDIAG_MAX_LONG * task->lanes;
    HD_TRY(hd_fill_bytes(memory, 0, 1, header, stream));
    task->ticket = (uint32_t *)(void *)memory;
    task->arrived = (uint32_t *)(void *)(memory + 256);
    task->exchange = memory + header;
    return launch(TEAM, type, task, blocks, threads, lanes_bytes(TEAM, threads, size), stream);
}

/* ---- two passes ------------------------------------------------------------------------------ */

/* Bytes of one array of a smaller system, with padding up to the next one. */
static size_t array_bytes(size_t chunks, size_t systems, size_t size)
{
    return (chunks * systems * size + 255) & ~(size_t)255;
}

/* Whether a system of chunk ends is solved without splitting it again: see the kernels block and
   shared. */
static int is_short(size_t rows, size_t width, size_t size)
{
    return width == 1 ? ceil_div(rows, chunk_rows(1, size)) <= HD__TRIDIAG_MAX_SHORT
                      : rows <= HD__TRIDIAG_MAX_LONG;
}

size_t hd__tridiag_smaller_bytes(const hd_tridiag_batch *batch)
{
    const size_t size = hd_type_bytes(batch->type);
    size_t rows = batch->rows, bytes = 0;
    if (batch->width == 1 && is_short(rows, 1, size))
        return 0;
    do { /* also enough for a team, which needs less */
        rows = ceil_div(rows, chunk_rows(batch->width, size));
        bytes += 4 * array_bytes(rows, batch->systems, size);
    } while (!is_short(rows, batch->width, size));
    return bytes;
}

/* The task of the system of chunk ends; takes its memory from `memory`. */
static char *smaller_task(hd__tridiag_task *task, hd__tridiag_task *ends, size_t size, char *memory)
{
    for (int i = 0; i < 4; i++, memory += array_bytes(task->chunks, task->systems, size))
        task->smaller[i] = memory;
    *ends = *task;
    ends->a = task->smaller[0];
    ends->b = task->smaller[1];
    ends->c = task->smaller[2];
    ends->d = ends->x = task->smaller[3];
    ends->rows = task->chunks;
    ends->aligned = task->width == 1 && task->chunks * size % 16 == 0;
    return memory;
}

static hd_status launch_pass(hd__tune_choice choice, int pass, hd__tridiag_task *task, hd_type type,
                             hd_stream *stream)
{
    unsigned rows;
    if (serial(choice) && task->width > 1)
        return launch(pass + 1, type, task, strips(task, type, stream), 1, 0, stream);
    task->lanes = power_of_two_from(task->width, 32);
    rows = HD__TRIDIAG_BLOCK / task->lanes;
    task->tiles = ceil_div(task->chunks, pass == REDUCE ? rows - 1 : rows);
    return launch(task->width == 1 ? pass : pass + 1, type, task,
                  task->systems / task->width * ceil_div(task->width, task->lanes) * task->tiles,
                  HD__TRIDIAG_BLOCK, 0, stream);
}

hd_status hd__tridiag_chunked(hd__tune_choice choice, const hd__tridiag_task *given, hd_type type,
                              char *memory, hd_stream *stream)
{
    const size_t size = hd_type_bytes(type);
    hd__tridiag_task task = *given, ends;
    size_t blocks = 0;
    int whole = 0, last;
    HD_TRY(plan_whole(choice, &task, type, stream, &whole));
    if (whole)
        return task.width > 1 ? launch_lanes(choice, &task, type, stream)
                              : launch_whole(choice, &task, type, stream);
    HD_TRY(plan_team(choice, &task, type, stream, &blocks));
    if (blocks > 0)
        return launch_team(&task, type, blocks, memory, stream);
    memory = smaller_task(&task, &ends, size, memory);
    last = task.width > 1 && is_short(ends.rows, task.width, size);
    HD_TRY(launch_pass(choice, REDUCE, &task, type, stream));
    HD_TRY(last ? hd__tridiag_by_shared(choice, &ends, type, stream)
                : hd__tridiag_chunked(choice, &ends, type, memory, stream));
    return launch_pass(choice, SUBSTITUTE, &task, type, stream);
}

/* ---- the plain algorithms -------------------------------------------------------------------- */

hd_status hd__tridiag_by_shuffle(hd__tridiag_task *task, hd_type type, hd_stream *stream)
{
    task->lanes = power_of_two_from(task->rows, HD__TRIDIAG_SHUFFLE);
    return launch(SHUFFLE, type, task, ceil_div(task->systems, HD__TRIDIAG_BLOCK / task->lanes),
                  HD__TRIDIAG_BLOCK, 0, stream);
}

hd_status hd__tridiag_by_shared(hd__tune_choice choice, hd__tridiag_task *task, hd_type type,
                                hd_stream *stream)
{
    const size_t size = hd_type_bytes(type);
    const unsigned room = HD__TRIDIAG_BLOCK / (unsigned)task->rows;
    unsigned threads;
    if (serial(choice) && task->width > 1 && task->rows <= HD__TRIDIAG_MAX_LONG)
        return launch(SHARED, type, task, strips(task, type, stream), 1, 0, stream);
    if (serial(choice))
        return launch(SHARED, type, task, task->systems, 1, HD__TRIDIAG_BUFFERS * task->rows * size,
                      stream);
    task->lanes = 1;
    while (task->lanes < task->width && task->lanes < 32 && 2 * task->lanes <= room)
        task->lanes *= 2;
    task->tiles = ceil_div(task->width, task->lanes);
    threads = (unsigned)task->rows * task->lanes;
    return launch(SHARED, type, task, task->systems / task->width * task->tiles, threads,
                  hd__tridiag_buffer_bytes(threads, size), stream);
}

hd_status hd__tridiag_by_thomas(hd__tridiag_task *task, hd_type type, hd_stream *stream)
{
    const unsigned threads = HD__TRIDIAG_BLOCK / 2;
    return launch(THOMAS, type, task, ceil_div(task->systems, threads), threads, 0, stream);
}
