/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - launches, graph nodes and events, each with a kernel of one thread that counts. */
#include <stdlib.h>

#include <heddle/graph.h>
#include <heddle/heddle.h>

#include "cli/app/progress.h"
#include "cli/lab/kernels/operations/latency.h"
#include "latency.h"

enum { CALLS_CPU = 100, CALLS_GPU = 1000 };

typedef struct calls {
    latency *l;
    hd_stream *other; /* a second stream */
    hd_event *event;
    hd_graph_exec *exec;
    uint32_t *count;
    unsigned repeats;
} calls;

static hd_status tick(const calls *c, hd_stream *stream)
{
    return hd_launch(latency_count, hd_launch_1d(1, 1, stream), c->count);
}

/* ---- what is measured ------------------------------------------------------------------------ */

static hd_status launches(calls *c, hd_stream *stream)
{
    for (unsigned i = 0; i < c->repeats; i++)
        HD_TRY(tick(c, stream));
    return hd_stream_synchronize(stream);
}

static hd_status launches_waited(calls *c, hd_stream *stream)
{
    for (unsigned i = 0; i < c->repeats; i++) {
        HD_TRY(tick(c, stream));
        HD_TRY(hd_stream_synchronize(stream));
    }
    return HD_OK;
}

static hd_status graph_nodes(calls *c, hd_stream *stream)
{
    HD_TRY(hd_graph_launch(c->exec, stream));
    return hd_stream_synchronize(stream);
}

/* A kernel, and an event recorded after it. */
static hd_status events_recorded(calls *c, hd_stream *stream)
{
    for (unsigned i = 0; i < c->repeats; i++) {
        HD_TRY(tick(c, stream));
        HD_TRY(hd_event_record(c->event, stream));
    }
    return hd_stream_synchronize(stream);
}

/* Kernels in turns on two streams, each after an event of the other stream. */
static hd_status events_awaited(calls *c, hd_stream *stream)
{
    hd_stream *const pair[2] = {stream, c->other};

    for (unsigned i = 0; i < c->repeats; i++) {
        HD_TRY(tick(c, pair[i % 2]));
        HD_TRY(hd_event_record(c->event, pair[i % 2]));
        HD_TRY(hd_stream_wait(pair[(i + 1) % 2], c->event));
    }
    HD_TRY(hd_stream_synchronize(c->other));
    return hd_stream_synchronize(stream);
}

/* Bands: fixed, for hosts and drivers of different speed (docs/lab-occupancy.md). */
static const struct {
    const char *name;
    hd_status (*run)(calls *c, hd_stream *stream);
    double least, most;
} kinds[] = {
    {"launch", launches, 0.7e-6, 17.5e-6},
    {"launch and wait", launches_waited, 1.5e-6, 40e-6},
    {"graph node", graph_nodes, 0.12e-6, 6e-6},
    {"launch and event", events_recorded, 0.9e-6, 25e-6},
    {"launch after event", events_awaited, 1e-6, 40e-6},
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Median of the time on the host's clock until all have completed. */
static hd_status time_calls(calls *c, size_t kind, double *seconds_out)
{
    const cli_job *job = &c->l->lab.job;
    double *samples = malloc(job->runs * sizeof *samples);
    hd_status status = samples ? HD_OK : cli_no_memory("%zu times", job->runs);

    for (size_t i = 0; i < job->runs && status >= 0; i++) {
        double began = cli_now();

        status = kinds[kind].run(c, job->stream);
        samples[i] = cli_now() - began;
    }
    if (status >= 0) {
        cli_sort_numbers(samples, job->runs);
        *seconds_out = samples[job->runs / 2] / c->repeats;
    }
    free(samples);
    return status;
}

static hd_status run_row(calls *c, size_t kind)
{
    latency *l = c->l;
    latency_row row = {.name = kinds[kind].name, .predicted = c->repeats};
    uint32_t count = 0;

    row.uncounted = !l->lab.job.verify;
    row.least = kinds[kind].least;
    row.most = kinds[kind].most;
    HD_TRY(hd_fill_zero(c->count, 1, l->lab.job.stream));
    HD_TRY(kinds[kind].run(c, l->lab.job.stream));
    HD_TRY(hd_copy_blocking(&count, c->count, 1, l->lab.job.stream));
    row.counted = count;
    row.right = row.counted == row.predicted;
    if (l->lab.gpu)
        HD_TRY(time_calls(c, kind, &row.seconds));
    latency_print(l, &row);
    return HD_OK;
}

/* A chain of nodes. */
static hd_status build(calls *c, hd_graph *graph)
{
    hd_graph_node *last = NULL, *node;

    for (unsigned i = 0; i < c->repeats; i++) {
        HD_TRY(hd_graph_kernel(graph, &last, i > 0, &node, latency_count, hd_launch_1d(1, 1, NULL),
                               c->count));
        last = node;
    }
    return hd_graph_instantiate(graph, &c->exec);
}

static hd_status open_calls(calls *c)
{
    const int device = c->l->lab.job.device;
    hd_graph *graph = NULL;
    hd_status status;

    HD_TRY(hd_stream_create(device, &c->other));
    HD_TRY(hd_event_create(device, 0, &c->event));
    HD_TRY(hd_alloc(&c->count, 1, device));
    HD_TRY(hd_graph_create(device, &graph));
    status = build(c, graph);
    hd_graph_destroy(graph);
    return status;
}

void latency_calls(latency *l)
{
    calls c = {.l = l, .repeats = l->lab.gpu ? CALLS_GPU : CALLS_CPU};

    l->lab.failed = open_calls(&c);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && l->lab.failed >= 0; kind++)
        l->lab.failed = run_row(&c, kind);
    hd_graph_exec_destroy(c.exec);
    hd_event_destroy(c.event);
    hd_stream_destroy(c.other);
    hd_free(c.count);
}
