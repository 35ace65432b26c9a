/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - the measurements of `heddle overlap`. */
#include "overlap.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/kernels/overlap.h"
#include "cli/app/progress.h"

enum { THREADS = 256, POISON = 0x5a, TRIES_MAX = 100 };

static int failed_call(const overlap *o)
{
    return cli_failed_call(o->job.arguments->command);
}

static size_t bytes_of(const overlap *o)
{
    return o->n * sizeof *o->in;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int make_array(overlap *o, uint32_t **array)
{
    if (o->kind == HD_MEM_UNKNOWN)
        return (*array = cli_job_memory(&o->job, bytes_of(o))) ? CLI_DONE : CLI_FAILED;
    return hd_alloc_kind(array, o->n, o->kind, o->job.device) < 0 ? failed_call(o) : CLI_DONE;
}

int overlap_memory(overlap *o)
{
    int status = make_array(o, &o->in);

    if (status == CLI_DONE)
        status = make_array(o, &o->out);
    if (status == CLI_DONE && (hd_event_create(o->job.device, 0, &o->issued) < 0 ||
                               hd_event_create(o->job.device, 0, &o->worked) < 0))
        status = failed_call(o);
    for (size_t i = 0; i < o->n && status == CLI_DONE; i++)
        o->in[i] = (uint32_t)i * 2654435761u;
    return status;
}

void overlap_free(overlap *o)
{
    hd_event_destroy(o->issued);
    hd_event_destroy(o->worked);
    if (o->kind == HD_MEM_UNKNOWN) {
        free(o->in);
        free(o->out);
    } else {
        hd_free(o->in);
        hd_free(o->out);
    }
}

/* ---- engines alone --------------------------------------------------------------------------- */

typedef struct alone {
    const overlap *o;
    uint32_t *in, *out;           /* on the device */
    uint32_t *host_in, *host_out; /* pinned */
    hd_stream *other;
    hd_event *begun, *done;
} alone;

static hd_status copy_in(void *state, hd_stream *stream)
{
    const alone *a = state;
    return hd_copy(a->in, (const uint32_t *)a->host_in, a->o->n, stream);
}

static hd_status copy_out(void *state, hd_stream *stream)
{
    const alone *a = state;
    return hd_copy(a->host_out, (const uint32_t *)a->out, a->o->n, stream);
}

static hd_status copy_both(void *state, hd_stream *stream)
{
    const alone *a = state;

    HD_TRY(hd_event_record(a->begun, stream));
    HD_TRY(hd_stream_wait(a->other, a->begun));
    HD_TRY(copy_in(state, stream));
    HD_TRY(copy_out(state, a->other));
    HD_TRY(hd_event_record(a->done, a->other));
    return hd_stream_wait(stream, a->done);
}

static hd_status copy_plain_in(void *state, hd_stream *stream)
{
    const alone *a = state;
    return hd_copy(a->in, (const uint32_t *)a->o->in, a->o->n, stream);
}

static hd_status copy_plain_out(void *state, hd_stream *stream)
{
    const alone *a = state;
    return hd_copy(a->o->out, (const uint32_t *)a->out, a->o->n, stream);
}

static hd_status work_alone(void *state, hd_stream *stream)
{
    const alone *a = state;
    return hd_launch(overlap_work, hd_launch_loop(a->o->n, THREADS, stream), a->o->n, a->o->weight,
                     (const uint32_t *)a->in, a->out);
}

static int time_of(overlap *o, hd_status (*call)(void *, hd_stream *), alone *a, double *seconds)
{
    int status = cli_job_time(&o->job, call, a, CLI_NO_BYTES);

    *seconds = o->job.seconds;
    return status;
}

/* Iterations for which the kernel takes as long as a copy: extrapolated from few and many, then
   refined. */
static int find_weight(overlap *o, alone *a)
{
    double few = 0, many = 0;
    int status = CLI_DONE;

    for (int again = 0; again < 3 && status == CLI_DONE; again++) {
        const unsigned high = again ? o->weight : 64, low = high / 4;
        o->weight = low;
        status = time_of(o, work_alone, a, &few);
        o->weight = high;
        if (status == CLI_DONE)
            status = time_of(o, work_alone, a, &many);
        const double rise = (many - few) / (double)(high - low);
        const double wanted = rise > 0 ? (double)high + (o->copy_in - many) / rise : 1.0;
        o->weight = wanted < 4.0 ? 4 : wanted > 1e9 ? 1000000000 : (unsigned)wanted;
    }
    return status;
}

static int measure_alone(overlap *o, alone *a)
{
    double in, out;
    int status = time_of(o, copy_in, a, &o->copy_in);

    if (status == CLI_DONE)
        status = time_of(o, copy_out, a, &o->copy_out);
    if (status == CLI_DONE)
        status = time_of(o, copy_both, a, &o->both);
    if (status == CLI_DONE && !o->weight_given)
        status = find_weight(o, a);
    if (status == CLI_DONE)
        status = time_of(o, work_alone, a, &o->work);
    in = o->copy_in;
    out = o->copy_out;
    if (status == CLI_DONE && o->kind == HD_MEM_UNKNOWN)
        status = time_of(o, copy_plain_in, a, &in);
    if (status == CLI_DONE && o->kind == HD_MEM_UNKNOWN)
        status = time_of(o, copy_plain_out, a, &out);
    o->serial = in + o->work + out;
    o->bound = o->both > o->work ? o->both : o->work;
    o->bound = o->bound > o->copy_in ? o->bound : o->copy_in;
    o->bound = o->bound > o->copy_out ? o->bound : o->copy_out;
    return status;
}

int overlap_alone(overlap *o)
{
    const int device = o->job.device, own = o->kind == HD_MEM_PINNED;
    alone a = {o, NULL, NULL, o->in, o->out, NULL, NULL, NULL};
    int status;

    if (hd_alloc(&a.in, o->n, device) < 0 || hd_alloc(&a.out, o->n, device) < 0 ||
        (!own && (hd_alloc_kind(&a.host_in, o->n, HD_MEM_PINNED, device) < 0 ||
                  hd_alloc_kind(&a.host_out, o->n, HD_MEM_PINNED, device) < 0)) ||
        hd_stream_create(device, &a.other) < 0 || hd_event_create(device, 0, &a.begun) < 0 ||
        hd_event_create(device, 0, &a.done) < 0 || hd_fill_zero(a.out, o->n, o->job.stream) < 0)
        status = failed_call(o);
    else
        status = measure_alone(o, &a);
    hd_event_destroy(a.done);
    hd_event_destroy(a.begun);
    hd_stream_destroy(a.other);
    hd_free(a.in);
    hd_free(a.out);
    if (!own && a.host_in != o->in)
        hd_free(a.host_in);
    if (!own && a.host_out != o->out)
        hd_free(a.host_out);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static hd_status work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    overlap *o = state;
    hd_stream *on = stream;

    if (o->mode != OVERLAP_STREAMS)
        HD_TRY(hd_stream_default(
            o->job.device, o->mode == OVERLAP_LEGACY ? HD_DEFAULT_LEGACY : HD_DEFAULT_PER_THREAD,
            &on));
    if (on != stream) {
        HD_TRY(hd_event_record(o->issued, stream));
        HD_TRY(hd_stream_wait(on, o->issued));
    }
    HD_TRY(hd_launch(overlap_work, hd_launch_loop(chunk->count, THREADS, on), chunk->count,
                     o->weight, (const uint32_t *)chunk->in[0], (uint32_t *)chunk->out[0]));
    if (on == stream)
        return HD_OK;
    HD_TRY(hd_event_record(o->worked, on));
    return hd_stream_wait(stream, o->worked);
}

/* Migrates managed pages, which the last run has moved, back to the host; not timed. */
static hd_status take_back(const overlap *o)
{
    if (o->kind != HD_MEM_MANAGED)
        return HD_OK;
    HD_TRY(hd_prefetch(o->in, bytes_of(o), HD_DEVICE_HOST, o->job.stream));
    HD_TRY(hd_prefetch(o->out, bytes_of(o), HD_DEVICE_HOST, o->job.stream));
    return hd_stream_synchronize(o->job.stream);
}

/* The first wrong element; `weight` iterations are one multiply-add. */
static size_t first_wrong(const overlap *o)
{
    uint32_t factor = 1, term = 0;

    for (unsigned i = 0; i < o->weight; i++) {
        factor *= OVERLAP_FACTOR;
        term = term * OVERLAP_FACTOR + OVERLAP_TERM;
    }
    for (size_t i = 0; i < o->n; i++)
        if (o->out[i] != o->in[i] * factor + term)
            return i;
    return SIZE_MAX;
}

/* Runs that are not timed come first: one, or as many as an automatic pipeline needs to settle. */
static hd_status time_runs(overlap *o, hd_pipeline *p, overlap_row *row, double *samples)
{
    const hd_pipeline_input in = {o->in, sizeof *o->in, 1, NULL, NULL};
    const hd_pipeline_output out = {o->out, sizeof *o->out, 1, NULL, NULL};
    /* The pipeline's own chunks give every thread the same number of elements, so that no block
       ends late. */
    const size_t threads = (size_t)hd_launch_loop(o->n, THREADS, o->job.stream).grid.x * THREADS;
    const hd_pipeline_job job = {&in, 1, &out, 1, o->n, row->streams ? 0 : threads, work, o};
    hd_pipeline_report report = {0};

    for (row->tries = 0; row->tries < TRIES_MAX && !report.settled; row->tries++) {
        HD_TRY(take_back(o));
        HD_TRY(hd_pipeline_run(p, &job, &report));
        if (row->tries == 0)
            row->first = report.seconds;
    }
    for (size_t i = 0; i < o->job.runs; i++) {
        HD_TRY(take_back(o));
        HD_TRY(hd_pipeline_run(p, &job, &report));
        samples[i] = report.seconds;
    }
    cli_sort_numbers(samples, o->job.runs);
    row->median = samples[o->job.runs / 2];
    row->least = samples[0];
    row->chunk = report.chunk;
    row->used = report.streams;
    row->order = report.order;
    return HD_OK;
}

static int run_row(overlap *o, unsigned streams, double *samples)
{
    overlap_row *row = &o->rows[o->row_count++];
    const size_t parts = o->parts ? o->parts : streams;
    hd_pipeline_options options = {0};
    hd_pipeline *p = NULL;
    hd_status status;

    row->streams = options.streams = streams;
    options.device = o->job.device;
    options.buffers = streams && !o->parts ? streams : 0;
    options.threads = o->threads;
    options.copy_streams = o->copy_streams;
    options.order = streams ? o->order : HD_PIPELINE_AUTO;
    options.chunk = streams ? (o->n + parts - 1) / parts : 0;
    options.copies = !o->in_place && (o->kind == HD_MEM_PINNED || o->kind == HD_MEM_UNKNOWN);
    memset(o->out, POISON, bytes_of(o));
    status = hd_pipeline_create(&options, &p);
    if (status >= 0)
        status = time_runs(o, p, row, samples);
    if (status < 0) {
        const int exit_status = failed_call(o);
        hd_pipeline_destroy(p);
        return exit_status;
    }
    if (hd_pipeline_destroy(p) < 0)
        return failed_call(o);
    if (o->job.verify && o->wrong_at == SIZE_MAX)
        o->wrong_at = first_wrong(o);
    return CLI_DONE;
}

int overlap_rows(overlap *o)
{
    double *samples = cli_job_memory(&o->job, o->job.runs * sizeof *samples);
    int status = samples ? CLI_DONE : CLI_FAILED;

    for (unsigned streams = 1; streams <= o->max_streams && streams <= o->n; streams *= 2)
        if (status == CLI_DONE)
            status = run_row(o, streams, samples);
    if (status == CLI_DONE)
        status = run_row(o, 0, samples);
    free(samples);
    return status;
}
