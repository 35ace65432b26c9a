/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - hd_transpose: checks shapes and buffers and launches one kernel. */
#include "plan.h"

#include "drivers/array.h"
#include "drivers/tune/choice.h"
#include "drivers/transpose/space.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"
#include "loose.h"

unsigned hd__transpose_force_threads, hd__transpose_force_blocks;

enum { SIZES = 5, SWAP = HD_TRANSPOSE_ALGORITHM_COUNT_, LOOSE, FLAT, KERNELS };

/* Rows: hd_transpose_algorithm, then in place, then those of loose.h. Columns: elements of 1, 2, 4,
   8, 16 bytes. */
#define FAST(bytes) &hd__transpose_##bytes##_kernel,
#define NAIVE(bytes) &hd__transpose_naive_##bytes##_kernel,
#define COALESCED(bytes) &hd__transpose_coalesced_##bytes##_kernel,
#define PADDED(bytes) &hd__transpose_padded_##bytes##_kernel,
#define SWAPPING(bytes) &hd__transpose_swap_##bytes##_kernel,
#define LOOSELY(bytes) &hd__transpose_loose_##bytes##_kernel,
#define FLATLY(bytes) &hd__transpose_flat_##bytes##_kernel,
static const hd_kernel *const kernels[KERNELS][SIZES] = {
    {HD__TRANSPOSE_SIZE_LIST(FAST)},      {HD__TRANSPOSE_SIZE_LIST(NAIVE)},
    {HD__TRANSPOSE_SIZE_LIST(COALESCED)}, {HD__TRANSPOSE_SIZE_LIST(PADDED)},
    {HD__TRANSPOSE_SIZE_LIST(SWAPPING)},  {HD__TRANSPOSE_SIZE_LIST(LOOSELY)},
    {HD__TRANSPOSE_SIZE_LIST(FLATLY)}};

#define NAME(name, text, what) text,
static const char *const names[] = {HD_TRANSPOSE_ALGORITHM_LIST(NAME)};

const char *hd_transpose_algorithm_name(hd_transpose_algorithm algorithm)
{
    return (int)algorithm >= 0 && algorithm < HD_TRANSPOSE_ALGORITHM_COUNT_ ? names[algorithm]
                                                                            : "unknown algorithm";
}

/* Index of the size among 1, 2, 4, 8, 16; SIZES if it is none of them. */
static unsigned size_index(size_t bytes)
{
    unsigned i = 0;
    while (i < SIZES && bytes != (size_t)1 << i)
        i++;
    return i;
}

/* Bytes from the first element to the end of the last; 0 for an empty matrix. */
static hd_status extent(const char *call, const char *what, size_t rows, size_t columns,
                        size_t stride, size_t size, size_t *bytes)
{
    size_t elements;
    if (stride < columns)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s_stride is %zu, less than a row of %zu", what,
                        stride, columns);
    if (__builtin_mul_overflow(rows ? rows - 1 : 0, stride, &elements) ||
        __builtin_add_overflow(elements, columns, &elements) ||
        __builtin_mul_overflow(elements, size, bytes) || *bytes > SIZE_MAX / 2)
        return hd__fail(HD_ERR_OVERFLOW, call,
                        "%s: %zu rows, %zu elements of %zu bytes apart, do not fit in memory", what,
                        rows, stride, size);
    return HD_OK;
}

/* Whether both matrices are disjoint column ranges of one larger matrix: rows of `stride` elements,
   `in` is `columns` wide, `out` is `rows` wide and begins `shift` elements further in a row. */
static int side_by_side(uintptr_t in, uintptr_t out, size_t rows, size_t columns, size_t stride,
                        size_t size)
{
    const size_t shift = out > in ? (out - in) / size % stride
                                  : (stride - (in - out) / size % stride) % stride;
    return columns <= shift && rows <= stride - shift;
}

