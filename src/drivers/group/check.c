/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - checks of a request, all before anything is enqueued. */
#include "plan.h"

#include <inttypes.h>

#include "drivers/array.h"
#include "runtime/backend.h"

static int reduces(hd__group_kind kind)
{
    return kind == HD__GROUP_ALL_REDUCE || kind == HD__GROUP_REDUCE ||
           kind == HD__GROUP_REDUCE_SCATTER;
}

/* A flag is the epoch << HD__GROUP_STEP_BITS plus the number of completed steps. An operation may
   have 2^HD__GROUP_STEP_BITS steps: its last flag equals the base of the next epoch, which waits
   for at least its base + 1. One more step would be mistaken for the next epoch's first. */
static hd_status check_steps(const hd_group *group, const hd__group_request *q, uint64_t bytes,
                             unsigned lanes)
{
    hd__group_place place;
    unsigned blocks, threads;

    hd__group_chunk_shape(group, (size_t)bytes, lanes, &place, &blocks, &threads);
    const uint64_t most = ((uint64_t)blocks * place.layout.chunk) << HD__GROUP_STEP_BITS;
    if (bytes > most)
        return hd__fail(HD_ERR_OVERFLOW, q->call,
                        "a message or piece of %" PRIu64
                        " bytes, but chunks of this group's message_bytes carry %" PRIu64
                        " at most",
                        bytes, most);
    return HD_OK;
}

/* A group of one rank and the vendor's library count no steps. */
static int has_steps(const hd_group *group)
{
    return group->count > 1 && !hd__group_library_used(group);
}

/* Checked as if the operation went in chunks: one with too many steps of chunks is too long for
   words, lines and copies too. */
static hd_status check_length(const hd_group *group, const hd__group_request *q)
{
    const uint64_t bytes = q->n * hd_type_bytes(q->type);

    if (!has_steps(group))
        return HD_OK;
    if (q->kind == HD__GROUP_BROADCAST && hd__group_broadcast_in_pieces(group, bytes))
        return check_steps(group, q, hd__group_piece(bytes, group->count - 1), HD__GROUP_LANES);
    if (!reduces(q->kind))
        return check_steps(group, q, bytes, 1);
    if (q->kind == HD__GROUP_REDUCE_SCATTER ||
        hd__group_choose(group, q->kind, (size_t)bytes, q->type) == HD_GROUP_RING)
        return check_steps(group, q, bytes, HD__GROUP_LANES);
    return check_steps(group, q, hd__group_piece(bytes, group->count), HD__GROUP_LANES);
}

static hd_status check_reduction(const hd_group *group, const hd__group_request *q)
{
    if (q->op != HD_SUM && q->op != HD_PROD && q->op != HD_MIN && q->op != HD_MAX)
        return hd__fail(HD_ERR_UNSUPPORTED, q->call,
                        "%s is not supported; use sum, prod, min or max", hd_reduce_op_name(q->op));
    if (hd__group_library_used(group) && !hdb_ccl_has(q->type))
        return hd__fail(HD_ERR_UNSUPPORTED, q->call,
                        "the library of collectives does not reduce %s (a group of transport "
                        "HD_GROUP_OWN does)",
                        hd_type_name(q->type));
    return HD_OK;
}

static hd_status check_words(const hd_group *group, unsigned rank, const hd__group_request *q)
{
    if (rank >= group->count)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "no rank %u: the group has ranks 0 to %u", rank,
                        group->count - 1);
    if (hd_type_bytes(q->type) == 0)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "%d is not an hd_type", (int)q->type);
    if (q->root >= group->count)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "no root %u: the group has ranks 0 to %u",
                        q->root, group->count - 1);
    if (reduces(q->kind))
        HD_TRY(check_reduction(group, q));
    if (q->n > SIZE_MAX / 4 / group->count / hd_type_bytes(q->type))
        return hd__fail(HD_ERR_OVERFLOW, q->call,
                        "%zu elements for each of %u ranks are more than memory can hold", q->n,
                        group->count);
    return check_length(group, q);
}

