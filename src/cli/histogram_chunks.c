/* SPDX-License-Identifier: Apache-2.0 */
/* histogram_chunks.c - counts an array that passes through a pipeline: each chunk has counts of its
   own, which the host adds up while later chunks are counted. */
#include "histogram_call.h"

#include <string.h>

#include <heddle/pipeline.h>

#include "intervals.h"

enum { STAGES = 4, USUAL_BYTES = 16 << 20 };

typedef struct chunk_pass {
    histogram_call *c;
    size_t places;              /* counts of a chunk */
    uint64_t *counts, *brought; /* of the chunks under way: on the device, in pinned memory */
    int used[STAGES];
    cli_intervals times;
} chunk_pass;

/* Adds the counts of the chunk that was in this place, which is over. */
static void add_counts(chunk_pass *p, size_t place)
{
    if (p->used[place])
        for (size_t i = 0; i < p->places; i++)
            p->c->got[i] += p->brought[place * p->places + i];
    p->used[place] = 0;
}

static hd_status count_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    chunk_pass *p = state;
    const histogram_call *c = p->c;
    const size_t place = chunk->index % STAGES;
    uint64_t *counts = p->counts + place * p->places;

    add_counts(p, place);
    HD_TRY(cli_interval_begin(&p->times, chunk->index, stream));
    HD_TRY(hd_histogram(chunk->in[0], chunk->count, c->array.type, &c->bins, HD_U64, counts,
                        counts + c->bins.count, NULL, stream));
    HD_TRY(cli_interval_end(&p->times, chunk->index, stream));
    HD_TRY(hd_copy(p->brought + place * p->places, (const uint64_t *)counts, p->places, stream));
    p->used[place] = 1;
    return HD_OK;
}

static hd_status count_all(cli_job *job, chunk_pass *p, hd_pipeline **pipeline)
{
    const histogram_call *c = p->c;
    const size_t size = hd_type_bytes(c->array.type);
    const size_t chunk = (size_t)(c->chunk_bytes ? c->chunk_bytes : USUAL_BYTES) / size;
    const hd_pipeline_input in = {c->array.data, size, 1, NULL, NULL};
    const hd_pipeline_job all = {&in, 1, NULL, 0, c->array.n, 0, count_chunk, p};
    hd_pipeline_options options = {0};
    hd_pipeline_report report;

    options.device = job->device;
    options.chunk = chunk ? chunk : 1;
    options.buffers = STAGES;
    HD_TRY(hd_alloc(&p->counts, STAGES * p->places, job->device));
    HD_TRY(hd_alloc_kind(&p->brought, STAGES * p->places, HD_MEM_PINNED, job->device));
    HD_TRY(cli_intervals_open(&p->times, STAGES, job->device));
    HD_TRY(hd_pipeline_create(&options, pipeline));
    HD_TRY(hd_pipeline_run(*pipeline, &all, &report));
    for (size_t place = 0; place < STAGES; place++)
        add_counts(p, place);
    p->c->chunks = report.chunks;
    return cli_intervals_finish(&p->times);
}

int histogram_in_chunks(cli_job *job, histogram_call *c)
{
    hd_pipeline *pipeline = NULL;
    chunk_pass p;
    int status = CLI_DONE;

    memset(&p, 0, sizeof p);
    p.c = c;
    p.places = c->bins.count + OUTSIDE;
    memset(c->got, 0, p.places * sizeof *c->got);
    if (count_all(job, &p, &pipeline) < 0)
        status = cli_failed_call(job->arguments->command);
    job->runs = 0;
    job->seconds = p.times.seconds;
    job->gbps = job->seconds > 0
                    ? (double)(c->array.n * hd_type_bytes(c->array.type)) / job->seconds * 1e-9
                    : 0.0;
    (void)hd_pipeline_destroy(pipeline);
    cli_intervals_close(&p.times);
    (void)hd_free(p.counts);
    (void)hd_free(p.brought);
    return status;
}
