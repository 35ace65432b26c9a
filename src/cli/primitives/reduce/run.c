/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - copies the numbers to the device and reduces them there, through a pipeline: while one
   chunk is copied and reduced, the next is read from the file. An array that fits in device memory
   is gathered there and reduced by hd_reduce; a larger one is reduced chunk by chunk
   (hd_reduce_chunks), with the same bits. */
#include <stdlib.h>
#include <string.h>

#include <heddle/pipeline.h>

#include "cli/trace/intervals.h"
#include "cli/app/progress.h"
#include "job.h"

enum {
    STAGE_BYTES = 32 << 20, /* limit for a chunk, unless --chunk is given */
    STAGES = 4,             /* chunks in flight */
    RESULT_BYTES = 256      /* bytes per result; keeps results aligned */
};

typedef struct pass {
    reduce_job *job;
    hd_stream *work;
    hd_pipeline *pipeline;
    cli_intervals reductions; /* times of the chunks */
    size_t stage_elements;
    size_t read;
    int read_failed;      /* the job's message has the reason */
    unsigned char *whole; /* the array on the device; NULL: processed in chunks */
    unsigned char *out;   /* results on the device */
    hd_workspace workspace;
    hd_event *begun, *done;
    hd_reduce_chunks *chunks;
    hd_reduce_op ops[HD_REDUCE_COUNT_];
    size_t op_count;
    cli_progress progress;
} pass;

/* ---- plan ----------------------------------------------------------------------------------- */

static size_t ceil_to(size_t n, size_t step)
{
    return n / step * step + (n % step ? step : 0);
}

/* Chooses between the whole array and chunks, and the size of a staging buffer. */
static hd_status plan(pass *p, int *in_chunks)
{
    reduce_job *job = p->job;
    size_t size = hd_type_bytes(job->type), bytes = hd_bytes(job->n, size), tile, most;
    size_t free_bytes, total_bytes;

    HD_TRY(hd_device_memory(job->device, &free_bytes, &total_bytes));
    *in_chunks = job->chunk_bytes > 0 ||
                 (job->algorithm == HD_REDUCE_AUTO && bytes > free_bytes / 8 * 7);
    most = job->chunk_bytes ? job->chunk_bytes : STAGE_BYTES;
    if (*in_chunks && !job->chunk_bytes && most > free_bytes / 8)
        most = free_bytes / 8;
    HD_TRY(hd_reduce_tile(job->n, job->type, &tile));
    p->stage_elements = most / size / tile * tile;
    if (p->stage_elements == 0)
        p->stage_elements = tile;
    if (p->stage_elements > job->n)
        p->stage_elements = ceil_to(job->n, tile);
    return HD_OK;
}

/* Allocates the array, the results and the workspace before the clock starts. */
static hd_status make_whole(pass *p)
{
    const reduce_job *job = p->job;

    HD_TRY(hd_alloc(&p->whole, hd_bytes(job->n, hd_type_bytes(job->type)), job->device));
    HD_TRY(hd_alloc(&p->out, HD_REDUCE_COUNT_ * RESULT_BYTES, job->device));
    HD_TRY(hd_reduce_workspace(job->n, job->type, HD_SUM, &p->workspace.bytes));
    return hd_alloc_bytes(&p->workspace.memory, p->workspace.bytes, 1, HD_MEM_DEVICE, job->device);
}

static hd_status make_pass(pass *p)
{
    reduce_job *job = p->job;
    hd_pipeline_options options = {0};
    int in_chunks = 0;

    HD_TRY(plan(p, &in_chunks));
    options.device = job->device;
    options.chunk = p->stage_elements;
    options.streams = 1; /* chunks are reduced in order */
    options.buffers = STAGES;
    HD_TRY(hd_pipeline_create(&options, &p->pipeline));
    HD_TRY(hd_stream_create(job->device, &p->work));
    HD_TRY(cli_intervals_open(&p->reductions, STAGES, job->device));
    HD_TRY(hd_event_create(job->device, HD_EVENT_TIMING, &p->begun));
    HD_TRY(hd_event_create(job->device, HD_EVENT_TIMING, &p->done));
    if (in_chunks) {
        job->chunk_elements = p->stage_elements;
        HD_TRY(hd_reduce_chunks_begin(job->n, job->type, p->ops, p->op_count, p->work, &p->chunks));
    } else {
        HD_TRY(make_whole(p));
    }
    return HD_OK;
}

static void free_pass(pass *p)
{
    hd_pipeline_destroy(p->pipeline);
    hd_reduce_chunks_destroy(p->chunks);
    cli_intervals_close(&p->reductions);
    hd_event_destroy(p->begun);
    hd_event_destroy(p->done);
    hd_free(p->whole);
    hd_free(p->out);
    hd_free(p->workspace.memory);
    hd_stream_destroy(p->work);
}

