/* SPDX-License-Identifier: Apache-2.0 */
/* defaultstream_run.c - the experiments with default streams and the checks of their recorded
   times: streams with a copy and a kernel each and a dummy kernel on the default stream between
   them; host threads that use their default streams. */
#include <stdlib.h>
#include <string.h>

#include "defaultstream.h"
#include "cli/trace/timeline.h"

static const double tolerance = 2e-6; /* seconds: accuracy of event times on one device */

/* ---- checks ---------------------------------------------------------------------------------- */

static int in_a_row(const hd_trace_span *a, const hd_trace_span *b)
{
    return a->end <= b->begin + tolerance;
}

/* Dummies are the kernels of one block. Work issued before one must end before it begins, and work
   issued after it must begin after it ends. */
static int dummies_divide(const hd_trace_span *spans, size_t count)
{
    for (size_t d = 0; d < count; d++) {
        if (spans[d].kind != HD_TRACE_KERNEL || spans[d].grid.x != 1)
            continue;
        for (size_t i = 0; i < count; i++)
            if (i != d &&
                (i < d ? !in_a_row(&spans[i], &spans[d]) : !in_a_row(&spans[d], &spans[i])))
                return 0;
    }
    return 1;
}

/* Maximum number of chains at once, without the dummies. */
static unsigned chains_at_once(const hd_trace_span *spans, size_t count)
{
    hd_trace_span *chains = malloc((count ? count : 1) * sizeof *chains);
    size_t kept = 0;
    unsigned most;

    for (size_t i = 0; i < count && chains; i++)
        if (spans[i].grid.x > 1)
            chains[kept++] = spans[i];
    most = cli_kernels_at_once(chains, kept);
    free(chains);
    return most;
}

static int one_at_a_time(const hd_trace_span *spans, size_t count)
{
    return cli_kernels_at_once(spans, count) == 1;
}

/* Required only on devices that run kernels concurrently. */
static int together(const hd_trace_span *spans, size_t count)
{
    int64_t concurrent = 0;

    if (strcmp(hd_backend_name(), "cpu") == 0 || count == 0 ||
        hd_device_get(spans[0].device, HD_ATTR_CONCURRENT_KERNELS, &concurrent) < 0 || !concurrent)
        return 1;
    return chains_at_once(spans, count) > 1;
}

/* ---- experiments ----------------------------------------------------------------------------- */

static hd_status chain(default_room *r, size_t i, hd_stream *stream)
{
    HD_TRY(hd_copy(r->in[i], (const float *)r->source, DEFAULT_N, stream));
    HD_TRY(cli_work(DEFAULT_N, DEFAULT_BLOCKS, r->turns, r->in[i], r->out[i], stream));
    return HD_OK;
}

static hd_status results(default_room *r)
{
    HD_TRY(hd_device_synchronize(r->job.device));
    for (size_t i = 0; i < r->streams; i++)
        HD_TRY(hd_copy_blocking(r->result[i], (const float *)r->out[i], DEFAULT_N, r->job.stream));
    return HD_OK;
}

static hd_status clear(default_room *r)
{
    for (size_t i = 0; i < r->streams; i++)
        HD_TRY(hd_fill_zero(r->out[i], DEFAULT_N, r->job.stream));
    return hd_stream_synchronize(r->job.stream);
}

/* For each stream in turn: a copy, a kernel, and a dummy on the default stream. */
static hd_status streams_and_dummies(default_room *r, hd_stream *const *streams, hd_stream *other)
{
    for (size_t i = 0; i < r->streams; i++) {
        HD_TRY(chain(r, i, streams[i]));
        HD_TRY(cli_work(1, 1, 1, r->dummy[i], r->dummy[i], other));
    }
    return hd_device_synchronize(r->job.device);
}

static hd_status with_streams(default_room *r, const char *name, unsigned flags)
{
    hd_stream *streams[CLI_THREADS_MAX] = {NULL}, *other = NULL;
    hd_status status = clear(r);

    if (status >= 0)
        status = hd_stream_default(r->job.device, r->which, &other);
    for (size_t i = 0; i < r->streams && status >= 0; i++)
        status = hd_stream_create_with(r->job.device, flags, 0, &streams[i]);
    if (status >= 0)
        status = hd_range_push(name);
    if (status >= 0) {
        status = streams_and_dummies(r, streams, other);
        (void)hd_range_pop();
    }
    for (size_t i = 0; i < r->streams; i++)
        (void)hd_stream_destroy(streams[i]);
    return status;
}

