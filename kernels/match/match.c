/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - finds byte patterns. hd__match_find marks the occurrences; the other kernels remove
   those that overlap an earlier match, and write the matches. */
#include <heddle/kernel.h>

#include "match.h"
#include "find.h"

/* ---- occurrences ---------------------------------------------------------------------------- */

/* The longest pattern at p, a marked position. */
HD_DEVICE uint32_t match_longest(const hd__match_task *task, uint64_t p)
{
    uint32_t index = 0;

    if (task->longest)
        return task->longest[p];
    for (uint32_t k = 1, longest = 0; k <= task->patterns; k++)
        if (task->pattern[k - 1].length > longest && match_is(task, &task->pattern[k - 1], p)) {
            longest = task->pattern[k - 1].length;
            index = k - 1;
        }
    return index;
}

HD_DEVICE uint32_t match_length(const hd__match_task *task, uint64_t p)
{
    return task->pattern[task->patterns == 1 ? 0 : match_longest(task, p)].length;
}

/* The first marked position of the tile from `from` on; HD__MATCH_TILE if there is none. */
HD_DEVICE uint32_t match_next(const uint32_t *bits, uint32_t from)
{
    uint32_t word = from / 32u, rest;

    if (from >= HD__MATCH_TILE)
        return HD__MATCH_TILE;
    rest = bits[word] & ~(uint32_t)0 << from % 32u;
    while (rest == 0 && ++word < HD__MATCH_WORDS)
        rest = bits[word];
    return word < HD__MATCH_WORDS ? 32u * word + hd_ctz(rest) : (uint32_t)HD__MATCH_TILE;
}

/* End and begin of the tile's valid positions, relative to the tile's start. */
HD_DEVICE uint32_t match_tile_end(const hd__match_task *task, uint32_t tile)
{
    uint64_t left = task->limit - (uint64_t)tile * HD__MATCH_TILE;

    return left < HD__MATCH_TILE ? (uint32_t)left : (uint32_t)HD__MATCH_TILE;
}

HD_DEVICE uint32_t match_tile_begin(const hd__match_task *task, uint32_t tile)
{
    return tile == 0 ? (uint32_t)task->first : 0u;
}

/* ---- overlaps ------------------------------------------------------------------------------- */

/* Computes the step of each tile for each state, by walking from match to match. One thread per
   tile and state; 8 bytes written. */
HD_KERNEL void hd__match_walk(HD_GRID_CONST hd__match_task task)
{
    const uint64_t at = hd_global_x();
    const uint32_t tile = (uint32_t)(at / task.states), state = (uint32_t)(at % task.states);
    hd__match_step step;
    uint32_t p, end;

    if (tile >= task.tiles)
        return;
    end = match_tile_end(&task, tile);
    p = match_tile_begin(&task, tile) + state;
    step.count = 0;
    while (task.found[tile] > 0 && p < end) {
        const uint32_t *bits = task.bits + (size_t)tile * HD__MATCH_WORDS;

        p = match_next(bits, p);
        if (p >= end)
            p = end;
        else {
            p += match_length(&task, (uint64_t)tile * HD__MATCH_TILE + p);
            step.count++;
        }
    }
    step.exit = p > end ? p - end : 0u;
    task.steps[at] = step;
}
HD_DEFINE(hd__match_walk)

/* ---- overlaps of long patterns --------------------------------------------------------------- */

/* The step of a tile maps a search that enters the tile at some position to the position at which
   it leaves the tile. All searches that reach a position continue alike, so each position is
   computed once, from the tile's end back to its begin, and kept for as many positions as the
   longest pattern has bytes: p and p + states share an entry. */
HD_DEVICE hd__match_step *match_place_of(const hd__match_task *task, uint32_t tile, uint32_t p)
{
    return task->steps + (uint64_t)tile * task->states + p % task->states;
}

/* Initialises the entries of the positions after a tile's end: their exit is the state in which the
   next tile begins. `length` is the tile's length; done by thread `thread` of `threads`. */
HD_DEVICE void match_merge_end(const hd__match_task *task, uint32_t tile, uint32_t length,
                               uint32_t thread, uint32_t threads)
{
    for (uint32_t s = thread; s < task->states; s += threads) {
        hd__match_step step;

        step.exit = s;
        step.count = 0;
        *match_place_of(task, tile, length + s) = step;
    }
}

