/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - detects failures of a group.

   A block that has waited for a millisecond polls the stop word and changes the beat of its
   channel. The watch thread looks for beats that keep changing for longer than the time limit
   within one operation: their ranks wait, and the ranks without a beat are the ones waited for.
   Kernels that do not wait pay nothing for this. */
#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/backend.h"

/* On a working device, aborted kernels and concurrent copies end within this time. */
static const double grace_seconds = 10;

enum { LOOKS = 64 }; /* polls of the ranks still waiting, per poll of all ranks */

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- an abort -------------------------------------------------------------------------------- */

hd_status hd_group_abort(hd_group *group)
{
    HD__RELEASING;
    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, "hd_group_abort", "group is NULL");
    hd__group_fail(group, HD_ERR_STATE, "the group was aborted");
    return HD_OK;
}

/* ---- the time limit -------------------------------------------------------------------------- */

typedef struct hd__group_seen {
    uint64_t beat;
    double since;   /* first beat of this operation; 0: none under way */
    double changed; /* last change of the beat */
} hd__group_seen;

/* For how long a rank counts as waiting after its beat last changed. Beats change about every
   millisecond and are polled at least every 20 ms, but a busy host may delay a rank. */
static double beat_seconds(const hd_group *group)
{
    const double part = group->options.timeout_seconds / 4;
    return part < 1 ? part : 1;
}

/* Whether a block of the rank waits. Sets *long_enough if it does so after the time limit. */
static int block_waits(const hd_group *group, const uint64_t *word, hd__group_seen *s, double now,
                       int *long_enough)
{
    const uint64_t beat = __atomic_load_n(word, __ATOMIC_RELAXED);

    if (beat == s->beat) {
        if (now - s->changed > beat_seconds(group))
            s->since = 0;
        return s->since != 0;
    }
    if (s->since == 0 || beat >> 16 != s->beat >> 16)
        s->since = now;
    s->beat = beat;
    s->changed = now;
    *long_enough |= now - s->since >= group->options.timeout_seconds;
    return 1;
}

static int waits(const hd_group *group, unsigned r, hd__group_seen *all, double now,
                 int *long_enough)
{
    int any = 0;

    for (unsigned c = 0; c < group->layout.channels; c++)
        any |= block_waits(group, &group->signal->beat[r][c], &all[r * HD__GROUP_CHANNELS + c], now,
                           long_enough);
    return any;
}

static void list_ranks(char *text, size_t size, const hd_group *group, uint32_t which)
{
    size_t at = 0;

    text[0] = 0;
    for (unsigned r = 0; r < group->count && at < size; r++)
        if (which >> r & 1) {
            const int length = snprintf(text + at, size - at, "%s%u (device %d)", at ? ", " : "", r,
                                        group->rank[r].device);
            at += length > 0 ? (size_t)length : 0;
        }
}

static void look(hd_group *group, hd__group_seen *all, double now)
{
    const double limit = group->options.timeout_seconds;
    uint32_t waiting = 0, everybody = (uint32_t)(((uint64_t)1 << group->count) - 1);
    int expired = 0;
    char who[160];

    for (unsigned r = 0; r < group->count; r++)
        if (waits(group, r, all, now, &expired))
            waiting |= 1u << r;
    if (!expired)
        return;
    list_ranks(who, sizeof who, group, waiting == everybody ? waiting : everybody & ~waiting);
    if (waiting == everybody)
        hd__group_fail(group, HD_ERR_TIMEOUT,
                       "all ranks have waited for each other for %g s: their calls differ", limit);
    else
        hd__group_fail(group, HD_ERR_TIMEOUT, "waited for %g s in vain for rank %s", limit, who);
}

static double look_interval(const hd_group *group)
{
    const double part = group->options.timeout_seconds / 16;
    return part < 0.02 ? 0.02 : part > 0.5 ? 0.5 : part;
}

static void *watch(void *argument)
{
    hd_group *group = argument;
    const double interval = look_interval(group);

    (void)pthread_mutex_lock(&group->lock);
    while (!group->ending) {
        struct timespec until;
        const double at = seconds_now() + interval;
        until.tv_sec = (time_t)at;
        until.tv_nsec = (long)((at - (double)until.tv_sec) * 1e9);
        if (pthread_cond_timedwait(&group->changed, &group->lock, &until) != ETIMEDOUT)
            continue;
        (void)pthread_mutex_unlock(&group->lock);
        look(group, group->seen, seconds_now());
        (void)pthread_mutex_lock(&group->lock);
    }
    (void)pthread_mutex_unlock(&group->lock);
    return NULL;
}

