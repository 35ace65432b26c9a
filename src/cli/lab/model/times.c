/* SPDX-License-Identifier: Apache-2.0 */
/* times.c - the formulas of `heddle model`; docs/mpi.md explains them. */
#include <math.h>

#include <heddle/domain.h>

#include "drivers/stencil/jacobi_plan.h"
#include "model.h"

/* Sweeps whose norms are reduced together, and steps of the reduction. */
static const double slots = 64, steps = 4;

/* Splits into stripes of rows, or into tiles if there are more parts than bands. */
static hd_status split(const model *m, size_t ny, unsigned devices, model_times *t)
{
    hd_domain domain = {.nx = m->nx, .ny = ny, .tiles_x = 1, .tiles_y = devices, .periodic_y = 1};
    hd_part largest;
    domain.align_x = HD__JACOBI_QUAD;
    domain.align_y = hd__jacobi2d_band((uint64_t)m->nx * ny);
    if (devices > (ny + domain.align_y - 1) / domain.align_y)
        HD_TRY(hd_domain_tile(&domain, devices));
    HD_TRY(hd_domain_part(&domain, 0, &largest)); /* the first parts have the larger share */
    t->devices = devices;
    t->nodes = (devices + m->per_node - 1) / m->per_node;
    t->tiles_x = domain.tiles_x;
    t->tiles_y = domain.tiles_y;
    t->nx = largest.nx;
    t->ny = largest.ny;
    return HD_OK;
}

static double message(const model_link *link, double bytes)
{
    return link->alpha + bytes / link->rate;
}

/* Time of one pass on the device with the most data to exchange. Each link has its own port. */
static double exchange(const model *m, const model_times *t)
{
    const double element = (double)hd_type_bytes(m->type), depth = m->depth;
    const double rows = depth * (double)t->nx * element, columns = depth * (double)t->ny * element;
    if (t->devices == 1)
        return 0;
    if (t->tiles_x > 1) /* rows go to other nodes, columns stay within the node */
        return t->nodes == 1 ? message(&m->node, 2 * rows + 2 * columns)
                             : fmax(message(m->per_node > 1 ? &m->node : &m->net, 2 * columns),
                                    message(&m->net, 2 * rows));
    if (t->nodes == 1)
        return message(&m->node, 2 * rows);
    if (m->per_node == 1)
        return message(&m->net, 2 * rows);
    if (m->per_node == 2)
        return fmax(message(&m->node, rows), message(&m->net, rows));
    return fmax(message(&m->node, 2 * rows), message(&m->net, rows));
}

/* Time per sweep: log2(devices) steps with messages of a few bytes, amortized over many sweeps. */
static double gather(const model *m, const model_times *t)
{
    const double alpha = t->nodes > 1 ? m->net.alpha : m->node.alpha;
    const double kept = m->norm_every >= m->depth ? slots / (double)m->depth
                                                  : slots / (double)m->norm_every;
    if (t->devices == 1 || m->norm_every == 0)
        return 0;
    return steps * ceil(log2(t->devices)) * alpha / (fmax(kept, 1) * (double)m->norm_every);
}

static double alone(const model *m, double cells)
{
    return cells / m->rate + m->launch / m->depth;
}

static void add_up(const model *m, size_t ny, model_times *t)
{
    const double cells = (double)t->nx * (double)t->ny;
    const double bands = 2.0 * hd__jacobi2d_band((uint64_t)m->nx * ny) * (double)t->nx;
    const double outer = t->devices == 1 ? 0 : fmin(bands, cells);
    t->edges = outer / m->rate;
    t->between = (cells - outer) / m->rate;
    t->exchange = exchange(m, t) / m->depth;
    t->norms = gather(m, t);
    t->sweep = m->launch / m->depth + t->edges + t->norms +
               (m->overlap ? fmax(t->between, t->exchange) : t->between + t->exchange);
}

hd_status model_strong(const model *m, unsigned devices, model_times *times)
{
    model_times t = {0};
    HD_TRY(split(m, m->ny, devices, &t));
    add_up(m, m->ny, &t);
    t.alone = alone(m, (double)m->nx * (double)m->ny);
    t.speedup = t.alone / t.sweep;
    t.efficiency = t.speedup / devices;
    *times = t;
    return HD_OK;
}

hd_status model_weak(const model *m, unsigned devices, model_times *times)
{
    model_times t = {0};
    if (m->ny > SIZE_MAX / devices)
        return HD_ERR_OVERFLOW;
    HD_TRY(split(m, m->ny * devices, devices, &t));
    add_up(m, m->ny * devices, &t);
    t.alone = alone(m, (double)m->nx * (double)m->ny);
    t.speedup = devices * t.alone / t.sweep;
    t.efficiency = t.alone / t.sweep;
    *times = t;
    return HD_OK;
}