static hd_status check_overlap(const char *call, const hd__transpose_task *task, size_t in_bytes,
                               size_t out_bytes, size_t size)
{
    const uintptr_t in = (uintptr_t)task->in, out = (uintptr_t)task->out;
    if (in == out && (task->rows != task->columns || task->in_stride != task->out_stride))
        return hd__fail(
            HD_ERR_ARGUMENT, call,
            "in place: %zu x %zu with strides %zu and %zu is not square with one stride",
            task->rows, task->columns, task->in_stride, task->out_stride);
    if (in == out || in + in_bytes <= out || out + out_bytes <= in)
        return HD_OK;
    if (task->in_stride == task->out_stride &&
        side_by_side(in, out, task->rows, task->columns, task->in_stride, size))
        return HD_OK;
    return hd__fail(HD_ERR_ARGUMENT, call, "in and out overlap");
}

/* Splits the matrix into tiles of tile_rows x tile_columns. */
static hd_status split(const char *call, hd__transpose_task *task, size_t tile_rows,
                       size_t tile_columns)
{
    const size_t across = task->columns / tile_columns + (task->columns % tile_columns != 0);
    const size_t down = task->rows / tile_rows + (task->rows % tile_rows != 0);
    if (across > UINT32_MAX / 2 / down)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu x %zu elements are too many tiles", task->rows,
                        task->columns);
    task->across = (uint32_t)across;
    task->down = (uint32_t)down;
    task->pairs = hd__transpose_pairs(task->across);
    return HD_OK;
}

static uint32_t is_wide(const void *pointer, size_t stride, size_t size)
{
    const size_t vector = hd__transpose_vector(size);
    return ((uintptr_t)pointer | stride % vector * size) % vector == 0;
}

/* One thread transposes a tile. */
static int is_serial(int which, hd__tune_choice choice)
{
    return (which == HD_TRANSPOSE_AUTO || which == SWAP) && HD_SERIAL_THREADS &&
           !hd__transpose_force_threads && !choice.of[HD__TRANSPOSE_KNOB_THREADS];
}

