/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - collectives of the threads of a block. The last thread to arrive performs the
   exchange for all and continues without a switch; the others are marked as ready.

   A result in out[] may be overwritten only by a later collective of the same threads, which cannot
   complete before each of them has read it. */
#include "block/lanes.h"
#include "observe.h"

#include <stdio.h>
#include <string.h>

/* ---- the exchange ---------------------------------------------------------------------------- */

static uint64_t ballot(const uint64_t *value, uint64_t lanes)
{
    uint64_t votes = 0;

    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        votes |= value[lane] << lane;
    }
    return votes;
}

static uint64_t equal_lanes(const uint64_t *value, uint64_t lanes, uint64_t wanted)
{
    uint64_t equal = 0;

    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        equal |= (uint64_t)(value[lane] == wanted) << lane;
    }
    return equal;
}

static void give(uint64_t *out, uint64_t lanes, uint64_t result)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        out[__builtin_ctzll(left)] = result;
}

static void match(unsigned kind, const uint64_t *value, uint64_t lanes, uint64_t *out)
{
    uint64_t all = equal_lanes(value, lanes, value[__builtin_ctzll(lanes)]);

    if (kind == HD_CPU_MATCH_ALL) {
        give(out, lanes, all == lanes ? lanes : 0);
        return;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        out[lane] = equal_lanes(value, lanes, value[lane]);
    }
}

/* Permutes values by lane number. If only lanes of the warp can be in the group, all slots of the
   warp take part: a loop without branches is faster, and results of absent lanes are never read. */
static void move(const uint64_t *value, const uint8_t *from, uint64_t lanes, unsigned size,
                 int whole, uint64_t *out)
{
    if (whole) {
        for (unsigned lane = 0; lane < size; lane++)
            out[lane] = value[from[lane] & (size - 1)];
        return;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        out[lane] = value[from[lane] & (size - 1)];
    }
}

/* Other lanes of the warp may have results in out[] that they have not read yet. */
static void __attribute__((noinline))
fold_group(unsigned kind, const uint64_t *value, uint64_t lanes, unsigned size, uint64_t *out)
{
    uint64_t result[64];

    hd_cpu_fold(kind, value, &lanes, size, kind >> 16, result);
    for (uint64_t left = lanes; left; left &= left - 1)
        out[__builtin_ctzll(left)] = result[__builtin_ctzll(left)];
}

static void exchange(hd_cpu_resident *block, unsigned warp, unsigned kind, uint64_t lanes)
{
    unsigned base = warp << block->shift, size = block->view.dims.warp_size;
    const uint64_t *value = block->value + base;
    uint64_t *out = block->view.out + base;

    if (kind >= HD_CPU_FOLD && lanes == block->warp[warp].exist)
        hd_cpu_fold(kind, value, &lanes, size, kind >> 16, out);
    else if (kind >= HD_CPU_FOLD)
        fold_group(kind, value, lanes, size, out);
    else if (kind >= HD_CPU_SHFL && kind <= HD_CPU_BROADCAST)
        move(value, block->from + base, lanes, size, lanes == block->warp[warp].exist, out);
    else if (kind == HD_CPU_BALLOT)
        give(out, lanes, ballot(value, lanes));
    else if (kind == HD_CPU_ANY)
        give(out, lanes, ballot(value, lanes) != 0);
    else if (kind == HD_CPU_ALL)
        give(out, lanes, ballot(value, lanes) == lanes);
    else if (kind == HD_CPU_MATCH_ANY || kind == HD_CPU_MATCH_ALL)
        match(kind, value, lanes, out);
}

static void warp_complete(hd_cpu_resident *block, unsigned warp)
{
    hd_cpu_warp *w = &block->warp[warp];

    HD_OBSERVE(block.warp_met(block, warp, w->arrived, 1, w->kind, w->place));
    exchange(block, warp, w->kind, w->arrived);
    w->ready |= w->arrived;
    w->arrived = 0;
    block->ready_warps |= 1u << warp;
}

