/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - one rank's part of an operation: a kernel, copies between devices, or the vendor's
   library. */
#include "plan.h"

#include "runtime/runtime.h"

/* ---- reductions ------------------------------------------------------------------------------ */

static void count_staged(hd_group *group, unsigned r, unsigned p, uint64_t bytes)
{
    if (p != r && !(group->direct[r] >> p & 1))
        atomic_fetch_add(&group->rank[r].staged[p], bytes);
}

static uint64_t piece_bytes(const hd__group_fold_task *t, unsigned p)
{
    const uint64_t begin = p * t->piece;
    return begin >= t->total ? 0 : t->total - begin < t->piece ? t->total - begin : t->piece;
}

static void count_fold(hd_group *group, unsigned r, const hd__group_fold_task *t,
                       hd_group_algorithm how)
{
    for (unsigned p = 0; p < group->count; p++) {
        const int is_target = t->targets >> p & 1;
        if (how == HD_GROUP_RING)
            count_staged(group, r, p, p + 1 == r || r + 1 == p ? t->total : 0);
        else if (how == HD_GROUP_ONE_SHOT)
            count_staged(group, r, p, is_target ? t->total : 0);
        else
            count_staged(group, r, p, piece_bytes(t, p) + (is_target ? piece_bytes(t, r) : 0));
    }
}

static void split(const hd_group *group, unsigned r, const hd__group_request *q,
                  hd__group_fold_task *t)
{
    const size_t bytes = q->n * hd_type_bytes(q->type);
    const uint32_t everybody = (uint32_t)(((uint64_t)1 << group->count) - 1);

    t->in = q->in;
    t->out = q->out;
    t->op = hd__group_op(q->type, q->op);
    t->total = bytes;
    t->piece = hd__group_piece(bytes, group->count);
    t->own_at = r * t->piece;
    t->targets = everybody;
    t->collects = 1;
    if (q->kind == HD__GROUP_REDUCE) {
        t->targets = 1u << q->root;
        t->collects = r == q->root;
    } else if (q->kind == HD__GROUP_REDUCE_SCATTER) {
        t->piece = bytes;
        t->total = bytes * group->count;
        t->own_at = 0;
        t->targets = 0;
        t->collects = 0;
    }
    t->targets &= ~(1u << r);
}

/* Launch shape of a reduction. */
typedef struct fold_shape {
    const hd_kernel *kernel;
    unsigned blocks, threads;
    size_t last; /* offset in a message where the last block's data begins; not for chunks */
} fold_shape;

/* Whether the data itself shows every rank, in every channel, that every other rank has begun, so
   that no separate flags are needed. One shot: all data is exchanged. Two shot: each channel
   carries part of the rank's own piece (the last piece may be shorter) or a result of the first
   rank, which has received from all others. Chunks: each has a flag. */
static int data_announces_start(const hd_group *group, hd__group_kind kind, hd_group_algorithm how,
                                const hd__group_fold_task *t, const fold_shape *shape)
{
    if (how == HD_GROUP_ONE_SHOT)
        return kind == HD__GROUP_ALL_REDUCE;
    if (how == HD_GROUP_TWO_SHOT)
        return kind == HD__GROUP_ALL_REDUCE || piece_bytes(t, group->count - 1) > shape->last;
    return how == HD_GROUP_DIRECT;
}

static fold_shape shape_of(const hd_group *group, hd_group_algorithm how, hd_type type,
                           hd__group_fold_task *t)
{
    const int in_pieces = how != HD_GROUP_ONE_SHOT && how != HD_GROUP_RING;
    const size_t bytes = (size_t)(in_pieces ? t->piece : t->total);
    const int is_short = how == HD_GROUP_ONE_SHOT || how == HD_GROUP_TWO_SHOT;
    const int in_lines = is_short && hd__group_in_lines(group, how, (size_t)t->total, bytes);
    fold_shape s = {.kernel = hd__group_kernel(how, in_lines, type)};

    if (!is_short) {
        hd__group_chunk_shape(group, bytes, HD__GROUP_LANES, &t->place, &s.blocks, &s.threads);
    } else if (in_lines) {
        (void)hd__group_line_shape(group, bytes, in_pieces ? 2 : 1, &s.blocks, &s.threads);
        s.last = (size_t)(s.blocks - 1) * (s.threads / HD_LINE_LANES) * HD__GROUP_LINE_DATA;
    } else {
        hd__group_word_shape(group, (bytes + HD__GROUP_UNIT - 1) / HD__GROUP_UNIT, &s.blocks,
                             &s.threads);
        s.last = (size_t)(s.blocks - 1) * s.threads * HD__GROUP_UNIT;
    }
    return s;
}

