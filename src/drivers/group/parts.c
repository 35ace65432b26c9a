/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c - reductions of one array that is distributed over the devices of a group. Every rank
   reduces its tiles as hd_reduce does, sends the partials to all ranks, and folds all of them as
   hd_reduce does. Partials are kept in memory of the group, whose operations on a rank are
   ordered. */
#include "plan.h"

#include "drivers/reduce/plan.h"
#include "runtime/backend.h"

/* The whole array, and the reduction. */
typedef struct whole {
    const char *call;
    hd_type type;
    int op;
    size_t n;
    hd__reduce_plan plan;
    size_t first[HD__GROUP_RANKS + 1]; /* elements before those of each rank; last: n */
} whole;

/* The arrays of one rank. */
typedef struct part {
    const void *x, *y; /* y: for a dot product */
    void *out;
    hd_stream *stream;
} part;

/* ---- tiles ----------------------------------------------------------------------------------- */

static size_t tile_at(const whole *w, size_t element)
{
    return element / w->plan.tile + (element % w->plan.tile != 0);
}

static size_t first_tile(const whole *w, unsigned r)
{
    return tile_at(w, w->first[r]);
}

static size_t tile_count(const whole *w, unsigned r)
{
    return first_tile(w, r + 1) - first_tile(w, r);
}

static hd_status add_counts(whole *w, unsigned ranks, const size_t *counts)
{
    for (unsigned r = 0; r < ranks; r++) {
        if (counts[r] > SIZE_MAX - w->n)
            return hd__fail(HD_ERR_OVERFLOW, w->call, "all parts have more than %zu elements",
                            SIZE_MAX);
        w->first[r] = w->n;
        w->n += counts[r];
    }
    w->first[ranks] = w->n;
    return hd__reduce_split(w->call, w->n, w->type, &w->plan);
}

static hd_status check_counts(const whole *w, unsigned ranks)
{
    for (unsigned r = 1; r < ranks; r++)
        if (w->first[r] < w->n && w->first[r] % w->plan.tile != 0)
            return hd__fail(HD_ERR_ARGUMENT, w->call,
                            "the part of rank %u begins at element %zu of %zu, which is not a "
                            "multiple of the tile, %zu",
                            r, w->first[r], w->n, w->plan.tile);
    return HD_OK;
}

static hd_status describe(whole *w, const hd_group *group, const size_t *counts)
{
    if (!group || !counts)
        return hd__fail(HD_ERR_ARGUMENT, w->call, "%s is NULL", group ? "counts" : "group");
    HD_TRY(hd__reduce_check(w->call, w->type, w->op));
    HD_TRY(add_counts(w, group->count, counts));
    return check_counts(w, group->count);
}

hd_status hd_group_parts(const hd_group *group, size_t n, hd_type type, size_t *counts)
{
    static const char call[] = "hd_group_parts";
    hd__reduce_plan plan;
    size_t done = 0, tiles;

    if (!group || !counts)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", group ? "counts" : "group");
    HD_TRY(hd__reduce_check(call, type, HD_SUM));
    HD_TRY(hd__reduce_split(call, n, type, &plan));
    for (unsigned r = 0; r < group->count; r++) {
        tiles = plan.tiles / group->count + (r < plan.tiles % group->count);
        counts[r] = n - done < tiles * plan.tile ? n - done : tiles * plan.tile;
        done += counts[r];
    }
    return HD_OK;
}

/* ---- one rank -------------------------------------------------------------------------------- */

static size_t count_of(const whole *w, unsigned r)
{
    return w->first[r + 1] - w->first[r];
}

static hd_status find(const whole *w, const char *what, const void **array, unsigned r,
                      hd_stream *stream)
{
    const size_t size = hd_type_bytes(w->type);
    void *usable;

    if (count_of(w, r) == 0)
        return HD_OK;
    HD_TRY(hd__array_usable(w->call, what, *array, count_of(w, r) * size, size, stream, &usable));
    *array = usable;
    return HD_OK;
}

/* Rejects what cannot be enqueued. */
static hd_status check(const whole *w, hd_group *group, unsigned r, part *p)
{
    hd__group_request own = {.call = w->call, .kind = HD__GROUP_BARRIER, .stream = p->stream};

    HD_TRY(hd__group_check(group, r, &own));
    p->stream = own.stream;
    if (w->n == 0 &&
        (w->op == HD_MIN || w->op == HD_MAX || w->op == HD_ARGMIN || w->op == HD_ARGMAX))
        return hd__fail(HD_ERR_ARGUMENT, w->call, "an empty array has no %s",
                        hd_reduce_op_name((hd_reduce_op)w->op));
    HD_TRY(find(w, "in", &p->x, r, p->stream));
    if (w->op == HD__REDUCE_DOT)
        HD_TRY(find(w, "y", &p->y, r, p->stream));
    return hd__array_usable(w->call, "out", p->out, hd__reduce_result_bytes(w->type, w->op), 16,
                            p->stream, &p->out);
}

static hd_status reduce_tiles(const whole *w, const hd_group *group, unsigned r, const part *p)
{
    hd__reduce_task task = {.in = p->x,
                            .in2 = w->op == HD__REDUCE_DOT ? p->y : NULL,
                            .count = count_of(w, r),
                            .tile = w->plan.tile,
                            .first_index = w->first[r],
                            .first_tile = (uint32_t)first_tile(w, r),
                            .tiles = (uint32_t)tile_count(w, r),
                            .total = (uint32_t)w->plan.tiles,
                            .partials = group->rank[r].partials};

    return task.tiles ? hd__reduce_launch(&task, w->type, w->op, p->stream) : HD_OK;
}

