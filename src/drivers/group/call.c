/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - the public calls: all ranks at once, or one of them. */
#include "plan.h"

#include "runtime/backend.h"

static hd_status one(hd_group *group, unsigned rank, hd__group_request q)
{
    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, q.call, "group is NULL");
    HD_TRY(hd__group_check(group, rank, &q));
    return hd__group_enqueue(group, rank, &q);
}

/* The request of rank r, from arrays with a pointer for each rank. */
static hd__group_request part(const hd__group_request *q, const void *const *in, void *const *out,
                              hd_stream *const *streams, unsigned r)
{
    hd__group_request mine = *q;

    mine.in = in ? in[r] : NULL;
    mine.out = out ? out[r] : NULL;
    if (q->kind == HD__GROUP_REDUCE)
        mine.out = r == q->root ? q->out : NULL;
    mine.stream = streams ? streams[r] : NULL;
    return mine;
}

static hd_status enqueue_each(const char *call, hd_group *group, const hd__group_request *parts)
{
    hd_status status = HD_OK;

    for (unsigned r = 0; r < group->count && status >= 0; r++) {
        status = hd__group_enqueue(group, r, &parts[r]);
        if (status < 0)
            status = hd__group_named(call, group, r, status);
    }
    return status;
}

/* Where a rank cannot be enqueued after others were, these would wait for it. */
static hd_status enqueue_all(const char *call, hd_group *group, const hd__group_request *parts)
{
    const hd_status status = hd__group_library_used(group)
                                 ? hd__group_library_enqueue(group, 0, group->count, parts)
                                 : enqueue_each(call, group, parts);

    if (status < 0)
        hd__group_fail(group, status, "%s", hd_error_last()->message);
    return status;
}

static hd_status all(hd_group *group, const hd__group_request *q, const void *const *in,
                     void *const *out, hd_stream *const *streams)
{
    hd__group_request parts[HD__GROUP_RANKS];

    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "group is NULL");
    for (unsigned r = 0; r < group->count; r++) {
        parts[r] = part(q, in, out, streams, r);
        const hd_status status = hd__group_check(group, r, &parts[r]);
        if (status < 0)
            return atomic_load(&group->failed) ? status
                                               : hd__group_named(q->call, group, r, status);
    }
    return enqueue_all(q->call, group, parts);
}

/* Arrays of pointers that are needed. */
static hd_status need(const char *call, const void *in, const void *out, size_t n)
{
    if (n && (!in || !out))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", in ? "out" : "in");
    return HD_OK;
}

hd_status hd_group_all_reduce(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_reduce_op op, hd_stream *const *streams)
{
    const hd__group_request q = {.call = "hd_group_all_reduce",
                                 .kind = HD__GROUP_ALL_REDUCE,
                                 .n = n,
                                 .type = type,
                                 .op = op};
    HD_TRY(need(q.call, in, out, n));
    return all(group, &q, in, out, streams);
}

hd_status hd_group_all_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_reduce_op op, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_all_reduce_rank",
                                   .kind = HD__GROUP_ALL_REDUCE,
                                   .in = in,
                                   .out = out,
                                   .n = n,
                                   .type = type,
                                   .op = op,
                                   .stream = stream});
}

hd_status hd_group_reduce(hd_group *group, const void *const *in, void *out, size_t n, hd_type type,
                          hd_reduce_op op, unsigned root, hd_stream *const *streams)
{
    const hd__group_request q = {.call = "hd_group_reduce",
                                 .kind = HD__GROUP_REDUCE,
                                 .out = out,
                                 .n = n,
                                 .type = type,
                                 .op = op,
                                 .root = root};
    HD_TRY(need(q.call, in, out, n));
    return all(group, &q, in, NULL, streams);
}

hd_status hd_group_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out, size_t n,
                               hd_type type, hd_reduce_op op, unsigned root, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_reduce_rank",
                                   .kind = HD__GROUP_REDUCE,
                                   .in = in,
                                   .out = out,
                                   .n = n,
                                   .type = type,
                                   .op = op,
                                   .root = root,
                                   .stream = stream});
}

