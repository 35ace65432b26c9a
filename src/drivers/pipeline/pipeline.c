/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - processes arrays of any length on a device in chunks. Streams and buffers of a run
   are kept in the pipeline and recreated only if they do not fit. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS_MAX = 1024, BUFFERS_MAX = 4096, STREAMS_USUAL = 2, BUFFERS_MORE = 4 };

#define ORDER_NAME(name, text, what) text,
static const char *const order_names[] = {HD_PIPELINE_ORDER_LIST(ORDER_NAME)};

const char *hd_pipeline_order_name(hd_pipeline_order order)
{
    return (int)order >= 0 && order < HD_PIPELINE_ORDER_COUNT_ ? order_names[order]
                                                               : "unknown order";
}

/* ---- a pipeline ------------------------------------------------------------------------------ */

hd_status hd_pipeline_create(const hd_pipeline_options *options, hd_pipeline **pipeline)
{
    static const char call[] = "hd_pipeline_create";
    const hd_pipeline_options usual = {0};
    const hd_pipeline_options *o = options ? options : &usual;
    int64_t integrated, prefetches;
    if (!pipeline)
        return hd__fail(HD_ERR_ARGUMENT, call, "pipeline is NULL");
    if ((int)o->order < 0 || o->order >= HD_PIPELINE_ORDER_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown order %d", (int)o->order);
    if (o->copy_streams > HD__PIPE_COPY_STREAMS)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u copy streams; at most %d are possible",
                        o->copy_streams, HD__PIPE_COPY_STREAMS);
    if (o->streams > STREAMS_MAX || o->buffers > BUFFERS_MAX || o->threads > STREAMS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "%u streams, %u buffers, %u threads; at most %d, %d, %d are possible",
                        o->streams, o->buffers, o->threads, STREAMS_MAX, BUFFERS_MAX, STREAMS_MAX);
    HD_TRY(hd_device_get(o->device, HD_ATTR_INTEGRATED, &integrated));
    HD_TRY(hd_device_get(o->device, HD_ATTR_CONCURRENT_MANAGED, &prefetches));
    hd_pipeline *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a pipeline");
    made->options = *o;
    made->integrated = integrated != 0;
    made->prefetches = prefetches != 0;
    *pipeline = made;
    return HD_OK;
}

hd_status hd_pipeline_destroy(hd_pipeline *pipeline)
{
    HD__RELEASING;
    if (!pipeline)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_pipeline_destroy", pipeline, "pipeline"));
    hd_status status = hd__pipe_slots_free(pipeline);
    for (int i = 0; i < HD__PIPE_MARKS; i++)
        (void)hd_event_destroy(pipeline->marks[i]);
    for (unsigned i = 0; i < pipeline->stream_count; i++)
        (void)hd_stream_destroy(pipeline->streams[i]);
    for (int i = 0; i < HD__PIPE_COPY_STREAMS; i++) {
        (void)hd_stream_destroy(pipeline->in[i]);
        (void)hd_stream_destroy(pipeline->out[i]);
    }
    hd__copy_pool_destroy(pipeline->pool);
    free(pipeline->streams);
    hd__handle_free(pipeline);
    return status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static hd_status job_check(const char *call, const hd_pipeline *p, const hd_pipeline_job *job)
{
    int reads = 0;
    if (!p || !job)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", p ? "job" : "pipeline");
    if (!job->work || (job->input_count && !job->inputs) || (job->output_count && !job->outputs))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !job->work                         ? "work"
                        : job->input_count && !job->inputs ? "inputs"
                                                           : "outputs");
    for (size_t i = 0; i < job->input_count; i++)
        reads |= job->inputs[i].read && !job->inputs[i].data;
    if (job->units == HD_PIPELINE_UNBOUNDED && !reads)
        return hd__fail(HD_ERR_ARGUMENT, call, "units are unbounded and no input is read");
    return HD_OK;
}

/* Fills in the options that are left to the driver. */
static void resolve(hd__pipe_run *run)
{
    const hd_pipeline_options *o = &run->p->options;
    const int moves = run->copies_in || run->copies_out;
    run->order = o->order ? o->order : moves ? HD_PIPELINE_ENGINE : HD_PIPELINE_DEPTH;
    run->streams = o->streams ? o->streams : STREAMS_USUAL;
    run->copy_streams = o->copy_streams ? o->copy_streams : 1;
    run->buffers = o->buffers                          ? o->buffers
                   : run->order == HD_PIPELINE_BREADTH ? 2 * run->streams
                                                       : run->streams + BUFFERS_MORE;
}

