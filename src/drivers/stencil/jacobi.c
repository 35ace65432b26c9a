/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.c - hd_jacobi2d, hd_jacobi3d: check the arguments, launch passes and fold norms. */
#include "jacobi_plan.h"

#include "drivers/array.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

enum { LARGEST_EXTENT = INT32_MAX - 1024, HALO_MAX = 1 << 20 };

static size_t round_up(size_t n)
{
    return (n + 255) / 256 * 256;
}

unsigned hd__jacobi_depth(const hd__jacobi_call *c, size_t left)
{
    unsigned depth = 8;
    if (c->dimensions == 3)
        depth = 2;
    else if (c->problem->type == HD_F64 || c->problem->held)
        depth = 4;
    if (!hd__jacobi_lanes())
        depth = 1;
    while (depth > left || depth > c->depth || (c->problem->held && depth == 2))
        depth /= 2;
    return depth ? depth : 1;
}

/* The limit on sweeps per pass that the caller sets. */
static unsigned asked_depth(const hd_jacobi *problem)
{
    return problem->depth ? problem->depth : HD__JACOBI_MAX_DEPTH;
}

unsigned hd__jacobi_first_depth(const hd_jacobi *problem, unsigned dimensions)
{
    const hd__jacobi_call c = {
        .problem = problem, .dimensions = dimensions, .depth = asked_depth(problem)};
    return hd__jacobi_depth(&c, problem->sweeps);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static hd_status check_sides(hd__jacobi_call *c)
{
    static const char axes[] = "xyz";
    for (unsigned a = 0; a < c->dimensions; a++) {
        const hd_side low = c->problem->sides[2 * a], high = c->problem->sides[2 * a + 1];
        if ((int)low < 0 || low > HD_SIDE_HALO || (int)high < 0 || high > HD_SIDE_HALO)
            return hd__fail(HD_ERR_ARGUMENT, c->call, "no side has the numbers %d, %d", (int)low,
                            (int)high);
        if ((low == HD_SIDE_PERIODIC) != (high == HD_SIDE_PERIODIC))
            return hd__fail(HD_ERR_ARGUMENT, c->call,
                            "one end of %c is periodic and the other is not", axes[a]);
        if ((low == HD_SIDE_HALO || high == HD_SIDE_HALO) && c->dimensions == 3)
            return hd__fail(HD_ERR_UNSUPPORTED, c->call, "sides are halos in 2-D alone");
        c->halo |= low == HD_SIDE_HALO || high == HD_SIDE_HALO;
    }
    return HD_OK;
}

/* Halo cells are up to date for one pass only. */
static hd_status check_halo(const hd__jacobi_call *c)
{
    const hd_jacobi *p = c->problem;
    if (!c->halo)
        return HD_OK;
    if (p->halo < p->sweeps || p->halo == 0 || p->halo > HALO_MAX)
        return hd__fail(HD_ERR_ARGUMENT, c->call,
                        "%zu sweeps with a halo of %zu cells (of at most %d)", p->sweeps, p->halo,
                        (int)HALO_MAX);
    if (p->sweeps && hd__jacobi_depth(c, p->sweeps) != p->sweeps)
        return hd__fail(HD_ERR_ARGUMENT, c->call, "%zu sweeps with halos, which are not one pass",
                        p->sweeps);
    return HD_OK;
}

static hd_status check_extents(hd__jacobi_call *c)
{
    const hd_jacobi *p = c->problem;
    const size_t extents[3] = {p->nx, p->ny, c->dimensions == 3 ? p->nz : 1};
    const size_t element = hd_type_bytes(p->type);
    for (unsigned a = 0; a < 3; a++) {
        if (extents[a] > LARGEST_EXTENT)
            return hd__fail(HD_ERR_OVERFLOW, c->call, "an extent of %zu is more than %d",
                            extents[a], (int)LARGEST_EXTENT);
        c->extent[a] = (uint32_t)extents[a];
    }
    c->pitch = p->pitch ? p->pitch : p->nx;
    if (c->pitch < p->nx || c->pitch > UINT32_MAX)
        return hd__fail(HD_ERR_ARGUMENT, c->call, "a row of %zu cells has %zu elements", p->nx,
                        c->pitch);
    c->plane = c->dimensions == 3 && p->plane ? p->plane : p->ny * c->pitch;
    if (c->plane < p->ny * c->pitch)
        return hd__fail(HD_ERR_ARGUMENT, c->call, "a plane of %zu rows has %zu elements", p->ny,
                        c->plane);
    if (extents[2] && c->plane > SIZE_MAX / 2 / element / extents[2])
        return hd__fail(HD_ERR_OVERFLOW, c->call, "the field does not fit in memory");
    c->held_pitch = p->held_pitch ? p->held_pitch : p->nx;
    if (p->held && (c->held_pitch < p->nx || c->held_pitch > UINT32_MAX))
        return hd__fail(HD_ERR_ARGUMENT, c->call, "a row of %zu cells has %zu bytes in held", p->nx,
                        c->held_pitch);
    return HD_OK;
}

/* How partial sums are split into tiles; depends only on the extents. */
static hd_status split(hd__jacobi_call *c)
{
    const uint64_t cells = (uint64_t)c->extent[0] * c->extent[1];
    const uint32_t length = c->dimensions == 3 ? c->extent[2] : c->extent[1];
    const uint64_t lines = c->dimensions == 3 ? c->extent[1] : 1;
    uint64_t tiles;
    c->quads = (c->extent[0] + HD__JACOBI_QUAD - 1) / HD__JACOBI_QUAD;
    c->band = c->dimensions == 3 ? hd__jacobi3d_band(cells * length) : hd__jacobi2d_band(cells);
    c->bands = (length + c->band - 1) / c->band;
    c->sweep_sums = (uint64_t)c->bands * lines * c->quads;
    tiles = (c->sweep_sums + HD__JACOBI_TILE - 1) / HD__JACOBI_TILE;
    if (c->sweep_sums > UINT32_MAX || tiles > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, c->call, "the field has too many cells");
    c->tiles = (uint32_t)tiles;
    return HD_OK;
}

static hd_status check_problem(const char *call, const hd_jacobi *problem, unsigned dimensions,
                               hd__jacobi_call *c)
{
    *c = (hd__jacobi_call){0};
    c->call = call;
    c->problem = problem;
    c->dimensions = dimensions;
    if (!problem)
        return hd__fail(HD_ERR_ARGUMENT, call, "problem is NULL");
    if (problem->type != HD_F32 && problem->type != HD_F64)
        return hd__fail(HD_ERR_ARGUMENT, call, "fields are f32 or f64");
    if (problem->held && dimensions == 3)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "cells are held in 2-D alone");
    HD_TRY(check_sides(c));
    HD_TRY(check_extents(c));
    if (c->extent[0] == 0 || c->extent[1] == 0 || c->extent[2] == 0)
        return HD_OK;
    c->depth = asked_depth(problem);
    HD_TRY(check_halo(c));
    return split(c);
}

