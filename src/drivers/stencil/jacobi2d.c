/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d.c - one pass over a 2-D field: chooses the kernel and splits the field. */
#include "jacobi_plan.h"
#include "runtime/backend.h"

static const struct {
    const hd_kernel *kernel;
    hd_type type;
    unsigned depth;
    const char *kind;
} kernels[] = {
#define ROW_f32 HD_F32
#define ROW_f64 HD_F64
#define ROW(type, depth, kind)                                                                     \
    {&hd__jacobi2d_##type##_##depth##kind##_kernel, ROW_##type, depth, #kind},
    HD__JACOBI2D_LIST(ROW) HD__JACOBI2D_LINKED_LIST(ROW)
#undef ROW
};

static const hd_kernel *find(hd_type type, unsigned depth, char kind)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i].type == type && kernels[i].depth == depth && kernels[i].kind[0] == kind)
            return kernels[i].kernel;
    return NULL;
}

/* The number of shares into which the rows of `columns` strips are split; `slots` of them run at
   once. Warps that start together end at different times, so each slot gets several shares; but
   with several sweeps neighbouring shares compute some rows twice. The row counts were fastest on
   an H200. Linked passes take shorter shares, because neighbours wait for the first ones. */
static uint32_t shares(const hd__jacobi2d_task *task, uint32_t bands, uint64_t columns,
                       uint64_t slots, unsigned depth, int linked)
{
    const int deep = depth == HD__JACOBI_MAX_DEPTH;
    const uint64_t length = (uint64_t)bands * task->band;
    uint64_t rows = depth == 1 ? 170 : 192, count;
    if (deep)
        rows = length * columns < 3 * 341 * slots ? 212 : 341;
    else if (linked)
        rows = 128;
    count = length / rows;
    if (count < slots / columns)
        count = slots / columns;
    if (hd__jacobi_forced.chunks)
        count = hd__jacobi_forced.chunks;
    return count < 1 ? 1 : count < bands ? (uint32_t)count : bands;
}

/* Plain bands: the rows that a pass reads for them are all inside the field. A halo side does not
   count as a side if enough of it is in memory. */
static void plain_bands(hd__jacobi2d_task *task)
{
    const uint32_t reach = 2 * HD__JACOBI_MAX_DEPTH;
    const uint32_t rows = task->ny + (uint32_t)task->beyond[3];
    task->plain_first = task->sides[2] != HD_SIDE_HALO;
    task->plain_end = rows > reach ? (rows - reach) / task->band : 0;
    if (task->plain_end > task->ny / task->band)
        task->plain_end = task->ny / task->band;
    task->whole_bands = task->bands;
}

/* The last share of a linked pass must contain all rows that neighbours need: a short last band is
   joined to the one before it. */
static void join_short_band(hd__jacobi2d_task *task)
{
    if (task->bands < 2 || task->ny % task->band == 0)
        return;
    task->whole_bands = task->bands - 1;
    if (task->plain_end > task->bands - 2)
        task->plain_end = task->bands - 2;
}

/* Splits the field into strips, and their rows into shares. Strips from the second on are plain if
   their columns touch no side. */
static hd_status split(const hd_kernel *kernel, unsigned depth, char kind, unsigned warp,
                       hd__jacobi2d_task *task, hd_stream *stream, uint64_t *resident)
{
    const uint32_t width = warp * HD__JACOBI_QUAD, margin = hd__jacobi_margin(depth);
    const uint32_t own = width - 2 * margin;
    const int linked = kind == 'x' || kind == 'y';
    uint64_t slots, others;
    HD_TRY(hd__jacobi_slots(kernel, HD__JACOBI_THREADS, 0, stream, resident));
    slots = *resident * (HD__JACOBI_THREADS / warp);
    task->strips = (task->nx + own - 1) / own;
    plain_bands(task);
    if (linked)
        join_short_band(task);
    if (task->aligned && kind != 'h' && task->nx > width + own &&
        task->plain_end > task->plain_first) {
        const uint32_t bands = task->plain_end - task->plain_first;
        task->plain_strips = (task->nx - 1 - width + margin) / own;
        task->plain_chunks = shares(task, bands, task->plain_strips, slots, depth, linked);
    }
    others = task->strips - task->plain_strips;
    if (task->plain_strips)
        task->edge_chunks = 4 * task->plain_chunks < task->whole_bands ? 4 * task->plain_chunks
                                                                       : task->whole_bands;
    else
        task->edge_chunks = shares(task, task->whole_bands, others, slots, depth, linked);
    return HD_OK;
}

/* The number of blocks for all units of a pass. */
static hd_status blocks_of(const char *call, const hd__jacobi2d_task *task, uint64_t warp,
                           uint64_t *blocks)
{
    const uint64_t caps = (task->plain_first > 0 ? 1u : 0u) +
                          (task->plain_end < task->bands ? 1u : 0u);
    const uint64_t units = task->plain_strips * (task->plain_chunks + caps) +
                           (uint64_t)(task->strips - task->plain_strips) * task->edge_chunks;
    *blocks = (units * warp + HD__JACOBI_THREADS - 1) / HD__JACOBI_THREADS;
    if (*blocks > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "the field has too many cells");
    return HD_OK;
}

