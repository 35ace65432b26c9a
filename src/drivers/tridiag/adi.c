/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - hd_adi_steps: an explicit part and three batches of tridiagonal systems per step. */
#include <heddle/adi.h>
#include <heddle/tridiag.h>

#include "drivers/array.h"
#include "kernels/tridiag/adi.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"
#include "drivers/scratch.h"

static const char call[] = "hd_adi_steps";

/* One call: its fields, and the workspace of the solves. */
typedef struct adi_run {
    const hd_adi_grid *grid;
    size_t points, field_bytes;
    void *u, *side, *middle, *change; /* lower and upper, diagonal, right-hand side */
    hd_workspace solves;
    uint64_t *singular, *report; /* as given; as kernels see it */
    hd_stream *stream;
#if HD_SERIAL_THREADS
    hd__adi_axes axes;
    size_t table_bytes; /* 0: solved by hd_tridiag */
#endif
} adi_run;

static size_t field_bytes(const hd_adi_grid *grid)
{
    const size_t bytes = grid->nx * grid->ny * grid->nz * hd_type_bytes(grid->type);
    return (bytes + 255) & ~(size_t)255;
}

static hd_tridiag_batch lines(const hd_adi_grid *grid, int axis)
{
    const size_t extent[3] = {grid->nx, grid->ny, grid->nz};
    const size_t width[3] = {1, grid->nx, grid->nx * grid->ny};
    const hd_tridiag_batch batch = {extent[axis], grid->nx * grid->ny * grid->nz / extent[axis],
                                    width[axis], grid->type};
    return batch;
}

static hd_status check(const hd_adi_grid *grid)
{
    const size_t most = SIZE_MAX / 64;
    if (!grid)
        return hd__fail(HD_ERR_ARGUMENT, call, "grid is NULL");
    if (grid->type != HD_F32 && grid->type != HD_F64)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "elements are %s, not f32 or f64",
                        hd_type_name(grid->type));
    if (!(grid->rate > 0) || grid->rate > 1e30)
        return hd__fail(HD_ERR_ARGUMENT, call, "a rate of %g is not above 0", grid->rate);
    if (grid->nx == 0 || grid->ny == 0 || grid->nz == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "the grid has %zu x %zu x %zu points", grid->nx,
                        grid->ny, grid->nz);
    if (grid->ny > most / grid->nx || grid->nz > most / grid->nx / grid->ny)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu x %zu x %zu points do not fit in memory",
                        grid->nx, grid->ny, grid->nz);
    return HD_OK;
}

/* ---- tables, if the threads of a block run one after another --------------------------------- */

#if HD_SERIAL_THREADS
/* Tables of one axis; 0 if the system of chunk ends would have to be split again: hd_tridiag solves
   these. */
static int cut_axis(const hd_adi_grid *grid, int number, hd__adi_axis *axis)
{
    const hd_tridiag_batch batch = lines(grid, number);
    const size_t size = hd_type_bytes(grid->type), strip = HD__ADI_STRIP_BYTES / size;
    const int contiguous = batch.width == 1;
    axis->n = batch.rows;
    axis->width = batch.width;
    axis->chunk_rows = contiguous ? HD__TRIDIAG_SHORT_BYTES / size : HD__TRIDIAG_LONG_ROWS;
    axis->chunks = (axis->n + axis->chunk_rows - 1) / axis->chunk_rows;
    axis->parts = batch.systems / batch.width * ((batch.width + strip - 1) / strip);
    axis->table = NULL;
    return axis->chunks <= (contiguous ? HD__TRIDIAG_MAX_SHORT : HD__TRIDIAG_MAX_LONG);
}

/* Bytes of the tables of all axes, from `memory` on if it is not NULL; 0 if an axis has none. */
static size_t cut_axes(const hd_adi_grid *grid, char *memory, hd__adi_axes *axes)
{
    size_t bytes = 0;
    for (int i = 0; i < 3; i++) {
        if (!cut_axis(grid, i, &axes->axis[i]))
            return 0;
        axes->axis[i].table = memory ? memory + bytes : NULL;
        bytes += (hd__adi_table_of(&axes->axis[i]).elements * hd_type_bytes(grid->type) + 255) &
                 ~(size_t)255;
    }
    return bytes;
}