static hd_status enqueue_fold(hd_group *group, unsigned r, const hd__group_request *q)
{
    hd__group_fold_task t = {.place = group->rank[r].place};

    split(group, r, q, &t);
    const hd_group_algorithm how = hd__group_choose(group, q->kind, (size_t)t.total, q->type);
    if (how == HD_GROUP_COPIES)
        return hd__group_copies_reduce(group, r, &t, q->type, q->stream);
    const fold_shape shape = shape_of(group, how, q->type, &t);
    t.place.meet = !data_announces_start(group, q->kind, how, &t, &shape);
    count_fold(group, r, &t, how);
    return hd__group_launch(group, r, shape.kernel, shape.blocks, shape.threads, &t, q->stream);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void send_to(hd__group_move_task *t, unsigned p, const void *data, uint64_t bytes)
{
    t->send[p].data = data;
    t->send[p].bytes = bytes;
}

static void receive_from(hd__group_move_task *t, unsigned p, void *data, uint64_t bytes)
{
    t->receive[p].data = data;
    t->receive[p].bytes = bytes;
}

/* t->most is the longest message of all ranks; `meet`: not every rank sends that much to every
   other rank. */
static hd_status launch_move(hd_group *group, unsigned r, hd__group_move_task *t, int meet,
                             hd_stream *stream)
{
    const size_t most = (size_t)t->most, units = (most + HD__GROUP_UNIT - 1) / HD__GROUP_UNIT;
    unsigned blocks, threads;

    t->place.meet = (uint32_t)meet;
    for (unsigned p = 0; p < group->count; p++)
        count_staged(group, r, p, t->send[p].bytes);
    if (most <= group->tuning.move_word_bytes && hd__group_words_fit(group, units, 1)) {
        hd__group_word_shape(group, units, &blocks, &threads);
        return hd__group_launch(group, r, hd_kernel_of(hd__group_move_words), blocks, threads, t,
                                stream);
    }
    hd__group_chunk_shape(group, most, 1, &t->place, &blocks, &threads);
    return hd__group_launch(group, r, hd_kernel_of(hd__group_move_chunks), blocks, threads, t,
                            stream);
}

/* Scatters a piece to each rank, which forwards it to the others. */
static hd_status broadcast_pieces(hd_group *group, unsigned r, const hd__group_request *q,
                                  uint64_t bytes)
{
    hd__group_broadcast_task t = {.place = group->rank[r].place,
                                  .data = q->out,
                                  .total = bytes,
                                  .piece = hd__group_piece(bytes, group->count - 1),
                                  .root = q->root};
    unsigned blocks, threads;

    t.place.meet = 1;
    for (unsigned p = 0; p < group->count; p++) {
        const unsigned relay = r == q->root ? p : r;
        const uint64_t at = (relay + group->count - q->root - 1) % group->count * t.piece;
        if (p != q->root && at < bytes)
            count_staged(group, r, p, bytes - at < t.piece ? bytes - at : t.piece);
    }
    hd__group_chunk_shape(group, (size_t)t.piece, HD__GROUP_LANES, &t.place, &blocks, &threads);
    return hd__group_launch(group, r, hd_kernel_of(hd__group_broadcast), blocks, threads, &t,
                            q->stream);
}

static hd_status enqueue_broadcast(hd_group *group, unsigned r, const hd__group_request *q)
{
    const uint64_t bytes = q->n * hd_type_bytes(q->type);
    hd__group_move_task t = {.place = group->rank[r].place, .most = bytes};

    if (hd__group_broadcast_in_pieces(group, bytes))
        return broadcast_pieces(group, r, q, bytes);
    if (r != q->root)
        receive_from(&t, q->root, q->out, bytes);
    for (unsigned p = 0; p < group->count && r == q->root; p++)
        if (p != r)
            send_to(&t, p, q->in, bytes);
    return launch_move(group, r, &t, 1, q->stream);
}

/* An all-gather or all-to-all. */
static hd_status enqueue_exchange(hd_group *group, unsigned r, const hd__group_request *q)
{
    const uint64_t bytes = q->n * hd_type_bytes(q->type);
    const uint64_t step = q->kind == HD__GROUP_ALL_TO_ALL ? bytes : 0;
    hd__group_move_task t = {.place = group->rank[r].place, .most = bytes};

    if (hd__group_copies_move(group, bytes))
        return hd__group_copies_exchange(group, r, q, bytes);
    for (unsigned p = 0; p < group->count; p++) {
        send_to(&t, p, (const unsigned char *)q->in + p * step, bytes);
        receive_from(&t, p, (unsigned char *)q->out + p * bytes, bytes);
    }
    return launch_move(group, r, &t, 0, q->stream);
}

static hd_status enqueue_messages(hd_group *group, unsigned r, const hd__group_request *q)
{
    hd__group_move_task t = {.place = group->rank[r].place};

    for (size_t i = 0; i < q->count; i++) {
        const hd_group_message *m = &q->messages[i];
        if (m->bytes > t.most)
            t.most = m->bytes;
        if (m->from == r)
            send_to(&t, m->to, m->in, m->bytes);
        if (m->to == r)
            receive_from(&t, m->from, m->out, m->bytes);
    }
    return launch_move(group, r, &t, 1, q->stream);
}

/* ---- a group of one -------------------------------------------------------------------------- */

static hd_status enqueue_alone(const hd__group_request *q)
{
    const size_t bytes = q->n * hd_type_bytes(q->type);

    if (q->kind == HD__GROUP_BARRIER)
        return HD_OK;
    if (q->kind == HD__GROUP_SEND_RECEIVE) {
        if (q->count == 0 || q->messages[0].in == q->messages[0].out)
            return HD_OK;
        return hd_copy_bytes(q->messages[0].out, q->messages[0].in, q->messages[0].bytes, 1,
                             q->stream);
    }
    return q->in == q->out ? HD_OK : hd_copy_bytes(q->out, q->in, bytes, 1, q->stream);
}

hd_status hd__group_enqueue(hd_group *group, unsigned rank, const hd__group_request *q)
{
    if (hd__group_request_empty(q))
        return HD_OK;
    if (group->count == 1)
        return enqueue_alone(q);
    if (hd__group_library_used(group))
        return hd__group_library_enqueue(group, rank, rank + 1, q);
    switch (q->kind) {
    case HD__GROUP_ALL_REDUCE:
    case HD__GROUP_REDUCE:
    case HD__GROUP_REDUCE_SCATTER:
        return enqueue_fold(group, rank, q);
    case HD__GROUP_BROADCAST:
        return enqueue_broadcast(group, rank, q);
    case HD__GROUP_ALL_GATHER:
    case HD__GROUP_ALL_TO_ALL:
        return enqueue_exchange(group, rank, q);
    default:
        return enqueue_messages(group, rank, q);
    }
}
