/* SPDX-License-Identifier: Apache-2.0 */
/* field.c - loads the field of a group from host memory and stores it there. */
#include "jacobi_group.h"
#include "runtime/backend.h"

typedef struct transfer {
    char *field;
    size_t pitch;
    int in;
} transfer;

static hd_status copy_part(hd_jacobi_group *g, unsigned index, void *argument)
{
    hd__jacobi_part *p = &g->parts[index];
    const transfer *t = argument;
    char *host = t->field + (p->place.y * t->pitch + p->place.x) * g->element;
    void *device = p->first[g->field.turn];
    const size_t here = t->pitch * g->element, there = p->pitch * g->element;
    const size_t row = p->place.nx * g->element;
    HD_TRY(t->in ? hd_copy_2d(device, there, host, here, row, p->place.ny, p->main)
                 : hd_copy_2d(host, here, device, there, row, p->place.ny, p->main));
    if (t->in) {
        HD_TRY(hd_fill_zero(p->words, 1, p->main));
        HD_TRY(hd_event_record(p->swept, p->main));
        HD_TRY(hd_event_record(p->edged, p->edge));
    }
    return hd_stream_synchronize(p->main);
}

static hd_status check_field(const char *call, const hd_jacobi_group *g, const void *field,
                             size_t pitch)
{
    if (!g || !field)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", g ? "field" : "group");
    if (pitch && pitch < g->domain.nx)
        return hd__fail(HD_ERR_ARGUMENT, call, "a row of %zu cells has %zu elements", g->domain.nx,
                        pitch);
    return HD_OK;
}

static hd_status load(hd_jacobi_group *g, transfer *t)
{
    HD_TRY(hd__jacobi_group_collective(g));
    HD_TRY(hd__jacobi_each(g, copy_part, t));
    HD_TRY(hd__jacobi_group_exchange(g, 0, 0));
    HD_TRY(hd__jacobi_group_wait(g, NULL));
    return g->exchange.collective ? hd_group_synchronize(g->exchange.collective) : HD_OK;
}

hd_status hd_jacobi_group_load(hd_jacobi_group *g, const void *field, size_t pitch)
{
    static const char call[] = "hd_jacobi_group_load";
    transfer t = {(char *)(uintptr_t)field, pitch, 1};
    hd_status status;
    HD_TRY(check_field(call, g, field, pitch));
    g->call = call;
    g->field.loaded = 0;
    t.pitch = pitch ? pitch : g->domain.nx;
    g->field.turn = 0;
    g->field.made = 0;
    status = load(g, &t);
    if (status >= 0)
        g->field.loaded = 1;
    else
        hd__jacobi_group_release(g);
    return status;
}

hd_status hd_jacobi_group_store(hd_jacobi_group *g, void *field, size_t pitch)
{
    static const char call[] = "hd_jacobi_group_store";
    transfer t = {field, pitch, 0};
    HD_TRY(check_field(call, g, field, pitch));
    if (!g->field.loaded)
        return hd__fail(HD_ERR_STATE, call, "the group has no field");
    g->call = call;
    t.pitch = pitch ? pitch : g->domain.nx;
    return hd__jacobi_each(g, copy_part, &t);
}
