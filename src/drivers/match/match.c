/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - hd_match. One launch if matches are only counted and cannot overlap, otherwise up to
   seven. */
#include "match.h"

#include <string.h>

#include "drivers/array.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

enum { THREADS = 128, WRITE_THREADS = 256, ALIGNMENT = 256 };

int hd__match_force_threads;

/* Offsets of the parts of the workspace; bytes is 0 if none is needed. */
typedef struct match_plan {
    size_t tiles, groups, states;
    size_t bits, longest, found, steps, group_steps, group_places, tile_places, bytes;
} match_plan;

static size_t part(size_t *at, size_t count, size_t size)
{
    const size_t begin = *at;

    *at += (hd_bytes(count, size) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return begin;
}

/* For n bytes at any address. */
static hd_status make_plan(const char *call, const hd_matcher *matcher, size_t n, int positions,
                           match_plan *plan)
{
    const size_t states = matcher->states;
    size_t at = 0;

    if (n > (SIZE_MAX >> 3) / (states + 1))
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu bytes of text", n);
    *plan = (match_plan){0};
    plan->tiles = (n + HD__MATCH_VECTOR + HD__MATCH_TILE - 1) / HD__MATCH_TILE;
    plan->groups = (plan->tiles + HD__MATCH_GROUP - 1) / HD__MATCH_GROUP;
    plan->states = states;
    if (plan->tiles > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu bytes of text", n);
    if (states == 1 && !positions)
        return HD_OK;
    plan->bits = part(&at, plan->tiles, HD__MATCH_WORDS * sizeof(uint32_t));
    if (states > 1 && matcher->count > 1 && matcher->repeats)
        plan->longest = part(&at, plan->tiles, HD__MATCH_TILE);
    plan->found = part(&at, plan->tiles, sizeof(uint32_t));
    plan->steps = part(&at, plan->tiles * states, sizeof(hd__match_step));
    plan->group_steps = part(&at, plan->groups * states, sizeof(hd__match_place));
    plan->group_places = part(&at, plan->groups, sizeof(hd__match_place));
    plan->tile_places = part(&at, positions ? plan->tiles : 0, sizeof(hd__match_place));
    plan->bytes = at;
    return HD_OK;
}

hd_status hd_match_workspace(const hd_matcher *matcher, size_t n, int positions, size_t *bytes)
{
    static const char call[] = "hd_match_workspace";
    match_plan plan;

    if (!matcher || !bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", matcher ? "bytes" : "matcher");
    HD_TRY(make_plan(call, matcher, n, positions, &plan));
    *bytes = plan.bytes;
    return HD_OK;
}

static hd_launch_config threads(uint64_t count, hd_stream *stream)
{
    return hd_launch_1d((size_t)count, THREADS, stream);
}

static hd_launch_config blocks(uint32_t count, hd_stream *stream)
{
    const unsigned each = HD_SERIAL_THREADS && !hd__match_force_threads ? 1 : HD__MATCH_GROUP;

    return hd_launch_with(hd_dim(count, 1, 1), hd_dim(each, 1, 1), 0, stream);
}

/* The launches that follow the marking of candidates. */
static hd_status settle(const hd__match_task *task, hd_stream *stream)
{
    const uint64_t states = task->states;

    if (states > HD__MATCH_WALKED)
        HD_TRY(hd_launch(hd__match_merge, blocks(task->tiles, stream), *task));
    else if (states > 1)
        HD_TRY(hd_launch(hd__match_walk, threads(task->tiles * states, stream), *task));
    HD_TRY(hd_launch(hd__match_compose, blocks(task->groups, stream), *task));
    HD_TRY(hd_launch(hd__match_chain, blocks(1, stream), *task));
    if (!task->positions)
        return HD_OK;
    HD_TRY(hd_launch(hd__match_place_tiles, blocks(task->groups, stream), *task));
    if (states > 1)
        HD_TRY(hd_launch(hd__match_choose, threads(task->tiles, stream), *task));
    return hd_launch(hd__match_write,
                     hd_launch_with(hd_dim(task->tiles, 1, 1),
                                    hd_dim(HD_SERIAL_THREADS ? 1 : WRITE_THREADS, 1, 1), 0, stream),
                     *task);
}

static hd_status launch(hd__match_task *task, hd_stream *stream)
{
    const unsigned count = HD_SERIAL_THREADS && !hd__match_force_threads ? 1 : HD__MATCH_THREADS;
    const hd_launch_config config = hd_launch_with(hd_dim(task->tiles, 1, 1), hd_dim(count, 1, 1),
                                                   0, stream);

    if (task->repeats)
        HD_TRY(hd_launch(hd__match_find_long, config, *task));
    else
        HD_TRY(hd_launch(hd__match_find, config, *task));
    return task->bits ? settle(task, stream) : HD_OK;
}

static void set_memory(hd__match_task *task, const match_plan *plan, unsigned char *memory)
{
    if (plan->bytes == 0)
        return;
    task->bits = (uint32_t *)(void *)(memory + plan->bits);
    if (task->states > 1 && task->patterns > 1 && task->repeats)
        task->longest = memory + plan->longest;
    task->found = (uint32_t *)(void *)(memory + plan->found);
    task->steps = (hd__match_step *)(void *)(memory + plan->steps);
    task->group_steps = (hd__match_place *)(void *)(memory + plan->group_steps);
    task->group_places = (hd__match_place *)(void *)(memory + plan->group_places);
    task->tile_places = (hd__match_place *)(void *)(memory + plan->tile_places);
}

/* Sets the task's workspace and launches; holds the stream's scratch meanwhile. */
static hd_status launch_in(const char *call, hd__match_task *task, const match_plan *plan,
                           hd_workspace *workspace, hd_stream *stream)
{
    static const char mark;
    void *memory = NULL;
    hd_status status;

    if (plan->bytes == 0)
        return launch(task, stream);
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, plan->bytes, 0, &mark, workspace, stream, &memory);
    if (status >= 0) {
        set_memory(task, plan, memory);
        status = launch(task, stream);
    }
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

static hd_status check(const char *call, const hd_matcher *matcher, size_t n, size_t starts,
                       const uint64_t *positions, const uint32_t *which,
                       const hd_match_state *state, const hd_stream *stream)
{
    if (!matcher || !stream || !state)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !matcher  ? "matcher"
                        : !stream ? "stream"
                                  : "state");
    if (matcher->device != stream->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the matcher of %d",
                        stream->device, matcher->device);
    if (starts > n)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu positions in %zu bytes", starts, n);
    if (which && !positions)
        return hd__fail(HD_ERR_ARGUMENT, call, "which is given without positions");
    return HD_OK;
}

/* The device's addresses of the caller's arrays. */
static hd_status set_arrays(const char *call, hd__match_task *task, const void *text, size_t n,
                            uint64_t *positions, uint32_t *which, size_t capacity,
                            hd_match_state *state, hd_stream *stream)
{
    void *usable;

    HD_TRY(hd__array_usable(call, "state", state, sizeof *state, 8, stream, &usable));
    task->blocked = &((hd_match_state *)usable)->blocked;
    task->count = &((hd_match_state *)usable)->count;
    if (positions && capacity > 0) {
        HD_TRY(hd__array_usable(call, "positions", positions, hd_bytes(capacity, 8), 8, stream,
                                &usable));
        task->positions = usable;
    } else {
        task->positions = positions;
    }
    if (which && capacity > 0) {
        HD_TRY(hd__array_usable(call, "which", which, hd_bytes(capacity, 4), 4, stream, &usable));
        task->which = usable;
    }
    task->capacity = capacity;
    if (n == 0)
        return HD_OK;
    HD_TRY(hd__array_usable(call, "text", text, n, 1, stream, &usable));
    task->first = (uintptr_t)usable % HD__MATCH_VECTOR;
    task->text = (const unsigned char *)usable - task->first;
    return HD_OK;
}

hd_status hd_match_chunk(const hd_matcher *matcher, const void *text, size_t n, size_t starts,
                         uint64_t base, uint64_t *positions, uint32_t *which, size_t capacity,
                         hd_match_state *state, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_match";
    hd__match_task task = {0};
    match_plan plan;

    HD_TRY(check(call, matcher, n, starts, positions, which, state, stream));
    HD_TRY(make_plan(call, matcher, starts, positions != NULL, &plan));
    HD_TRY(set_arrays(call, &task, text, n, positions, which, capacity, state, stream));
    if (starts == 0)
        return HD_OK;
    task.limit = task.first + starts;
    task.end = task.first + n;
    task.base = base;
    task.tiles = (uint32_t)((task.limit + HD__MATCH_TILE - 1) / HD__MATCH_TILE);
    task.groups = (task.tiles + HD__MATCH_GROUP - 1) / HD__MATCH_GROUP;
    task.states = matcher->states;
    task.patterns = (uint32_t)matcher->count;
    task.overlapping = matcher->count > 1 && matcher->flags & HD_MATCH_OVERLAPPING ? 1 : 0;
    task.pattern = matcher->memory;
    memcpy(task.prefix, matcher->prefix, sizeof task.prefix);
    task.repeats = matcher->repeats;
    task.bytes = matcher->bytes;
    return launch_in(call, &task, &plan, workspace, stream);
}

hd_status hd_match(const hd_matcher *matcher, const void *text, size_t n, uint64_t *positions,
                   uint32_t *which, size_t capacity, hd_match_state *state, hd_workspace *workspace,
                   hd_stream *stream)
{
    static const char call[] = "hd_match";
    void *usable;

    HD_TRY(check(call, matcher, n, n, positions, which, state, stream));
    HD_TRY(hd__array_usable(call, "state", state, sizeof *state, 8, stream, &usable));
    HD_TRY(hd_fill_zero(state, 1, stream));
    return hd_match_chunk(matcher, text, n, n, 0, positions, which, capacity, state, workspace,
                          stream);
}
