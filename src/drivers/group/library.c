/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - the vendor's library as transport of a group.

   Data that is only moved is sent as bytes, since the library may not support the type. It has no
   in-place all-to-all: the input is first copied to memory of the group and sent from there. */
#include "plan.h"

#include "runtime/runtime.h"

int hd__group_library_used(const hd_group *group)
{
    return group->count > 1 && group->options.transport == HD_GROUP_LIBRARY;
}

hd_status hd__group_library_open(const char *call, hd_group *group)
{
    int ordinals[HD__GROUP_RANKS];
    void *communicators[HD__GROUP_RANKS] = {NULL};

    for (unsigned r = 0; r < group->count; r++)
        ordinals[r] = group->rank[r].stream->ordinal;
    HD_TRY(hdb_ccl_open(call, group->options.library, ordinals, group->count, communicators));
    for (unsigned r = 0; r < group->count; r++)
        group->rank[r].library = communicators[r];
    group->on_stop = hd__group_library_close; /* ends its kernels */
    return HD_OK;
}

void hd__group_library_close(hd_group *group)
{
    (void)pthread_mutex_lock(&group->lock);
    for (unsigned r = 0; r < group->count; r++) {
        hdb_ccl_close(group->rank[r].library, atomic_load(&group->failed));
        group->rank[r].library = NULL;
    }
    (void)pthread_mutex_unlock(&group->lock);
}

/* ---- an all-to-all in slices ----------------------------------------------------------------- */

/* A range of bytes of each block of an all-to-all: as many as the group's memory holds for all
   ranks. A call for single ranks also slices if it is out of place: another rank may be in place,
   and sends and receives must have the same length. */
typedef struct slice {
    uint64_t at, bytes;
} slice;

/* Whether the operation of ranks first to end - 1 goes in slices. */
static int in_slices(const hd_group *group, unsigned first, unsigned end,
                     const hd__group_request *parts)
{
    int in_place = 0;

    for (unsigned r = first; r < end; r++)
        in_place |= parts[r - first].in == parts[r - first].out;
    return parts->kind == HD__GROUP_ALL_TO_ALL && (in_place || end - first < group->count);
}

static uint64_t bytes_of(const hd__group_request *q)
{
    return q->n * hd_type_bytes(q->type);
}

static slice slice_of(const hd_group *group, const hd__group_request *q, int sliced, uint64_t at)
{
    const uint64_t room = (group->count - 1) * group->layout.bytes / group->count / 256 * 256;
    const uint64_t left = bytes_of(q) - at;

    return (slice){at, sliced && left > room ? room : left};
}

/* Before anything of the slice is posted: the first message posted overwrites the input. */
static hd_status save(const hd_group *group, unsigned r, const hd__group_request *q, slice s)
{
    if (q->kind != HD__GROUP_ALL_TO_ALL || q->in != q->out)
        return HD_OK;
    return hd_copy_2d(group->rank[r].areas, (size_t)s.bytes, (const char *)q->in + s.at,
                      (size_t)bytes_of(q), (size_t)s.bytes, group->count, q->stream);
}

/* ---- posting --------------------------------------------------------------------------------- */

/* Sends `in` if there is one, otherwise receives `out`. */
static hd_status move(const hd__group_request *q, void *communicator, unsigned peer, const void *in,
                      void *out, uint64_t bytes)
{
    const hd__ccl_work work = {.kind = in ? HD__CCL_SEND : HD__CCL_RECEIVE,
                               .communicator = communicator,
                               .in = in,
                               .out = out,
                               .n = (size_t)bytes,
                               .type = HD_U8,
                               .peer = (int)peer,
                               .stream = q->stream};
    return bytes ? hdb_ccl_run(q->call, &work) : HD_OK;
}

static hd_status all_to_all(const hd_group *group, unsigned r, const hd__group_request *q, slice s)
{
    const hd__group_rank *rank = &group->rank[r];
    const uint64_t part = bytes_of(q);
    const int in_place = q->in == q->out;

    for (unsigned p = 0; p < group->count; p++) {
        const unsigned char *in = in_place ? rank->areas + p * s.bytes
                                           : (const unsigned char *)q->in + p * part + s.at;
        if (in_place && p == r)
            continue;
        HD_TRY(move(q, rank->library, p, in, NULL, s.bytes));
        HD_TRY(move(q, rank->library, p, NULL, (unsigned char *)q->out + p * part + s.at, s.bytes));
    }
    return HD_OK;
}

