/* SPDX-License-Identifier: Apache-2.0 */
/* match_count.c - counts matches in a file that passes through a pipeline: while one chunk is
   searched, the next is read. */
#include "match_job.h"

#include <stdlib.h>
#include <string.h>

#include "intervals.h"

enum { STAGES = 4 };

typedef struct count_pass {
    match_job *m;
    cli_intervals searches;
    unsigned char *tail; /* bytes of the last chunk that begin the next */
    size_t held;
    uint64_t base; /* of the chunk that was read last, and how many matches may begin in it */
    size_t starts;
    char message[HD__IO_MESSAGE]; /* "" unless the file could not be read */
} count_pass;

/* A chunk is the tail of the one before, then new bytes; all but the last are full. */
static hd_status read_chunk(void *state, void *buffer, size_t capacity, size_t *units)
{
    count_pass *p = state;
    match_job *m = p->m;
    unsigned char *text = buffer;
    size_t got, n;

    memcpy(text, p->tail, p->held);
    if (hd__source_read(m->source, text + p->held, capacity - p->held, &got, p->message) < 0)
        return HD_ERR_IO;
    n = p->held + got;
    p->base = m->bytes;
    p->starts = n == capacity ? m->chunk : n;
    p->held = n - p->starts;
    memcpy(p->tail, text + p->starts, p->held);
    if (m->job.verify)
        (void)match_reference_chunk(&m->reference, &m->patterns, m->flags, text, n, p->starts,
                                    p->base, NULL, NULL, 0);
    m->bytes += p->starts;
    *units = n;
    return HD_OK;
}

static hd_status search_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    count_pass *p = state;
    match_job *m = p->m;

    HD_TRY(cli_interval_begin(&p->searches, chunk->index, stream));
    HD_TRY(hd_match_chunk(m->matcher, chunk->in[0], chunk->count, p->starts, p->base, NULL, NULL, 0,
                          m->state, NULL, stream));
    return cli_interval_end(&p->searches, chunk->index, stream);
}

static hd_status count_all(count_pass *p)
{
    match_job *m = p->m;
    const hd_pipeline_input in = {NULL, 1, 1, read_chunk, p};
    const hd_pipeline_job job = {&in, 1, NULL, 0, HD_PIPELINE_UNBOUNDED, 0, search_chunk, p};
    hd_pipeline_options options = {0};
    hd_pipeline *pipeline = NULL;
    hd_match_state found;
    hd_status status;

    options.device = m->job.device;
    options.chunk = m->chunk + m->longest - 1;
    options.streams = 1; /* the state goes from chunk to chunk */
    options.buffers = STAGES;
    HD_TRY(cli_intervals_open(&p->searches, STAGES, m->job.device));
    HD_TRY(hd_stream_synchronize(m->job.stream)); /* the state is zero */
    HD_TRY(hd_pipeline_create(&options, &pipeline));
    status = hd_pipeline_run(pipeline, &job, &m->report);
    if (status >= 0)
        status = cli_intervals_finish(&p->searches);
    if (status >= 0)
        status = hd_copy_blocking(&found, (const hd_match_state *)m->state, 1, m->job.stream);
    if (status >= 0)
        m->count = found.count;
    m->seconds = p->searches.seconds;
    return hd_pipeline_destroy(pipeline) < 0 || status < 0 ? HD_ERR_STATE : HD_OK;
}

int match_count(match_job *m)
{
    const cli_command *command = m->job.arguments->command;
    count_pass p;
    int status = CLI_DONE;

    memset(&p, 0, sizeof p);
    p.m = m;
    p.tail = cli_job_memory(&m->job, m->longest);
    if (!p.tail)
        return CLI_FAILED;
    if (count_all(&p) < 0)
        status = p.message[0] ? cli_failed(command, "%s", p.message) : cli_failed_call(command);
    if (m->job.verify && m->reference.count != m->count)
        m->wrong_at = 0;
    cli_intervals_close(&p.searches);
    free(p.tail);
    return status;
}