static hd_status fold(const whole *w, const hd_group *group, unsigned r, const part *p)
{
    hd__reduce_task task = {
        .total = (uint32_t)w->plan.tiles, .partials = group->rank[r].partials, .out = p->out};

    return w->n ? hd__reduce_launch(&task, w->type, w->op, p->stream)
                : hd__reduce_nothing(w->call, w->type, w->op, p->out, p->stream);
}

/* ---- partials -------------------------------------------------------------------------------- */

enum { MAX_MESSAGES = HD__GROUP_RANKS * (HD__GROUP_RANKS - 1) };

/* Lists the messages that carry every rank's partials to every other rank. */
static size_t plan_messages(const whole *w, const hd_group *group,
                            hd_group_message messages[MAX_MESSAGES])
{
    size_t count = 0;

    for (unsigned from = 0; from < group->count; from++) {
        const size_t at = first_tile(w, from) * HD__REDUCE_PARTIAL_BYTES;
        const size_t bytes = tile_count(w, from) * HD__REDUCE_PARTIAL_BYTES;
        for (unsigned to = 0; to < group->count && bytes; to++)
            if (to != from)
                messages[count++] = (hd_group_message){from, to, group->rank[from].partials + at,
                                                       group->rank[to].partials + at, bytes};
    }
    return count;
}

/* ---- all ranks ------------------------------------------------------------------------------- */

static hd_status exchange(const whole *w, hd_group *group, const part *parts)
{
    hd_group_message messages[MAX_MESSAGES];
    hd_stream *streams[HD__GROUP_RANKS];

    for (unsigned r = 0; r < group->count; r++)
        streams[r] = parts[r].stream;
    return hd__group_send_receive(w->call, group, messages, plan_messages(w, group, messages),
                                  streams);
}

static hd_status reduce_all(whole *w, hd_group *group, const size_t *counts, part *parts)
{
    HD_TRY(describe(w, group, counts));
    for (unsigned r = 0; r < group->count; r++)
        HD_TRY(check(w, group, r, &parts[r]));
    for (unsigned r = 0; r < group->count; r++)
        HD_TRY(reduce_tiles(w, group, r, &parts[r]));
    if (w->n)
        HD_TRY(exchange(w, group, parts));
    for (unsigned r = 0; r < group->count; r++)
        HD_TRY(fold(w, group, r, &parts[r]));
    return HD_OK;
}

/* hd__reduce_check would accept the dot product too. */
static hd_status check_op(const char *call, hd_reduce_op op)
{
    if ((int)op < 0 || op >= HD_REDUCE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown reduction %d", (int)op);
    return HD_OK;
}

/* Checks the arrays of pointers, and collects each rank's part. */
static hd_status collect(const whole *w, const hd_group *group, const void *const *x,
                         const void *const *y, void *const *out, hd_stream *const *streams,
                         part *parts)
{
    if (!group || !x || !y || !out)
        return hd__fail(HD_ERR_ARGUMENT, w->call, "%s is NULL",
                        !group ? "group"
                        : !x   ? "in"
                        : !y   ? "y"
                               : "out");
    for (unsigned r = 0; r < group->count; r++)
        parts[r] = (part){x[r], y[r], out[r], streams ? streams[r] : NULL};
    return HD_OK;
}

hd_status hd_group_reduce_parts(hd_group *group, const void *const *in, const size_t *counts,
                                hd_type type, hd_reduce_op op, void *const *out,
                                hd_stream *const *streams)
{
    whole w = {.call = "hd_group_reduce_parts", .type = type, .op = (int)op};
    part parts[HD__GROUP_RANKS];

    HD_TRY(check_op(w.call, op));
    HD_TRY(collect(&w, group, in, in, out, streams, parts));
    return reduce_all(&w, group, counts, parts);
}

hd_status hd_group_dot_parts(hd_group *group, const void *const *x, const void *const *y,
                             const size_t *counts, hd_type type, void *const *out,
                             hd_stream *const *streams)
{
    whole w = {.call = "hd_group_dot_parts", .type = type, .op = HD__REDUCE_DOT};
    part parts[HD__GROUP_RANKS];

    HD_TRY(collect(&w, group, x, y, out, streams, parts));
    return reduce_all(&w, group, counts, parts);
}

/* ---- one rank -------------------------------------------------------------------------------- */

static hd_status reduce_rank(whole *w, hd_group *group, unsigned rank, const size_t *counts,
                             part own)
{
    hd_group_message messages[MAX_MESSAGES];
    hd__group_request q = {.call = w->call, .kind = HD__GROUP_SEND_RECEIVE, .messages = messages};

    HD_TRY(describe(w, group, counts));
    HD_TRY(check(w, group, rank, &own));
    HD_TRY(reduce_tiles(w, group, rank, &own));
    if (w->n) {
        q.stream = own.stream;
        q.count = plan_messages(w, group, messages);
        HD_TRY(hd__group_check(group, rank, &q));
        HD_TRY(hd__group_enqueue(group, rank, &q));
    }
    return fold(w, group, rank, &own);
}

hd_status hd_group_reduce_parts_rank(hd_group *group, unsigned rank, const void *in,
                                     const size_t *counts, hd_type type, hd_reduce_op op, void *out,
                                     hd_stream *stream)
{
    whole w = {.call = "hd_group_reduce_parts_rank", .type = type, .op = (int)op};

    HD_TRY(check_op(w.call, op));
    return reduce_rank(&w, group, rank, counts, (part){in, NULL, out, stream});
}

hd_status hd_group_dot_parts_rank(hd_group *group, unsigned rank, const void *x, const void *y,
                                  const size_t *counts, hd_type type, void *out, hd_stream *stream)
{
    whole w = {.call = "hd_group_dot_parts_rank", .type = type, .op = HD__REDUCE_DOT};

    return reduce_rank(&w, group, rank, counts, (part){x, y, out, stream});
}
