/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_run.c - times transfers between devices by every method, and checks the data. */
#include "p2p.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/peer/pattern.h"
#include "cli/bench/kernels/bench.h"
#include "cli/links/kernels/p2p.h"
#include "cli/app/progress.h"

const char *p2p_method_name(p2p_method method)
{
    static const char *const names[] = {
#define METHOD_NAME_(name, text, what) text,
        P2P_METHOD_LIST(METHOD_NAME_)
#undef METHOD_NAME_
    };
    return names[method];
}

const char *p2p_method_what(p2p_method method)
{
    static const char *const what[] = {
#define METHOD_WHAT_(name, text, what) what,
        P2P_METHOD_LIST(METHOD_WHAT_)
#undef METHOD_WHAT_
    };
    return what[method];
}

enum { BATCH_MAX = 64, TURNS_GPU = 1000, TURNS_CPU = 50 };

/* One of the ordered pairs that are measured. */
typedef struct flow {
    unsigned from, to; /* indices in the list of devices */
    hd_stream *at[2];  /* on the source's device, on the target's device */
    hd_event *done[2]; /* on the same devices */
    uint32_t *target;  /* in memory of the target */
    uint32_t *wrong;   /* in the target's memory: number of wrong words */
} flow;

typedef struct rig {
    p2p *p;
    unsigned count;
    uint32_t **source; /* per device: the pattern of its index */
    flow *flows;       /* count x count; the diagonal is not used */
    hd_stream *conductor;
    hd_event *begin, *end;
    const flow **active; /* the flows being measured */
    size_t active_count;
    int host_clock;
} rig;

/* ---- memory ---------------------------------------------------------------------------------- */

static hd_status flow_make(rig *r, unsigned from, unsigned to)
{
    const int devices[2] = {r->p->devices.device[from], r->p->devices.device[to]};
    flow *f = &r->flows[p2p_at(r->p, from, to)];

    f->from = from;
    f->to = to;
    for (int side = 0; side < 2; side++) {
        HD_TRY(hd_stream_create_with(devices[side], HD_STREAM_NON_BLOCKING, 0, &f->at[side]));
        HD_TRY(hd_event_create(devices[side], 0, &f->done[side]));
    }
    HD_TRY(hd_alloc_bytes((void **)&f->target, p2p_largest(r->p), 1, HD_MEM_DEVICE, devices[1]));
    return hd_alloc(&f->wrong, 1, devices[1]);
}

static hd_status make(rig *r)
{
    const cli_devices *d = &r->p->devices;

    HD_TRY(hd_stream_create_with(d->device[0], HD_STREAM_NON_BLOCKING, 0, &r->conductor));
    HD_TRY(hd_event_create(d->device[0], HD_EVENT_TIMING, &r->begin));
    HD_TRY(hd_event_create(d->device[0], HD_EVENT_TIMING, &r->end));
    for (unsigned i = 0; i < r->count; i++)
        HD_TRY(hd_alloc_bytes((void **)&r->source[i], p2p_largest(r->p), 1, HD_MEM_DEVICE,
                              d->device[i]));
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned j = 0; j < r->count; j++) {
            hd_peer_info *pair = &r->p->pairs[p2p_at(r->p, i, j)];
            HD_TRY(hd_peer_connect(d->device[i], d->device[j], NULL));
            HD_TRY(hd_peer_query(d->device[i], d->device[j], pair));
            if (i != j)
                HD_TRY(flow_make(r, i, j));
        }
    return HD_OK;
}

static hd_status fill_sources(const rig *r)
{
    const size_t words = p2p_largest(r->p) / 4;

    for (unsigned i = 0; i < r->count; i++) {
        hd_stream *stream = r->flows[p2p_at(r->p, i, (i + 1) % r->count)].at[0];
        HD_TRY(hd__pattern_write(words, (uint32_t)i + 1, r->source[i], stream));
        HD_TRY(hd_stream_synchronize(stream));
    }
    return HD_OK;
}

static void drop(rig *r)
{
    for (size_t k = 0; r->flows && k < (size_t)r->count * r->count; k++) {
        flow *f = &r->flows[k];
        hd_free(f->wrong);
        hd_free(f->target);
        for (int side = 0; side < 2; side++) {
            hd_event_destroy(f->done[side]);
            hd_stream_destroy(f->at[side]);
        }
    }
    for (unsigned i = 0; r->source && i < r->count; i++)
        hd_free(r->source[i]);
    hd_event_destroy(r->end);
    hd_event_destroy(r->begin);
    hd_stream_destroy(r->conductor);
    free(r->active);
    free(r->source);
    free(r->flows);
    (void)hd_peer_trim();
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* 1 if kernels of the target read; all other methods are issued by the source. */
static int side_of(p2p_method method)
{
    return method == P2P_READ;
}

static hd_status flow_issue(const rig *r, const flow *f, p2p_method method, size_t bytes)
{
    const cli_devices *d = &r->p->devices;
    hd_stream *stream = f->at[side_of(method)];
    const size_t vectors = bytes / sizeof(hd_u32x4);
    const unsigned blocks = (unsigned)((vectors + CEILING_VECTORS - 1) / CEILING_VECTORS);

    if (method == P2P_COPY)
        return hd_transfer(f->target, d->device[f->to], r->source[f->from], d->device[f->from],
                           bytes, stream);
    return hd_launch(ceiling_copy,
                     hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(CEILING_THREADS, 1, 1), 0, stream),
                     vectors, (const hd_u32x4 *)(const void *)r->source[f->from],
                     (hd_u32x4 *)(void *)f->target);
}

