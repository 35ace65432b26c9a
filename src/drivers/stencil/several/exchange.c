/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c - halo exchange of all parts: by copies and stores, or through a group of a
   collectives library. */
#include "jacobi_group.h"

#include "runtime/backend.h"

hd_status hd__jacobi_group_collective(hd_jacobi_group *g)
{
    hd_group_options options = {0};
    int devices[HD_GROUP_MAX_RANKS];
    if (g->variant != HD_JACOBI_CCL || g->count == 1 || g->exchange.collective)
        return HD_OK;
    if (g->count > HD_GROUP_MAX_RANKS)
        return hd__fail(HD_ERR_ARGUMENT, g->call, "a group has up to %d ranks, not %u",
                        HD_GROUP_MAX_RANKS, g->count);
    for (unsigned i = 0; i < g->count; i++)
        devices[i] = g->parts[i].device;
    options.transport = g->exchange.transport;
    return hd_group_create(devices, g->count, &options, &g->exchange.collective);
}

typedef struct exchange {
    unsigned phase;
    hd_halo_field *fields;
    hd_stream **streams;
} exchange;

static hd_status exchange_phase(hd_jacobi_group *g, unsigned index, void *argument)
{
    const exchange *e = argument;
    return hd_halo_exchange_phase(g->exchange.halo, e->phase, index, e->fields, e->streams);
}

static hd_status exchange_rank(hd_jacobi_group *g, unsigned index, void *argument)
{
    const exchange *e = argument;
    return hd_halo_exchange_group_rank(g->exchange.halo, g->exchange.collective, index, e->fields,
                                       e->streams[index]);
}

hd_status hd__jacobi_group_exchange(hd_jacobi_group *g, unsigned turn, int edge)
{
    exchange e = {0, g->exchange.fields, g->exchange.streams};
    if (!g->exchange.halo)
        return HD_OK;
    for (unsigned i = 0; i < g->count; i++) {
        g->exchange.fields[i].first = g->parts[i].first[turn];
        g->exchange.fields[i].pitch = g->parts[i].pitch;
        g->exchange.streams[i] = edge ? g->parts[i].edge : g->parts[i].main;
    }
    if (g->exchange.collective && g->threads)
        return hd__jacobi_each(g, exchange_rank, &e);
    if (g->exchange.collective)
        return hd_halo_exchange_group(g->exchange.halo, g->exchange.collective, g->exchange.fields,
                                      g->exchange.streams);
    for (; e.phase < HD_HALO_PHASES; e.phase++)
        HD_TRY(hd__jacobi_each(g, exchange_phase, &e));
    return HD_OK;
}