/* Kernels that support held cells always write sums, wanted or not. */
static size_t workspace_bytes(const hd__jacobi_call *c)
{
    const size_t element = hd_type_bytes(c->problem->type);
    const unsigned depth = hd__jacobi_depth(c, c->problem->sweeps);
    if ((!c->problem->norms && !c->problem->held) || c->bands == 0)
        return 0;
    return HD__JACOBI_HEADER_BYTES + round_up(sizeof(double) * c->tiles * depth) +
           round_up(element * (size_t)c->sweep_sums * depth);
}

/* Cells in memory before the first one (high 0) or after the last one (high 1) of a field. */
static size_t beyond(const hd__jacobi_call *c, unsigned high, size_t pitch)
{
    const hd_side *sides = c->problem->sides;
    return (sides[high] == HD_SIDE_HALO ? c->problem->halo : 0) +
           (sides[2 + high] == HD_SIDE_HALO ? c->problem->halo * pitch : 0);
}

static hd_status check_array(const hd__jacobi_call *c, const char *what, const void *array,
                             size_t cells, size_t pitch, size_t element, void **usable)
{
    const size_t before = beyond(c, 0, pitch) * element;
    const size_t bytes = cells * element + before + beyond(c, 1, pitch) * element;
    void *first = NULL;
    if (before > (uintptr_t)array)
        return hd__fail(HD_ERR_POINTER, c->call, "%s is NULL or has no halo before it", what);
    HD_TRY(hd__array_usable(c->call, what, (const char *)array - before, bytes, element, c->stream,
                            &first));
    *usable = (char *)first + before;
    return HD_OK;
}

