/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - one pass over all parts, and how each variant sends its rows to the neighbours. Work is
   issued in phases: a phase waits for events that the one before it recorded. */
#include "jacobi_group.h"

#include "runtime/backend.h"

/* ---- arguments of a launch ------------------------------------------------------------------- */

/* Columns x to x + nx - 1 and rows y to y + ny - 1 of a part; x is a multiple of 4, y of bands. */
typedef struct rectangle {
    size_t x, y, nx, ny;
} rectangle;

static char *at(const hd_jacobi_group *g, const hd__jacobi_part *p, unsigned turn, ptrdiff_t x,
                ptrdiff_t y)
{
    return (char *)p->first[turn] + (y * (ptrdiff_t)p->pitch + x) * (ptrdiff_t)g->element;
}

/* Cells in memory beyond a side of the rectangle that is not a side of the field. */
static void set_sides(const hd__jacobi_part *p, const rectangle *r, hd__jacobi2d_task *task)
{
    const size_t before[4] = {r->x, p->place.nx - r->x - r->nx, r->y, p->place.ny - r->y - r->ny};
    for (unsigned i = 0; i < 4; i++) {
        const int own = before[i] == 0; /* it is a side of the part */
        const int halo = !own || p->sides[i] == HD_SIDE_HALO;
        const size_t beyond = before[i] +
                              (p->sides[i] == HD_SIDE_HALO ? HD__JACOBI_ROWS_BEYOND : 0);
        task->sides[i] = (uint32_t)(own ? p->sides[i] : HD_SIDE_HALO);
        task->beyond[i] = halo ? (int32_t)beyond : 0;
    }
}

static hd__jacobi2d_task task_of(const hd_jacobi_group *g, const hd__jacobi_part *p,
                                 const hd__jacobi_step *step, const rectangle *r)
{
    hd__jacobi2d_task task = {0};
    task.from = at(g, p, g->field.turn, (ptrdiff_t)r->x, (ptrdiff_t)r->y);
    task.to = at(g, p, g->field.turn ^ 1, (ptrdiff_t)r->x, (ptrdiff_t)r->y);
    task.pitch = (uint32_t)p->pitch;
    task.nx = (uint32_t)r->nx;
    task.ny = (uint32_t)r->ny;
    task.quads = p->quads;
    task.band = g->band;
    task.bands = (uint32_t)((r->ny + g->band - 1) / g->band);
    task.sweep_sums = p->bands * p->quads;
    task.aligned = 1;
    if (step->norms)
        task.partials = (char *)p->sums.own[g->sums.half] +
                        (((size_t)step->slot * p->bands + r->y / g->band) * p->quads + r->x / 4) *
                            g->element;
    set_sides(p, r, &task);
    return task;
}

static hd_status sweep(const hd_jacobi_group *g, const hd__jacobi_part *p,
                       const hd__jacobi_step *step, rectangle r, hd_stream *stream)
{
    hd__jacobi2d_task task;
    if (r.nx == 0 || r.ny == 0)
        return HD_OK;
    task = task_of(g, p, step, &r);
    return hd__jacobi2d_sweep(g->call, g->type, step->depth, step->norms ? 'n' : 'p', &task,
                              stream);
}

