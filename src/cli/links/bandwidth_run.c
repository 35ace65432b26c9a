/* SPDX-License-Identifier: Apache-2.0 */
/* bandwidth_run.c - times transfers between host and device by every method. */
#include "bandwidth.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/kernels/overlap.h"
#include "cli/app/progress.h"

enum { THREADS = 256, WORD = sizeof(uint32_t) };

/* Bytes are copied from `from` to in[0..], and from out[0..] to `to`. */
typedef struct rig {
    const bandwidth *b;
    bandwidth_kind kind;
    hd_memory_kind memory;
    uint32_t *from, *to;           /* in host memory */
    uint32_t *in, *out;            /* in device memory */
    uint32_t *from_seen, *to_seen; /* mapped: addresses for kernels */
    hd_stream *stream, *other;
    hd_event *begun, *done, *begin, *end;
    hd_pipeline *pipeline;
    int host_clock;
} rig;

/* ---- one direction --------------------------------------------------------------------------- */

static hd_status move_in(const rig *r, size_t words, hd_stream *stream)
{
    if (r->kind == BANDWIDTH_MANAGED)
        return hd_prefetch(r->from, words * WORD, r->b->job.device, stream);
    if (r->kind == BANDWIDTH_MAPPED)
        return hd_launch(overlap_work, hd_launch_loop(words, THREADS, stream), words, 0u,
                         (const uint32_t *)r->from_seen, r->in);
    return hd_copy(r->in, (const uint32_t *)r->from, words, stream);
}

static hd_status move_out(const rig *r, size_t words, hd_stream *stream)
{
    if (r->kind == BANDWIDTH_MANAGED)
        return hd_prefetch(r->to, words * WORD, HD_DEVICE_HOST, stream);
    if (r->kind == BANDWIDTH_MAPPED)
        return hd_launch(overlap_work, hd_launch_loop(words, THREADS, stream), words, 0u,
                         (const uint32_t *)r->out, r->to_seen);
    return hd_copy(r->to, (const uint32_t *)r->out, words, stream);
}

/* ---- through a pipeline ---------------------------------------------------------------------- */

typedef struct staged {
    const rig *r;
    int direction;
} staged;

static hd_status staged_work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    const staged *s = state;

    if (s->direction & BANDWIDTH_IN)
        HD_TRY(
            hd_copy(s->r->in + chunk->first, (const uint32_t *)chunk->in[0], chunk->count, stream));
    if (s->direction & BANDWIDTH_OUT)
        HD_TRY(hd_copy((uint32_t *)chunk->out[0], (const uint32_t *)s->r->out + chunk->first,
                       chunk->count, stream));
    return HD_OK;
}

static hd_status move_staged(const rig *r, int direction, size_t words)
{
    staged s = {r, direction};
    const hd_pipeline_input in = {r->from, WORD, 1, NULL, NULL};
    const hd_pipeline_output out = {r->to, WORD, 1, NULL, NULL};
    const hd_pipeline_job job = {&in,         direction & BANDWIDTH_IN ? 1 : 0,
                                 &out,        direction & BANDWIDTH_OUT ? 1 : 0,
                                 words,       0,
                                 staged_work, &s};

    return hd_pipeline_run(r->pipeline, &job, NULL);
}

/* ---- timing ---------------------------------------------------------------------------------- */

static hd_status move(const rig *r, int direction, size_t words)
{
    if (r->kind == BANDWIDTH_STAGED)
        return move_staged(r, direction, words);
    if (direction == BANDWIDTH_IN)
        return move_in(r, words, r->stream);
    if (direction == BANDWIDTH_OUT)
        return move_out(r, words, r->stream);
    HD_TRY(hd_event_record(r->begun, r->stream));
    HD_TRY(hd_stream_wait(r->other, r->begun));
    HD_TRY(move_in(r, words, r->stream));
    HD_TRY(move_out(r, words, r->other));
    HD_TRY(hd_event_record(r->done, r->other));
    return hd_stream_wait(r->stream, r->done);
}

/* Migrates managed pages back to their source. */
static hd_status prepare(const rig *r, size_t words)
{
    if (r->kind != BANDWIDTH_MANAGED)
        return HD_OK;
    HD_TRY(hd_prefetch(r->from, words * WORD, HD_DEVICE_HOST, r->stream));
    HD_TRY(hd_prefetch(r->to, words * WORD, r->b->job.device, r->stream));
    return hd_stream_synchronize(r->stream);
}