static hd_status check_fields(hd__jacobi_call *c, void *field, void *other)
{
    const size_t element = hd_type_bytes(c->problem->type);
    const size_t last_row = (c->extent[1] - (size_t)1) * c->pitch + c->extent[0];
    const size_t cells = (c->extent[2] - (size_t)1) * c->plane + last_row;
    const size_t bytes = (cells + beyond(c, 0, c->pitch) + beyond(c, 1, c->pitch)) * element;
    const uintptr_t a = (uintptr_t)field, b = (uintptr_t)other;
    void *usable = NULL;
    HD_TRY(check_array(c, "field", field, cells, c->pitch, element, &c->field[0]));
    HD_TRY(check_array(c, "other", other, cells, c->pitch, element, &c->field[1]));
    if (a < b + bytes && b < a + bytes)
        return hd__fail(HD_ERR_ARGUMENT, c->call, "the two fields overlap");
    c->aligned = (((uintptr_t)c->field[0] | (uintptr_t)c->field[1] | c->pitch * element |
                   c->plane * element) &
                  15) == 0;
    if (c->problem->norms) {
        HD_TRY(hd__array_usable(c->call, "norms", c->problem->norms,
                                hd_bytes(c->problem->sweeps, sizeof(double)), sizeof(double),
                                c->stream, &usable));
        c->norms = (double *)usable;
    }
    if (c->problem->held) {
        const size_t held = (c->extent[1] - (size_t)1) * c->held_pitch + c->extent[0];
        HD_TRY(check_array(c, "held", c->problem->held, held, c->held_pitch, 1, &usable));
        c->held = (const uint8_t *)usable;
    }
    return HD_OK;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Folds the norms of `depth` sweeps from `sweep` on. */
static hd_status fold(const hd__jacobi_call *c, size_t sweep, unsigned depth)
{
    hd__jacobi_fold_task task = {0};
    const unsigned threads = hd__jacobi_lanes() ? HD__JACOBI_SLOTS : 1;
    const hd_launch_config config = hd_launch_with(hd_dim(c->tiles, depth, 1),
                                                   hd_dim(threads, 1, 1), 0, c->stream);
    task.partials = c->partials;
    task.tiles = c->tile_sums;
    task.tickets = c->tickets;
    task.norms = c->norms + sweep;
    task.count = c->sweep_sums;
    task.tile_count = c->tiles;
    return c->problem->type == HD_F32 ? hd_launch(hd__jacobi_fold_f32, config, task)
                                      : hd_launch(hd__jacobi_fold_f64, config, task);
}

static hd_status run_passes(hd__jacobi_call *c, size_t bytes, hd_workspace *workspace,
                            unsigned *turn)
{
    static const char mark;
    void *memory = NULL;
    if (bytes) {
        HD_TRY(hd__scratch(c->call, bytes, HD__JACOBI_HEADER_BYTES, &mark, workspace, c->stream,
                           &memory));
        const unsigned depth = hd__jacobi_depth(c, c->problem->sweeps);
        c->tickets = (uint32_t *)memory;
        c->tile_sums = (double *)(void *)((char *)memory + HD__JACOBI_HEADER_BYTES);
        c->partials = (char *)c->tile_sums + round_up(sizeof(double) * c->tiles * depth);
    }
    for (size_t sweep = 0; sweep < c->problem->sweeps;) {
        const unsigned depth = hd__jacobi_depth(c, c->problem->sweeps - sweep);
        HD_TRY(c->dimensions == 3 ? hd__jacobi3d_pass(c, depth, *turn)
                                  : hd__jacobi2d_pass(c, depth, *turn));
        if (c->norms)
            HD_TRY(fold(c, sweep, depth));
        sweep += depth;
        *turn ^= 1;
    }
    return HD_OK;
}

static hd_status jacobi(const char *call, unsigned dimensions, const hd_jacobi *problem,
                        void *field, void *other, void **result, hd_workspace *workspace,
                        hd_stream *stream)
{
    hd__jacobi_call c;
    hd_status status;
    unsigned turn = 0;
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (!result)
        return hd__fail(HD_ERR_ARGUMENT, call, "result is NULL");
    HD_TRY(check_problem(call, problem, dimensions, &c));
    c.stream = stream;
    if (c.bands == 0) {
        if (problem->norms && problem->sweeps)
            HD_TRY(hd_fill_zero(problem->norms, problem->sweeps, stream));
        *result = field;
        return HD_OK;
    }
    HD_TRY(check_fields(&c, field, other));
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = run_passes(&c, workspace_bytes(&c), workspace, &turn);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    if (status >= 0)
        *result = turn ? other : field;
    return status;
}

static hd_status workspace_of(const char *call, unsigned dimensions, const hd_jacobi *problem,
                              size_t *bytes)
{
    hd__jacobi_call c;
    HD_TRY(check_problem(call, problem, dimensions, &c));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    *bytes = workspace_bytes(&c);
    return HD_OK;
}

hd_status hd_jacobi2d_workspace(const hd_jacobi *problem, size_t *bytes)
{
    return workspace_of("hd_jacobi2d_workspace", 2, problem, bytes);
}

hd_status hd_jacobi3d_workspace(const hd_jacobi *problem, size_t *bytes)
{
    return workspace_of("hd_jacobi3d_workspace", 3, problem, bytes);
}

hd_status hd_jacobi2d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream)
{
    return jacobi("hd_jacobi2d", 2, problem, field, other, result, workspace, stream);
}

hd_status hd_jacobi3d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream)
{
    return jacobi("hd_jacobi3d", 3, problem, field, other, result, workspace, stream);
}
