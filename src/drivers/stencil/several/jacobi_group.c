/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_group.c - a field over several devices: its parts, their memory, how they are linked, and
   the choices made. */
#include "jacobi_group.h"

#include <limits.h>
#include <stdlib.h>

#include "runtime/backend.h"

enum { COLUMNS_BEYOND = 32 };

const char *hd_jacobi_variant_name(hd_jacobi_variant variant)
{
    static const char *const names[] = {
#define NAME_(name, text, what) text,
        HD_JACOBI_VARIANT_LIST(NAME_)
#undef NAME_
    };
    return (unsigned)variant < HD_JACOBI_VARIANT_COUNT_ ? names[variant] : "?";
}

/* ---- options --------------------------------------------------------------------------------- */

static hd_status check_problem(const char *call, const hd_jacobi *problem, const int *devices,
                               unsigned count, hd_jacobi_group **group)
{
    size_t bytes;
    hd_jacobi alone;
    if (!problem || !devices || !group)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !problem  ? "problem"
                        : devices ? "group"
                                  : "devices");
    if (count == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "no devices");
    if (problem->held)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "cells are held on one device alone");
    for (unsigned i = 0; i < 4; i++)
        if (problem->sides[i] == HD_SIDE_HALO)
            return hd__fail(HD_ERR_ARGUMENT, call, "sides of the whole field cannot be halos");
    alone = *problem;
    alone.sweeps = 1;
    alone.pitch = 0;
    HD_TRY(hd_jacobi2d_workspace(&alone, &bytes));
    if (problem->nx == 0 || problem->ny == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "a field of %zu x %zu cells", problem->nx,
                        problem->ny);
    return HD_OK;
}

static hd_status check_devices(const char *call, const int *devices, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (devices[i] == devices[k])
                return hd__fail(HD_ERR_ARGUMENT, call,
                                "device %d has two parts, whose kernels would wait for each other",
                                devices[i]);
    return HD_OK;
}

unsigned hd__jacobi_group_depth(const hd_jacobi_group *g, size_t left)
{
    unsigned depth = g->depth;
    while (depth > left)
        depth /= 2;
    return depth ? depth : 1;
}

static unsigned depth_of(const hd_jacobi *problem)
{
    const unsigned most = !hd__jacobi_lanes() ? 1 : problem->type == HD_F64 ? 4 : 8;
    unsigned depth = 8;
    while (depth > most || (problem->depth && depth > problem->depth))
        depth /= 2;
    return depth;
}

static void plan_domain(hd_jacobi_group *g, const hd_jacobi *problem, unsigned tiles_x,
                        unsigned tiles_y)
{
    const uint64_t cells = (uint64_t)problem->nx * problem->ny;
    g->band = hd__jacobi2d_band(cells);
    g->quads = (uint32_t)((problem->nx + HD__JACOBI_QUAD - 1) / HD__JACOBI_QUAD);
    g->domain.nx = problem->nx;
    g->domain.ny = problem->ny;
    g->domain.tiles_x = tiles_x;
    g->domain.tiles_y = tiles_y;
    g->domain.align_x = tiles_x > 1 ? HD__JACOBI_QUAD : 1;
    g->domain.align_y = g->band;
    /* The kernels wrap around along an axis that is not split. */
    g->domain.periodic_x = tiles_x > 1 && problem->sides[0] == HD_SIDE_PERIODIC;
    g->domain.periodic_y = tiles_y > 1 && problem->sides[2] == HD_SIDE_PERIODIC;
}

/* If no depth is requested: one that the smallest part allows. */
static void fit_depth(hd_jacobi_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        const hd__jacobi_part *p = &g->parts[i];
        const int x = p->sides[0] == HD_SIDE_HALO || p->sides[1] == HD_SIDE_HALO;
        const int y = p->sides[2] == HD_SIDE_HALO || p->sides[3] == HD_SIDE_HALO;
        while (g->depth > 1 && ((x && p->place.nx < g->depth) || (y && p->place.ny < g->depth)))
            g->depth /= 2;
    }
}