static hd_status find(const hd__group_request *q, const char *what, const void *pointer,
                      size_t bytes, void **usable)
{
    return hd__array_usable(q->call, what, pointer, bytes, hd_type_bytes(q->type), q->stream,
                            usable);
}

/* Rejects in and out that overlap, unless in - out is `at`: then one is this rank's part of the
   other, or both are the same array. */
static hd_status check_overlap(const hd__group_request *q, size_t in_bytes, size_t out_bytes,
                               ptrdiff_t at)
{
    const uintptr_t in = (uintptr_t)q->in, out = (uintptr_t)q->out;

    if (in < out + out_bytes && out < in + in_bytes && (ptrdiff_t)(in - out) != at)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "in and out overlap");
    return HD_OK;
}

static hd_status check_arrays(const hd_group *group, unsigned rank, hd__group_request *q)
{
    const size_t bytes = q->n * hd_type_bytes(q->type), all = bytes * group->count;
    const int in_all = q->kind == HD__GROUP_REDUCE_SCATTER || q->kind == HD__GROUP_ALL_TO_ALL;
    const int out_all = q->kind == HD__GROUP_ALL_GATHER || q->kind == HD__GROUP_ALL_TO_ALL;
    const int with_out = q->kind != HD__GROUP_REDUCE || rank == q->root;
    const ptrdiff_t part = (ptrdiff_t)(bytes * rank);
    void *found = NULL;

    HD_TRY(find(q, "in", q->in, in_all ? all : bytes, &found));
    q->in = found;
    if (!with_out) {
        q->out = NULL;
        return HD_OK;
    }
    HD_TRY(find(q, "out", q->out, out_all ? all : bytes, &found));
    q->out = found;
    if (q->kind == HD__GROUP_BROADCAST)
        return HD_OK;
    return check_overlap(q, in_all ? all : bytes, out_all ? all : bytes,
                         q->kind == HD__GROUP_REDUCE_SCATTER ? -part
                         : q->kind == HD__GROUP_ALL_GATHER   ? part
                                                             : 0);
}

static hd_status check_messages(const hd_group *group, unsigned rank, const hd__group_request *q)
{
    uint32_t sent[HD__GROUP_RANKS] = {0};
    void *found = NULL;

    if (q->count && !q->messages)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "messages is NULL");
    for (size_t i = 0; i < q->count; i++) {
        const hd_group_message *m = &q->messages[i];
        if (m->from >= group->count || m->to >= group->count)
            return hd__fail(HD_ERR_ARGUMENT, q->call,
                            "message %zu is from rank %u to rank %u; the group has ranks 0 to %u",
                            i, m->from, m->to, group->count - 1);
        if (sent[m->from] >> m->to & 1)
            return hd__fail(HD_ERR_ARGUMENT, q->call,
                            "message %zu is the second one from rank %u to rank %u", i, m->from,
                            m->to);
        sent[m->from] |= 1u << m->to;
        if (has_steps(group))
            HD_TRY(check_steps(group, q, m->bytes, 1));
        if (m->bytes && m->from == rank)
            HD_TRY(hd__array_usable(q->call, "in", m->in, m->bytes, 1, q->stream, &found));
        if (m->bytes && m->to == rank)
            HD_TRY(hd__array_usable(q->call, "out", m->out, m->bytes, 1, q->stream, &found));
    }
    return HD_OK;
}

hd_status hd__group_check(hd_group *group, unsigned rank, hd__group_request *q)
{
    int device = -1;

    HD_TRY(hd__group_state(q->call, group));
    HD_TRY(check_words(group, rank, q));
    if (!q->stream)
        q->stream = group->rank[rank].stream;
    HD_TRY(hd_stream_device(q->stream, &device));
    if (device != group->rank[rank].device)
        return hd__fail(HD_ERR_ARGUMENT, q->call, "the stream of rank %u is of device %d, not %d",
                        rank, device, group->rank[rank].device);
    if (q->kind == HD__GROUP_SEND_RECEIVE)
        return check_messages(group, rank, q);
    if (q->kind == HD__GROUP_BARRIER || q->n == 0)
        return HD_OK;
    return check_arrays(group, rank, q);
}
