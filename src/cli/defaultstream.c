/* SPDX-License-Identifier: Apache-2.0 */
/* defaultstream.c - `heddle defaultstream`: what the default stream makes wait. Streams with a copy
   and a kernel each and a dummy kernel on the default stream between them; host threads that use
   their default streams. What has to be in a row is checked in the recorded times. */
#include <stdlib.h>
#include <string.h>

#include "default_threads.h"
#include "stream_work.h"
#include "timeline.h"
#include "words.h"

enum { N = 4 * STREAM_WORK_BLOCK, BLOCKS = 4, EXPERIMENTS = 8, NAME = 64 };
static const double tolerance = 2e-6; /* seconds: events of a device among each other */

typedef struct experiment {
    char name[NAME];
    const char *which; /* default stream */
    const char *expected;
    int (*check)(const hd_trace_span *spans, size_t count);
    unsigned at_once;
    double seconds; /* from the first beginning to the last end */
    int holds, verified;
} experiment;

typedef struct room {
    cli_job job;
    size_t streams;
    unsigned turns;
    int openmp, posix; /* kinds of threads wanted */
    hd_default_stream which;
    float *in[CLI_THREADS_MAX], *out[CLI_THREADS_MAX]; /* on the device */
    float *source, *result[CLI_THREADS_MAX];           /* pinned */
    float *dummy[CLI_THREADS_MAX];                     /* what the dummies write */
    hd_status status[CLI_THREADS_MAX];
    experiment experiments[EXPERIMENTS];
    size_t count;
} room;

/* ---- what has to hold ------------------------------------------------------------------------ */

static int in_a_row(const hd_trace_span *a, const hd_trace_span *b)
{
    return a->end <= b->begin + tolerance;
}

/* The dummies are the kernels of one block: nothing of what was asked for before one may end after
   it began, nothing asked for afterwards may begin before it ended. */
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

/* Without the dummies. */
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

/* Only a device whose kernels run beside each other has to show it. */
static int together(const hd_trace_span *spans, size_t count)
{
    int64_t concurrent = 0;

    if (strcmp(hd_backend_name(), "cpu") == 0 || count == 0 ||
        hd_device_get(spans[0].device, HD_ATTR_CONCURRENT_KERNELS, &concurrent) < 0 || !concurrent)
        return 1;
    return chains_at_once(spans, count) > 1;
}

/* ---- experiments ----------------------------------------------------------------------------- */

static hd_status chain(room *r, size_t i, hd_stream *stream)
{
    HD_TRY(hd_copy(r->in[i], (const float *)r->source, N, stream));
    HD_TRY(cli_work(N, BLOCKS, r->turns, r->in[i], r->out[i], stream));
    return HD_OK;
}

static hd_status results(room *r)
{
    HD_TRY(hd_device_synchronize(r->job.device));
    for (size_t i = 0; i < r->streams; i++)
        HD_TRY(hd_copy_blocking(r->result[i], (const float *)r->out[i], N, r->job.stream));
    return HD_OK;
}

static hd_status clear(room *r)
{
    for (size_t i = 0; i < r->streams; i++)
        HD_TRY(hd_fill_zero(r->out[i], N, r->job.stream));
    return hd_stream_synchronize(r->job.stream);
}

/* Streams in turn: a copy, a kernel, and a dummy on the default stream. */
static hd_status streams_and_dummies(room *r, hd_stream *const *streams, hd_stream *other)
{
    for (size_t i = 0; i < r->streams; i++) {
        HD_TRY(chain(r, i, streams[i]));
        HD_TRY(cli_work(1, 1, 1, r->dummy[i], r->dummy[i], other));
    }
    return hd_device_synchronize(r->job.device);
}

static hd_status with_streams(room *r, const char *name, unsigned flags)
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

static hd_status thread_work(room *r, size_t i)
{
    hd_stream *mine;

    HD_TRY(hd_stream_default(r->job.device, r->which, &mine));
    HD_TRY(chain(r, i, mine));
    return hd_stream_synchronize(mine);
}

static void thread_body(void *state, size_t i)
{
    room *r = state;

    r->status[i] = thread_work(r, i);
}

static hd_status with_threads(room *r, const char *name, int openmp)
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
    return made == 0 ? HD_OK : HD_ERR_NO_MEMORY;
}