/* Blocking calls, and all work on the CPU, are timed by the host's clock. */
static hd_status time_once(const rig *r, int direction, size_t words, double *seconds)
{
    float milliseconds;

    HD_TRY(prepare(r, words));
    const double began = cli_now();
    HD_TRY(hd_event_record(r->begin, r->stream));
    HD_TRY(move(r, direction, words));
    HD_TRY(hd_event_record(r->end, r->stream));
    HD_TRY(hd_stream_synchronize(r->stream));
    *seconds = cli_now() - began;
    if (r->host_clock)
        return HD_OK;
    HD_TRY(hd_event_elapsed(r->begin, r->end, &milliseconds));
    *seconds = 1e-3 * (double)milliseconds;
    return HD_OK;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static hd_status time_all(bandwidth *b, const rig *r, double *samples)
{
    bandwidth_series *series = &b->series[r->kind];

    for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
        for (size_t s = 0; s < b->size_count; s++) {
            for (size_t i = 0; i <= b->job.runs; i++) /* the first is a warm-up */
                HD_TRY(time_once(r, direction, b->sizes[s] / WORD, &samples[i ? i - 1 : 0]));
            qsort(samples, b->job.runs, sizeof *samples, compare_seconds);
            series->seconds[direction][s] = samples[b->job.runs / 2];
        }
    return HD_OK;
}

/* ---- verification ---------------------------------------------------------------------------- */

/* Copies all data in and out again and compares it with the original. */
static hd_status verify(bandwidth *b, rig *r)
{
    const size_t words = b->sizes[b->size_count - 1] / WORD;
    uint32_t *there = r->out;

    for (size_t i = 0; i < words; i++) {
        r->from[i] = (uint32_t)i * 2654435761u + (uint32_t)r->kind;
        r->to[i] = 0;
    }
    if (r->kind == BANDWIDTH_MANAGED) { /* the device copies the data */
        HD_TRY(move(r, BANDWIDTH_IN, words));
        HD_TRY(hd_copy(r->to, (const uint32_t *)r->from, words, r->stream));
        HD_TRY(move(r, BANDWIDTH_OUT, words));
    } else {
        HD_TRY(move(r, BANDWIDTH_IN, words));
        r->out = r->in;
        HD_TRY(move(r, BANDWIDTH_OUT, words));
        r->out = there;
    }
    HD_TRY(hd_stream_synchronize(r->stream));
    if (memcmp(r->from, r->to, words * WORD) != 0)
        b->wrong = r->kind;
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static hd_status make_host(const rig *r, uint32_t **memory, uint32_t **seen, size_t words)
{
    const int device = r->b->job.device;

    if (r->memory == HD_MEM_UNKNOWN) {
        *memory = malloc(words * WORD);
        if (!*memory)
            return cli_no_memory("%zu bytes on the host", words * WORD);
    } else {
        HD_TRY(hd_alloc_kind(memory, words, r->memory, device));
    }
    memset(*memory, 1, words * WORD);
    if (r->memory != HD_MEM_MAPPED)
        return HD_OK;
    return hd_host_device_pointer((void **)(void *)seen, *memory, device);
}

static hd_status make(rig *r)
{
    const bandwidth *b = r->b;
    const size_t words = b->sizes[b->size_count - 1] / WORD;
    hd_pipeline_options options = {0};
    const int device = b->job.device;

    options.device = device;
    options.copies = 1;
    options.threads = b->threads;
    HD_TRY(make_host(r, &r->from, &r->from_seen, words));
    HD_TRY(make_host(r, &r->to, &r->to_seen, words));
    HD_TRY(hd_alloc(&r->in, words, device));
    HD_TRY(hd_alloc(&r->out, words, device));
    HD_TRY(hd_stream_create(device, &r->stream));
    HD_TRY(hd_stream_create(device, &r->other));
    HD_TRY(hd_event_create(device, 0, &r->begun));
    HD_TRY(hd_event_create(device, 0, &r->done));
    HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &r->begin));
    HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &r->end));
    HD_TRY(hd_fill_zero(r->in, words, r->stream));
    HD_TRY(hd_fill_zero(r->out, words, r->stream));
    HD_TRY(hd_stream_synchronize(r->stream));
    return r->kind == BANDWIDTH_STAGED ? hd_pipeline_create(&options, &r->pipeline) : HD_OK;
}

static void drop(rig *r)
{
    hd_pipeline_destroy(r->pipeline);
    hd_event_destroy(r->end);
    hd_event_destroy(r->begin);
    hd_event_destroy(r->done);
    hd_event_destroy(r->begun);
    hd_stream_destroy(r->other);
    hd_stream_destroy(r->stream);
    hd_free(r->out);
    hd_free(r->in);
    if (r->memory == HD_MEM_UNKNOWN) {
        free(r->from);
        free(r->to);
    } else {
        hd_free(r->from);
        hd_free(r->to);
    }
}

/* Whether prefetching has nothing to move because host and device share memory. */
static int look_for_shared_pages(const bandwidth *b, bandwidth_series *series)
{
    int64_t integrated = 0;

    if (hd_device_get(b->job.device, HD_ATTR_INTEGRATED, &integrated) < 0)
        return cli_failed_call(b->job.arguments->command);
    series->still = integrated != 0;
    return CLI_DONE;
}

int bandwidth_measure(bandwidth *b, bandwidth_kind kind)
{
    static const hd_memory_kind memory[] = {
#define KIND_MEMORY_(name, text, memory, how) memory,
        BANDWIDTH_KIND_LIST(KIND_MEMORY_)
#undef KIND_MEMORY_
    };
    bandwidth_series *series = &b->series[kind];
    double *samples = cli_job_memory(&b->job, b->job.runs * sizeof *samples);
    rig r;
    int status = samples ? CLI_DONE : CLI_FAILED;

    memset(&r, 0, sizeof r);
    r.b = b;
    r.kind = kind;
    r.memory = memory[kind];
    r.host_clock = kind == BANDWIDTH_STAGED || kind == BANDWIDTH_PAGEABLE ||
                   strcmp(hd_backend_name(), "cpu") == 0;
    if (status == CLI_DONE &&
        (make(&r) < 0 || time_all(b, &r, samples) < 0 || (b->job.verify && verify(b, &r) < 0)))
        status = cli_failed_call(b->job.arguments->command);
    for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH && status == CLI_DONE;
         direction++)
        series->fit[direction] = cli_fit_of(b->sizes, series->seconds[direction], b->size_count);
    series->measured = status == CLI_DONE;
    if (status == CLI_DONE && kind == BANDWIDTH_MANAGED)
        status = look_for_shared_pages(b, series);
    drop(&r);
    free(samples);
    return status;
}
