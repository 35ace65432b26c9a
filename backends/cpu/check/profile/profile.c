/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c - samples some blocks of each kernel: the address that each lane accessed with each
   instruction, and the branches that lanes took. The events of a warp's lanes are combined each
   time they meet (sample.c). Called by the worker; sites are guarded by hd_check_lock. */
#include "profile.h"

#include <stdlib.h>

/* Without HEDDLE_CHECK_PROFILE the first blocks of a kernel and a few later ones are sampled, with
   it all of them. */
enum { FIRST_BLOCKS = 8, ONE_IN = 64, PER_LAUNCH = 4, BLOCKS_MAX = 64 };
/* Maximum events of a thread between two meetings; the rest is ignored. */
enum { EVENTS = 512, EVENTS_PROFILE = 2048 };

static hd_check_sample *samples;
static int announced; /* the exit handler that prints the table is registered */

/* ---- which blocks ---------------------------------------------------------------------------- */

static int wanted(hd_check_profiled *kernel, const hd_check_op *op)
{
    if (hd_check_replaying)
        return 0;
    if (kernel->last_launch != op->number) {
        kernel->last_launch = op->number;
        kernel->in_launch = 0;
        kernel->launches++;
    }
    kernel->seen++;
    if (kernel->counting)
        return 1;
    if (hd_check_options.profile != HD_CHECK_SOME_BLOCKS)
        return hd_check_options.profile == HD_CHECK_ALL_BLOCKS;
    if (kernel->in_launch >= PER_LAUNCH || kernel->blocks >= BLOCKS_MAX)
        return 0;
    return kernel->blocks < FIRST_BLOCKS || kernel->seen % ONE_IN == 0;
}

static hd_check_sample *sample_of(const hd_cpu_resident *block)
{
    hd_check_sample *s = samples;

    while (s && s->block != block)
        s = s->next;
    return s;
}

static hd_check_sample *sample_make(void)
{
    hd_check_sample *s = sample_of(NULL);

    if (s)
        return s;
    s = calloc(1, sizeof *s);
    if (s) {
        s->next = samples;
        samples = s;
    }
    return s;
}

void hd_check_profile_block_begins(hd_cpu_resident *block)
{
    hd_check_sample *s = sample_of(block);
    hd_check_profiled *kernel = hd_check_profiled_of(block->launch->kernel);

    if (hd_check_options.profile == HD_CHECK_ALL_BLOCKS && !announced)
        hd_check_at_exit(hd_check_profile_print);
    announced = 1;
    if (s) /* left by a block that was abandoned */
        s->block = NULL;
    s = kernel && wanted(kernel, block->check->op) ? sample_make() : NULL;
    block->check->sampled = s != NULL;
    if (!s)
        return;
    s->block = block;
    s->kernel = kernel;
    for (unsigned t = 0; t < HD_CPU_MAX_THREADS; t++)
        s->log[t].count = 0;
    kernel->in_launch++;
    kernel->blocks++;
}

void hd_check_profile_meets(hd_cpu_resident *block, unsigned warp)
{
    hd_check_sample *s = block->check->sampled ? sample_of(block) : NULL;

    for (unsigned w = 0; s && w < block->warps; w++)
        if (warp == ~0u || w == warp)
            hd_check_sample_take(s, w);
}

void hd_check_profile_block_ends(hd_cpu_resident *block)
{
    hd_check_sample *s = block->check->sampled ? sample_of(block) : NULL;

    if (!s)
        return;
    (void)pthread_mutex_lock(&hd_check_lock);
    hd_check_profile_meets(block, ~0u);
    if (!s->kernel->counting)
        hd_check_profile_judge(s);
    s->block = NULL;
    (void)pthread_mutex_unlock(&hd_check_lock);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The sample of the running block; NULL: not sampled. */
static hd_check_sample *sample_here(void)
{
    static hd_check_sample *last;

    if (!last || last->block != hd_check_me.block)
        last = sample_of(hd_check_me.block);
    return last;
}

static hd_check_event *event_add(hd_check_log *log)
{
    unsigned most = hd_check_options.profile == HD_CHECK_ALL_BLOCKS ? EVENTS_PROFILE : EVENTS;

    if (log->count == most)
        return NULL;
    if (log->count == log->room) {
        unsigned room = log->room ? 2 * log->room : 32;
        hd_check_event *more = realloc(log->events, room * sizeof *more);

        if (!more)
            return NULL;
        log->events = more;
        log->room = room;
    }
    return &log->events[log->count++];
}

void hd_check_profile_access(uintptr_t address, size_t bytes, hd_check_access kind, int shared,
                             uintptr_t pc)
{
    unsigned what = (unsigned)kind + (shared ? HD_CHECK_SHARED_SITE : 0);
    hd_check_sample *s = sample_here();
    hd_check_event *event;
    hd_check_log *log;
    uint32_t site;

    if (!s || !bytes)
        return;
    log = &s->log[hd_check_me.linear];
    if (!(site = hd_check_site_of(s->kernel, pc, what)))
        return;
    event = event_add(log);
    if (event)
        *event = (hd_check_event){address, site, (uint16_t)(bytes < 0xffff ? bytes : 0xffff)};
}

void hd_check_profile_branch(uintptr_t pc)
{
    hd_check_sample *s = sample_here();
    hd_check_event *event;
    uint32_t site;

    if (!s || !(site = hd_check_site_of(s->kernel, pc, HD_CHECK_BRANCH)))
        return;
    event = event_add(&s->log[hd_check_me.linear]);
    if (event)
        *event = (hd_check_event){0, site, 0};
}