static int wrong(const room *r)
{
    for (size_t i = 0; i < r->streams; i++)
        if (cli_work_wrong(r->turns, r->result[i], N) != N)
            return 1;
    return 0;
}

/* Runs one experiment and keeps what the check of its times will be. */
static int run_one(room *r, const char *name, hd_status (*run)(room *, const char *, unsigned),
                   unsigned argument, const char *expected,
                   int (*check)(const hd_trace_span *, size_t))
{
    experiment *e = &r->experiments[r->count++];

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

static hd_status threads_of_kind(room *r, const char *name, unsigned openmp)
{
    return with_threads(r, name, (int)openmp);
}

static int run_mode(room *r, hd_default_stream which)
{
    int legacy = which == HD_DEFAULT_LEGACY, status;

    r->which = which;
    status = run_one(r, "streams", with_streams, HD_STREAM_DEFAULT,
                     legacy ? "each dummy divides what is before it from what is after"
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

static int read_times(room *r)
{
    for (size_t i = 0; i < r->count; i++) {
        experiment *e = &r->experiments[i];
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

/* ---- printing -------------------------------------------------------------------------------- */

static void print_text(const room *r)
{
    printf("%zu streams or threads, a kernel of about a millisecond each\n\n", r->streams);
    printf("%-34s %12s %12s  %s\n", "", "time", "at once", "expected");
    for (size_t i = 0; i < r->count; i++) {
        const experiment *e = &r->experiments[i];
        char time[CLI_NUMBER];

        cli_text_seconds(e->seconds, time);
        printf("%-34s %12s %12u  %s%s%s\n", e->name, time, e->at_once, e->expected,
               e->holds ? "" : ": DOES NOT HOLD", e->verified ? "" : ", WRONG RESULTS");
    }
    printf("\ndevice     %d: %s (backend %s)\n", r->job.device, r->job.device_name,
           hd_backend_name());
}

static void print_rows(const room *r)
{
    if (r->job.format == CLI_CSV)
        puts("experiment,default_stream,seconds,kernels_at_once,holds,verified,backend");
    for (size_t i = 0; i < r->count; i++) {
        const experiment *e = &r->experiments[i];
        cli_json object;

        if (r->job.format == CLI_CSV) {
            cli_csv_cell(e->name);
            printf(",%s,%.6g,%u,%s,%s,%s\n", e->which, e->seconds, e->at_once,
                   e->holds ? "true" : "false", e->verified ? "true" : "false", hd_backend_name());
            continue;
        }
        fputs(i ? ",\n " : "[", stdout);
        cli_json_begin(&object);
        cli_json_text(&object, "experiment", e->name);
        cli_json_text(&object, "default_stream", e->which);
        cli_json_f64(&object, "seconds", e->seconds, 6);
        cli_json_f64(&object, "kernels_at_once", e->at_once, 6);
        cli_json_raw(&object, "holds", e->holds ? "true" : "false");
        cli_json_raw(&object, "verified", e->verified ? "true" : "false");
        cli_json_text(&object, "backend", hd_backend_name());
        cli_json_end();
    }
    if (r->job.format == CLI_JSON)
        puts("]");
}

static int finish(const room *r)
{
    int status;

    if (r->job.format == CLI_TEXT)
        print_text(r);
    else
        print_rows(r);
    status = cli_flush(r->job.arguments->command);
    for (size_t i = 0; i < r->count && status == CLI_DONE; i++) {
        const experiment *e = &r->experiments[i];

        if (!e->holds)
            status = cli_failed(r->job.arguments->command, "%s: expected that %s", e->name,
                                e->expected);
        else if (!e->verified)
            status = cli_failed(r->job.arguments->command, "%s: wrong results", e->name);
    }
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static hd_status make_room(room *r, double seconds)
{
    int device = r->job.device;

    HD_TRY(hd_alloc_kind(&r->source, N, HD_MEM_PINNED, device));
    for (size_t i = 0; i < N; i++)
        r->source[i] = cli_work_input(i);
    for (size_t i = 0; i < r->streams; i++) {
        HD_TRY(hd_alloc(&r->in[i], N, device));
        HD_TRY(hd_alloc(&r->out[i], N, device));
        HD_TRY(hd_alloc(&r->dummy[i], 1, device));
        HD_TRY(hd_alloc_kind(&r->result[i], N, HD_MEM_PINNED, device));
        HD_TRY(hd_fill_zero(r->dummy[i], 1, r->job.stream));
    }
    HD_TRY(cli_turns_for(seconds, N, r->out[0], r->job.stream, &r->turns));
    return cli_record_begin(r->job.arguments);
}

static void free_room(room *r)
{
    hd_free(r->source);
    for (size_t i = 0; i < r->streams; i++) {
        hd_free(r->in[i]);
        hd_free(r->out[i]);
        hd_free(r->dummy[i]);
        hd_free(r->result[i]);
    }
    cli_job_close(&r->job);
}

static int read_options(room *r, size_t *mode_out, double *seconds_out)
{
    static const char *const modes[] = {"both", "legacy", "per-thread"};
    static const char *const kinds[] = {"posix", "openmp"};
    const cli_arguments *arguments = r->job.arguments;
    uint64_t streams = 8;
    unsigned wanted = 3;
    int status = cli_word_read(arguments, "mode", modes, 3, 0, mode_out);

    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "threads", kinds, 2, 3, &wanted);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "streams", 8, 2, 32, &streams);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "ms", 1.0, seconds_out);
    if (status == CLI_DONE && !(*seconds_out > 0 && *seconds_out <= 1000))
        status = cli_misused(arguments->command, "--ms: from 0 to 1000");
    *seconds_out *= 1e-3;
    r->streams = (size_t)streams;
    r->posix = wanted & 1;
    r->openmp = wanted >> 1 & 1;
    if (r->openmp && !cli_threads_have_openmp()) {
        r->openmp = 0;
        if (cli_option_given(arguments, "threads") && status == CLI_DONE)
            status = cli_failed(arguments->command, "this build has no OpenMP");
    }
    return status;
}

static int run(const cli_arguments *arguments)
{
    room *r = calloc(1, sizeof *r);
    double seconds;
    size_t mode = 0;
    int status;

    if (!r)
        return cli_failed(arguments->command, "no memory for the experiments");
    status = cli_job_open(&r->job, arguments);
    if (status == CLI_DONE)
        status = read_options(r, &mode, &seconds);
    if (status == CLI_DONE && make_room(r, seconds) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE && mode != 2)
        status = run_mode(r, HD_DEFAULT_LEGACY);
    if (status == CLI_DONE && mode != 1)
        status = run_mode(r, HD_DEFAULT_PER_THREAD);
    if (status == CLI_DONE && hd_trace_stop() < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = read_times(r);
    if (status == CLI_DONE)
        status = finish(r);
    free_room(r);
    free(r);
    return status;
}

static const cli_option options[] = {
    {"mode", "WHICH", "default streams: legacy, per-thread or both (the default)"},
    {"threads", "KINDS", "posix,openmp; what the build has"},
    {"streams", "N", "streams, and threads: 8 by default, 2 to 32"},
    {"ms", "T", "milliseconds that a kernel should take, 1 by default"},
    {"device", "DEVICE", "index, bus id, 'fastest' or 'free' (HEDDLE_DEVICE, else 0)"},
    {"no-verify", NULL, "do not compare results with the host's"},
    {"json", NULL, "print a JSON array"},
    {"csv", NULL, "print a row per experiment"},
    {NULL, NULL, NULL}};

static const char notes[] =
    "streams: each gets a copy and a kernel, and behind each stream's work a dummy kernel goes to\n"
    "the default stream. The legacy one waits for all blocking streams, and they for it.\n"
    "threads: each gets a copy and a kernel on its default stream.\n"
    "at once: kernels of streams or threads that ran at the same time, from recorded times.\n"
    "Exit status 1 where what is expected does not hold. That kernels run beside each other is\n"
    "expected of GPUs only.\n";

const cli_command cli_command_defaultstream = {
    "defaultstream",
    "what the default streams, legacy and per thread, make wait",
    NULL,
    options,
    notes,
    "  heddle defaultstream --timeline waits.svg\n"
    "  heddle defaultstream --mode legacy --streams 4 --json\n",
    run};
