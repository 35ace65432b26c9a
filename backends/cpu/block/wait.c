/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - threads parked in hd_wait_*, and the description of a block that cannot continue. */
#include "block/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

hd_cpu_fiber_switch hd_cpu_arrive_wait(const hd_cpu_block *view, unsigned linear,
                                       const void *address, uint64_t value, unsigned how,
                                       const hd_cpu_place *place)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);
    hd_cpu_waiter *waiter = &block->wait[linear];

    if (block->running < 0)
        hd_cpu_block_claim(block, linear);
    waiter->address = address;
    waiter->value = value;
    waiter->how = how;
    waiter->until = how & HD_CPU_WAIT_TRY ? hd_cpu_now() + hd_cpu_try_seconds : 0;
    waiter->place = place;
    block->warp[linear >> block->shift].waiting |= (uint64_t)1 << (linear & block->lane_mask);
    block->waiting++;
    return hd_cpu_suspend(block, linear);
}

/* ---- description ----------------------------------------------------------------------------- */

typedef struct writer {
    char *at;
    size_t left;
} writer;

static void __attribute__((format(printf, 2, 3))) put(writer *to, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(to->at, to->left, format, args);
    va_end(args);
    if (length > 0) {
        size_t step = (size_t)length < to->left ? (size_t)length : to->left - (to->left != 0);
        to->at += step;
        to->left -= step;
    }
}

static void describe_wait(writer *to, unsigned linear, const hd_cpu_waiter *w)
{
    static const char *const sign[] = {">=", "==", "!="};
    const char *how = sign[w->how & HD_CPU_WAIT_HOW];
    int64_t seen = (w->how & HD_CPU_WAIT_WIDE) ? (int64_t)w->seen : (int32_t)w->seen;
    int64_t value = (w->how & HD_CPU_WAIT_WIDE) ? (int64_t)w->value : (int32_t)w->value;

    put(to, "; thread %u in %s at %s:%d: %p holds ", linear, w->place->what, w->place->file,
        w->place->line, w->address);
    if (w->how & HD_CPU_WAIT_SIGNED)
        put(to, "%" PRId64 ", wanted %s %" PRId64, seen, how, value);
    else
        put(to, "%" PRIu64 ", wanted %s %" PRIu64, w->seen, how, w->value);
}

static void describe_lanes(writer *to, unsigned warp, uint64_t here, uint64_t missing,
                           const hd_cpu_place *place)
{
    put(to, "; warp %u: lanes %#" PRIx64 " in %s at %s:%d wait for lanes %#" PRIx64, warp, here,
        place->what, place->file, place->line, missing);
}

static void describe_groups(writer *to, const hd_cpu_resident *block, unsigned warp)
{
    const hd_cpu_warp *w = &block->warp[warp];

    if (w->arrived)
        describe_lanes(to, warp, w->arrived, w->exist & ~w->arrived, w->place);
    for (uint64_t open = w->open; open; open &= open - 1) {
        const hd_cpu_group *group = &block->group[warp][__builtin_ctzll(open)];

        describe_lanes(to, warp, group->arrived, group->mask & w->exist & ~group->arrived,
                       group->place);
    }
}

void hd_cpu_describe(const hd_cpu_resident *block, char *text, size_t size)
{
    const hd_dim3 *b = &block->view.dims.block;
    writer to = {text + strlen(text), size - strlen(text)};
    unsigned shown = 0;

    put(&to, "%skernel %s, block (%u,%u,%u)", *text ? " | " : "", block->launch->kernel->name, b->x,
        b->y, b->z);
    if (block->barrier_arrived)
        put(&to, "; %u of %u threads in %s at %s:%d", block->barrier_arrived, block->alive,
            block->barrier_place->what, block->barrier_place->file, block->barrier_place->line);
    for (unsigned i = 0; i < block->warps; i++) {
        describe_groups(&to, block, i);
        for (uint64_t left = block->warp[i].waiting; left && shown < 2; left &= left - 1, shown++) {
            unsigned linear = (i << block->shift) + (unsigned)__builtin_ctzll(left);
            describe_wait(&to, linear, &block->wait[linear]);
        }
    }
    if (block->waiting > shown)
        put(&to, "; %u more threads wait", block->waiting - shown);
}

/* Lanes in one collective wait for lanes that are in another collective of the warp. */
static int lanes_disagree(const hd_cpu_resident *block, unsigned warp, unsigned slot)
{
    const hd_cpu_warp *w = &block->warp[warp];
    const hd_cpu_group *mine = &block->group[warp][slot];

    if (w->arrived)
        return 1;
    for (uint64_t open = w->open & ~((uint64_t)1 << slot); open; open &= open - 1)
        if (block->group[warp][__builtin_ctzll(open)].mask & mine->arrived)
            return 1;
    return 0;
}

hd_status hd_cpu_stuck_status(const hd_cpu_resident *block)
{
    for (unsigned i = 0; i < block->warps; i++)
        for (uint64_t open = block->warp[i].open; open; open &= open - 1)
            if (lanes_disagree(block, i, (unsigned)__builtin_ctzll(open)))
                return HD_ERR_STATE;
    return HD_ERR_DEADLOCK;
}

void hd_cpu_poll_fail(hd_cpu_resident *block, const void *address, const char *place)
{
    const hd_dim3 *b = &block->view.dims.block;

    block->launch->polled = 1;
    hd_cpu_launch_fail(
        block->launch, HD_ERR_DEADLOCK,
        "kernel %s, block (%u,%u,%u): a loop polls 0x%" PRIxPTR
        " at %s, and nothing else can run meanwhile; wait with hd_wait_ge, hd_wait_eq "
        "or hd_wait_ne (_block, _system)",
        block->launch->kernel->name, b->x, b->y, b->z, (uintptr_t)address, place);
}