/* ---- chunks --------------------------------------------------------------------------------- */

/* Copies the chunk into the array, or reduces it. */
static hd_status use_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    pass *p = state;
    const size_t size = hd_type_bytes(p->job->type);

    if (p->whole)
        return hd_copy_bytes(p->whole + chunk->first * size, chunk->in[0], chunk->count, size,
                             stream);
    HD_TRY(cli_interval_begin(&p->reductions, chunk->index, stream));
    HD_TRY(hd_reduce_chunks_add(p->chunks, chunk->in[0], chunk->count, stream));
    HD_TRY(cli_interval_end(&p->reductions, chunk->index, stream));
    p->job->chunks++;
    return HD_OK;
}

/* Reads the next elements and updates the product. */
static hd_status read_chunk(void *state, void *buffer, size_t capacity, size_t *units)
{
    pass *p = state;
    reduce_job *job = p->job;
    const size_t left = job->n - p->read, count = left < capacity ? left : capacity;

    if (cli_input_read(&job->input, buffer, count) < 0) {
        p->read_failed = 1;
        (void)reduce_failed(job, "%s", job->input.message);
        return HD_ERR_IO;
    }
    if (job->ops & 1u << HD_PROD)
        reduce_follow_product(job, buffer, count);
    p->read += count;
    *units = count;
    cli_progress_update(&p->progress, p->read * hd_type_bytes(job->type));
    return HD_OK;
}

static int send_all(pass *p)
{
    const hd_pipeline_input in = {NULL, hd_type_bytes(p->job->type), 1, read_chunk, p};
    const hd_pipeline_job all = {&in, 1, NULL, 0, p->job->n, p->stage_elements, use_chunk, p};

    if (hd_pipeline_run(p->pipeline, &all, NULL) >= 0)
        return 0;
    return p->read_failed ? -1 : reduce_failed_call(p->job);
}

/* ---- the reductions ------------------------------------------------------------------------- */

/* Loads the kernels before the clock starts, by reducing one element. */
static hd_status warm_up(pass *p)
{
    reduce_job *job = p->job;

    for (size_t i = 0; i < p->op_count; i++)
        HD_TRY(hd_reduce_with(job->algorithm, p->whole, 1, job->type, p->ops[i],
                              p->out + i * RESULT_BYTES, &p->workspace, p->work));
    return hd_stream_synchronize(p->work);
}

static hd_status reduce_whole(pass *p)
{
    reduce_job *job = p->job;
    float milliseconds;

    if (job->n > 0)
        HD_TRY(warm_up(p));
    HD_TRY(hd_event_record(p->begun, p->work));
    for (size_t i = 0; i < p->op_count; i++)
        HD_TRY(hd_reduce_with(job->algorithm, p->whole, job->n, job->type, p->ops[i],
                              p->out + i * RESULT_BYTES, &p->workspace, p->work));
    HD_TRY(hd_event_record(p->done, p->work));
    for (size_t i = 0; i < p->op_count; i++) {
        hd_result result;
        size_t bytes;

        HD_TRY(hd_reduce_result(job->type, p->ops[i], &result, &bytes));
        HD_TRY(hd_copy_blocking_bytes(&job->results[p->ops[i]], p->out + i * RESULT_BYTES, bytes, 1,
                                      p->work));
    }
    HD_TRY(hd_stream_synchronize(p->work));
    HD_TRY(hd_event_elapsed(p->begun, p->done, &milliseconds));
    job->reduce_seconds = 1e-3 * (double)milliseconds;
    return HD_OK;
}

static hd_status reduce_rest(pass *p)
{
    void *results[HD_REDUCE_COUNT_];

    for (size_t i = 0; i < p->op_count; i++)
        results[i] = &p->job->results[p->ops[i]];
    HD_TRY(cli_intervals_finish(&p->reductions));
    p->job->reduce_seconds = p->reductions.seconds;
    return hd_reduce_chunks_end(p->chunks, results, p->work);
}

int reduce_run(reduce_job *job)
{
    pass p;
    hd_status status;
    int result;

    memset(&p, 0, sizeof p);
    p.job = job;
    job->product.magnitude = 1;
    for (int op = 0; op < HD_REDUCE_COUNT_; op++)
        if (job->ops & 1u << op)
            p.ops[p.op_count++] = (hd_reduce_op)op;
    if (p.op_count == 0)
        return 0;
    cli_progress_begin(&p.progress, "reducing", hd_bytes(job->n, hd_type_bytes(job->type)));
    result = make_pass(&p) < 0 ? reduce_failed_call(job) : send_all(&p);
    if (result == 0) {
        status = p.chunks ? reduce_rest(&p) : reduce_whole(&p);
        result = status < 0 ? reduce_failed_call(job) : 0;
    }
    cli_progress_end(&p.progress);
    free_pass(&p);
    return result;
}