static hd_status make_tables(const adi_run *run)
{
    const hd_launch_config config = hd_launch_with(hd_dim(3, 1, 1), hd_dim(1, 1, 1), 0,
                                                   run->stream);
    const double side = -run->grid->rate / 2, middle = 1 + run->grid->rate;
    return run->grid->type == HD_F32
               ? hd_launch(hd__adi_tables_f32, config, run->axes, (float)side, (float)middle)
               : hd_launch(hd__adi_tables_f64, config, run->axes, side, middle);
}

/* Blocks of one thread for `parts` units of work. */
static hd_launch_config share_out(const adi_run *run, size_t parts)
{
    const size_t most = (size_t)64 * hd__device_at(run->stream->device)->units;
    const unsigned blocks = (unsigned)(parts < most ? parts : most);
    return hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(1, 1, 1), 0, run->stream);
}

static hd_status change_by_rows(const adi_run *run)
{
    const hd_adi_grid *g = run->grid;
    const hd_launch_config config = share_out(run, g->ny * g->nz);
    return g->type == HD_F32
               ? hd_launch(hd__adi_change_rows_f32, config, g->nx, g->ny, g->nz, (float)g->rate,
                           (const float *)run->u, (float *)run->change)
               : hd_launch(hd__adi_change_rows_f64, config, g->nx, g->ny, g->nz, g->rate,
                           (const double *)run->u, (double *)run->change);
}

/* Solves along an axis; after the last axis adds the change to u. */
static hd_status solve_by_table(const adi_run *run, int number)
{
    const hd__adi_axis *axis = &run->axes.axis[number];
    const hd_launch_config config = share_out(run, axis->parts);
    void *const u = number == 2 ? run->u : NULL;
    return run->grid->type == HD_F32 ? hd_launch(hd__adi_lines_f32, config, *axis,
                                                 (float *)run->change, (float *)u, run->report)
                                     : hd_launch(hd__adi_lines_f64, config, *axis,
                                                 (double *)run->change, (double *)u, run->report);
}
#endif

/* Workspace of the solves: for hd_tridiag, or for tables. */
static hd_status solve_bytes(const hd_adi_grid *grid, size_t *bytes)
{
#if HD_SERIAL_THREADS
    hd__adi_axes axes;
    *bytes = cut_axes(grid, NULL, &axes);
    if (*bytes > 0)
        return HD_OK;
#endif
    *bytes = 0;
    for (int axis = 0; axis < 3; axis++) {
        const hd_tridiag_batch batch = lines(grid, axis);
        size_t need = 0;
        HD_TRY(hd_tridiag_workspace(&batch, HD_TRIDIAG_AUTO, &need));
        *bytes = need > *bytes ? need : *bytes;
    }
    *bytes = (*bytes + 255) & ~(size_t)255;
    return HD_OK;
}

hd_status hd_adi_workspace(const hd_adi_grid *grid, size_t *bytes)
{
    size_t solves = 0;
    HD_TRY(check(grid));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, "hd_adi_workspace", "bytes is NULL");
    HD_TRY(solve_bytes(grid, &solves));
    *bytes = 3 * field_bytes(grid) + solves;
    return HD_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static hd_status set(const adi_run *run, void *to, double value)
{
    const hd_launch_config config = hd_launch_loop(run->points, 256, run->stream);
    return run->grid->type == HD_F32
               ? hd_launch(hd__adi_set_f32, config, run->points, (float)value, (float *)to)
               : hd_launch(hd__adi_set_f64, config, run->points, value, (double *)to);
}

static hd_status change(const adi_run *run)
{
    const hd_adi_grid *g = run->grid;
    const size_t most = 65535; /* blocks along y and z; the kernel loops */
    const hd_launch_config config = hd_launch_3d(g->nx, g->ny < 4 * most ? g->ny : 4 * most,
                                                 g->nz < most ? g->nz : most, hd_dim(64, 4, 1),
                                                 run->stream);
    return g->type == HD_F32
               ? hd_launch(hd__adi_change_f32, config, g->nx, g->ny, g->nz, (float)g->rate,
                           (const float *)run->u, (float *)run->change)
               : hd_launch(hd__adi_change_f64, config, g->nx, g->ny, g->nz, g->rate,
                           (const double *)run->u, (double *)run->change);
}

