/* SPDX-License-Identifier: Apache-2.0 */
/* group.c - groups of devices: creation, connection and destruction. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/reduce/reduce.h"
#include "runtime/backend.h"

static const double default_timeout = 60;

/* ---- arguments ------------------------------------------------------------------------------- */

static hd_status check_devices(const char *call, const int *devices, unsigned count)
{
    int present = 0;

    if (!devices)
        return hd__fail(HD_ERR_ARGUMENT, call, "devices is NULL");
    if (count == 0 || count > HD_GROUP_MAX_RANKS)
        return hd__fail(HD_ERR_ARGUMENT, call, "a group has 1 to %d devices, not %u",
                        HD_GROUP_MAX_RANKS, count);
    HD_TRY(hd_device_count(&present));
    for (unsigned r = 0; r < count; r++) {
        if (devices[r] < 0 || devices[r] >= present)
            return hd__fail(HD_ERR_DEVICE_INDEX, call, "rank %u: no device %d, there are %d", r,
                            devices[r], present);
        for (unsigned p = 0; p < r; p++)
            if (devices[p] == devices[r] && !hd__group_shared)
                return hd__fail(HD_ERR_ARGUMENT, call, "device %d is rank %u and rank %u",
                                devices[r], p, r);
    }
    return HD_OK;
}

static hd_status check_options(const char *call, const hd_group_options *o)
{
    if ((int)o->transport < 0 || o->transport > HD_GROUP_LIBRARY)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown transport %d", (int)o->transport);
    if ((int)o->algorithm < 0 || o->algorithm >= HD_GROUP_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)o->algorithm);
    if ((int)o->p2p < 0 || o->p2p > HD_GROUP_P2P_OFF)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown value %d of p2p", (int)o->p2p);
    if (o->timeout_seconds != o->timeout_seconds)
        return hd__fail(HD_ERR_ARGUMENT, call, "timeout_seconds is not a number");
    return HD_OK;
}

/* ---- connections ----------------------------------------------------------------------------- */

/* Whether lines are known to arrive whole: within a device, between virtual devices, and over a
   fabric with peer access. */
static hd_status whole_lines(const hd_group *group, unsigned a, unsigned b, int *whole)
{
    hd_peer_info info;

    HD_TRY(hd_peer_query(group->rank[a].device, group->rank[b].device, &info));
    *whole = HD_LINES_WHOLE && (info.link == HD_LINK_VIRTUAL || info.path == HD_PATH_SAME ||
                                (info.link == HD_LINK_FABRIC && (group->direct[a] >> b & 1)));
    return HD_OK;
}

static hd_status connect_pair(const char *call, hd_group *group, unsigned a, unsigned b)
{
    hd_peer_path path = HD_PATH_STAGED;
    hd_peer_info pair;

    if (group->options.p2p != HD_GROUP_P2P_OFF)
        HD_TRY(hd_peer_connect(group->rank[a].device, group->rank[b].device, &path));
    if (path != HD_PATH_STAGED) {
        group->direct[a] |= 1u << b;
        group->direct[b] |= 1u << a;
        return HD_OK;
    }
    group->all_direct = 0;
    if (group->options.p2p != HD_GROUP_P2P_ON)
        return HD_OK;
    HD_TRY(hd_peer_query(group->rank[a].device, group->rank[b].device, &pair));
    return hd__fail(HD_ERR_NO_PEER, call, "ranks %u and %u (devices %d and %d): %s", a, b,
                    group->rank[a].device, group->rank[b].device, pair.reason);
}