hd_status hd__group_watch_start(const char *call, hd_group *group)
{
    if (group->options.timeout_seconds < 0 || group->count == 1)
        return HD_OK;
    group->seen = calloc((size_t)group->count * HD__GROUP_CHANNELS, sizeof *group->seen);
    if (!group->seen || pthread_create(&group->watch, NULL, watch, group) != 0)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no thread to watch the time limit");
    group->watching = 1;
    return HD_OK;
}

void hd__group_watch_end(hd_group *group)
{
    if (group->watching) {
        (void)pthread_mutex_lock(&group->lock);
        group->ending = 1;
        (void)pthread_cond_broadcast(&group->changed);
        (void)pthread_mutex_unlock(&group->lock);
        (void)pthread_join(group->watch, NULL);
    }
    group->watching = 0;
    free(group->seen);
    group->seen = NULL;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* HD_NOT_READY while work remains. A failed stream fails the group. */
static hd_status look_at_stream(const char *call, hd_group *group, unsigned r, hd_stream *stream)
{
    hd_status status;

    if (!stream)
        return HD_OK;
    status = hd_stream_query(stream);
    if (status == HD_OK)
        status = hd_stream_synchronize(stream);
    if (status >= 0)
        return status;
    status = hd__group_named(call, group, r, status);
    hd__group_fail(group, status, "%s", hd_error_last()->message);
    return HD_OK; /* this stream makes no more progress */
}

static hd_status look_at_rank(const char *call, hd_group *group, unsigned r)
{
    hd__group_rank *rank = &group->rank[r];
    hd_stream *last = atomic_load(&rank->last);
    const hd_status own = look_at_stream(call, group, r, rank->stream);

    if (last == rank->stream)
        return own;
    return look_at_stream(call, group, r, last) == HD_OK ? own : HD_NOT_READY;
}

/* Spins first: most operations take microseconds. */
static void pause_for(unsigned round)
{
    const long nanoseconds = round < 200 ? 0 : round < 1000 ? 20000 : 500000;
    const struct timespec time = {0, nanoseconds};

    if (nanoseconds)
        (void)nanosleep(&time, NULL);
}

hd_status hd__group_wait(const char *call, hd_group *group, unsigned first, unsigned end)
{
    uint32_t left = (uint32_t)(((uint64_t)1 << end) - ((uint64_t)1 << first));
    const double begin = seconds_now(), limit = group->options.timeout_seconds;
    double stopped = 0;

    for (unsigned round = 0; left; round++) {
        /* Every LOOKS rounds, polls the ranks that are done, too: their device may be lost, and
           others may wait for them in a graph. */
        const uint32_t looked_at = round % LOOKS == LOOKS - 1 ? UINT32_MAX : left;
        for (unsigned r = first; r < end; r++)
            if ((looked_at >> r & 1) && look_at_rank(call, group, r) == HD_OK)
                left &= ~(1u << r);
        if (atomic_load(&group->failed)) {
            if (stopped == 0) {
                stopped = seconds_now();
                if (group->on_stop)
                    group->on_stop(group);
            }
            if (seconds_now() - stopped > grace_seconds)
                break;
        }
        /* Kernels of the library leave no beats. */
        if (left && group->rank[0].library && limit >= 0 && seconds_now() - begin > limit)
            hd__group_fail(group, HD_ERR_TIMEOUT, "waited for %g s for rank %d", limit,
                           __builtin_ctz(left));
        if (left)
            pause_for(round);
    }
    return hd__group_state(call, group);
}

hd_status hd_group_synchronize(hd_group *group)
{
    static const char call[] = "hd_group_synchronize";

    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, call, "group is NULL");
    return hd__group_wait(call, group, 0, group->count);
}

hd_status hd_group_synchronize_rank(hd_group *group, unsigned rank)
{
    static const char call[] = "hd_group_synchronize_rank";

    if (!group)
        return hd__fail(HD_ERR_ARGUMENT, call, "group is NULL");
    if (rank >= group->count)
        return hd__fail(HD_ERR_ARGUMENT, call, "no rank %u: the group has ranks 0 to %u", rank,
                        group->count - 1);
    return hd__group_wait(call, group, rank, rank + 1);
}