static hd_status add(const adi_run *run)
{
    const hd_launch_config config = hd_launch_loop(run->points, 256, run->stream);
    return run->grid->type == HD_F32 ? hd_launch(hd__adi_add_f32, config, run->points,
                                                 (const float *)run->change, (float *)run->u)
                                     : hd_launch(hd__adi_add_f64, config, run->points,
                                                 (const double *)run->change, (double *)run->u);
}

static hd_status step(adi_run *run)
{
    HD_TRY(change(run));
    for (int axis = 0; axis < 3; axis++) {
        const hd_tridiag_batch batch = lines(run->grid, axis);
        HD_TRY(hd_tridiag(&batch, run->side, run->middle, run->side, run->change, run->change,
                          run->singular, run->solves.bytes ? &run->solves : NULL, run->stream));
    }
    return add(run);
}

#if HD_SERIAL_THREADS
/* If lines have elements that are not finite, those of the last step are reported. */
static hd_status steps_by_table(adi_run *run, size_t steps)
{
    HD_TRY(make_tables(run));
    while (steps-- > 0) {
        HD_TRY(change_by_rows(run));
        HD_TRY(solve_by_table(run, 0));
        HD_TRY(solve_by_table(run, 1));
        HD_TRY(hd_fill_bytes(run->report, 0xff, 1, 8, run->stream));
        HD_TRY(solve_by_table(run, 2));
    }
    return HD_OK;
}
#endif

static hd_status steps_in(adi_run *run, size_t steps)
{
#if HD_SERIAL_THREADS
    if (run->table_bytes)
        return steps_by_table(run, steps);
#endif
    HD_TRY(set(run, run->side, -run->grid->rate / 2));
    HD_TRY(set(run, run->middle, 1 + run->grid->rate));
    while (steps-- > 0)
        HD_TRY(step(run));
    return HD_OK;
}

static void place(adi_run *run, char *memory, size_t solves)
{
    run->side = memory;
    run->middle = memory + run->field_bytes;
    run->change = memory + 2 * run->field_bytes;
    run->solves.memory = memory + 3 * run->field_bytes;
    run->solves.bytes = solves;
#if HD_SERIAL_THREADS
    run->table_bytes = cut_axes(run->grid, memory + 3 * run->field_bytes, &run->axes);
#endif
}

/* The solves take their workspace from the call's. */
static hd_status with_workspace(adi_run *run, size_t steps, size_t solves, hd_workspace *workspace)
{
    static const char mark;
    void *memory = NULL;
    hd_status status;
    (void)pthread_mutex_lock(&run->stream->scratch_lock);
    status = hd__scratch(call, 3 * run->field_bytes + solves, 0, &mark, workspace, run->stream,
                         &memory);
    (void)pthread_mutex_unlock(&run->stream->scratch_lock);
    if (status < 0)
        return status;
    place(run, (char *)memory, solves);
    return steps_in(run, steps);
}

static hd_status without_workspace(adi_run *run, size_t steps, size_t solves)
{
    void *memory = NULL;
    hd_status status, later;
    HD_TRY(hd_alloc_async_bytes(&memory, 3 * run->field_bytes + solves, 1, run->stream));
    place(run, (char *)memory, solves);
    status = steps_in(run, steps);
    later = hd_free_async(memory, run->stream);
    return status < 0 ? status : later;
}

hd_status hd_adi_steps(const hd_adi_grid *grid, size_t steps, void *u, uint64_t *singular,
                       hd_workspace *workspace, hd_stream *stream)
{
    adi_run run = {0};
    void *report = NULL;
    size_t solves = 0;

    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check(grid));
    run.grid = grid;
    run.stream = stream;
    run.singular = singular;
    run.points = grid->nx * grid->ny * grid->nz;
    run.field_bytes = field_bytes(grid);
    HD_TRY(hd__array_usable(call, "u", u, run.points * hd_type_bytes(grid->type),
                            hd_type_bytes(grid->type), stream, &run.u));
    HD_TRY(hd__array_usable(call, "singular", singular, 8, 8, stream, &report));
    HD_TRY(solve_bytes(grid, &solves));
    run.report = report;
    HD_TRY(hd_fill_bytes(report, 0xff, 1, 8, stream));
    return workspace ? with_workspace(&run, steps, solves, workspace)
                     : without_workspace(&run, steps, solves);
}