#if HD_SERIAL_THREADS
/* One thread computes the entries, position by position. */
HD_DEVICE void match_merge_serial(const hd__match_task *task, uint32_t tile, uint32_t begin,
                                  uint32_t end)
{
    const uint32_t *bits = task->bits + (size_t)tile * HD__MATCH_WORDS;
    hd__match_step *steps = task->steps + (uint64_t)tile * task->states;
    uint32_t slot = (end - begin) % task->states;
    hd__match_step next = {0, 0};

    match_merge_end(task, tile, end - begin, 0, 1);
    for (uint32_t p = end; p-- > begin; steps[slot] = next) {
        slot = slot == 0 ? task->states - 1 : slot - 1;
        if (bits[p / 32u] >> p % 32u & 1) {
            const uint32_t length = match_length(task, (uint64_t)tile * HD__MATCH_TILE + p);
            const uint32_t to = slot + length;

            next = steps[to < task->states ? to : to - task->states];
            next.count++;
        }
    }
}
#endif

/* A batch of positions: how far the search moves on from each, and how many matches it finds on the
   way. */
typedef struct match_links {
    uint16_t to[HD__MATCH_MERGED], count[HD__MATCH_MERGED];
} match_links;

/* Links each of the tile's `size` positions from `first` on to the next match, or to the end of the
   match at the position. */
HD_DEVICE void match_link(const hd__match_task *task, uint32_t tile, uint32_t first, uint32_t size,
                          match_links *links)
{
    for (uint32_t i = hd_thread_x(); i < size; i += hd_block_threads()) {
        const uint32_t p = first + i, end = first + size;
        const uint32_t *bits = task->bits + (size_t)tile * HD__MATCH_WORDS;
        const int marked = bits[p / 32u] >> p % 32u & 1;
        uint32_t to = i;

        if (marked) {
            to += match_length(task, (uint64_t)tile * HD__MATCH_TILE + p);
        } else {
            uint32_t word = p / 32u, rest = bits[word] & ~(uint32_t)0 << p % 32u;

            while (rest == 0 && 32u * ++word < end)
                rest = bits[word];
            to = rest != 0 && 32u * word + hd_ctz(rest) < end ? 32u * word + hd_ctz(rest) - first
                                                              : size;
        }
        links->to[i] = (uint16_t)to;
        links->count[i] = (uint16_t)marked;
    }
}

/* Pointer jumping: each round doubles the distance of the links, until all of them leave the `size`
   positions. */
HD_DEVICE void match_link_out(uint32_t size, match_links *links)
{
    enum { EACH = HD__MATCH_MERGED / HD__MATCH_GROUP };
    int inside = 1;

    while (inside) {
        uint32_t to[EACH], count[EACH];

        inside = 0;
        HD_UNROLL
        for (uint32_t k = 0; k < EACH; k++) {
            const uint32_t i = hd_thread_x() + k * HD__MATCH_GROUP;

            to[k] = i < size ? links->to[i] : size;
            count[k] = 0;
            if (to[k] < size) {
                count[k] = links->count[to[k]];
                to[k] = links->to[to[k]];
                inside |= to[k] < size;
            }
        }
        inside = hd_sync_block_or(inside);
        HD_UNROLL
        for (uint32_t k = 0; k < EACH; k++) {
            const uint32_t i = hd_thread_x() + k * HD__MATCH_GROUP;

            if (i < size) {
                links->to[i] = (uint16_t)to[k];
                links->count[i] = (uint16_t)(links->count[i] + count[k]);
            }
        }
        hd_sync_block();
    }
}

/* Turns the links into entries; only the last `states` positions are kept. `at` is the entry of the
   first position. */
HD_DEVICE void match_merge_links(const hd__match_task *task, uint32_t tile, uint32_t at,
                                 uint32_t size, const match_links *links)
{
    enum { EACH = HD__MATCH_MERGED / HD__MATCH_GROUP };
    hd__match_step step[EACH];

    HD_UNROLL
    for (uint32_t k = 0; k < EACH; k++) {
        const uint32_t i = hd_thread_x() + k * HD__MATCH_GROUP;

        step[k].exit = step[k].count = 0;
        if (i < size) {
            step[k] = *match_place_of(task, tile, at + links->to[i]);
            step[k].count += links->count[i];
        }
    }
    hd_sync_block();
    HD_UNROLL
    for (uint32_t k = 0; k < EACH; k++) {
        const uint32_t i = hd_thread_x() + k * HD__MATCH_GROUP;

        if (i < size && i < task->states)
            *match_place_of(task, tile, at + i) = step[k];
    }
    hd_sync_block();
}

/* As hd__match_walk, for many states. Launch: a block per tile, of HD__MATCH_GROUP threads or of
   one. Work per tile: HD__MATCH_TILE positions, each linked at most log2 HD__MATCH_MERGED times,
   whatever the length of the patterns. */