static void group_complete(hd_cpu_resident *block, unsigned warp, unsigned slot)
{
    hd_cpu_warp *w = &block->warp[warp];
    const hd_cpu_group *group = &block->group[warp][slot];

    HD_OBSERVE(block.warp_met(block, warp, group->arrived, 0, group->kind, group->place));
    exchange(block, warp, group->kind, group->arrived);
    w->ready |= group->arrived;
    w->open &= ~((uint64_t)1 << slot);
    block->ready_warps |= 1u << warp;
}

static void barrier_exchange(hd_cpu_resident *block)
{
    unsigned kind = block->barrier_kind, operation = kind & 15;
    uint64_t sum = block->barrier_sum, present[HD_CPU_MAX_THREADS / 64] = {0};

    if (kind == HD_CPU_COUNT || kind == HD_CPU_AND || kind == HD_CPU_OR)
        block->view.total = kind == HD_CPU_COUNT ? sum
                            : kind == HD_CPU_AND ? sum == block->barrier_arrived
                                                 : sum != 0;
    if (kind < HD_CPU_FOLD)
        return;
    for (unsigned i = 0; i < block->warps; i++)
        present[(i << block->shift) / 64] |= block->warp[i].exist << ((i << block->shift) % 64);
    hd_cpu_fold(kind, block->value, present, block->threads, HD_CPU_MAX_THREADS, block->view.out);
    if (operation < HD_CPU_SCAN_SUM)
        block->view.total = block->view.out[0];
}

static void barrier_complete(hd_cpu_resident *block)
{
    if (block->barrier_kind != HD_CPU_SYNC)
        barrier_exchange(block);
    HD_OBSERVE(block.block_met(block));
    block->barrier_arrived = 0;
    for (unsigned i = 0; i < block->warps; i++)
        block->warp[i].ready = block->warp[i].exist;
    block->ready_warps = ~0u >> (32 - block->warps);
}

/* Rechecks open groups and the barrier of a block after threads have returned. */
static void recheck(hd_cpu_resident *block, unsigned first_warp, unsigned last_warp)
{
    for (unsigned i = first_warp; i <= last_warp; i++) {
        const hd_cpu_warp *w = &block->warp[i];

        if (w->arrived && w->arrived == w->exist)
            warp_complete(block, i);
        for (uint64_t open = w->open; open; open &= open - 1) {
            unsigned slot = (unsigned)__builtin_ctzll(open);
            const hd_cpu_group *group = &block->group[i][slot];

            if (group->arrived == (group->mask & w->exist))
                group_complete(block, i, slot);
        }
    }
    if (block->barrier_arrived && block->barrier_arrived == block->alive)
        barrier_complete(block);
}

/* ---- threads that block or return ------------------------------------------------------------ */

static void warps_set_up(hd_cpu_resident *block)
{
    unsigned size = block->view.dims.warp_size;

    block->touched = 1;
    for (unsigned i = 0; i < block->warps; i++) {
        unsigned lanes = block->threads - (i << block->shift);
        hd_cpu_warp *warp = &block->warp[i];

        warp->exist = lanes >= size ? ~(uint64_t)0 >> (64 - size) : ((uint64_t)1 << lanes) - 1;
        warp->ready = 0;
        warp->arrived = 0;
        warp->waiting = 0;
        warp->open = 0;
    }
}

void hd_cpu_block_exited(hd_cpu_resident *block, unsigned from, unsigned to)
{
    block->alive -= to - from;
    if (!block->touched || from == to)
        return;
    for (unsigned t = from; t < to; t++)
        block->warp[t >> block->shift].exist &= ~((uint64_t)1 << (t & block->lane_mask));
    recheck(block, from >> block->shift, (to - 1) >> block->shift);
}

/* With the checker each fiber runs a single thread. If this is the first thread to block, all
   threads that started earlier have returned. */
static void claim_one(hd_cpu_resident *block)
{
    if (!block->touched) {
        warps_set_up(block);
        for (unsigned at = 0; at < block->next_start; at++) {
            unsigned t = HD_OBSERVE_OR(at, schedule.thread_at(block, at));

            block->warp[t >> block->shift].exist &= ~((uint64_t)1 << (t & block->lane_mask));
        }
    }
    block->next_start++;
}