static hd_status connect_all(const char *call, hd_group *group)
{
    group->all_direct = 1;
    group->whole_lines = 1;
    for (unsigned b = 1; b < group->count; b++)
        for (unsigned a = 0; a < b; a++) {
            int whole = 0;
            HD_TRY(connect_pair(call, group, a, b));
            HD_TRY(whole_lines(group, a, b, &whole));
            group->whole_lines &= whole;
        }
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The memory that rank r reads: on its device for ranks with peer access, otherwise mapped. With
   the vendor's library, in-place operations use this memory, always on the device (library.c). */
static hd_status allocate(hd_group *group, unsigned r)
{
    hd__group_rank *rank = &group->rank[r];
    const size_t area = (size_t)group->layout.bytes;
    const size_t direct = hd__group_library_used(group)
                              ? group->count - 1
                              : (size_t)__builtin_popcount(group->direct[r]);

    HD_TRY(hd_stream_create(rank->device, &rank->stream));
    HD_TRY(hd__group_copies_open(group, r));
    HD_TRY(hd_alloc(&rank->epochs, group->layout.channels + 1, rank->device));
    HD_TRY(hd_fill_zero(rank->epochs, group->layout.channels + 1, rank->stream));
    HD_TRY(hd_alloc_bytes((void **)&rank->partials, HD__REDUCE_MAX_TILES, HD__REDUCE_PARTIAL_BYTES,
                          HD_MEM_DEVICE, rank->device));
    /* whole slots are sent, also if a partial is shorter than its slot */
    HD_TRY(hd_fill_zero(rank->partials, HD__REDUCE_MAX_TILES * HD__REDUCE_PARTIAL_BYTES,
                        rank->stream));
    HD_TRY(hd_alloc_bytes((void **)&rank->areas, direct, area, HD_MEM_COHERENT, rank->device));
    HD_TRY(hd_fill_zero(rank->areas, direct * area, rank->stream));
    for (unsigned p = 0; p < group->count; p++) {
        if (p == r || (group->direct[r] >> p & 1) || hd__group_library_used(group))
            continue;
        HD_TRY(hd_alloc_bytes((void **)&rank->host_area[p], 1, area, HD_MEM_MAPPED, rank->device));
        memset(rank->host_area[p], 0, area);
    }
    return hd_stream_synchronize(rank->stream);
}

/* The addresses under which rank r writes to and reads from the others. */
static hd_status link_rank(hd_group *group, unsigned r)
{
    hd__group_rank *rank = &group->rank[r];
    hd__group_place *place = &rank->place;
    size_t mine = 0;
    void *found = NULL;

    place->ranks = group->count;
    place->me = r;
    place->layout = group->layout;
    place->pause = group->tuning.line_pause;
    place->epochs = rank->epochs;
    for (unsigned p = 0; p < group->count; p++) {
        const hd__group_rank *other = &group->rank[p];
        if (p == r)
            continue;
        if (group->direct[r] >> p & 1) {
            const uint32_t before = group->direct[p] & ((1u << r) - 1);
            place->from[p] = rank->areas + mine++ * group->layout.bytes;
            place->to[p] = other->areas + (size_t)__builtin_popcount(before) * group->layout.bytes;
            continue;
        }
        HD_TRY(hd_host_device_pointer(&found, rank->host_area[p], rank->device));
        place->from[p] = found;
        HD_TRY(hd_host_device_pointer(&found, other->host_area[r], rank->device));
        place->to[p] = found;
    }
    HD_TRY(hd_host_device_pointer(&found, group->signal, rank->device));
    place->stop = &((hd__group_signal *)found)->stop;
    place->beat = &((hd__group_signal *)found)->beat[r][0];
    return HD_OK;
}

static hd_status build(const char *call, hd_group *group)
{
    HD_TRY(connect_all(call, group));
    HD_TRY(hd__group_arrange(call, group));
    HD_TRY(hd_alloc_kind(&group->signal, 1, HD_MEM_MAPPED, group->rank[0].device));
    memset(group->signal, 0, sizeof *group->signal);
    for (unsigned r = 0; r < group->count; r++) {
        const hd_status status = allocate(group, r);
        if (status < 0)
            return hd__group_named(call, group, r, status);
    }
    if (group->options.transport == HD_GROUP_LIBRARY)
        HD_TRY(hd__group_library_open(call, group));
    for (unsigned r = 0; r < group->count && !hd__group_library_used(group); r++) {
        const hd_status status = link_rank(group, r);
        if (status < 0)
            return hd__group_named(call, group, r, status);
    }
    return hd__group_watch_start(call, group);
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static hd_status first_of(hd_status status, hd_status next)
{
    return status < 0 ? status : next;
}

static hd_status tear_down(hd_group *group)
{
    hd_status status = HD_OK;

    hd__group_watch_end(group);
    hd__group_library_close(group);
    for (unsigned r = 0; r < group->count; r++) {
        hd__group_rank *rank = &group->rank[r];
        status = first_of(status, hd__group_copies_close(group, r));
        status = first_of(status, hd_free(rank->areas));
        status = first_of(status, hd_free(rank->partials));
        status = first_of(status, hd_free(rank->epochs));
        for (unsigned p = 0; p < group->count; p++)
            status = first_of(status, hd_free(rank->host_area[p]));
        status = first_of(status, hd_stream_destroy(rank->stream));
    }
    status = first_of(status, hd_free(group->signal));
    (void)pthread_cond_destroy(&group->changed);
    (void)pthread_mutex_destroy(&group->lock);
    return status;
}

static hd_group *group_new(const int *devices, unsigned count, const hd_group_options *options)
{
    hd_group *group = hd__handle_make(sizeof *group);
    pthread_condattr_t attributes;

    if (!group)
        return NULL;
    group->count = count;
    group->options = *options;
    if (group->options.timeout_seconds == 0)
        group->options.timeout_seconds = default_timeout;
    group->tuning = hd__group_forced;
    for (unsigned r = 0; r < count; r++)
        group->rank[r].device = devices[r];
    (void)pthread_mutex_init(&group->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&group->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    return group;
}

hd_status hd_group_create(const int *devices, unsigned count, const hd_group_options *options,
                          hd_group **group)
{
    static const char call[] = "hd_group_create";
    static const hd_group_options none;
    hd_group *made;
    hd_status status;

    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, call, "group is NULL");
    if (!options)
        options = &none;
    HD_TRY(check_options(call, options));
    HD_TRY(check_devices(call, devices, count));
    made = group_new(devices, count, options);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a group");
    status = build(call, made);
    if (status < 0) {
        hd__error_mute(1);
        (void)tear_down(made);
        hd__handle_drop(made);
        hd__error_mute(0);
        return status;
    }
    *group = made;
    return HD_OK;
}

hd_status hd_group_destroy(hd_group *group)
{
    static const char call[] = "hd_group_destroy";
    HD__RELEASING;
    hd_status status;

    if (!group)
        return HD_OK;
    HD_TRY(hd__handle_claim(call, group, "group"));
    status = hd__group_wait(call, group, 0, group->count);
    if (atomic_load(&group->failed)) /* already reported by earlier calls */
        status = HD_OK;
    status = first_of(status, tear_down(group));
    hd__handle_free(group);
    return status;
}

unsigned hd_group_size(const hd_group *group)
{
    return group ? group->count : 0;
}

int hd_group_device(const hd_group *group, unsigned rank)
{
    return group && rank < group->count ? group->rank[rank].device : -1;
}

hd_stream *hd_group_stream(hd_group *group, unsigned rank)
{
    return group && rank < group->count ? group->rank[rank].stream : NULL;
}

static hd_status check_pair(const char *call, const hd_group *group, unsigned from, unsigned to,
                            const void *output)
{
    if (!group || !output)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", group ? "the output" : "group");
    if (from >= group->count || to >= group->count)
        return hd__fail(HD_ERR_ARGUMENT, call, "no rank %u: the group has ranks 0 to %u",
                        from >= group->count ? from : to, group->count - 1);
    return HD_OK;
}

hd_status hd_group_path(const hd_group *group, unsigned from, unsigned to, hd_peer_path *path)
{
    HD_TRY(check_pair("hd_group_path", group, from, to, path));
    *path = from == to                      ? HD_PATH_SAME
            : group->direct[from] >> to & 1 ? HD_PATH_DIRECT
                                            : HD_PATH_STAGED;
    return HD_OK;
}

hd_status hd_group_staged_bytes(const hd_group *group, unsigned from, unsigned to, uint64_t *bytes)
{
    HD_TRY(check_pair("hd_group_staged_bytes", group, from, to, bytes));
    *bytes = atomic_load(&group->rank[from].staged[to]);
    return HD_OK;
}
