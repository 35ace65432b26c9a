/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - long reductions, all-gathers and all-to-alls whose data moves by copies between
   devices, on the copy engines. Kernels only fold and collect what has arrived; the only kernels
   that wait are the turns (hd__group_turn).

   A rank's piece is split into chunks. Turn j is a barrier of all ranks: each publishes that its
   part of chunk j and its results of chunk j - 2 have arrived and that it no longer uses the slots
   of turn j - 1. Then a kernel folds chunk j and collects the results of chunk j - 2, while copies
   bring chunk j + 1; then copies follow: chunk j + 2 of the others' pieces, and the result of chunk
   j. So copies of one chunk overlap the fold of another, and a lane needs three slots. Without a
   fold the kernel collects chunk j, and there are no results.

   Deadlock-free: a rank executes its turns in order, a turn publishes before it waits, and work
   between two turns waits only for work enqueued earlier. A turn has one block, so devices have
   room for it beside other kernels. */
#include "plan.h"

#include "runtime/runtime.h"

typedef struct course {
    hd_group *group;
    hd__group_rank *rank;
    unsigned r;
    hd_stream *stream;
    const hd_kernel *kernel;
    hd__group_step_task task;
    uint64_t chunk, chunks;
    int folds;   /* a reduction; otherwise chunks are parts of `out` from the other ranks */
    int results; /* results are sent to the other ranks */
    int same;    /* all ranks get this rank's whole `in` */
    int sending; /* copies are enqueued for which the stream does not wait yet */
} course;

/* ---- the stream of copies -------------------------------------------------------------------- */

/* Whether ranks get streams for copies. Not if ranks share a device: with few copy queues, a copy
   that one rank waits for could be queued behind one that waits for that rank. */
static int wanted(const hd_group *group)
{
    return group->count > 1 && !hd__group_shared && group->all_direct &&
           group->options.transport != HD_GROUP_LIBRARY &&
           (group->tuning.copies_bytes != SIZE_MAX || group->options.algorithm == HD_GROUP_COPIES);
}

hd_status hd__group_copies_open(hd_group *group, unsigned r)
{
    hd__group_rank *rank = &group->rank[r];

    if (!wanted(group))
        return HD_OK;
    HD_TRY(hd_stream_create(rank->device, &rank->copy_stream));
    HD_TRY(hd_event_create(rank->device, 0, &rank->sent));
    HD_TRY(hd_event_create(rank->device, 0, &rank->step));
    group->copies = r + 1 == group->count;
    return HD_OK;
}