void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear)
{
    unsigned from = block->next_start; /* where the fiber's loop began */

    block->of[linear] = block->passing;
    block->running = (int)linear;
    if (HD_OBSERVED) {
        claim_one(block);
        return;
    }
    if (!block->touched)
        warps_set_up(block);
    block->next_start = linear + 1;
    hd_cpu_block_exited(block, from, linear);
}

/* ---- lanes in different collectives ---------------------------------------------------------- */

static void __attribute__((noinline, noreturn))
refuse(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
       const hd_cpu_place *other, const char *why)
{
    char text[HD_CPU_TEXT / 2] = "";
    const hd_dim3 *b = &block->view.dims.block;

    if (other)
        (void)snprintf(text, sizeof text, "; others are in %s at %s:%d", other->what, other->file,
                       other->line);
    hd_cpu_launch_fail(block->launch, HD_ERR_STATE,
                       "kernel %s, block (%u,%u,%u), thread %u: %s in %s at %s:%d%s",
                       block->launch->kernel->name, b->x, b->y, b->z, linear, why, place->what,
                       place->file, place->line, text);
    block->state = HD_CPU_BROKEN;
    hd_cpu_block_leave(block);
}

/* ---- arrivals -------------------------------------------------------------------------------- */

/* The rare cases are out of line so that the common path of a lane saves no registers. */
static hd_cpu_fiber_switch __attribute__((noinline))
arrive_last(hd_cpu_resident *block, unsigned linear)
{
    unsigned warp = linear >> block->shift;

    warp_complete(block, warp);
    block->warp[warp].ready &= ~((uint64_t)1 << (linear & block->lane_mask));
    return hd_cpu_go_on();
}

static hd_cpu_fiber_switch __attribute__((noinline))
arrive_claiming(hd_cpu_resident *block, unsigned linear, unsigned kind, uint64_t bits,
                unsigned from, const hd_cpu_place *place)
{
    hd_cpu_block_claim(block, linear);
    return hd_cpu_arrive_warp(&block->view, linear, kind, bits, from, place);
}

hd_cpu_fiber_switch hd_cpu_arrive_warp(const hd_cpu_block *view, unsigned linear, unsigned kind,
                                       uint64_t bits, unsigned from, const hd_cpu_place *place)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);
    hd_cpu_warp *w = &block->warp[linear >> block->shift];

    if (__builtin_expect(block->running < 0, 0))
        return arrive_claiming(block, linear, kind, bits, from, place);
    block->value[linear] = bits;
    block->from[linear] = (uint8_t)from;
    if (!w->arrived) {
        w->kind = kind;
        w->place = place;
        HD_OBSERVE(block.first(block, (int)(linear >> block->shift), -1));
    } else if (__builtin_expect(w->kind != kind, 0)) {
        HD_OBSERVE(
            block.diverged(block, linear, place, w->place, (int)(linear >> block->shift), -1));
        refuse(block, linear, place, w->place, "lanes do different things together");
    } else {
        HD_OBSERVE(
            block.diverged(block, linear, place, w->place, (int)(linear >> block->shift), -1));
    }
    w->arrived |= (uint64_t)1 << (linear & block->lane_mask);
    if (w->arrived != w->exist)
        return hd_cpu_suspend(block, linear);
    return arrive_last(block, linear);
}

/* The slot of the mask's group: the open one, or a free one. Several groups whose masks have the
   same lowest lane can be in use at once, when some lanes have already reached their next group. */
static unsigned group_find(const hd_cpu_resident *block, unsigned warp, uint64_t mask)
{
    uint64_t all = block->warp[warp].open;
    unsigned slot = (unsigned)__builtin_ctzll(mask);

    for (uint64_t open = all; open; open &= open - 1)
        if (block->group[warp][__builtin_ctzll(open)].mask == mask)
            return (unsigned)__builtin_ctzll(open);
    while (all >> slot & 1)
        slot = (slot + 1) % 64;
    return slot;
}

