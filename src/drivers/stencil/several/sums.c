/* SPDX-License-Identifier: Apache-2.0 */
/* sums.c - norms of a field on several devices, bit-identical to those on one. The partial sums of
   all parts, in the order of the field, are split into the tiles of docs/laplace.md. A tile is
   folded by the row of tiles of parts that has its first sum and receives the others; the host adds
   the few sums of tiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jacobi_group.h"
#include "runtime/backend.h"

enum { SUMS_BYTES = 64 << 20 };

/* The part that folds for a row of tiles. */
static unsigned leader(const hd_jacobi_group *g, unsigned row)
{
    return row * (g->count / g->rows);
}

static int leads(const hd_jacobi_group *g, unsigned index)
{
    return g->parts[index].place.tile_x == 0;
}

static const hd__jacobi_share *share_of(const hd_jacobi_group *g, unsigned index)
{
    return &g->sums.shares[g->parts[index].place.tile_y];
}

/* ---- distribution ---------------------------------------------------------------------------- */

static uint64_t tile_from(uint64_t sum)
{
    return (sum + HD__JACOBI_TILE - 1) / HD__JACOBI_TILE;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void plan_shares(hd_jacobi_group *g)
{
    g->sums.count = (g->domain.ny + g->band - 1) / g->band * (uint64_t)g->quads;
    for (unsigned r = 0; r < g->rows; r++) {
        const hd__jacobi_part *p = &g->parts[leader(g, r)];
        hd__jacobi_share *s = &g->sums.shares[r];
        s->first = p->place.y / g->band * (uint64_t)g->quads;
        s->count = (uint64_t)p->bands * g->quads;
        s->tile = (uint32_t)tile_from(s->first);
        s->tiles = (uint32_t)tile_from(s->first + s->count) - s->tile;
        s->lead = least((uint64_t)s->tile * HD__JACOBI_TILE - s->first, s->count);
        if (s->tiles)
            s->tail = least((uint64_t)(s->tile + s->tiles) * HD__JACOBI_TILE, g->sums.count) -
                      (s->first + s->count);
    }
    for (unsigned r = 1; r < g->rows; r++) {
        hd__jacobi_share *s = &g->sums.shares[r];
        s->taker = r - 1;
        while (s->lead && g->sums.shares[s->taker].tiles == 0)
            s->taker--;
        s->lead_at = s->first - (g->sums.shares[s->taker].first + g->sums.shares[s->taker].count);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static unsigned slots_of(const hd_jacobi_group *g)
{
    uint64_t most = 1, slots;
    for (unsigned i = 0; i < g->count; i++)
        if ((uint64_t)g->parts[i].bands * g->parts[i].quads > most)
            most = (uint64_t)g->parts[i].bands * g->parts[i].quads;
    slots = SUMS_BYTES / (most * g->element);
    if (hd__jacobi_group_forced.slots)
        slots = hd__jacobi_group_forced.slots;
    if (slots > HD__JACOBI_SLOTS_MAX)
        slots = HD__JACOBI_SLOTS_MAX;
    return slots < g->depth ? g->depth : (unsigned)slots;
}

static hd_status device_memory(const hd_jacobi_group *g, const hd__jacobi_part *p, uint64_t sums,
                               void **memory)
{
    return hd_alloc_bytes(memory, (size_t)sums * g->sums.slots, g->element, HD_MEM_DEVICE,
                          p->device);
}

static hd_status open_half(hd_jacobi_group *g, hd__jacobi_part *p, unsigned half)
{
    const hd__jacobi_share *s = &g->sums.shares[p->place.tile_y];
    const unsigned across = g->count / g->rows;
    const size_t tiles = (size_t)s->tiles * g->sums.slots;
    HD_TRY(device_memory(g, p, (uint64_t)p->bands * p->quads, &p->sums.own[half]));
    HD_TRY(hd_event_create(p->device, 0, &p->sums.folded[half]));
    if (!leads(g, p->place.index))
        return HD_OK;
    if (across > 1) {
        HD_TRY(device_memory(g, p, s->count, &p->sums.rows[half]));
        HD_TRY(
            device_memory(g, p, s->count - (uint64_t)p->bands * p->quads, &p->sums.gathered[half]));
    }
    HD_TRY(device_memory(g, p, s->tail, &p->sums.tail[half]));
    HD_TRY(hd_alloc(&p->sums.tiles[half], tiles, p->device));
    return hd_alloc_kind(&p->sums.tiles_host[half], tiles, HD_MEM_PINNED, p->device);
}

static hd_status open_part(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    (void)argument;
    HD_TRY(hd_event_create(p->device, 0, &p->sums.summed));
    HD_TRY(hd_event_create(p->device, 0, &p->sums.given));
    for (unsigned half = 0; half < HD__JACOBI_HALVES; half++)
        HD_TRY(open_half(g, p, half));
    return HD_OK;
}

/* Connects pairs that exchange sums, which need not be neighbours. Done in advance: connecting
   waits for devices, which may later wait for each other. */
static hd_status connect_pairs(const hd_jacobi_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        const hd__jacobi_part *p = &g->parts[i];
        const unsigned first = leader(g, p->place.tile_y);
        const unsigned taker = leader(g, share_of(g, i)->taker);
        HD_TRY(hd_peer_connect(p->device, g->parts[first].device, NULL));
        if (leads(g, i))
            HD_TRY(hd_peer_connect(p->device, g->parts[taker].device, NULL));
    }
    return HD_OK;
}

hd_status hd__jacobi_sums_open(hd_jacobi_group *g)
{
    g->sums.slots = slots_of(g);
    g->sums.shares = calloc(g->rows, sizeof *g->sums.shares);
    if (!g->sums.shares)
        return hd__fail(HD_ERR_NO_MEMORY, g->call, "no memory for %u rows of parts", g->rows);
    plan_shares(g);
    HD_TRY(connect_pairs(g));
    return hd__jacobi_each(g, open_part, NULL);
}

static void close_part(hd__jacobi_part *p)
{
    for (unsigned half = 0; half < HD__JACOBI_HALVES; half++) {
        hd_free(p->sums.own[half]);
        hd_free(p->sums.rows[half]);
        hd_free(p->sums.gathered[half]);
        hd_free(p->sums.tail[half]);
        hd_free(p->sums.tiles[half]);
        hd_free(p->sums.tiles_host[half]);
        hd_event_destroy(p->sums.folded[half]);
    }
    hd_event_destroy(p->sums.summed);
    hd_event_destroy(p->sums.given);
}

void hd__jacobi_sums_close(hd_jacobi_group *g)
{
    for (unsigned i = 0; i < g->count; i++)
        close_part(&g->parts[i]);
    free(g->sums.shares);
}

/* ---- the fold -------------------------------------------------------------------------------- */

/* The side stream follows the sweeps. Parts that are not leaders send their sums to the leader. */
static hd_status send_on(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    const unsigned half = g->sums.half, slots = g->sums.halves[half].used;
    size_t before = 0;
    (void)argument;
    HD_TRY(hd_event_record(p->sums.summed, p->main));
    HD_TRY(hd_stream_wait(p->side, p->sums.summed));
    HD_TRY(hd_stream_wait(p->side, p->edged));
    if (!leads(g, index)) {
        const unsigned first = leader(g, p->place.tile_y);
        const hd__jacobi_part *to = &g->parts[first];
        for (unsigned i = first + 1; i < index; i++)
            before += (size_t)g->parts[i].bands * g->parts[i].quads * slots * g->element;
        HD_TRY(hd_transfer((char *)to->sums.gathered[half] + before, to->device, p->sums.own[half],
                           p->device, (size_t)p->bands * p->quads * slots * g->element, p->side));
    }
    return hd_event_record(p->sums.given, p->side);
}

/* Assembles whole rows of quads from the tiles of the row. */
static hd_status put_in_rows(hd_jacobi_group *g, hd__jacobi_part *p)
{
    const unsigned half = g->sums.half, slots = g->sums.halves[half].used,
                   across = g->count / g->rows;
    const char *from = p->sums.gathered[half];
    size_t column = 0;
    for (unsigned i = 0; i < across; i++) {
        const hd__jacobi_part *q = &g->parts[p->place.index + i];
        const size_t width = q->quads * g->element, rows = (size_t)q->bands * slots;
        if (i > 0)
            HD_TRY(hd_stream_wait(p->side, q->sums.given));
        HD_TRY(hd_copy_2d((char *)p->sums.rows[half] + column, g->quads * g->element,
                          i ? from : p->sums.own[half], width, width, rows, p->side));
        from += i ? width * rows : 0;
        column += width;
    }
    return HD_OK;
}

static void *rows_of(const hd_jacobi_group *g, const hd__jacobi_part *p)
{
    return p->sums.rows[g->sums.half] ? p->sums.rows[g->sums.half] : p->sums.own[g->sums.half];
}

/* Sends a row's leading sums to the row that folds their tile. */
static hd_status give_lead(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    const hd__jacobi_share *s = share_of(g, index), *t = &g->sums.shares[s->taker];
    const hd__jacobi_part *to = &g->parts[leader(g, s->taker)];
    (void)argument;
    if (!leads(g, index))
        return HD_OK;
    if (p->sums.rows[g->sums.half])
        HD_TRY(put_in_rows(g, p));
    for (unsigned slot = 0; s->lead && slot < g->sums.halves[g->sums.half].used; slot++)
        HD_TRY(hd_transfer((char *)to->sums.tail[g->sums.half] +
                               (slot * t->tail + s->lead_at) * g->element,
                           to->device, (char *)rows_of(g, p) + slot * s->count * g->element,
                           p->device, s->lead * g->element, p->side));
    return hd_event_record(p->sums.given, p->side);
}

static hd_status fold_tiles(hd_jacobi_group *g, hd__jacobi_part *p, const hd__jacobi_share *s)
{
    const unsigned slots = g->sums.halves[g->sums.half].used;
    const hd_launch_config config = hd_launch_with(
        hd_dim(s->tiles, slots, 1), hd_dim(hd__jacobi_lanes() ? HD__JACOBI_SLOTS : 1, 1, 1), 0,
        p->side);
    hd__jacobi_tiles_task task = {0};
    task.own = (char *)rows_of(g, p) + s->lead * g->element;
    task.tail = p->sums.tail[g->sums.half] ? p->sums.tail[g->sums.half] : task.own;
    task.own_count = s->count - s->lead;
    task.own_stride = s->count;
    task.tail_stride = s->tail;
    task.count = task.own_count + s->tail;
    task.tiles = p->sums.tiles[g->sums.half];
    HD_TRY(g->type == HD_F32 ? hd_launch(hd__jacobi_tiles_f32, config, task)
                             : hd_launch(hd__jacobi_tiles_f64, config, task));
    return hd_copy(p->sums.tiles_host[g->sums.half], p->sums.tiles[g->sums.half],
                   (size_t)s->tiles * slots, p->side);
}

static hd_status fold(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    const hd__jacobi_share *s = share_of(g, index);
    (void)argument;
    if (leads(g, index) && s->tiles) {
        for (unsigned r = p->place.tile_y + 1; r < g->rows; r++)
            if (g->sums.shares[r].lead && g->sums.shares[r].taker == p->place.tile_y)
                HD_TRY(hd_stream_wait(p->side, g->parts[leader(g, r)].sums.given));
        HD_TRY(fold_tiles(g, p, s));
    }
    return hd_event_record(p->sums.folded[g->sums.half], p->side);
}

/* ---- host ------------------------------------------------------------------------------------ */

/* The summation tree of docs/laplace.md. */
static double tree(double slots[HD__JACOBI_SLOTS])
{
    for (unsigned left = HD__JACOBI_SLOTS / 2; left > 0; left /= 2)
        for (unsigned c = 0; c < left; c++)
            slots[c] = slots[2 * c] + slots[2 * c + 1];
    return slots[0];
}

static double norm_of(const hd_jacobi_group *g, unsigned half, unsigned slot)
{
    double slots[HD__JACOBI_SLOTS] = {0};
    for (unsigned r = 0; r < g->rows; r++) {
        const hd__jacobi_share *s = &g->sums.shares[r];
        const double *tiles = g->parts[leader(g, r)].sums.tiles_host[half] +
                              (size_t)slot * s->tiles;
        for (uint32_t i = 0; i < s->tiles; i++)
            slots[(s->tile + i) % HD__JACOBI_SLOTS] += tiles[i];
    }
    return sqrt(tree(slots));
}

/* Waits for the half's norms, delivers them and empties the half. */
static hd_status reclaim(hd_jacobi_group *g, unsigned half)
{
    hd__jacobi_half *h = &g->sums.halves[half];
    if (h->folding) {
        HD_TRY(hd__jacobi_group_wait(g, &half));
        for (unsigned slot = 0; slot < h->used; slot++)
            if (h->wanted[slot])
                *h->wanted[slot] = norm_of(g, half, slot);
    }
    memset(h, 0, sizeof *h);
    return HD_OK;
}

hd_status hd__jacobi_sums_turn(hd_jacobi_group *g)
{
    if (g->sums.halves[g->sums.half].used) {
        HD_TRY(hd__jacobi_each(g, send_on, NULL));
        HD_TRY(hd__jacobi_each(g, give_lead, NULL));
        HD_TRY(hd__jacobi_each(g, fold, NULL));
        g->sums.halves[g->sums.half].folding = 1;
    }
    g->sums.half ^= 1;
    return reclaim(g, g->sums.half);
}

hd_status hd__jacobi_sums_room(hd_jacobi_group *g, unsigned count, unsigned *slot)
{
    if (g->sums.halves[g->sums.half].used + count > g->sums.slots)
        HD_TRY(hd__jacobi_sums_turn(g));
    *slot = g->sums.halves[g->sums.half].used;
    g->sums.halves[g->sums.half].used += count;
    return HD_OK;
}

void hd__jacobi_sums_want(hd_jacobi_group *g, unsigned slot, double *norm)
{
    g->sums.halves[g->sums.half].wanted[slot] = norm;
}

void hd__jacobi_sums_forget(hd_jacobi_group *g)
{
    memset(g->sums.halves, 0, sizeof g->sums.halves);
}

hd_status hd__jacobi_sums_finish(hd_jacobi_group *g)
{
    for (unsigned half = 0; half < HD__JACOBI_HALVES; half++)
        HD_TRY(hd__jacobi_sums_turn(g));
    return HD_OK;
}