/* Out of place: whether a loose kernel transposes the matrix. */
static int is_loose(const hd__transpose_task *task, size_t size, unsigned units,
                    hd__tune_choice choice)
{
    const unsigned kernel = choice.of[HD__TRANSPOSE_KNOB_KERNEL];
    return kernel ? kernel == 2 : hd__transpose_is_loose(task, size, units);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A textbook variant. */
static int is_variant(int which)
{
    return which != HD_TRANSPOSE_AUTO && which < SWAP;
}

/* At most 2^22 blocks: fewer than 2^32 threads. Variants number blocks along rows of `in`. */
static hd_dim3 grid_of(int which, const hd__transpose_task *task)
{
    const unsigned most = hd__transpose_force_blocks ? hd__transpose_force_blocks : 1u << 22;
    const unsigned near = is_variant(which) ? task->across : task->down;
    const unsigned far = is_variant(which) ? task->down : task->across;
    const unsigned x = least(which == SWAP ? task->pairs : near, most);
    return hd_dim(x, which == SWAP ? 1 : least(least(far, most / x), 65535), 1);
}

static hd_status launch(int which, int serial, hd__transpose_task *task, size_t size,
                        hd_stream *stream)
{
    hd_dim3 threads = hd_dim(HD__TRANSPOSE_THREADS, 1, 1);
    void *args[] = {task};
    if (is_variant(which))
        threads = hd_dim(HD__TRANSPOSE_EDGE, HD__TRANSPOSE_ROWS, 1);
    else if (serial)
        threads = hd_dim(1, 1, 1);
    return hd_launch_kernel(
        kernels[which][size_index(size)],
        hd_launch_with(grid_of(which, task), threads, task->loose.bytes, stream), args, __FILE__,
        __LINE__);
}

/* Length of a serial tile along one axis: longer if the matrix has only `other` elements along the
   other axis, so that a tile is worth a block. */
static size_t longer(size_t edge, size_t extent, size_t other)
{
    size_t length = edge;
    while (length < extent && length * other < 2 * edge * edge)
        length *= 2;
    return length;
}

/* Chooses the kernel, splits the matrix into its tiles, and launches it. */
static hd_status turn(const char *call, int which, hd__transpose_task *task, size_t size,
                      hd_stream *stream)
{
    const size_t edge = which == HD_TRANSPOSE_AUTO || which == SWAP ? hd__transpose_edge(size)
                                                                    : HD__TRANSPOSE_EDGE;
    task->wide = is_wide(task->in, task->in_stride, size) &&
                 is_wide(task->out, task->out_stride, size);
    const unsigned units = hd__device_at(stream->device)->units;
    hd__tune_choice choice = {{0}};
    if (which == HD_TRANSPOSE_AUTO)
        choice = hd__tune_choose(HD__TUNE_TRANSPOSE,
                                 task->wide ? HD__TRANSPOSE_KIND_ALIGNED
                                            : HD__TRANSPOSE_KIND_UNALIGNED,
                                 size_index(size), task->rows * task->columns, stream->device);
    const int serial = is_serial(which, choice);
    if (which == HD_TRANSPOSE_AUTO && !serial && is_loose(task, size, units, choice)) {
        hd__transpose_loosen(task, size, units, choice.of[HD__TRANSPOSE_KNOB_TILE]);
        which = task->loose.flat_in || task->loose.flat_out ? FLAT : LOOSE;
        HD_TRY(split(call, task, task->loose.rows, task->loose.columns));
    } else if (which == HD_TRANSPOSE_AUTO && serial) {
        task->tile_rows = (uint32_t)longer(edge, task->rows, task->columns);
        task->tile_columns = (uint32_t)longer(edge, task->columns, task->rows);
        HD_TRY(split(call, task, task->tile_rows, task->tile_columns));
    } else {
        HD_TRY(split(call, task, edge, edge));
    }
    return launch(which, serial, task, size, stream);
}

static hd_status check(const char *call, hd_transpose_algorithm algorithm, size_t size,
                       const hd_stream *stream)
{
    if ((int)algorithm < 0 || algorithm >= HD_TRANSPOSE_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (size_index(size) == SIZES)
        return hd__fail(HD_ERR_ARGUMENT, call, "element_bytes is %zu; it must be 1, 2, 4, 8 or 16",
                        size);
    return HD_OK;
}

hd_status hd_transpose_with(hd_transpose_algorithm algorithm, const void *in, size_t rows,
                            size_t columns, size_t in_stride, void *out, size_t out_stride,
                            size_t element_bytes, hd_stream *stream)
{
    static const char call[] = "hd_transpose";
    hd__transpose_task task = {0};
    size_t in_bytes, out_bytes;
    void *usable;
    HD_TRY(check(call, algorithm, element_bytes, stream));
    HD_TRY(extent(call, "in", rows, columns, in_stride, element_bytes, &in_bytes));
    HD_TRY(extent(call, "out", columns, rows, out_stride, element_bytes, &out_bytes));
    if (rows == 0 || columns == 0)
        return HD_OK;
    HD_TRY(hd__array_usable(call, "in", in, in_bytes, element_bytes, stream, &usable));
    HD_TRY(hd__array_usable(call, "out", out, out_bytes, element_bytes, stream, &task.out));
    task.in = usable;
    task.rows = rows;
    task.columns = columns;
    task.in_stride = in_stride;
    task.out_stride = out_stride;
    HD_TRY(check_overlap(call, &task, in_bytes, out_bytes, element_bytes));
    const int swap = task.in == task.out;
    if (swap && algorithm != HD_TRANSPOSE_AUTO)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "variant '%s' does not exist in place",
                        names[algorithm]);
    return turn(call, swap ? SWAP : (int)algorithm, &task, element_bytes, stream);
}

hd_status hd_transpose(const void *in, size_t rows, size_t columns, size_t in_stride, void *out,
                       size_t out_stride, size_t element_bytes, hd_stream *stream)
{
    return hd_transpose_with(HD_TRANSPOSE_AUTO, in, rows, columns, in_stride, out, out_stride,
                             element_bytes, stream);
}