hd_status hd__group_copies_close(hd_group *group, unsigned r)
{
    hd__group_rank *rank = &group->rank[r];

    if (rank->copy_stream && atomic_load(&group->failed)) /* the stream may not wait for it */
        (void)hd_stream_synchronize(rank->copy_stream);
    const hd_status step = hd_event_destroy(rank->step), sent = hd_event_destroy(rank->sent);
    const hd_status copy_stream = hd_stream_destroy(rank->copy_stream);
    return step < 0 ? step : sent < 0 ? sent : copy_stream;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static uint64_t slot_at(const hd__group_layout *l, unsigned lane, uint64_t k)
{
    const uint64_t slot = lane * HD__GROUP_COPY_DEPTH + k % HD__GROUP_COPY_DEPTH;
    return l->chunks_at + slot * hd__group_copy_slot(l);
}

/* ---- an operation ---------------------------------------------------------------------------- */

static uint64_t bytes_of(const course *c, unsigned p, uint64_t k)
{
    const hd__group_fold_task *t = &c->task.fold;
    const uint64_t begin = p * t->piece + k * c->chunk;
    const uint64_t end = (p + 1) * t->piece < t->total ? (p + 1) * t->piece : t->total;
    const uint64_t left = begin < end ? end - begin : 0;

    return left < c->chunk ? left : c->chunk;
}

static hd_status turn(const course *c)
{
    hd__group_place place = c->task.fold.place;

    return hd__group_launch(c->group, c->r, hd_kernel_of(hd__group_turn), 1,
                            HD_SERIAL_THREADS ? 1 : HD__GROUP_TURN_THREADS, &place, c->stream);
}

/* Folds chunk k and collects the results of chunk k - 2; without a fold, collects chunk k. */
static hd_status step(course *c, uint64_t k)
{
    const hd__group_layout *l = &c->task.fold.place.layout;
    hd__group_step_task *t = &c->task;
    const unsigned threads = c->group->tuning.chunk_threads;
    const uint64_t each = (uint64_t)threads * 16, wanted = (c->chunk + each - 1) / each;

    t->fold_bytes = c->folds && k < c->chunks ? c->chunk : 0;
    t->fold_at = k * c->chunk;
    t->fold_slot = slot_at(l, 0, k);
    t->collect_bytes = !c->folds || (c->results && k >= 2) ? c->chunk : 0;
    t->collect_at = !c->folds ? t->fold_at : k >= 2 ? (k - 2) * c->chunk : 0;
    t->collect_slot = c->folds ? slot_at(l, 1, k + 1) /* of chunk k - 2 */ : t->fold_slot;
    return hd__group_launch(c->group, c->r, c->kernel,
                            (unsigned)(wanted < l->channels ? wanted : l->channels), threads, t,
                            c->stream);
}

/* Copies chunk k of rank p's piece to rank p. */
static hd_status send_piece(const course *c, unsigned p, uint64_t k)
{
    const hd__group_fold_task *t = &c->task.fold;
    const uint64_t bytes = k < c->chunks ? bytes_of(c, c->same ? c->r : p, k) : 0;
    const uint64_t piece = c->same ? 0 : p * t->piece;

    return bytes == 0 ? HD_OK
                      : hd_copy_bytes(t->place.to[p] + slot_at(&t->place.layout, 0, k),
                                      t->in + piece + k * c->chunk, bytes, 1, c->rank->copy_stream);
}

/* Copies the result of chunk k to rank p. */
static hd_status send_result(const course *c, unsigned p, uint64_t k)
{
    const hd__group_fold_task *t = &c->task.fold;
    const uint64_t bytes = c->results && k < c->chunks ? bytes_of(c, c->r, k) : 0;

    return bytes == 0
               ? HD_OK
               : hd_copy_bytes(t->place.to[p] + slot_at(&t->place.layout, 1, k),
                               t->out + t->own_at + k * c->chunk, bytes, 1, c->rank->copy_stream);
}

/* Copies chunk k of their pieces to all other ranks, then the result of chunk j (UINT64_MAX: none),
   after the work that the stream has now. One rank after another: one copy engine fills the link,
   and as ranks start with their right neighbour, no two send to the same rank at once. */
static hd_status send_all(const course *c, uint64_t k, uint64_t j)
{
    const unsigned count = c->group->count;

    HD_TRY(hd_stream_wait(c->rank->copy_stream, c->rank->step));
    for (unsigned i = 1; i < count; i++)
        HD_TRY(send_piece(c, (c->r + i) % count, k));
    for (unsigned i = 1; i < count; i++)
        HD_TRY(send_result(c, (c->r + i) % count, j));
    return hd_event_record(c->rank->sent, c->rank->copy_stream);
}

/* After the first turn no rank uses the slots for an earlier operation; after the last, none for
   this one. */
static hd_status run(course *c)
{
    const uint64_t steps = c->chunks + (c->results ? 2 : 0);

    HD_TRY(turn(c));
    HD_TRY(hd_event_record(c->rank->step, c->stream));
    HD_TRY(send_all(c, 0, UINT64_MAX));
    HD_TRY(hd_stream_wait(c->stream, c->rank->sent));
    HD_TRY(send_all(c, 1, UINT64_MAX));
    for (uint64_t k = 0; k < steps; k++) {
        HD_TRY(turn(c));
        HD_TRY(step(c, k));
        HD_TRY(hd_event_record(c->rank->step, c->stream));
        if (c->sending)
            HD_TRY(hd_stream_wait(c->stream, c->rank->sent));
        c->sending = k + 2 < c->chunks || (c->results && k < c->chunks);
        if (c->sending)
            HD_TRY(send_all(c, k + 2, k));
    }
    return turn(c);
}

static course course_of(hd_group *group, unsigned r, const hd__group_fold_task *t,
                        const hd_kernel *kernel, hd_stream *stream)
{
    course c = {.group = group,
                .rank = &group->rank[r],
                .r = r,
                .stream = stream,
                .kernel = kernel,
                .task.fold = *t,
                .sending = 1};

    c.chunk = hd__group_copy_chunk(group, t->piece);
    c.chunks = (t->piece + c.chunk - 1) / c.chunk;
    return c;
}

hd_status hd__group_copies_reduce(hd_group *group, unsigned r, const hd__group_fold_task *t,
                                  hd_type type, hd_stream *stream)
{
    course c = course_of(group, r, t, hd__group_kernel(HD_GROUP_COPIES, 0, type), stream);

    c.folds = 1;
    c.results = t->collects != 0;
    return run(&c);
}

int hd__group_copies_move(const hd_group *group, uint64_t bytes)
{
    return (bytes * group->count >= group->tuning.copies_bytes ||
            group->options.algorithm == HD_GROUP_COPIES) &&
           hd__group_copies_fit(group, bytes);
}

hd_status hd__group_copies_exchange(hd_group *group, unsigned r, const hd__group_request *q,
                                    uint64_t bytes)
{
    const int same = q->kind == HD__GROUP_ALL_GATHER;
    const hd__group_fold_task t = {.place = group->rank[r].place,
                                   .in = q->in,
                                   .out = q->out,
                                   .total = bytes * group->count,
                                   .piece = bytes};
    course c = course_of(group, r, &t, hd__group_kernel(HD_GROUP_COPIES, 0, HD_U8), q->stream);
    const unsigned char *mine = t.in + (same ? 0 : r * bytes);

    c.same = same;
    c.task.own = mine == t.out + r * bytes ? NULL : mine;
    return run(&c);
}
