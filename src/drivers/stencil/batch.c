/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - hd_batch_heat: checks the shapes and launches one kernel. */
#include "batch.h"

#include "drivers/array.h"
#include "kernels/stencil/batch.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

enum { POINTS_OF_THREAD = 4, ROWS_OF_THREAD = 8, BLOCKS_MAX = 1 << 20 };

int hd__batch_force_threads;
unsigned hd__batch_force_blocks;

/* The shape of a block, for warps of `warp` threads. */
typedef struct batch_shape {
    unsigned threads, columns, rows;
} batch_shape;

hd_status hd_batch_heat_limit(hd_type type, int device, size_t *points)
{
    static const char call[] = "hd_batch_heat_limit";
    size_t bytes;

    if (!points)
        return hd__fail(HD_ERR_ARGUMENT, call, "points is NULL");
    if (type != HD_F32 && type != HD_F64)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "heat problems are f32 or f64");
    HD_TRY(hd__shared_max(call, device, &bytes));
    *points = bytes / (2 * hd_type_bytes(type));
    return HD_OK;
}

static unsigned rounded(size_t count, unsigned warp)
{
    const size_t threads = (count + warp - 1) / warp * warp;

    return threads < warp                ? warp
           : threads > HD__BATCH_THREADS ? HD__BATCH_THREADS
                                         : (unsigned)threads;
}

static batch_shape make_shape(size_t nx, size_t ny, unsigned warp)
{
    const size_t inner = nx > 2 ? nx - 2 : 1, inner_rows = ny > 2 ? ny - 2 : 1;
    const size_t columns = inner < HD__BATCH_THREADS ? inner : HD__BATCH_THREADS;
    const size_t most = HD__BATCH_THREADS / columns;
    const size_t wanted = (inner_rows + ROWS_OF_THREAD - 1) / ROWS_OF_THREAD;
    const size_t strips = wanted < most ? wanted : most;
    batch_shape shape = {1, 1, 0};

    if (HD_SERIAL_THREADS && !hd__batch_force_threads)
        return shape;
    shape.columns = (unsigned)columns;
    shape.rows = (unsigned)((inner_rows + strips - 1) / strips);
    shape.threads = ny == 0 ? rounded((inner + POINTS_OF_THREAD - 1) / POINTS_OF_THREAD, warp)
                            : rounded(columns * strips, warp);
    return shape;
}

static hd_status check(const char *call, const hd_heat_batch *batch, hd_type type,
                       const hd_stream *stream, size_t *points, size_t *bytes)
{
    const size_t ny = batch && batch->ny ? batch->ny : 1;
    size_t limit;

    if (!batch || !stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", batch ? "stream" : "batch");
    if (batch->nx == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "nx is 0");
    HD_TRY(hd_batch_heat_limit(type, stream->device, &limit));
    if (batch->nx > limit || ny > limit / batch->nx)
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "a problem of %zu x %zu points: two copies of %zu at most fit the shared "
                        "memory of a block",
                        batch->nx, ny, limit);
    *points = batch->nx * ny;
    *bytes = hd_bytes(batch->problems, *points * hd_type_bytes(type));
    if (*bytes == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu problems of %zu points", batch->problems,
                        *points);
    return HD_OK;
}

/* Arrays may be identical, but must not overlap otherwise. */
static hd_status check_apart(const char *call, const void *in, const void *out, size_t bytes)
{
    const uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;

    if (a != b && a < b + bytes && b < a + bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "in and out overlap");
    return HD_OK;
}

#define BATCH_LAUNCH(suffix, type)                                                                 \
    static hd_status launch_##suffix(const hd_heat_batch *batch, const batch_shape *shape,         \
                                     const void *in, void *out, const void *coefficients,          \
                                     hd_launch_config config)                                      \
    {                                                                                              \
        hd__batch_task_##suffix task = {0};                                                        \
                                                                                                   \
        task.in = in;                                                                              \
        task.out = out;                                                                            \
        task.coefficients = coefficients;                                                          \
        task.coefficient = (type)batch->coefficient;                                               \
        task.problems = batch->problems;                                                           \
        task.nx = (uint32_t)batch->nx;                                                             \
        task.ny = (uint32_t)batch->ny;                                                             \
        task.steps = batch->steps;                                                                 \
        task.columns = shape->columns;                                                             \
        task.rows = shape->rows;                                                                   \
        return batch->ny ? hd_launch(hd__batch_heat2_##suffix, config, task)                       \
                         : hd_launch(hd__batch_heat1_##suffix, config, task);                      \
    }
HD__BATCH_LIST(BATCH_LAUNCH)
#undef BATCH_LAUNCH

hd_status hd_batch_heat(const hd_heat_batch *batch, hd_type type, const void *in, void *out,
                        hd_stream *stream)
{
    static const char call[] = "hd_batch_heat";
    void *usable_in, *usable_out, *coefficients = NULL;
    size_t points = 0, bytes = 0, size;
    hd_launch_config config;
    batch_shape shape;
    unsigned most;
    int64_t warp;

    HD_TRY(check(call, batch, type, stream, &points, &bytes));
    if (batch->problems == 0)
        return HD_OK;
    size = hd_type_bytes(type);
    HD_TRY(hd__array_usable(call, "in", in, bytes, size, stream, &usable_in));
    HD_TRY(hd__array_usable(call, "out", out, bytes, size, stream, &usable_out));
    HD_TRY(check_apart(call, usable_in, usable_out, bytes));
    if (batch->coefficients)
        HD_TRY(hd__array_usable(call, "coefficients", batch->coefficients, batch->problems * size,
                                size, stream, &coefficients));
    HD_TRY(hd_device_get(stream->device, HD_ATTR_WARP_SIZE, &warp));
    shape = make_shape(batch->nx, batch->ny, (unsigned)warp);
    most = hd__batch_force_blocks ? hd__batch_force_blocks : BLOCKS_MAX;
    config = hd_launch_with(hd_dim(batch->problems < most ? (unsigned)batch->problems : most, 1, 1),
                            hd_dim(shape.threads, 1, 1), 2 * points * size, stream);
    return type == HD_F32 ? launch_f32(batch, &shape, usable_in, usable_out, coefficients, config)
                          : launch_f64(batch, &shape, usable_in, usable_out, coefficients, config);
}
