/* SPDX-License-Identifier: Apache-2.0 */
/* group_library.c - the vendor's library as transport of a group. */
#include "group_plan.h"

#include "runtime/runtime.h"

hd_status hd__group_library_open(const char *call, hd_group *group)
{
    int ordinals[HD__GROUP_RANKS];
    void *communicators[HD__GROUP_RANKS] = {NULL};

    for (unsigned r = 0; r < group->count; r++)
        ordinals[r] = group->rank[r].stream->ordinal;
    HD_TRY(hdb_ccl_open(call, group->options.library, ordinals, group->count, communicators));
    for (unsigned r = 0; r < group->count; r++)
        group->rank[r].library = communicators[r];
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

static hd_status move(const hd__group_request *q, void *communicator, unsigned peer, const void *in,
                      void *out, size_t n, hd_type type)
{
    const hd__ccl_work work = {.kind = in ? HD__CCL_SEND : HD__CCL_RECEIVE,
                               .communicator = communicator,
                               .in = in,
                               .out = out,
                               .n = n,
                               .type = type,
                               .peer = (int)peer,
                               .stream = q->stream};
    return n ? hdb_ccl_run(q->call, &work) : HD_OK;
}

static hd_status all_to_all(const hd_group *group, unsigned r, const hd__group_request *q)
{
    const size_t bytes = q->n * hd_type_bytes(q->type);

    for (unsigned p = 0; p < group->count; p++) {
        HD_TRY(move(q, group->rank[r].library, p, (const char *)q->in + p * bytes, NULL, q->n,
                    q->type));
        HD_TRY(move(q, group->rank[r].library, p, NULL, (char *)q->out + p * bytes, q->n, q->type));
    }
    return HD_OK;
}

static hd_status messages(const hd_group *group, unsigned r, const hd__group_request *q)
{
    for (size_t i = 0; i < q->count; i++) {
        const hd_group_message *m = &q->messages[i];
        if (m->from == r)
            HD_TRY(move(q, group->rank[r].library, m->to, m->in, NULL, m->bytes, HD_U8));
        if (m->to == r)
            HD_TRY(move(q, group->rank[r].library, m->from, NULL, m->out, m->bytes, HD_U8));
    }
    return HD_OK;
}

/* One all-reduce of one byte, in memory of the group. */
static hd_status barrier(const hd_group *group, unsigned r, const hd__group_request *q)
{
    const hd__ccl_work work = {.kind = HD__CCL_ALL_REDUCE,
                               .communicator = group->rank[r].library,
                               .in = group->rank[r].epochs,
                               .out = group->rank[r].epochs,
                               .n = 1,
                               .type = HD_U8,
                               .op = HD_MAX,
                               .stream = q->stream};
    return hdb_ccl_run(q->call, &work);
}

hd_status hd__group_library_enqueue(hd_group *group, unsigned r, const hd__group_request *q)
{
    static const hd__ccl_kind kinds[] = {
        [HD__GROUP_ALL_REDUCE] = HD__CCL_ALL_REDUCE,
        [HD__GROUP_REDUCE] = HD__CCL_REDUCE,
        [HD__GROUP_REDUCE_SCATTER] = HD__CCL_REDUCE_SCATTER,
        [HD__GROUP_ALL_GATHER] = HD__CCL_ALL_GATHER,
        [HD__GROUP_BROADCAST] = HD__CCL_BROADCAST,
    };
    hd_status status;

    if (!hd__captured(q->stream))
        atomic_store(&group->rank[r].last, q->stream);
    if (q->kind == HD__GROUP_BARRIER)
        return barrier(group, r, q);
    if (q->kind == HD__GROUP_ALL_TO_ALL || q->kind == HD__GROUP_SEND_RECEIVE) {
        HD_TRY(hdb_ccl_together(q->call, 1));
        status = q->kind == HD__GROUP_ALL_TO_ALL ? all_to_all(group, r, q) : messages(group, r, q);
        const hd_status end = hdb_ccl_together(q->call, 0);
        return status < 0 ? status : end;
    }
    const hd__ccl_work work = {.kind = kinds[q->kind],
                               .communicator = group->rank[r].library,
                               .in = q->in,
                               .out = q->out,
                               .n = q->n,
                               .type = q->type,
                               .op = q->op,
                               .peer = (int)q->root,
                               .stream = q->stream};
    return hdb_ccl_run(q->call, &work);
}
