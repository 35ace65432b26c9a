/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - whether barriers, shuffles and masks are used as the dialect requires, and the
   report about a deadlocked block. */
#include "check/report/report.h"

#include <stdio.h>
#include <string.h>

static hd_check_finding about(hd_cpu_resident *block, hd_check_code code, unsigned linear,
                              const hd_cpu_place *place)
{
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = code;
    f.side[0] = (hd_check_side){.verb = place->what,
                                .op = block->check->op,
                                .block = block->check->serial - block->check->op->serial,
                                .thread = linear,
                                .file = place->file,
                                .line = place->line};
    return f;
}

static void other_side(hd_check_finding *f, const hd_cpu_place *place)
{
    f->side[1] = f->side[0];
    f->side[1].verb = place->what;
    f->side[1].thread = ~0u;
    f->side[1].file = place->file;
    f->side[1].line = place->line;
}

/* ---- arguments of warp operations ------------------------------------------------------------ */

/* Whether the dialect allows the argument in a warp with that many lanes. */
static int allowed(unsigned what, int64_t value, unsigned lanes)
{
    if (what == HD_CPU_DISTANCE)
        return value >= 0 && value <= UINT32_MAX;
    if (what == HD_CPU_LANE)
        return value >= 0 && value < lanes;
    return value > 0 && value <= lanes && (value & (value - 1)) == 0;
}

unsigned hd_cpu_check_argument(unsigned what, int64_t value, const hd_cpu_place *place)
{
    static const struct {
        hd_check_code code;
        const char *name;
    } argument[] = {[HD_CPU_WIDTH] = {HD_CHECK_WARP_WIDTH, "width"},
                    [HD_CPU_DISTANCE] = {HD_CHECK_SHUFFLE_DISTANCE, "distance"},
                    [HD_CPU_LANE] = {HD_CHECK_BROADCAST_LANE, "lane"}};
    hd_cpu_resident *block = hd_check_me.block;
    unsigned lanes = block->view.dims.warp_size;

    if (!allowed(what, value, lanes)) {
        hd_check_finding f = about(block, argument[what].code, hd_check_me.linear, place);

        (void)snprintf(f.detail, sizeof f.detail, "%s %lld in a warp of %u lanes",
                       argument[what].name, (long long)value, lanes);
        hd_check_report(&f);
    }
    return (unsigned)value;
}

/* Reports a broadcast whose source lane differs between lanes. */
static int report_uneven(hd_cpu_resident *block, unsigned base, uint64_t lanes,
                         const hd_cpu_place *place)
{
    unsigned first = (unsigned)__builtin_ctzll(lanes);

    for (uint64_t left = lanes & (lanes - 1); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        hd_check_finding f;

        if (block->from[base + lane] == block->from[base + first])
            continue;
        f = about(block, HD_CHECK_BROADCAST_LANE, base + lane, place);
        (void)snprintf(f.detail, sizeof f.detail, "lane %u reads lane %u, lane %u reads lane %u",
                       first, block->from[base + first], lane, block->from[base + lane]);
        hd_check_report(&f);
        return 1;
    }
    return 0;
}

/* ---- threads ended by a failed assertion ----------------------------------------------------- */

/* The assertion is the error; that other threads then wait for this one in vain is not reported. */
void hd_check_assert_failed(hd_cpu_resident *block, unsigned linear)
{
    hd_check_block *b = block->check;

    hd_check_launch_failed();
    if (!b->failures++)
        memset(b->failed, 0, sizeof b->failed);
    b->failed[linear >> block->shift] |= (uint64_t)1 << (linear & block->lane_mask);
}

static uint64_t failed_lanes(const hd_cpu_resident *block, unsigned warp)
{
    return block->check->failures ? block->check->failed[warp] : 0;
}

/* ---- lanes of a collective ------------------------------------------------------------------- */

/* An operation that needs a complete warp. */
static void report_incomplete(hd_cpu_resident *block, unsigned warp, uint64_t lanes,
                              const hd_cpu_place *place)
{
    unsigned size = block->view.dims.warp_size, base = warp << block->shift;
    uint64_t missing = ~(lanes | failed_lanes(block, warp)) & ~(uint64_t)0 >> (64 - size);
    hd_check_finding f;

    if (!missing)
        return;
    f = about(block, HD_CHECK_LANE_INACTIVE, base + (unsigned)__builtin_ctzll(lanes), place);
    (void)snprintf(f.detail, sizeof f.detail, "%s needs all %u lanes of the warp; lane %u %s",
                   place->what, size, (unsigned)__builtin_ctzll(missing),
                   base + (unsigned)__builtin_ctzll(missing) < block->threads ? "has returned"
                                                                              : "does not exist");
    hd_check_report(&f);
}