static hd_cpu_fiber_switch group_arrive(hd_cpu_resident *block, unsigned linear, unsigned kind,
                                        uint64_t mask, const hd_cpu_place *place)
{
    unsigned warp = linear >> block->shift, slot = group_find(block, warp, mask);
    hd_cpu_warp *w = &block->warp[warp];
    hd_cpu_group *group = &block->group[warp][slot];
    uint64_t me = (uint64_t)1 << (linear & block->lane_mask);

    if (!(w->open >> slot & 1)) {
        w->open |= (uint64_t)1 << slot;
        group->arrived = 0;
        group->mask = mask;
        group->kind = kind;
        group->place = place;
        HD_OBSERVE(block.first(block, (int)warp, (int)slot));
    } else if (group->kind != kind) {
        HD_OBSERVE(block.diverged(block, linear, place, group->place, (int)warp, (int)slot));
        refuse(block, linear, place, group->place, "lanes do different things together");
    } else {
        HD_OBSERVE(block.diverged(block, linear, place, group->place, (int)warp, (int)slot));
    }
    group->arrived |= me;
    if (group->arrived != (mask & w->exist))
        return hd_cpu_suspend(block, linear);
    group_complete(block, warp, slot);
    w->ready &= ~me;
    return hd_cpu_go_on();
}

hd_cpu_fiber_switch hd_cpu_arrive_mask(const hd_cpu_block *view, unsigned linear, unsigned kind,
                                       uint64_t bits, unsigned from, const hd_cpu_place *place,
                                       uint64_t mask)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);

    if (block->running < 0)
        hd_cpu_block_claim(block, linear);
    HD_OBSERVE(block.masked(block, linear, mask, place));
    mask &= block->all_lanes;
    if (mask == block->all_lanes)
        return hd_cpu_arrive_warp(view, linear, kind, bits, from, place);
    if (!(mask >> (linear & block->lane_mask) & 1))
        refuse(block, linear, place, NULL, "the lane is not in its own mask");
    block->value[linear] = bits;
    block->from[linear] = (uint8_t)from;
    return group_arrive(block, linear, kind, mask, place);
}

static hd_cpu_fiber_switch __attribute__((noinline))
arrive_last_of_block(hd_cpu_resident *block, unsigned linear)
{
    barrier_complete(block);
    block->warp[linear >> block->shift].ready &= ~((uint64_t)1 << (linear & block->lane_mask));
    return hd_cpu_go_on();
}

static hd_cpu_fiber_switch __attribute__((noinline))
arrive_claiming_block(hd_cpu_resident *block, unsigned linear, unsigned kind, uint64_t bits,
                      const hd_cpu_place *place)
{
    hd_cpu_block_claim(block, linear);
    return hd_cpu_arrive_block(&block->view, linear, kind, bits, place);
}

hd_cpu_fiber_switch hd_cpu_arrive_block(const hd_cpu_block *view, unsigned linear, unsigned kind,
                                        uint64_t bits, const hd_cpu_place *place)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);

    if (__builtin_expect(block->running < 0, 0))
        return arrive_claiming_block(block, linear, kind, bits, place);
    if (!block->barrier_arrived) {
        block->barrier_kind = kind;
        block->barrier_place = place;
        block->barrier_sum = 0;
        HD_OBSERVE(block.first(block, -1, -1));
    } else if (__builtin_expect(block->barrier_kind != kind, 0)) {
        HD_OBSERVE(block.diverged(block, linear, place, block->barrier_place, -1, -1));
        refuse(block, linear, place, block->barrier_place, "threads do different things together");
    } else {
        HD_OBSERVE(block.diverged(block, linear, place, block->barrier_place, -1, -1));
    }
    block->value[linear] = bits;
    block->barrier_sum += bits;
    if (++block->barrier_arrived != block->alive)
        return hd_cpu_suspend(block, linear);
    return arrive_last_of_block(block, linear);
}