static rectangle whole(const hd__jacobi_part *p)
{
    const rectangle r = {0, 0, p->place.nx, p->place.ny};
    return r;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static hd_status launch_whole(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    return sweep(g, p, argument, whole(p), p->main);
}

/* Side 0 is the low side of y. */
static void link_side(const hd_jacobi_group *g, const hd__jacobi_part *p, unsigned side,
                      int by_words, hd__jacobi2d_linked *links)
{
    const int beside = p->place.neighbours[side ? 2 : 0][1];
    const hd__jacobi_part *n;
    links->arrived[side] = p->words->arrived[side];
    links->announce[side] = p->words->unseen[side];
    if (beside < 0 || p->sides[2 + side] != HD_SIDE_HALO)
        return;
    n = &g->parts[beside];
    for (unsigned t = 0; t < 2; t++)
        links->shared[t][side] = at(g, n, g->field.turn ^ 1 ^ t, 0,
                                    side ? -(ptrdiff_t)p->place.ny : (ptrdiff_t)n->place.ny);
    links->shared_pitch[side] = (uint32_t)n->pitch;
    links->share[side] = g->depth;
    if (by_words)
        links->announce[side] = n->words->arrived[side ? 0 : 1];
}

static hd_status launch_linked(hd_jacobi_group *g, hd__jacobi_part *p, const hd__jacobi_step *step,
                               int by_words)
{
    const rectangle r = whole(p);
    hd__jacobi2d_linked links = {0};
    links.task = task_of(g, p, step, &r);
    for (unsigned side = 0; side < 2; side++)
        link_side(g, p, side, by_words, &links);
    links.released = &p->words->released;
    links.done = p->done;
    links.ticket = p->done + hd__jacobi_done_words(p) - 1;
    links.made = by_words ? g->field.made : 0;
    links.passes = step->passes;
    if (step->passes)
        HD_TRY(hd_fill_zero(p->done, hd__jacobi_done_words(p), p->main));
    return hd__jacobi2d_sweep_linked(g->call, g->type, step->depth, step->norms ? 'x' : 'y', &links,
                                     p->main);
}

static hd_status launch_by_words(hd_jacobi_group *g, unsigned index, void *argument)
{
    return launch_linked(g, &g->parts[index], argument, 1);
}

/* Waits for the neighbours' last pass, which read the rows that this pass overwrites there. */
static hd_status wait_neighbours(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    (void)argument;
    for (unsigned dy = 0; dy <= 2; dy += 2)
        if (p->place.neighbours[dy][1] >= 0)
            HD_TRY(hd_stream_wait(p->main, g->parts[p->place.neighbours[dy][1]].swept));
    return HD_OK;
}

static hd_status launch_by_events(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    HD_TRY(launch_linked(g, p, argument, 0));
    return hd_event_record(p->swept, p->main);
}

/* ---- outermost cells first ------------------------------------------------------------------- */

enum { EDGE_COLUMNS = 128 };

/* Splits off the bands and columns at sides that have neighbours; inner: the rest, which reads
   nothing outside the part. If the rest would be smaller than the range that a pass reads across a
   cut, everything is edge. */
static unsigned cut_edges(const hd_jacobi_group *g, const hd__jacobi_part *p, rectangle edges[4],
                          rectangle *inner)
{
    const size_t nx = p->place.nx, ny = p->place.ny;
    const size_t low = p->sides[2] == HD_SIDE_HALO ? g->band : 0;
    const size_t west = p->sides[0] == HD_SIDE_HALO ? EDGE_COLUMNS : 0;
    const size_t high_bands = ny % g->band && ny % g->band < HD__JACOBI_REACH ? 2 : 1;
    const size_t from = p->bands > high_bands ? (p->bands - high_bands) * g->band : 0;
    const size_t high = p->sides[3] == HD_SIDE_HALO ? from : ny;
    const size_t east = p->sides[1] != HD_SIDE_HALO ? nx
                        : nx > EDGE_COLUMNS         ? (nx - EDGE_COLUMNS) / 4 * 4
                                                    : 0;
    unsigned count = 0;
    if (low + g->depth > high || west + g->depth > east) {
        edges[0] = whole(p);
        *inner = (rectangle){0, 0, 0, 0};
        return 1;
    }
    *inner = (rectangle){west, low, east - west, high - low};
    if (low > 0)
        edges[count++] = (rectangle){0, 0, nx, low};
    if (high < ny)
        edges[count++] = (rectangle){0, high, nx, ny - high};
    if (west > 0)
        edges[count++] = (rectangle){0, low, west, high - low};
    if (east < nx)
        edges[count++] = (rectangle){east, low, nx - east, high - low};
    return count;
}

/* Edges wait for the last pass: for its inner cells by the event, for its edges and for received
   rows by stream order. Inner cells wait for the edges of the last pass, but not for its copies. */
static hd_status launch_edges(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    rectangle edges[4], inner;
    const unsigned count = cut_edges(g, p, edges, &inner);
    HD_TRY(hd_stream_wait(p->edge, p->swept));
    HD_TRY(hd_stream_wait(p->main, p->edged));
    for (unsigned i = 0; i < count; i++)
        HD_TRY(sweep(g, p, argument, edges[i], p->edge));
    HD_TRY(hd_event_record(p->edged, p->edge));
    HD_TRY(sweep(g, p, argument, inner, p->main));
    return hd_event_record(p->swept, p->main);
}

/* ---- variants -------------------------------------------------------------------------------- */

static hd_status step_blocking(hd_jacobi_group *g, hd__jacobi_step *step)
{
    HD_TRY(hd__jacobi_each(g, launch_whole, step));
    HD_TRY(hd__jacobi_group_wait(g, NULL));
    HD_TRY(hd__jacobi_group_exchange(g, g->field.turn ^ 1, 0));
    return hd__jacobi_group_wait(g, NULL);
}

hd_status hd__jacobi_group_step(hd_jacobi_group *g, const hd__jacobi_step *given)
{
    hd__jacobi_step step = *given;
    if (g->stores && (g->variant == HD_JACOBI_PEER_STORE || g->variant == HD_JACOBI_PERSISTENT))
        return hd__jacobi_each(g, launch_by_words, &step);
    if (g->variant == HD_JACOBI_COPY_BLOCKING)
        return step_blocking(g, &step);
    if (g->variant == HD_JACOBI_COPY_OVERLAP || g->variant == HD_JACOBI_CCL ||
        g->variant == HD_JACOBI_PEER_STORE) {
        HD_TRY(hd__jacobi_each(g, launch_edges, &step));
        return hd__jacobi_group_exchange(g, g->field.turn ^ 1, 1);
    }
    if (g->stores) { /* events, graph */
        HD_TRY(hd__jacobi_each(g, wait_neighbours, NULL));
        return hd__jacobi_each(g, launch_by_events, &step);
    }
    HD_TRY(hd__jacobi_each(g, launch_whole, &step));
    return hd__jacobi_group_exchange(g, g->field.turn ^ 1, 0);
}