void hd_check_shuffled(hd_cpu_resident *block, unsigned warp, uint64_t lanes, unsigned kind,
                       const hd_cpu_place *place)
{
    unsigned base = warp << block->shift;

    if (kind >= HD_CPU_FOLD && (kind & HD_CPU_WHOLE))
        report_incomplete(block, warp, lanes, place);
    if (kind < HD_CPU_SHFL || kind > HD_CPU_BROADCAST)
        return;
    if (kind == HD_CPU_BROADCAST && report_uneven(block, base, lanes, place))
        return;
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        unsigned from = block->from[base + lane] & block->lane_mask;
        hd_check_finding f;

        if ((lanes | failed_lanes(block, warp)) >> from & 1)
            continue;
        f = about(block, HD_CHECK_LANE_INACTIVE, base + lane, place);
        (void)snprintf(f.detail, sizeof f.detail, "lane %u reads lane %u, which %s", lane, from,
                       block->warp[warp].exist >> from & 1 ? "is not in the mask"
                       : base + from < block->threads      ? "has returned"
                                                           : "does not exist");
        hd_check_report(&f);
        return;
    }
}

void hd_check_masked(hd_cpu_resident *block, unsigned linear, uint64_t mask,
                     const hd_cpu_place *place)
{
    unsigned warp = linear >> block->shift;
    uint64_t exist = block->warp[warp].exist;
    uint64_t absent = mask & ~exist & ~failed_lanes(block, warp);
    hd_check_finding f;

    if (!(mask >> (linear & block->lane_mask) & 1)) {
        f = about(block, HD_CHECK_MASK_SELF, linear, place);
        hd_check_report(&f);
        hd_check_lint_mask(block, linear, mask, place);
        return;
    }
    if (absent) {
        f = about(block, HD_CHECK_MASK_ABSENT, linear, place);
        (void)snprintf(f.detail, sizeof f.detail,
                       "mask %#llx, lanes that exist and have not returned %#llx",
                       (unsigned long long)mask, (unsigned long long)exist);
        hd_check_report(&f);
    }
}

static uint64_t *calls_of(hd_cpu_resident *block, int warp, int slot)
{
    int at = warp < 0   ? HD_CHECK_OF_BLOCK
             : slot < 0 ? HD_CHECK_OF_WARP + warp
                        : HD_CHECK_OF_LANES + warp * HD_CHECK_LANES + slot;

    return &block->check->calls[at];
}

void __attribute__((noinline)) hd_check_first(hd_cpu_resident *block, int warp, int slot)
{
    *calls_of(block, warp, slot) = hd_check_calls(0);
}

static int same_place(const hd_cpu_place *a, const hd_cpu_place *b)
{
    return a == b || (a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->what, b->what));
}

/* Both threads are in the same function, called from two places. */
static void report_calls(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
                         hd_check_code code, uint64_t calls, uint64_t first)
{
    const hd_check_frame *mine, *others;
    hd_cpu_place at, other;
    hd_check_finding f;

    if (!hd_check_calls_part(calls, first, &mine, &others))
        return;
    at = (hd_cpu_place){mine->file, place->what, mine->line};
    other = (hd_cpu_place){others->file, place->what, others->line};
    f = about(block, code, linear, &at);
    other_side(&f, &other);
    (void)snprintf(f.detail, sizeof f.detail,
                   "these calls lead to %s in one function, from two sides of a branch",
                   place->what);
    hd_check_report(&f);
}

void __attribute__((noinline))
hd_check_diverged(hd_cpu_resident *block, unsigned linear, const hd_cpu_place *place,
                  const hd_cpu_place *other, int warp, int slot)
{
    hd_check_code code = warp < 0 ? HD_CHECK_DIVERGED_BARRIER : HD_CHECK_DIVERGED_WARP;
    hd_check_finding f;

    if (same_place(place, other)) {
        const uint64_t first = *calls_of(block, warp, slot), calls = hd_check_calls(first);

        if (calls != first)
            report_calls(block, linear, place, code, calls, first);
        return;
    }
    f = about(block, code, linear, place);
    other_side(&f, other);
    (void)snprintf(f.detail, sizeof f.detail, "other threads of the %s have reached %s",
                   warp < 0 ? "block" : "warp", other->what);
    hd_check_report(&f);
}

/* ---- barriers that some threads miss --------------------------------------------------------- */

/* The lanes that the warp had when the block began. */
static uint64_t lanes_of(const hd_cpu_resident *block, unsigned warp)
{
    unsigned lanes = block->threads - (warp << block->shift);

    return lanes > block->lane_mask ? block->all_lanes : ((uint64_t)1 << lanes) - 1;
}

