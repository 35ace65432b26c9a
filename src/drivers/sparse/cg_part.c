/* SPDX-License-Identifier: Apache-2.0 */
/* cg_part.c - a device's share of the system, and the links between shares. */
#include "cg_plan.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/backend.h"

static const char call[] = "hd_cg_create";

static size_t round_up(size_t n)
{
    return (n + 255) / 256 * 256;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static hd_status upload(void **at, const void *from, size_t bytes, hd_stream *stream, void **to)
{
    *to = *at;
    *at = (char *)*at + round_up(bytes);
    return hd_copy_blocking_bytes(*to, from, bytes, 1, stream);
}

static int in_turn(const hd__cg_rows *rows)
{
    const size_t n = rows->matrix.rows;
    return n > 0 && (size_t)(rows->row[n - 1] - rows->row[0]) == n - 1;
}

/* Consecutive rows need no index list: *shift is where the first one is in y. */
static hd_status make_plan(const hd__cg_rows *rows, size_t *shift, hd_stream *stream, void **memory,
                           hd_spmv_plan **plan)
{
    hd_csr on = rows->matrix;
    const size_t offsets = (on.rows + 1) * hd_type_bytes(on.offset_type);
    const size_t columns = on.entries * sizeof *on.column;
    const size_t values = on.entries * hd_type_bytes(on.type);
    const size_t places = in_turn(rows) ? 0 : on.rows * sizeof *rows->row;
    void *at, *to = NULL;
    *shift = places ? 0 : (size_t)rows->row[0];
    HD_TRY(hd_alloc_bytes(
        memory, round_up(offsets) + round_up(columns) + round_up(values) + round_up(places), 1,
        HD_MEM_DEVICE, stream->device));
    at = *memory;
    HD_TRY(upload(&at, rows->matrix.offsets, offsets, stream, &to));
    on.offsets = to;
    HD_TRY(upload(&at, rows->matrix.column, columns, stream, &to));
    on.column = to;
    HD_TRY(upload(&at, rows->matrix.value, values, stream, &to));
    on.value = to;
    if (places)
        HD_TRY(upload(&at, rows->row, places, stream, &to));
    return hd__spmv_plan_make(call, &on, places ? to : NULL, on.rows, stream, plan);
}

static hd_status make_plans(hd__cg_part *part, const hd__cg_split *split)
{
    const hd__cg_rows *rows[2] = {&split->inside, &split->boundary};
    for (int k = 0; k < 2; k++)
        if (rows[k]->matrix.rows)
            HD_TRY(make_plan(rows[k], &part->shift[k], part->stream, &part->matrix[k],
                             &part->plan[k]));
    return HD_OK;
}

/* ---- vectors --------------------------------------------------------------------------------- */

static void *carve(uintptr_t *at, size_t bytes)
{
    void *here = (void *)*at;
    *at += round_up(bytes);
    return here;
}

/* Lays out everything from the address `at` on; returns the end. */
static uintptr_t lay_out(hd_cg *solver, hd__cg_part *part, uintptr_t at)
{
    const size_t vector = part->share.rows * hd_type_bytes(solver->type);
    const size_t halo = part->share.halo * hd_type_bytes(solver->type);
    hd__cg_task *task = &part->task;
    task->x = carve(&at, vector);
    task->r = carve(&at, vector);
    task->q = carve(&at, vector);
    task->b = carve(&at, vector);
    task->p = carve(&at, vector + halo);
    task->inverse = carve(&at, vector);
    task->sums = carve(&at, HD__CG_PLANES * solver->tiles * sizeof(double));
    part->own_sums = carve(&at, solver->group ? HD__CG_PLANES * solver->tiles * sizeof(double) : 0);
    task->state = carve(&at, sizeof *task->state);
    task->to = carve(&at, solver->count * sizeof *task->to);
    return at;
}

static hd_status make_vectors(hd_cg *solver, hd__cg_part *part, const void *inverse)
{
    const size_t element = hd_type_bytes(solver->type);
    const size_t bytes = (size_t)lay_out(solver, part, 0);
    HD_TRY(hd_alloc_bytes(&part->memory, bytes, 1, HD_MEM_DEVICE, part->share.device));
    (void)lay_out(solver, part, (uintptr_t)part->memory);
    part->task.rows = (uint32_t)part->share.rows;
    part->task.tile = (uint32_t)solver->tile;
    part->task.tiles = (uint32_t)solver->tiles;
    part->task.first_tile = (uint32_t)(part->share.first_row / solver->tile);
    part->tiles = (part->share.rows + solver->tile - 1) / solver->tile;
    if (solver->group)
        HD_TRY(hd_fill_zero(part->own_sums, HD__CG_PLANES * solver->tiles, part->stream));
    if (!inverse) {
        part->task.inverse = NULL;
        return HD_OK;
    }
    return hd_copy_blocking_bytes((void *)(uintptr_t)part->task.inverse,
                                  (const char *)inverse + part->share.first_row * element,
                                  part->share.rows, element, part->stream);
}

hd_status hd__cg_part_make(hd_cg *solver, unsigned rank, const hd__cg_split *split,
                           const void *inverse)
{
    hd__cg_part *part = &solver->parts[rank];
    const int device = part->share.device;
    part->share.first_row = split->first_row;
    part->share.rows = split->rows;
    part->share.entries = split->inside.matrix.entries + split->boundary.matrix.entries;
    part->share.halo = split->halo_count;
    part->share.boundary_rows = split->boundary.matrix.rows;
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &part->stream));
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &part->copies));
    HD_TRY(hd_event_create(device, 0, &part->ready));
    HD_TRY(hd_event_create(device, 0, &part->sent));
    HD_TRY(hd_event_create(device, 0, &part->read));
    HD_TRY(hd_event_create(device, 0, &part->joined));
    HD_TRY(make_vectors(solver, part, inverse));
    return make_plans(part, split);
}

