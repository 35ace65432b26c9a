/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - the public calls, for all ranks at once or for one rank. Both forms of an operation
   build their requests with the same function. */
#include "plan.h"

#include "runtime/backend.h"

static hd_status one(hd_group *group, unsigned rank, hd__group_request q, const void *in, void *out,
                     hd_stream *stream)
{
    q.in = in;
    q.out = out;
    q.stream = stream;
    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, q.call, "group is NULL");
    HD_TRY(hd__group_check(group, rank, &q));
    return hd__group_enqueue(group, rank, &q);
}

/* The request of rank r, from arrays with one pointer per rank. */
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

/* If one rank cannot be enqueued, the ranks enqueued before would wait for it forever: the group
   fails. */
static hd_status enqueue_all(const char *call, hd_group *group, const hd__group_request *parts)
{
    const hd_status status = hd__group_library_used(group)
                                 ? hd__group_library_enqueue(group, 0, group->count, parts)
                                 : enqueue_each(call, group, parts);

    if (status < 0)
        hd__group_fail(group, status, "%s", hd_error_last()->message);
    return status;
}

/* Arrays are required unless n is 0. */
static hd_status need(const hd__group_request *q, const void *in, const void *out)
{
    if (q->n && (!in || !out))
        return hd__fail(HD_ERR_ARGUMENT, q->call, "%s is NULL", in ? "out" : "in");
    return HD_OK;
}

static hd_status all(hd_group *group, hd__group_request q, const void *const *in, void *const *out,
                     hd_stream *const *streams)
{
    hd__group_request parts[HD__GROUP_RANKS];

    HD_TRY(need(&q, in, q.kind == HD__GROUP_REDUCE ? q.out : (const void *)out));
    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, q.call, "group is NULL");
    for (unsigned r = 0; r < group->count; r++) {
        parts[r] = part(&q, in, out, streams, r);
        const hd_status status = hd__group_check(group, r, &parts[r]);
        if (status < 0)
            return atomic_load(&group->failed) ? status : hd__group_named(q.call, group, r, status);
    }
    return enqueue_all(q.call, group, parts);
}

/* ---- operations ------------------------------------------------------------------------------ */

static hd__group_request reduction(const char *call, hd__group_kind kind, size_t n, hd_type type,
                                   hd_reduce_op op)
{
    return (hd__group_request){.call = call, .kind = kind, .n = n, .type = type, .op = op};
}

static hd__group_request reduction_to(const char *call, void *out, size_t n, hd_type type,
                                      hd_reduce_op op, unsigned root)
{
    hd__group_request q = reduction(call, HD__GROUP_REDUCE, n, type, op);

    q.out = out;
    q.root = root;
    return q;
}

/* An all-gather, a broadcast or an all-to-all. */
static hd__group_request movement(const char *call, hd__group_kind kind, size_t n, hd_type type,
                                  unsigned root)
{
    return (hd__group_request){.call = call, .kind = kind, .n = n, .type = type, .root = root};
}

static hd__group_request exchange(const char *call, const hd_group_message *messages, size_t count)
{
    return (hd__group_request){
        .call = call, .kind = HD__GROUP_SEND_RECEIVE, .messages = messages, .count = count};
}

static hd__group_request barrier(const char *call)
{
    return (hd__group_request){.call = call, .kind = HD__GROUP_BARRIER};
}

/* ---- calls ----------------------------------------------------------------------------------- */

hd_status hd_group_all_reduce(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_reduce_op op, hd_stream *const *streams)
{
    return all(group, reduction("hd_group_all_reduce", HD__GROUP_ALL_REDUCE, n, type, op), in, out,
               streams);
}

hd_status hd_group_all_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_reduce_op op, hd_stream *stream)
{
    return one(group, rank,
               reduction("hd_group_all_reduce_rank", HD__GROUP_ALL_REDUCE, n, type, op), in, out,
               stream);
}

hd_status hd_group_reduce(hd_group *group, const void *const *in, void *out, size_t n, hd_type type,
                          hd_reduce_op op, unsigned root, hd_stream *const *streams)
{
    return all(group, reduction_to("hd_group_reduce", out, n, type, op, root), in, NULL, streams);
}

hd_status hd_group_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out, size_t n,
                               hd_type type, hd_reduce_op op, unsigned root, hd_stream *stream)
{
    return one(group, rank, reduction_to("hd_group_reduce_rank", out, n, type, op, root), in, out,
               stream);
}

hd_status hd_group_reduce_scatter(hd_group *group, const void *const *in, void *const *out,
                                  size_t n, hd_type type, hd_reduce_op op,
                                  hd_stream *const *streams)
{
    return all(group, reduction("hd_group_reduce_scatter", HD__GROUP_REDUCE_SCATTER, n, type, op),
               in, out, streams);
}

hd_status hd_group_reduce_scatter_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                       size_t n, hd_type type, hd_reduce_op op, hd_stream *stream)
{
    return one(group, rank,
               reduction("hd_group_reduce_scatter_rank", HD__GROUP_REDUCE_SCATTER, n, type, op), in,
               out, stream);
}

hd_status hd_group_all_gather(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams)
{
    return all(group, movement("hd_group_all_gather", HD__GROUP_ALL_GATHER, n, type, 0), in, out,
               streams);
}

hd_status hd_group_all_gather_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream)
{
    return one(group, rank, movement("hd_group_all_gather_rank", HD__GROUP_ALL_GATHER, n, type, 0),
               in, out, stream);
}

hd_status hd_group_broadcast(hd_group *group, void *const *buffer, size_t n, hd_type type,
                             unsigned root, hd_stream *const *streams)
{
    return all(group, movement("hd_group_broadcast", HD__GROUP_BROADCAST, n, type, root),
               (const void *const *)buffer, buffer, streams);
}

hd_status hd_group_broadcast_rank(hd_group *group, unsigned rank, void *buffer, size_t n,
                                  hd_type type, unsigned root, hd_stream *stream)
{
    return one(group, rank, movement("hd_group_broadcast_rank", HD__GROUP_BROADCAST, n, type, root),
               buffer, buffer, stream);
}

hd_status hd_group_all_to_all(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams)
{
    return all(group, movement("hd_group_all_to_all", HD__GROUP_ALL_TO_ALL, n, type, 0), in, out,
               streams);
}

hd_status hd_group_all_to_all_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream)
{
    return one(group, rank, movement("hd_group_all_to_all_rank", HD__GROUP_ALL_TO_ALL, n, type, 0),
               in, out, stream);
}

hd_status hd__group_send_receive(const char *call, hd_group *group,
                                 const hd_group_message *messages, size_t count,
                                 hd_stream *const *streams)
{
    return all(group, exchange(call, messages, count), NULL, NULL, streams);
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
    return one(group, rank, exchange("hd_group_send_receive_rank", messages, count), NULL, NULL,
               stream);
}

hd_status hd_group_barrier(hd_group *group, hd_stream *const *streams)
{
    return all(group, barrier("hd_group_barrier"), NULL, NULL, streams);
}

hd_status hd_group_barrier_rank(hd_group *group, unsigned rank, hd_stream *stream)
{
    return one(group, rank, barrier("hd_group_barrier_rank"), NULL, NULL, stream);
}
