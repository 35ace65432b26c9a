/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_run.c - brings the numbers to the device and reduces them there. Two staging buffers take
   turns: while one is copied and reduced, the other is read from the file. An array that fits is
   gathered on the device and reduced by hd_reduce; a larger one passes through it chunk by chunk
   (hd_reduce_chunks), with the same bits. */
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "reduce_job.h"

enum {
    STAGE_BYTES = 64 << 20, /* of one staging buffer at most, unless --chunk says otherwise */
    RESULT_BYTES = 256      /* room for one result, keeps them aligned */
};

typedef struct stage {
    unsigned char *host;   /* pinned */
    unsigned char *device; /* NULL where the whole array is on the device */
    hd_event *copied;
    hd_event *begun, *reduced; /* around the reduction of the chunk */
    int used;
} stage;

typedef struct pass {
    reduce_job *job;
    hd_stream *copies, *work;
    stage stages[2];
    size_t stage_elements;
    unsigned char *whole; /* the array on the device, NULL in chunks */
    unsigned char *out;   /* results on the device */
    hd_event *begun, *done;
    hd_reduce_chunks *chunks;
    hd_reduce_op ops[HD_REDUCE_COUNT_];
    size_t op_count;
    cli_progress progress;
} pass;

/* ---- what the array needs ------------------------------------------------------------------- */

static size_t ceil_to(size_t n, size_t step)
{
    return n / step * step + (n % step ? step : 0);
}

/* Chooses between the whole array and chunks, and how much a staging buffer holds. */
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

static hd_status make_stage(pass *p, stage *s, int in_chunks)
{
    int device = p->job->device;
    size_t size = hd_type_bytes(p->job->type);

    HD_TRY(hd_alloc_kind(&s->host, hd_bytes(p->stage_elements, size), HD_MEM_PINNED, device));
    if (in_chunks)
        HD_TRY(hd_alloc(&s->device, hd_bytes(p->stage_elements, size), device));
    HD_TRY(hd_event_create(device, 0, &s->copied));
    HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &s->begun));
    HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &s->reduced));
    return HD_OK;
}

static hd_status make_pass(pass *p)
{
    reduce_job *job = p->job;
    int in_chunks = 0;

    HD_TRY(plan(p, &in_chunks));
    HD_TRY(hd_stream_create(job->device, &p->copies));
    HD_TRY(hd_stream_create(job->device, &p->work));
    for (int i = 0; i < 2; i++)
        HD_TRY(make_stage(p, &p->stages[i], in_chunks));
    HD_TRY(hd_event_create(job->device, HD_EVENT_TIMING, &p->begun));
    HD_TRY(hd_event_create(job->device, HD_EVENT_TIMING, &p->done));
    if (in_chunks) {
        job->chunk_elements = p->stage_elements;
        HD_TRY(hd_reduce_chunks_begin(job->n, job->type, p->ops, p->op_count, p->work, &p->chunks));
    } else {
        HD_TRY(hd_alloc(&p->whole, hd_bytes(job->n, hd_type_bytes(job->type)), job->device));
        HD_TRY(hd_alloc(&p->out, HD_REDUCE_COUNT_ * RESULT_BYTES, job->device));
    }
    return HD_OK;
}

static void free_pass(pass *p)
{
    hd_reduce_chunks_destroy(p->chunks);
    for (int i = 0; i < 2; i++) {
        stage *s = &p->stages[i];

        hd_event_destroy(s->copied);
        hd_event_destroy(s->begun);
        hd_event_destroy(s->reduced);
        hd_free(s->host);
        hd_free(s->device);
    }
    hd_event_destroy(p->begun);
    hd_event_destroy(p->done);
    hd_free(p->whole);
    hd_free(p->out);
    hd_stream_destroy(p->copies);
    hd_stream_destroy(p->work);
}

/* ---- one chunk ------------------------------------------------------------------------------ */

/* Adds the time of the chunk that the stage held, which is over. */
static hd_status count_time(pass *p, const stage *s)
{
    float milliseconds;

    if (!s->used || !s->device)
        return HD_OK;
    HD_TRY(hd_event_synchronize(s->reduced));
    HD_TRY(hd_event_elapsed(s->begun, s->reduced, &milliseconds));
    p->job->reduce_seconds += 1e-3 * (double)milliseconds;
    return HD_OK;
}

/* Sends the stage's `count` elements, which are the array's from `done` on, to the device. */
static hd_status send_stage(pass *p, stage *s, size_t done, size_t count)
{
    size_t size = hd_type_bytes(p->job->type);
    void *to = p->whole ? p->whole + done * size : s->device;

    HD_TRY(count_time(p, s));
    if (s->used && s->device) /* the chunk before has left the buffer */
        HD_TRY(hd_stream_wait(p->copies, s->reduced));
    HD_TRY(hd_copy_bytes(to, s->host, count, size, p->copies));
    HD_TRY(hd_event_record(s->copied, p->copies));
    HD_TRY(hd_stream_wait(p->work, s->copied));
    s->used = 1;
    if (p->whole)
        return HD_OK;
    HD_TRY(hd_event_record(s->begun, p->work));
    HD_TRY(hd_reduce_chunks_add(p->chunks, s->device, count, p->work));
    HD_TRY(hd_event_record(s->reduced, p->work));
    p->job->chunks++;
    return HD_OK;
}

/* Reads the next elements and follows their product. */
static int read_elements(reduce_job *job, void *buffer, size_t count)
{
    if (cli_input_read(&job->input, buffer, count) < 0)
        return reduce_failed(job, "%s", job->input.message);
    if (job->ops & 1u << HD_PROD)
        reduce_follow_product(job, buffer, count);
    return 0;
}

static int send_all(pass *p)
{
    reduce_job *job = p->job;
    size_t count, size = hd_type_bytes(job->type);

    for (size_t done = 0, turn = 0; done < job->n; done += count, turn ^= 1) {
        stage *s = &p->stages[turn];

        count = job->n - done < p->stage_elements ? job->n - done : p->stage_elements;
        if (hd_event_synchronize(s->copied) < 0)
            return reduce_failed_call(job);
        if (read_elements(job, s->host, count) < 0)
            return -1;
        if (send_stage(p, s, done, count) < 0)
            return reduce_failed_call(job);
        cli_progress_update(&p->progress, (done + count) * size);
    }
    return 0;
}

/* ---- the reductions ------------------------------------------------------------------------- */

/* Loads the kernels before the clock runs, by a reduction of one element. */
static hd_status warm_up(pass *p)
{
    reduce_job *job = p->job;

    for (size_t i = 0; i < p->op_count; i++)
        HD_TRY(hd_reduce_with(job->algorithm, p->whole, 1, job->type, p->ops[i],
                              p->out + i * RESULT_BYTES, NULL, p->work));
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
                              p->out + i * RESULT_BYTES, NULL, p->work));
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
    for (int i = 0; i < 2; i++)
        HD_TRY(count_time(p, &p->stages[i]));
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