/* Starts all active flows together; each issues its batch; the conductor's stream waits for all. */
static hd_status batch_issue(const rig *r, p2p_method method, size_t bytes, size_t batch)
{
    const int side = side_of(method);

    HD_TRY(hd_event_record(r->begin, r->conductor));
    for (size_t k = 0; k < r->active_count; k++)
        HD_TRY(hd_stream_wait(r->active[k]->at[side], r->begin));
    for (size_t turn = 0; turn < batch; turn++)
        for (size_t k = 0; k < r->active_count; k++)
            HD_TRY(flow_issue(r, r->active[k], method, bytes));
    for (size_t k = 0; k < r->active_count; k++) {
        HD_TRY(hd_event_record(r->active[k]->done[side], r->active[k]->at[side]));
        HD_TRY(hd_stream_wait(r->conductor, r->active[k]->done[side]));
    }
    return hd_event_record(r->end, r->conductor);
}

static hd_status batch_time(const rig *r, p2p_method method, size_t bytes, size_t batch,
                            double *seconds)
{
    const double began = cli_now();
    float milliseconds;

    HD_TRY(batch_issue(r, method, bytes, batch));
    HD_TRY(hd_stream_synchronize(r->conductor));
    *seconds = (cli_now() - began) / (double)batch;
    if (r->host_clock)
        return HD_OK;
    HD_TRY(hd_event_elapsed(r->begin, r->end, &milliseconds));
    *seconds = 1e-3 * (double)milliseconds / (double)batch;
    return HD_OK;
}

/* ---- data check ------------------------------------------------------------------------------ */

static hd_status targets_spoil(const rig *r, size_t bytes)
{
    for (size_t k = 0; k < r->active_count; k++) {
        const flow *f = r->active[k];
        HD_TRY(hd_fill_bytes(f->target, 0xa5, 1, bytes, f->at[1]));
        HD_TRY(hd_fill_zero(f->wrong, 1, f->at[1]));
        HD_TRY(hd_stream_synchronize(f->at[1]));
    }
    return HD_OK;
}

static hd_status targets_look(rig *r, p2p_method method, size_t bytes)
{
    p2p *p = r->p;

    for (size_t k = 0; k < r->active_count; k++) {
        const flow *f = r->active[k];
        uint32_t wrong = 0;
        HD_TRY(
            hd__pattern_compare(bytes / 4, (uint32_t)f->from + 1, f->target, f->wrong, f->at[1]));
        HD_TRY(hd_copy_blocking(&wrong, (const uint32_t *)f->wrong, 1, f->at[1]));
        if (wrong && !p->wrong[0])
            (void)snprintf(p->wrong, sizeof p->wrong,
                           "%s of %zu bytes from device %d to device %d: %u of %zu words",
                           p2p_method_name(method), bytes, p->devices.device[f->from],
                           p->devices.device[f->to], (unsigned)wrong, bytes / 4);
    }
    return HD_OK;
}

/* ---- one measurement ------------------------------------------------------------------------- */

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Median of the runs. Before them, one run is checked and another determines the batch size. */
static hd_status measure(rig *r, p2p_method method, size_t bytes, double *seconds)
{
    const double wanted = r->host_clock ? 0.2e-3 : 2e-3;
    double samples[P2P_RUNS_MAX], once;
    size_t batch;

    HD_TRY(targets_spoil(r, bytes));
    HD_TRY(batch_time(r, method, bytes, 1, &once));
    HD_TRY(targets_look(r, method, bytes));
    HD_TRY(batch_time(r, method, bytes, 1, &once));
    batch = once > 0 && wanted / once < BATCH_MAX ? (size_t)(wanted / once) + 1 : BATCH_MAX;
    for (size_t i = 0; i < r->p->runs; i++)
        HD_TRY(batch_time(r, method, bytes, batch, &samples[i]));
    qsort(samples, r->p->runs, sizeof *samples, compare_seconds);
    *seconds = samples[r->p->runs / 2];
    return HD_OK;
}

static int possible(const p2p *p, p2p_method method, unsigned from, unsigned to)
{
    return method == P2P_COPY || p->pairs[p2p_at(p, from, to)].path == HD_PATH_DIRECT;
}

static void activate(rig *r, unsigned from, unsigned to)
{
    r->active[r->active_count++] = &r->flows[p2p_at(r->p, from, to)];
}