void hd__cg_part_free(hd__cg_part *part)
{
    for (int k = 0; k < 2; k++) {
        (void)hd_spmv_plan_destroy(part->plan[k]);
        (void)hd_free(part->matrix[k]);
    }
    (void)hd_free(part->memory);
    (void)hd_free(part->packing);
    (void)hd_event_destroy(part->ready);
    (void)hd_event_destroy(part->sent);
    (void)hd_event_destroy(part->read);
    (void)hd_event_destroy(part->joined);
    (void)hd_stream_destroy(part->copies);
    (void)hd_stream_destroy(part->stream);
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Position in the halo of the first column that is at least `least`. */
static size_t halo_from(const hd__cg_split *split, size_t least)
{
    size_t low = 0, high = split->halo_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((size_t)split->halo[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static hd_status make_link(hd_cg *solver, unsigned from, unsigned to, const hd__cg_split *splits)
{
    hd__cg_link *link = &solver->links[from * solver->count + to];
    hd_peer_path path = HD_PATH_SAME;
    if (from == to)
        return HD_OK;
    HD_TRY(
        hd_peer_connect(solver->parts[from].share.device, solver->parts[to].share.device, &path));
    link->direct = path != HD_PATH_STAGED;
    link->halo_at = halo_from(&splits[to], solver->bounds[from]);
    link->count = halo_from(&splits[to], solver->bounds[from + 1]) - link->halo_at;
    link->pack_at = solver->parts[from].pack.count;
    if (link->count > UINT32_MAX - link->pack_at)
        return hd__fail(HD_ERR_OVERFLOW, call, "device %d sends more than 2^32 elements",
                        solver->parts[from].share.device);
    solver->parts[from].pack.count += (uint32_t)link->count;
    solver->parts[from].share.staged += !link->direct;
    solver->parts[to].share.neighbours += link->count > 0;
    return HD_OK;
}

/* The list of elements that a device packs and their destinations, in host memory. */
static void fill_packing(const hd_cg *solver, unsigned from, const hd__cg_split *splits,
                         int32_t *index, hd__cg_segment *segments)
{
    const hd__cg_part *part = &solver->parts[from];
    const size_t element = hd_type_bytes(solver->type);
    for (unsigned to = 0; to < solver->count; to++) {
        const hd__cg_link *link = &solver->links[from * solver->count + to];
        const hd__cg_part *other = &solver->parts[to];
        if (link->count == 0)
            continue;
        segments->first = (uint32_t)link->pack_at;
        segments->count = (uint32_t)link->count;
        segments->to = link->direct
                           ? (char *)other->task.p + (other->share.rows + link->halo_at) * element
                           : (char *)part->packed + link->pack_at * element;
        segments++;
        for (size_t k = 0; k < link->count; k++)
            index[link->pack_at + k] = splits[to].halo[link->halo_at + k] -
                                       (int32_t)solver->bounds[from];
    }
}

static hd_status make_packing(hd_cg *solver, unsigned from, const hd__cg_split *splits)
{
    hd__cg_part *part = &solver->parts[from];
    const size_t count = part->pack.count;
    const size_t list = round_up(count * sizeof(int32_t));
    const size_t table = round_up(solver->count * sizeof(hd__cg_segment));
    int32_t *index;
    hd_status status;
    if (count == 0)
        return HD_OK;
    HD_TRY(hd_alloc_bytes(&part->packing, list + table + count * hd_type_bytes(solver->type), 1,
                          HD_MEM_DEVICE, part->share.device));
    part->pack.index = part->packing;
    part->pack.segments = (const hd__cg_segment *)(const void *)((char *)part->packing + list);
    part->packed = (char *)part->packing + list + table;
    part->pack.from = part->task.p;
    index = calloc(1, list + table);
    if (!index)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %zu", count);
    fill_packing(solver, from, splits, index, (hd__cg_segment *)(void *)((char *)index + list));
    status = hd_copy_blocking_bytes(part->packing, index, list + table, 1, part->stream);
    free(index);
    return status;
}

/* Destinations of the sums of a device's tiles: its own memory and that of peers with direct
   access; with a group, the input of the all-reduce. */
static hd_status make_targets(hd_cg *solver, unsigned from)
{
    hd__cg_part *part = &solver->parts[from];
    double **targets = calloc(solver->count, sizeof *targets);
    hd_status status;
    if (!targets)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u pointers", solver->count);
    if (solver->group)
        targets[part->task.to_count++] = part->own_sums;
    for (unsigned to = 0; !solver->group && to < solver->count; to++)
        if (to == from || solver->links[from * solver->count + to].direct)
            targets[part->task.to_count++] = solver->parts[to].task.sums;
    status = hd_copy_blocking_bytes((void *)(uintptr_t)part->task.to, targets, solver->count,
                                    sizeof *targets, part->stream);
    free(targets);
    return status;
}

hd_status hd__cg_links_make(hd_cg *solver, const hd__cg_split *splits)
{
    for (unsigned from = 0; from < solver->count; from++)
        for (unsigned to = 0; to < solver->count; to++)
            HD_TRY(make_link(solver, from, to, splits));
    for (unsigned from = 0; from < solver->count; from++) {
        for (unsigned to = 0; to < solver->count; to++)
            solver->parts[from].pack.segment_count +=
                solver->links[from * solver->count + to].count > 0;
        HD_TRY(make_packing(solver, from, splits));
        HD_TRY(make_targets(solver, from));
    }
    return HD_OK;
}