static hd_status pool_make(hd__pipe_run *run)
{
    const unsigned threads = run->p->options.threads;
    int staged = 0;
    for (size_t i = 0; i < run->count; i++)
        staged |= run->arrays[i].staged && run->arrays[i].host;
    if (!staged || run->p->pool)
        return HD_OK;
    return hd__copy_pool_create(threads ? threads : hd__copy_threads(), &run->p->pool);
}

static void report_make(const hd__pipe_run *run, double seconds, int measured,
                        hd_pipeline_report *report)
{
    memset(report, 0, sizeof *report);
    report->units = run->units;
    report->chunks = run->retired;
    report->chunk = run->plan.chunk;
    report->streams = run->streams;
    report->buffers = run->buffers;
    report->order = run->order;
    report->measured = measured;
    report->settled = !measured && (!run->trying || hd__pipe_trials_settled(&run->p->trials));
    report->seconds = seconds;
    report->latency_min = run->latency.least;
    report->latency_max = run->latency.most;
    report->latency_median = hd__pipe_latency_at(&run->latency, 0.5);
    report->latency_p99 = hd__pipe_latency_at(&run->latency, 0.99);
}

/* Makes the run's error, which another thread may have met, that of the calling thread. */
static hd_status error_restore(const hd__pipe_run *run)
{
    if (run->status >= 0 || strcmp(hd_error_last()->message, run->message) == 0)
        return run->status;
    (void)hd__fail(run->status, run->error.call, "%s", run->message);
    return run->error.file ? hd_error_place(run->status, run->error.file, run->error.line)
                           : run->status;
}

/* Processes all chunks by a plan. */
static hd_status pass_all(hd__pipe_run *run, int *measured)
{
    hd_pipeline *p = run->p;
    double began = 0;
    hd__pipe_start(run);
    hd_status status = hd__pipe_plan_make(run, measured);
    if (status >= 0) {
        began = hd__pipe_now();
        status = hd__pipe_feed(run);
    }
    if (status < 0)
        (void)hd__pipe_fail(run, status);
    if (hd__pipe_finish(run) < 0)
        return error_restore(run);
    p->spent += hd__pipe_now() - began;
    if (run->trying)
        hd__pipe_trials_end(&p->trials, hd__pipe_now() - began);
    return HD_OK;
}

static hd_status run_all(hd__pipe_run *run, hd_pipeline_report *report)
{
    const double began = hd__pipe_now();
    int measured = 0;
    hd_status status = hd__pipe_arrays_take(run);
    resolve(run);
    if (status >= 0)
        status = hd__pipe_streams_make(run);
    if (status >= 0)
        status = pool_make(run);
    if (status >= 0)
        status = pass_all(run, &measured);
    hd__pipe_arrays_leave(run);
    if (report)
        report_make(run, hd__pipe_now() - began, measured, report);
    return status;
}

hd_status hd_pipeline_run(hd_pipeline *pipeline, const hd_pipeline_job *job,
                          hd_pipeline_report *report)
{
    static const char call[] = "hd_pipeline_run";
    if (report)
        memset(report, 0, sizeof *report);
    HD_TRY(job_check(call, pipeline, job));
    if (job->units == 0)
        return HD_OK;
    hd__pipe_run *run = calloc(1, sizeof *run);
    hd__pipe_array *arrays = calloc(job->input_count + job->output_count + 1, sizeof *arrays);
    hd_status status = HD_ERR_NO_MEMORY;
    if (run && arrays) {
        run->p = pipeline;
        run->job = job;
        run->arrays = arrays;
        run->inputs = job->input_count;
        run->count = job->input_count + job->output_count;
        run->limit = job->units;
        (void)pthread_mutex_init(&run->lock, NULL);
        (void)pthread_cond_init(&run->moved, NULL);
        status = run_all(run, report);
        (void)pthread_cond_destroy(&run->moved);
        (void)pthread_mutex_destroy(&run->lock);
    } else {
        (void)hd__fail(status, call, "no memory for %zu arrays",
                       job->input_count + job->output_count);
    }
    free(arrays);
    free(run);
    return status;
}