static hd_status measure_pair(rig *r, p2p_method method, unsigned from, unsigned to)
{
    p2p_series *series = &r->p->series[method][p2p_at(r->p, from, to)];

    if (!possible(r->p, method, from, to))
        return HD_OK;
    r->active_count = 0;
    activate(r, from, to);
    for (size_t s = 0; s < r->p->size_count; s++)
        HD_TRY(measure(r, method, r->p->sizes[s], &series->seconds[s]));
    series->fit = cli_fit_of(r->p->sizes, series->seconds, r->p->size_count);
    series->measured = 1;
    if (from < to)
        return HD_OK;
    activate(r, to, from); /* its own row is already done */
    HD_TRY(measure(r, method, p2p_largest(r->p), &series->both));
    r->p->series[method][p2p_at(r->p, to, from)].both = series->both;
    return HD_OK;
}

/* steps 1: each device to the next; count - 1: each to all others. */
static hd_status measure_crowd(rig *r, p2p_method method, unsigned steps, p2p_crowd *crowd)
{
    r->active_count = 0;
    for (unsigned step = 1; step <= steps; step++)
        for (unsigned i = 0; i < r->count; i++) {
            if (!possible(r->p, method, i, (i + step) % r->count))
                return HD_OK;
            activate(r, i, (i + step) % r->count);
        }
    HD_TRY(measure(r, method, p2p_largest(r->p), &crowd->seconds));
    crowd->flows = (unsigned)r->active_count;
    return HD_OK;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static hd_status flags_time(rig *r, const flow *f, uint32_t *const flag[2], double *seconds)
{
    const unsigned turns = r->host_clock ? TURNS_CPU : TURNS_GPU;
    double began, took;

    for (int side = 0; side < 2; side++) {
        HD_TRY(hd_fill_zero(flag[side], 1, f->at[side]));
        HD_TRY(hd_stream_synchronize(f->at[side]));
    }
    began = cli_now();
    for (int side = 1; side >= 0; side--)
        HD_TRY(hd_launch(p2p_pingpong, hd_launch_1d(1, 1, f->at[side]), turns, flag[side],
                         flag[1 - side], side == 0));
    for (int side = 0; side < 2; side++)
        HD_TRY(hd_stream_synchronize(f->at[side]));
    took = cli_now() - began;
    *seconds = took / (2.0 * turns);
    return HD_OK;
}

static hd_status measure_flags(rig *r, unsigned from, unsigned to)
{
    const cli_devices *d = &r->p->devices;
    const flow *f = &r->flows[p2p_at(r->p, from, to)];
    uint32_t *flag[2] = {NULL, NULL};
    double best = 0, seconds = 0;
    hd_status status = hd_alloc_kind(&flag[0], 1, HD_MEM_COHERENT, d->device[from]);

    if (status >= 0)
        status = hd_alloc_kind(&flag[1], 1, HD_MEM_COHERENT, d->device[to]);
    for (int i = 0; i < 3 && status >= 0; i++) {
        status = flags_time(r, f, flag, &seconds);
        best = i == 0 || seconds < best ? seconds : best;
    }
    (void)hd_free(flag[0]);
    (void)hd_free(flag[1]);
    if (status >= 0)
        r->p->pingpong[p2p_at(r->p, from, to)] = r->p->pingpong[p2p_at(r->p, to, from)] = best;
    return status;
}

/* ---- all measurements ------------------------------------------------------------------------ */

static hd_status measure_method(rig *r, p2p_method method)
{
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned j = 0; j < r->count; j++)
            if (i != j)
                HD_TRY(measure_pair(r, method, i, j));
    HD_TRY(measure_crowd(r, method, 1, &r->p->ring[method]));
    return measure_crowd(r, method, r->count - 1, &r->p->all[method]);
}

static hd_status measure_all(rig *r)
{
    HD_TRY(make(r));
    HD_TRY(fill_sources(r));
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        if (r->p->methods >> m & 1)
            HD_TRY(measure_method(r, (p2p_method)m));
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (r->p->pairs[p2p_at(r->p, i, j)].path == HD_PATH_DIRECT)
                HD_TRY(measure_flags(r, i, j));
    return HD_OK;
}

int p2p_measure(p2p *p)
{
    const size_t pairs = (size_t)p->devices.count * p->devices.count;
    int status = CLI_DONE;
    rig r;

    memset(&r, 0, sizeof r);
    r.p = p;
    r.count = p->devices.count;
    r.host_clock = strcmp(hd_backend_name(), "cpu") == 0;
    r.source = calloc(r.count, sizeof *r.source);
    r.flows = calloc(pairs, sizeof *r.flows);
    r.active = calloc(pairs, sizeof *r.active);
    if (!r.source || !r.flows || !r.active)
        status = cli_failed(p->arguments->command, "no memory for %zu pairs of devices", pairs);
    else if (measure_all(&r) < 0)
        status = cli_failed_call(p->arguments->command);
    drop(&r);
    return status;
}