HD_KERNEL void hd__match_merge(HD_GRID_CONST hd__match_task task)
{
    HD_SHARED(match_links, links, 1);
    const uint32_t tile = hd_block_x(), begin = match_tile_begin(&task, tile);
    const uint32_t end = match_tile_end(&task, tile), length = end - begin;
    uint32_t left = task.found[tile] > 0 ? length : 0;

    if (left == 0) {
        for (uint32_t s = hd_thread_x(); s < task.states; s += hd_block_threads()) {
            hd__match_step step;

            step.exit = s > length ? s - length : 0;
            step.count = 0;
            task.steps[(uint64_t)tile * task.states + s] = step;
        }
        return;
    }
#if HD_SERIAL_THREADS
    if (hd_block_threads() == 1) {
        match_merge_serial(&task, tile, begin, end);
        return;
    }
#endif
    match_merge_end(&task, tile, length, hd_thread_x(), hd_block_threads());
    while (left > 0) {
        const uint32_t size = left < HD__MATCH_MERGED ? left : (uint32_t)HD__MATCH_MERGED;

        left -= size;
        match_link(&task, tile, begin + left, size, links);
        hd_sync_block();
        match_link_out(size, links);
        match_merge_links(&task, tile, left, size, links);
    }
}
HD_DEFINE(hd__match_merge)

/* ---- groups of tiles ------------------------------------------------------------------------- */

/* The tiles of a group. */
HD_DEVICE uint32_t match_group_tiles(const hd__match_task *task, uint32_t group)
{
    const uint32_t left = task->tiles - group * HD__MATCH_GROUP;

    return left < HD__MATCH_GROUP ? left : (uint32_t)HD__MATCH_GROUP;
}

/* The steps of a group, staged in shared memory if they fit: each load of the walk depends on the
   one before. */
HD_DEVICE const hd__match_step *match_group_steps(const hd__match_task *task, uint32_t group,
                                                  hd__match_step *shared)
{
    const hd__match_step *steps = task->steps + (uint64_t)group * HD__MATCH_GROUP * task->states;
    const uint32_t count = match_group_tiles(task, group) * task->states;

    if (hd_block_threads() == 1 || count > HD__MATCH_STAGED)
        return steps;
    for (uint32_t i = hd_thread_x(); i < count; i += hd_block_threads())
        shared[i] = steps[i];
    hd_sync_block();
    return shared;
}

/* Composes the steps of each group's tiles. Launch: a block per group, of HD__MATCH_GROUP threads
   or of one; a thread per state, or per tile if there is one state. Reads 8 bytes per tile and
   state. */
HD_KERNEL void hd__match_compose(HD_GRID_CONST hd__match_task task)
{
    HD_SHARED(hd__match_step, shared, HD__MATCH_STAGED);
    const uint32_t group = hd_block_x(), tiles = match_group_tiles(&task, group);
    const hd__match_step *steps = match_group_steps(&task, group, shared);

    if (task.states == 1 && hd_block_threads() > 1) {
        const uint32_t own = hd_thread_x() < tiles ? steps[hd_thread_x()].count : 0u;
        const hd__match_place place = {hd_block_sum((uint64_t)own), 0};

        if (hd_thread_x() == 0)
            task.group_steps[group] = place;
        return;
    }
    for (uint32_t s = hd_thread_x(); s < task.states; s += hd_block_threads()) {
        hd__match_place place = {0, s};

        for (uint32_t tile = 0; tile < tiles; tile++) {
            const hd__match_step step = steps[tile * task.states + place.state];

            place.count += step.count;
            place.state = step.exit;
        }
        task.group_steps[(uint64_t)group * task.states + s] = place;
    }
}
HD_DEFINE(hd__match_compose)

/* Walks through the groups, from the caller's state to its next one. Launch: one block of
   HD__MATCH_GROUP threads or of one. It stages as many groups at a time as fit in shared memory. */
HD_KERNEL void hd__match_chain(HD_GRID_CONST hd__match_task task)
{
    HD_SHARED(hd__match_place, shared, HD__MATCH_STAGED / 2);
    const int staged = hd_block_threads() > 1 && task.states <= HD__MATCH_STAGED / 2;
    const uint32_t batch = staged ? HD__MATCH_STAGED / 2 / task.states : task.groups;
    hd__match_place place;

    place.count = *task.count;
    place.state = *task.blocked < task.states ? *task.blocked : task.states - 1;
    for (uint32_t group = 0; group < task.groups; group += batch) {
        const hd__match_place *steps = task.group_steps + (uint64_t)group * task.states;
        const uint32_t groups = task.groups - group < batch ? task.groups - group : batch;

        hd_sync_block();
        for (uint32_t i = hd_thread_x(); staged && i < groups * task.states;
             i += hd_block_threads())
            shared[i] = steps[i];
        hd_sync_block();
        for (uint32_t i = 0; hd_thread_x() == 0 && i < groups; i++) {
            const hd__match_place step = (staged ? shared
                                                 : steps)[(uint64_t)i * task.states + place.state];

            task.group_places[group + i] = place;
            place.count += step.count;
            place.state = step.state;
        }
    }
    if (hd_thread_x() == 0) {
        *task.count = place.count;
        *task.blocked = place.state;
    }
}
HD_DEFINE(hd__match_chain)