static hd_status place_part(hd_jacobi_group *g, const hd_jacobi *problem, unsigned index,
                            int device)
{
    hd__jacobi_part *p = &g->parts[index];
    p->device = device;
    HD_TRY(hd_domain_part(&g->domain, index, &p->place));
    p->bands = (uint32_t)((p->place.ny + g->band - 1) / g->band);
    p->quads = (uint32_t)((p->place.nx + HD__JACOBI_QUAD - 1) / HD__JACOBI_QUAD);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned dx = i == 0 ? 0 : i == 1 ? 2 : 1, dy = i == 2 ? 0 : i == 3 ? 2 : 1;
        p->sides[i] = p->place.neighbours[dy][dx] >= 0 ? HD_SIDE_HALO : problem->sides[i];
    }
    return HD_OK;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* With one sweep per pass, corners are not read. */
static int corners_of(const hd_jacobi_group *g)
{
    return g->domain.tiles_x > 1 && g->depth > 1;
}

static hd_status first_staged(const hd_jacobi_group *g, unsigned *part, unsigned *peer, int *found)
{
    *found = 0;
    for (unsigned i = 0; g->exchange.halo && i < g->count && !*found; i++) {
        hd_halo_message messages[HD_HALO_MESSAGES];
        unsigned count = 0;
        HD_TRY(hd_halo_plan(&g->domain, i, g->depth, corners_of(g), messages, &count));
        for (unsigned m = 0; m < count && !*found; m++) {
            hd_peer_path path;
            HD_TRY(hd_halo_path(g->exchange.halo, i, m, &path));
            *found = path == HD_PATH_STAGED;
            *part = i;
            *peer = messages[m].part;
        }
    }
    return HD_OK;
}

static hd_status refuse_staged(const hd_jacobi_group *g, unsigned part, unsigned peer)
{
    hd_peer_info info;
    const int a = g->parts[part].device, b = g->parts[peer].device;
    HD_TRY(hd_peer_query(a, b, &info));
    return hd__fail(HD_ERR_NO_PEER, g->call,
                    "variant %s needs direct access between neighbours, which devices %d and %d do "
                    "not have (%s)",
                    hd_jacobi_variant_name(g->variant), a, b, info.reason);
}

static int waits_for_words(const hd_jacobi_group *g)
{
    return g->stores && (g->variant == HD_JACOBI_PEER_STORE || g->variant == HD_JACOBI_PERSISTENT);
}

/* With stripes, sweeps store directly into the neighbours' memory; with tiles, separate kernels do
   so afterwards. */