static hd_status messages(const hd_group *group, unsigned r, const hd__group_request *q)
{
    for (size_t i = 0; i < q->count; i++) {
        const hd_group_message *m = &q->messages[i];
        if (m->from == m->to && m->in == m->out)
            continue;
        if (m->from == r)
            HD_TRY(move(q, group->rank[r].library, m->to, m->in, NULL, m->bytes));
        if (m->to == r)
            HD_TRY(move(q, group->rank[r].library, m->from, NULL, m->out, m->bytes));
    }
    return HD_OK;
}

/* A barrier is an all-reduce of one byte in memory of the group. */
static hd_status collective(const hd_group *group, unsigned r, const hd__group_request *q)
{
    static const hd__ccl_kind kinds[] = {
        [HD__GROUP_ALL_REDUCE] = HD__CCL_ALL_REDUCE,
        [HD__GROUP_REDUCE] = HD__CCL_REDUCE,
        [HD__GROUP_REDUCE_SCATTER] = HD__CCL_REDUCE_SCATTER,
        [HD__GROUP_ALL_GATHER] = HD__CCL_ALL_GATHER,
        [HD__GROUP_BROADCAST] = HD__CCL_BROADCAST,
        [HD__GROUP_BARRIER] = HD__CCL_ALL_REDUCE,
    };
    const int moves = q->kind == HD__GROUP_ALL_GATHER || q->kind == HD__GROUP_BROADCAST;
    hd__ccl_work work = {.kind = kinds[q->kind],
                         .communicator = group->rank[r].library,
                         .in = q->in,
                         .out = q->out,
                         .n = moves ? (size_t)bytes_of(q) : q->n,
                         .type = moves ? HD_U8 : q->type,
                         .op = q->op,
                         .peer = (int)q->root,
                         .stream = q->stream};

    if (q->kind == HD__GROUP_BARRIER) {
        work.in = work.out = group->rank[r].epochs;
        work.n = 1;
        work.type = HD_U8;
        work.op = HD_MAX;
    }
    return hdb_ccl_run(q->call, &work);
}

static hd_status post(hd_group *group, unsigned r, const hd__group_request *q, slice s)
{
    if (!group->rank[r].library) /* another thread has found a failure */
        return hd__group_state(q->call, group);
    hd__group_stream_used(group, r, q->stream);
    if (q->kind == HD__GROUP_ALL_TO_ALL)
        return all_to_all(group, r, q, s);
    return q->kind == HD__GROUP_SEND_RECEIVE ? messages(group, r, q) : collective(group, r, q);
}

/* The status of the group call; the first failure is reported. */
static hd_status together(const char *call, hd_status status)
{
    if (status >= 0)
        return hdb_ccl_together(call, 0);
    hd__error_mute(1);
    (void)hdb_ccl_together(call, 0);
    hd__error_mute(0);
    return status;
}

static hd_status enqueue(hd_group *group, unsigned first, unsigned end,
                         const hd__group_request *parts, slice s)
{
    hd_status status = HD_OK;

    for (unsigned r = first; r < end && status >= 0; r++) {
        status = save(group, r, &parts[r - first], s);
        if (status < 0)
            return hd__group_named(parts->call, group, r, status);
    }
    HD_TRY(hdb_ccl_together(parts->call, 1));
    for (unsigned r = first; r < end && status >= 0; r++) {
        status = post(group, r, &parts[r - first], s);
        if (status < 0)
            status = hd__group_named(parts->call, group, r, status);
    }
    return together(parts->call, status);
}

hd_status hd__group_library_enqueue(hd_group *group, unsigned first, unsigned end,
                                    const hd__group_request *parts)
{
    const uint64_t bytes = bytes_of(parts);
    const int sliced = in_slices(group, first, end, parts);
    slice s = {0, 0};

    if (hd__group_request_empty(parts))
        return HD_OK;
    do {
        s = slice_of(group, parts, sliced, s.at + s.bytes);
        HD_TRY(enqueue(group, first, end, parts, s));
    } while (s.at + s.bytes < bytes);
    return HD_OK;
}
