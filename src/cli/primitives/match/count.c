/* SPDX-License-Identifier: Apache-2.0 */
/* count.c - counts matches in a file that passes through a pipeline: while one chunk is searched,
   the next is read. */
#include "job.h"

#include <string.h>

#include "cli/trace/intervals.h"

typedef struct count_pass {
    match_job *m;
    cli_intervals searches;
    match_piece piece; /* the last chunk read */
} count_pass;

hd_status match_feed_next(match_job *m, unsigned char *text, match_piece *piece)
{
    match_feed *f = &m->feed;
    const size_t room = m->chunk + m->longest - 1;
    size_t got;

    memcpy(text, f->tail, f->held);
    if (hd__source_read(f->source, text + f->held, room - f->held, &got, f->message) < 0)
        return HD_ERR_IO;
    piece->base = f->bytes;
    piece->n = f->held + got;
    piece->starts = piece->n == room ? m->chunk : piece->n;
    f->held = piece->n - piece->starts;
    memcpy(f->tail, text + piece->starts, f->held);
    f->bytes += piece->starts;
    return HD_OK;
}

static hd_status read_chunk(void *state, void *buffer, size_t capacity, size_t *units)
{
    count_pass *p = state;
    match_job *m = p->m;

    (void)capacity; /* always a whole chunk */
    HD_TRY(match_feed_next(m, buffer, &p->piece));
    if (m->job.verify)
        (void)match_reference_chunk(&m->reference, &m->patterns, m->flags, buffer, p->piece.n,
                                    p->piece.starts, p->piece.base, NULL, NULL, 0);
    *units = p->piece.n;
    return HD_OK;
}

static hd_status search_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    count_pass *p = state;
    match_job *m = p->m;

    HD_TRY(cli_interval_begin(&p->searches, chunk->index, stream));
    HD_TRY(hd_match_chunk(m->matcher, chunk->in[0], chunk->count, p->piece.starts, p->piece.base,
                          NULL, NULL, 0, m->state, NULL, stream));
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
    options.streams = 1; /* the state is passed from chunk to chunk */
    options.buffers = MATCH_STAGES;
    HD_TRY(cli_intervals_open(&p->searches, MATCH_STAGES, m->job.device));
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
    if (count_all(&p) < 0)
        status = m->feed.message[0] ? cli_failed(command, "%s", m->feed.message)
                                    : cli_failed_call(command);
    if (m->job.verify && m->reference.count != m->count)
        m->wrong_at = 0;
    cli_intervals_close(&p.searches);
    return status;
}