/* Computes the state and the first match index of each tile. Launch: as hd__match_compose; 16 bytes
   written per tile. */
HD_KERNEL void hd__match_place_tiles(HD_GRID_CONST hd__match_task task)
{
    HD_SHARED(hd__match_step, shared, HD__MATCH_STAGED);
    const uint32_t group = hd_block_x(), tiles = match_group_tiles(&task, group);
    const hd__match_step *steps = match_group_steps(&task, group, shared);
    hd__match_place *to = task.tile_places + (size_t)group * HD__MATCH_GROUP;
    hd__match_place place = task.group_places[group];

    if (task.states == 1 && hd_block_threads() > 1) {
        const uint32_t own = hd_thread_x() < tiles ? steps[hd_thread_x()].count : 0u;

        place.count += hd_block_scan_exclusive_sum(own);
        if (hd_thread_x() < tiles)
            to[hd_thread_x()] = place;
        return;
    }
    for (uint32_t tile = 0; hd_thread_x() == 0 && tile < tiles; tile++) {
        const hd__match_step step = steps[tile * task.states + place.state];

        to[tile] = place;
        place.count += step.count;
        place.state = step.exit;
    }
}
HD_DEFINE(hd__match_place_tiles)

/* Clears the marks of occurrences that overlap a chosen one. One thread per tile. */
HD_KERNEL void hd__match_choose(HD_GRID_CONST hd__match_task task)
{
    const uint32_t tile = (uint32_t)hd_global_x();
    uint32_t *bits, p;

    if (tile >= task.tiles || task.found[tile] == 0)
        return;
    bits = task.bits + (size_t)tile * HD__MATCH_WORDS;
    p = match_tile_begin(&task, tile) + (uint32_t)task.tile_places[tile].state;
    for (uint32_t word = 0; word < HD__MATCH_WORDS; word++) {
        uint32_t kept = 0, old = bits[word];

        while (p / 32u == word) {
            const uint32_t rest = old >> p % 32u << p % 32u;
            uint32_t next;

            if (rest == 0)
                break;
            next = 32u * word + hd_ctz(rest);
            kept |= 1u << next % 32u;
            p = next + match_length(&task, (uint64_t)tile * HD__MATCH_TILE + next);
        }
        if (p < 32u * (word + 1))
            p = 32u * (word + 1);
        if (kept != old)
            bits[word] = kept;
    }
}
HD_DEFINE(hd__match_choose)

/* ---- writing -------------------------------------------------------------------------------- */

/* Writes the matches at a position, from entry `at` on; returns their number. With at =
   task->capacity it only counts. */
HD_DEVICE uint32_t match_put(const hd__match_task *task, uint64_t p, uint64_t at)
{
    uint32_t count = 0, index = 0;

    if (!task->overlapping && task->patterns > 1 && task->which && at < task->capacity)
        index = match_longest(task, p);
    for (uint32_t k = index; k < task->patterns; k++) {
        if (task->overlapping && !match_is(task, &task->pattern[k], p))
            continue;
        if (at + count < task->capacity) {
            task->positions[at + count] = task->base + p - task->first;
            if (task->which)
                task->which[at + count] = k;
        }
        count++;
        if (!task->overlapping)
            break;
    }
    return count;
}

/* Writes the matches of each tile after those of the tiles before it. Launch: a block per tile, of
   any number of threads. A thread takes contiguous words of the bitmap, counts their matches, and
   writes them at its offset in a block-wide scan of the counts. 12 bytes written per match. */
HD_KERNEL void hd__match_write(HD_GRID_CONST hd__match_task task)
{
    const uint32_t tile = hd_block_x();
    const uint32_t share = HD__MATCH_WORDS / hd_block_dim_x();
    const uint32_t *bits = task.bits + (size_t)tile * HD__MATCH_WORDS + hd_thread_x() * share;
    const uint64_t first = (uint64_t)tile * HD__MATCH_TILE + 32u * share * hd_thread_x();
    uint64_t at = task.capacity;

    if (task.found[tile] == 0)
        return;
    HD_NO_UNROLL
    for (int writes = 0; writes < 2; writes++) {
        uint32_t count = 0;

        for (uint32_t word = 0; word < share; word++)
            for (uint32_t rest = bits[word]; rest != 0; rest &= rest - 1)
                count += match_put(&task, first + 32u * word + hd_ctz(rest),
                                   writes ? at + count : at);
        if (!writes)
            at = task.tile_places[tile].count + hd_block_scan_exclusive_sum(count);
    }
}
HD_DEFINE(hd__match_write)