/* Part of a warp has returned and the rest is at the barrier: whether the barrier waits for the
   missing lanes depends on the GPU. Most GPUs do not wait for warps that have returned
   completely. */
static int report_split(hd_cpu_resident *block)
{
    for (unsigned i = 0; i < block->warps; i++) {
        uint64_t here = block->warp[i].exist;
        uint64_t gone = lanes_of(block, i) & ~here & ~failed_lanes(block, i);
        hd_check_finding f;

        if (!here || !gone)
            continue;
        f = about(block, HD_CHECK_DIVERGED_BARRIER,
                  (i << block->shift) + (unsigned)__builtin_ctzll(here), block->barrier_place);
        (void)snprintf(f.detail, sizeof f.detail,
                       "warp %u: lanes %#llx are at the barrier, lanes %#llx have returned", i,
                       (unsigned long long)here, (unsigned long long)gone);
        hd_check_report(&f);
        return 1;
    }
    return 0;
}

/* Block sums and scans need every thread; barriers only the remaining ones. */
void hd_check_left_out(hd_cpu_resident *block)
{
    int folds = block->barrier_kind >= HD_CPU_FOLD;
    unsigned returned = block->threads - block->alive - block->check->failures;
    hd_check_finding f;

    if (!returned || report_split(block))
        return;
    f = about(block, folds ? HD_CHECK_DIVERGED_BARRIER : HD_CHECK_EXITED_BARRIER, ~0u,
              block->barrier_place);
    (void)snprintf(f.detail, sizeof f.detail, "%u of %u threads have returned", returned,
                   block->threads);
    hd_check_report(&f);
}

/* Reports a barrier or collective in which some threads wait while the others wait elsewhere. */
static int report_divergence(hd_cpu_resident *block)
{
    for (unsigned i = 0; i < block->warps; i++) {
        const hd_cpu_warp *w = &block->warp[i];
        unsigned lane = w->arrived ? (unsigned)__builtin_ctzll(w->arrived) : 0;
        hd_check_finding f;

        if (!w->arrived)
            continue;
        f = about(block, HD_CHECK_DIVERGED_WARP, (i << block->shift) + lane, w->place);
        if (block->barrier_arrived)
            other_side(&f, block->barrier_place);
        (void)snprintf(f.detail, sizeof f.detail, "lanes %#llx never arrive",
                       (unsigned long long)(w->exist & ~w->arrived));
        hd_check_report(&f);
        return 1;
    }
    if (block->barrier_arrived && block->barrier_arrived != block->alive && !block->waiting) {
        hd_check_finding f = about(block, HD_CHECK_DIVERGED_BARRIER, ~0u, block->barrier_place);

        (void)snprintf(f.detail, sizeof f.detail, "%u of %u threads arrive", block->barrier_arrived,
                       block->alive);
        hd_check_report(&f);
        return 1;
    }
    return 0;
}

void hd_check_stuck(hd_cpu_resident *block, const char *text)
{
    static const hd_cpu_place nowhere = {"", "waits", 0};
    const hd_cpu_place *place = &nowhere;
    unsigned linear = ~0u;
    hd_check_finding f;

    if (report_divergence(block))
        return;
    for (unsigned i = 0; i < block->warps && linear == ~0u; i++) {
        const hd_cpu_warp *w = &block->warp[i];

        if (w->waiting) {
            linear = (i << block->shift) + (unsigned)__builtin_ctzll(w->waiting);
            place = block->wait[linear].place;
        } else if (w->open) {
            const hd_cpu_group *g = &block->group[i][__builtin_ctzll(w->open)];

            linear = (i << block->shift) + (unsigned)__builtin_ctzll(g->arrived);
            place = g->place;
        }
    }
    f = about(block, HD_CHECK_DEADLOCK, linear, place);
    if (!*place->file)
        f.side[0].file = NULL;
    (void)snprintf(f.detail, sizeof f.detail, "%.*s", (int)sizeof f.detail - 1, text);
    hd_check_report(&f);
}

void hd_check_faulted(hd_cpu_resident *block, const char *why, const void *address, int is_pc)
{
    hd_check_finding f;

    if (!is_pc && block->check->op->strayed)
        return; /* the launch's error gives the reason */
    memset(&f, 0, sizeof f);
    f.code = HD_CHECK_FAULT;
    f.side[0] = (hd_check_side){.verb = "faults",
                                .op = block->check->op,
                                .block = block->check->serial - block->check->op->serial,
                                .thread = block->state == HD_CPU_RUNS ? hd_check_me.linear : ~0u,
                                .pc = is_pc ? (uintptr_t)address + 1 : 0};
    (void)snprintf(f.detail, sizeof f.detail, "%s (%p)", why, address);
    hd_check_report(&f);
}