static hd_status launch(const hd_kernel *kernel, uint64_t blocks, unsigned threads, void *task,
                        hd_stream *stream)
{
    void *args[] = {task};
    return hd_launch_kernel(
        kernel, hd_launch_with(hd_dim((unsigned)blocks, 1, 1), hd_dim(threads, 1, 1), 0, stream),
        args, __FILE__, __LINE__);
}

hd_status hd__jacobi2d_sweep(const char *call, hd_type type, unsigned depth, char kind,
                             hd__jacobi2d_task *task, hd_stream *stream)
{
    const hd_kernel *kernel = find(type, depth, kind);
    int64_t warp = 0;
    uint64_t blocks = 1;
    task->whole_bands = task->bands;
    if (!hd__jacobi_lanes())
        return launch(kernel, task->bands, 1, task, stream);
    HD_TRY(hd_device_get(stream->device, HD_ATTR_WARP_SIZE, &warp));
    HD_TRY(split(kernel, depth, kind, (unsigned)warp, task, stream, &blocks));
    HD_TRY(blocks_of(call, task, (uint64_t)warp, &blocks));
    return launch(kernel, blocks, HD__JACOBI_THREADS, task, stream);
}

/* ---- linked passes --------------------------------------------------------------------------- */

/* The number of shares of the rows if one launch makes several passes. Units are taken by ticket,
   so there may be many, but each costs waits and `depth` additional rows on both sides; shares of
   64 rows were fastest on an H200. */
static uint32_t shares_by_ticket(const hd__jacobi2d_task *task, uint64_t slots)
{
    const uint32_t rows = hd__jacobi_forced.unit_rows ? hd__jacobi_forced.unit_rows : 64;
    uint64_t count = task->ny / rows;
    if (count * task->strips < slots)
        count = slots / task->strips;
    if (hd__jacobi_forced.chunks)
        count = hd__jacobi_forced.chunks;
    return count < 1 ? 1 : count < task->whole_bands ? (uint32_t)count : task->whole_bands;
}

static hd_status linked_serial(const hd_kernel *kernel, hd__jacobi2d_linked *links,
                               hd_stream *stream)
{
    hd__jacobi2d_task *task = &links->task;
    task->strips = 1;
    task->whole_bands = task->bands;
    join_short_band(task);
    links->chunks = task->whole_bands;
    return launch(kernel, links->passes && links->chunks > 4 ? 4 : links->chunks, 1, links, stream);
}

hd_status hd__jacobi2d_sweep_linked(const char *call, hd_type type, unsigned depth, char kind,
                                    hd__jacobi2d_linked *links, hd_stream *stream)
{
    const hd_kernel *kernel = find(type, depth, kind);
    int64_t warp = 0;
    uint64_t resident = 1, blocks, units;
    if (!hd__jacobi_lanes())
        return linked_serial(kernel, links, stream);
    HD_TRY(hd_device_get(stream->device, HD_ATTR_WARP_SIZE, &warp));
    HD_TRY(split(kernel, depth, kind, (unsigned)warp, &links->task, stream, &resident));
    HD_TRY(blocks_of(call, &links->task, (uint64_t)warp, &blocks));
    if (links->passes) {
        const uint64_t warps = HD__JACOBI_THREADS / (uint64_t)warp;
        links->chunks = shares_by_ticket(&links->task, resident * warps);
        units = (uint64_t)links->task.strips * links->chunks;
        blocks = (units + warps - 1) / warps;
        blocks = blocks < resident ? blocks : resident;
        if (units * links->passes > UINT32_MAX / 2)
            return hd__fail(HD_ERR_OVERFLOW, call, "%u passes of %u units in one launch",
                            links->passes, (unsigned)units);
    }
    return launch(kernel, blocks, HD__JACOBI_THREADS, links, stream);
}

hd_status hd__jacobi2d_pass(const hd__jacobi_call *c, unsigned depth, unsigned turn)
{
    const char kind = c->held ? 'h' : c->norms ? 'n' : 'p';
    hd__jacobi2d_task task = {0};

    task.from = c->field[turn];
    task.to = c->field[turn ^ 1];
    task.held = c->held;
    task.partials = c->partials;
    task.pitch = (uint32_t)c->pitch;
    task.held_pitch = (uint32_t)c->held_pitch;
    task.nx = c->extent[0];
    task.ny = c->extent[1];
    task.quads = c->quads;
    task.band = c->band;
    task.bands = c->bands;
    task.sweep_sums = (uint32_t)c->sweep_sums;
    task.aligned = c->aligned;
    for (unsigned i = 0; i < 4; i++) {
        task.sides[i] = (uint32_t)c->problem->sides[i];
        task.beyond[i] = c->problem->sides[i] == HD_SIDE_HALO ? (int32_t)c->problem->halo : 0;
    }
    return hd__jacobi2d_sweep(c->call, c->problem->type, depth, kind, &task, c->stream);
}