static hd_status choose_variant(hd_jacobi_group *g, const int *devices)
{
    const int tiles = g->domain.tiles_x > 1;
    const int distinct = check_devices(g->call, devices, g->count) == HD_OK;
    unsigned part = 0, peer = 0;
    int staged = 0;
    HD_TRY(first_staged(g, &part, &peer, &staged));
    if (g->variant == HD_JACOBI_AUTO)
        g->variant = g->count == 1                     ? HD_JACOBI_COPY
                     : staged || tiles || !distinct    ? HD_JACOBI_COPY_OVERLAP
                     : g->depth < HD__JACOBI_MAX_DEPTH ? HD_JACOBI_PERSISTENT
                                                       : HD_JACOBI_PEER_STORE;
    g->stores = g->variant == HD_JACOBI_EVENTS || g->variant == HD_JACOBI_PEER_STORE ||
                g->variant == HD_JACOBI_PERSISTENT;
    if (g->variant == HD_JACOBI_PERSISTENT && tiles)
        return hd__fail(HD_ERR_UNSUPPORTED, g->call, "variant %s has stripes, not tiles",
                        hd_jacobi_variant_name(g->variant));
    if (g->stores && staged)
        return refuse_staged(g, part, peer);
    if (g->variant == HD_JACOBI_GRAPH)
        g->stores = !staged;
    if (g->stores && tiles) {
        g->stores = 0;
        HD_TRY(hd_halo_carry(g->exchange.halo, HD_HALO_STORES));
    }
    return waits_for_words(g) || g->variant == HD_JACOBI_CCL
               ? check_devices(g->call, devices, g->count)
               : HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Coherent memory for words and fields that other devices store to while kernels read them. */
static hd_status open_part(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    const size_t beyond = g->domain.tiles_x > 1 ? COLUMNS_BEYOND : 0;
    const size_t whole = beyond ? beyond : HD__JACOBI_QUAD;
    const size_t words = hd__jacobi_done_words(p);
    const hd_memory_kind kind = g->stores ? HD_MEM_COHERENT : HD_MEM_DEVICE;
    (void)argument;
    p->pitch = (p->place.nx + 2 * beyond + whole - 1) / whole * whole;
    HD_TRY(hd_stream_create_with(p->device, HD_STREAM_NON_BLOCKING, 0, &p->main));
    HD_TRY(hd_stream_create_with(p->device, HD_STREAM_NON_BLOCKING, INT_MIN, &p->edge));
    HD_TRY(hd_stream_create_with(p->device, HD_STREAM_NON_BLOCKING, 0, &p->side));
    HD_TRY(hd_event_create(p->device, 0, &p->swept));
    HD_TRY(hd_event_create(p->device, 0, &p->edged));
    for (unsigned t = 0; t < 2; t++) {
        const size_t cells = (p->place.ny + 2 * HD__JACOBI_ROWS_BEYOND) * p->pitch + 2 * beyond;
        HD_TRY(hd_alloc_bytes(&p->memory[t], cells, g->element, kind, p->device));
        HD_TRY(hd_fill_bytes(p->memory[t], 0, 1, cells * g->element, p->main));
        p->first[t] = (char *)p->memory[t] +
                      (HD__JACOBI_ROWS_BEYOND * p->pitch + beyond) * g->element;
    }
    HD_TRY(hd_alloc_kind(&p->words, 1, HD_MEM_COHERENT, p->device));
    HD_TRY(hd_alloc(&p->done, words, p->device));
    HD_TRY(hd_fill_zero(p->done, words, p->main));
    return hd_fill_zero(p->words, 1, p->main);
}

static void close_part(hd__jacobi_part *p)
{
    for (unsigned t = 0; t < 2; t++)
        hd_free(p->memory[t]);
    hd_free(p->words);
    hd_free(p->done);
    hd_event_destroy(p->swept);
    hd_event_destroy(p->edged);
    hd_stream_destroy(p->main);
    hd_stream_destroy(p->edge);
    hd_stream_destroy(p->side);
}

static hd_status open_group(hd_jacobi_group *g, const hd_jacobi *problem, const int *devices,
                            const hd_jacobi_group_options *options)
{
    const unsigned tiles_x = options->tiles_x ? options->tiles_x : 1;
    const unsigned tiles_y = options->tiles_y ? options->tiles_y : g->count / tiles_x;
    if (tiles_x * (uint64_t)tiles_y != g->count)
        return hd__fail(HD_ERR_ARGUMENT, g->call, "%u x %u tiles on %u devices", tiles_x, tiles_y,
                        g->count);
    plan_domain(g, problem, tiles_x, tiles_y);
    g->rows = tiles_y;
    for (unsigned i = 0; i < g->count; i++)
        HD_TRY(place_part(g, problem, i, devices[i]));
    if (problem->depth == 0)
        fit_depth(g);
    g->exchange.fields = calloc(g->count, sizeof *g->exchange.fields);
    g->exchange.streams = calloc(g->count, sizeof(hd_stream *));
    if (!g->exchange.fields || !g->exchange.streams)
        return hd__fail(HD_ERR_NO_MEMORY, g->call, "no memory for %u parts", g->count);
    if (g->count > 1)
        HD_TRY(hd_halo_create(&g->domain, devices, g->element, g->depth, corners_of(g),
                              &g->exchange.halo));
    HD_TRY(choose_variant(g, devices));
    HD_TRY(hd__jacobi_group_collective(g));
    if (options->thread_per_device && g->count > 1)
        HD_TRY(hd__jacobi_threads_create(g->call, g->count, &g->threads));
    HD_TRY(hd__jacobi_each(g, open_part, NULL));
    return hd__jacobi_sums_open(g);
}

hd_status hd_jacobi_group_create(const hd_jacobi *problem, const int *devices, unsigned count,
                                 const hd_jacobi_group_options *options, hd_jacobi_group **group)
{
    static const char call[] = "hd_jacobi_group_create";
    static const hd_jacobi_group_options defaults;
    hd_jacobi_group *g;
    hd_status status;
    HD_TRY(check_problem(call, problem, devices, count, group));
    if (!options)
        options = &defaults;
    if ((unsigned)options->variant >= HD_JACOBI_VARIANT_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "there is no variant %d", (int)options->variant);
    g = hd__handle_make(sizeof *g + count * sizeof g->parts[0]);
    if (!g)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u parts", count);
    g->call = call;
    g->type = problem->type;
    g->element = hd_type_bytes(problem->type);
    g->count = count;
    g->variant = options->variant;
    g->exchange.transport = options->transport;
    g->depth = depth_of(problem);
    status = open_group(g, problem, devices, options);
    if (status >= 0)
        *group = g;
    else
        (void)hd_jacobi_group_destroy(g);
    return status;
}

static hd_status drain(hd_stream *stream)
{
    HD__RELEASING;
    return hd_stream_synchronize(stream);
}

hd_status hd_jacobi_group_destroy(hd_jacobi_group *g)
{
    HD__RELEASING;
    hd_status status = HD_OK, one;
    if (!g)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_jacobi_group_destroy", g, "group of Jacobi parts"));
    for (unsigned i = 0; i < g->count; i++)
        if (g->parts[i].main && (one = drain(g->parts[i].main)) < 0 && status >= 0)
            status = one;
    if ((one = hd_group_destroy(g->exchange.collective)) < 0 && status >= 0)
        status = one;
    hd__jacobi_threads_destroy(g->threads);
    hd__jacobi_graphs_close(g);
    hd__jacobi_sums_close(g);
    for (unsigned i = 0; i < g->count; i++)
        close_part(&g->parts[i]);
    (void)hd_halo_destroy(g->exchange.halo);
    free(g->exchange.fields);
    free(g->exchange.streams);
    hd__handle_free(g);
    return status;
}

/* ---- queries --------------------------------------------------------------------------------- */

hd_status hd_jacobi_group_get(const hd_jacobi_group *g, hd_jacobi_variant *variant, unsigned *depth,
                              hd_domain *domain)
{
    if (!g)
        return hd__fail(HD_ERR_ARGUMENT, "hd_jacobi_group_get", "group is NULL");
    if (variant)
        *variant = g->variant;
    if (depth)
        *depth = g->depth;
    if (domain)
        *domain = g->domain;
    return HD_OK;
}

hd_status hd_jacobi_group_path(const hd_jacobi_group *g, unsigned part, int dx, int dy,
                               hd_peer_path *path)
{
    static const char call[] = "hd_jacobi_group_path";
    hd_halo_message messages[HD_HALO_MESSAGES];
    unsigned count = 0;
    if (!g || part >= g->count || !path)
        return hd__fail(HD_ERR_ARGUMENT, call, "there is no part %u", part);
    if (g->exchange.halo)
        HD_TRY(hd_halo_plan(&g->domain, part, g->depth, corners_of(g), messages, &count));
    for (unsigned i = 0; i < count; i++)
        if (messages[i].dx == dx && messages[i].dy == dy)
            return hd_halo_path(g->exchange.halo, part, i, path);
    return hd__fail(HD_ERR_ARGUMENT, call, "nothing lies at %d, %d of part %u", dx, dy, part);
}