static hd_status thread_work(default_room *r, size_t i)
{
    hd_stream *mine;

    HD_TRY(hd_stream_default(r->job.device, r->which, &mine));
    HD_TRY(chain(r, i, mine));
    return hd_stream_synchronize(mine);
}

static void thread_body(void *state, size_t i)
{
    default_room *r = state;

    r->status[i] = thread_work(r, i);
}

static hd_status with_threads(default_room *r, const char *name, int openmp)
{
    int made;

    HD_TRY(clear(r));
    HD_TRY(hd_range_push(name));
    made = openmp ? cli_threads_openmp(r->streams, thread_body, r)
                  : cli_threads_posix(r->streams, thread_body, r);
    HD_TRY(hd_range_pop());
    for (size_t i = 0; i < r->streams && made == 0; i++)
        if (r->status[i] < 0)
            return r->status[i];
    return made == 0 ? HD_OK : cli_no_memory("%zu threads", r->streams);
}

static int wrong(const default_room *r)
{
    for (size_t i = 0; i < r->streams; i++)
        if (cli_work_wrong(r->turns, r->result[i], DEFAULT_N) != DEFAULT_N)
            return 1;
    return 0;
}

/* Runs one experiment and registers the check of its times. */
static int run_one(default_room *r, const char *name,
                   hd_status (*run)(default_room *, const char *, unsigned), unsigned argument,
                   const char *expected, int (*check)(const hd_trace_span *, size_t))
{
    default_experiment *e = &r->experiments[r->count++];

    snprintf(e->name, sizeof e->name, "%s, %s", name,
             r->which == HD_DEFAULT_LEGACY ? "legacy" : "per-thread");
    e->which = r->which == HD_DEFAULT_LEGACY ? "legacy" : "per-thread";
    e->expected = expected;
    e->check = check;
    if (run(r, e->name, argument) < 0 || results(r) < 0)
        return cli_failed_call(r->job.arguments->command);
    e->verified = !r->job.verify || !wrong(r);
    return CLI_DONE;
}

static hd_status threads_of_kind(default_room *r, const char *name, unsigned openmp)
{
    return with_threads(r, name, (int)openmp);
}

int default_run(default_room *r, hd_default_stream which)
{
    int legacy = which == HD_DEFAULT_LEGACY, status;

    r->which = which;
    status = run_one(r, "streams", with_streams, HD_STREAM_DEFAULT,
                     legacy ? "each dummy separates the work before it from the work after"
                            : "streams do not wait for the dummies",
                     legacy ? dummies_divide : together);
    if (status == CLI_DONE && legacy)
        status = run_one(r, "non-blocking streams", with_streams, HD_STREAM_NON_BLOCKING,
                         "streams do not wait for the dummies", together);
    if (status == CLI_DONE && r->posix)
        status = run_one(r, "POSIX threads", threads_of_kind, 0,
                         legacy ? "one kernel at a time" : "threads do not wait for each other",
                         legacy ? one_at_a_time : together);
    if (status == CLI_DONE && r->openmp)
        status = run_one(r, "OpenMP threads", threads_of_kind, 1,
                         legacy ? "one kernel at a time" : "threads do not wait for each other",
                         legacy ? one_at_a_time : together);
    return status;
}

int default_read_times(default_room *r)
{
    for (size_t i = 0; i < r->count; i++) {
        default_experiment *e = &r->experiments[i];
        hd_trace_span *spans;
        size_t count = cli_recorded(e->name, &spans);

        if (count == 0)
            return cli_failed(r->job.arguments->command, "nothing was recorded of '%s'", e->name);
        e->at_once = chains_at_once(spans, count);
        e->seconds = cli_timeline_whole(spans, count);
        e->holds = e->check(spans, count);
        free(spans);
    }
    return CLI_DONE;
}

int default_may_hold(const default_room *r)
{
    int missed = 0;

    for (size_t i = 0; i < r->count; i++) {
        if (!r->experiments[i].holds && r->experiments[i].check != together)
            return 0;
        missed |= !r->experiments[i].holds;
    }
    return missed;
}