hd_status hd_group_reduce_scatter(hd_group *group, const void *const *in, void *const *out,
                                  size_t n, hd_type type, hd_reduce_op op,
                                  hd_stream *const *streams)
{
    const hd__group_request q = {.call = "hd_group_reduce_scatter",
                                 .kind = HD__GROUP_REDUCE_SCATTER,
                                 .n = n,
                                 .type = type,
                                 .op = op};
    HD_TRY(need(q.call, in, out, n));
    return all(group, &q, in, out, streams);
}

hd_status hd_group_reduce_scatter_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                       size_t n, hd_type type, hd_reduce_op op, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_reduce_scatter_rank",
                                   .kind = HD__GROUP_REDUCE_SCATTER,
                                   .in = in,
                                   .out = out,
                                   .n = n,
                                   .type = type,
                                   .op = op,
                                   .stream = stream});
}

hd_status hd_group_all_gather(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams)
{
    const hd__group_request q = {
        .call = "hd_group_all_gather", .kind = HD__GROUP_ALL_GATHER, .n = n, .type = type};
    HD_TRY(need(q.call, in, out, n));
    return all(group, &q, in, out, streams);
}

hd_status hd_group_all_gather_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_all_gather_rank",
                                   .kind = HD__GROUP_ALL_GATHER,
                                   .in = in,
                                   .out = out,
                                   .n = n,
                                   .type = type,
                                   .stream = stream});
}

hd_status hd_group_broadcast(hd_group *group, void *const *buffer, size_t n, hd_type type,
                             unsigned root, hd_stream *const *streams)
{
    const hd__group_request q = {.call = "hd_group_broadcast",
                                 .kind = HD__GROUP_BROADCAST,
                                 .n = n,
                                 .type = type,
                                 .root = root};
    HD_TRY(need(q.call, buffer, buffer, n));
    return all(group, &q, (const void *const *)buffer, buffer, streams);
}

hd_status hd_group_broadcast_rank(hd_group *group, unsigned rank, void *buffer, size_t n,
                                  hd_type type, unsigned root, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_broadcast_rank",
                                   .kind = HD__GROUP_BROADCAST,
                                   .in = buffer,
                                   .out = buffer,
                                   .n = n,
                                   .type = type,
                                   .root = root,
                                   .stream = stream});
}

hd_status hd_group_all_to_all(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams)
{
    const hd__group_request q = {
        .call = "hd_group_all_to_all", .kind = HD__GROUP_ALL_TO_ALL, .n = n, .type = type};
    HD_TRY(need(q.call, in, out, n));
    return all(group, &q, in, out, streams);
}

hd_status hd_group_all_to_all_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_all_to_all_rank",
                                   .kind = HD__GROUP_ALL_TO_ALL,
                                   .in = in,
                                   .out = out,
                                   .n = n,
                                   .type = type,
                                   .stream = stream});
}

hd_status hd__group_send_receive(const char *call, hd_group *group,
                                 const hd_group_message *messages, size_t count,
                                 hd_stream *const *streams)
{
    const hd__group_request q = {
        .call = call, .kind = HD__GROUP_SEND_RECEIVE, .messages = messages, .count = count};
    return all(group, &q, NULL, NULL, streams);
}

hd_status hd_group_send_receive(hd_group *group, const hd_group_message *messages, size_t count,
                                hd_stream *const *streams)
{
    return hd__group_send_receive("hd_group_send_receive", group, messages, count, streams);
}

hd_status hd_group_send_receive_rank(hd_group *group, unsigned rank,
                                     const hd_group_message *messages, size_t count,
                                     hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){.call = "hd_group_send_receive_rank",
                                   .kind = HD__GROUP_SEND_RECEIVE,
                                   .messages = messages,
                                   .count = count,
                                   .stream = stream});
}

hd_status hd_group_barrier(hd_group *group, hd_stream *const *streams)
{
    const hd__group_request q = {.call = "hd_group_barrier", .kind = HD__GROUP_BARRIER};
    return all(group, &q, NULL, NULL, streams);
}

hd_status hd_group_barrier_rank(hd_group *group, unsigned rank, hd_stream *stream)
{
    return one(group, rank,
               (hd__group_request){
                   .call = "hd_group_barrier_rank", .kind = HD__GROUP_BARRIER, .stream = stream});
}
