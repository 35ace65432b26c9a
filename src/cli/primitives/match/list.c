/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - prints the positions of matches in a file that passes through a pipeline: while one
   chunk is searched, the next is read and the previous one is printed. The number of matches of a
   chunk is known only after its search: the pipeline's output is the state of the search, and the
   delivering thread copies as many positions as there are. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "cli/trace/intervals.h"

enum { LINES = 1 << 16, DIGITS = 20 };

/* A chunk in flight. */
typedef struct list_place {
    match_piece piece;
    const unsigned char *text; /* as it was read; kept until the chunk is delivered */
    uint64_t *positions;       /* on the device */
    uint32_t *which;           /* NULL if there is one pattern */
} list_place;

typedef struct list_pass {
    match_job *m;
    cli_intervals searches;
    list_place places[MATCH_STAGES];
    size_t room;            /* maximum number of matches in a chunk */
    size_t read, delivered; /* number of chunks */
    hd_stream *stream;      /* for copies of positions */
    uint64_t *positions;    /* of the chunk being printed */
    uint32_t *which;
    char *lines;
    size_t used;
    int output_failed;
} list_pass;

/* ---- memory --------------------------------------------------------------------------------- */

/* The maximum number of matches in a chunk. The last chunk may have longest - 1 more start
   positions than the others, because no chunk follows. Matches that cannot overlap begin at least
   the length of the shortest pattern apart. */
static size_t room_of(const match_job *m)
{
    const size_t starts = m->chunk + m->longest - 1;
    size_t shortest = m->longest;

    if (m->flags & HD_MATCH_OVERLAPPING)
        return starts * m->patterns.count;
    for (size_t i = 0; i < m->patterns.count; i++)
        if (m->patterns.list[i].length < shortest)
            shortest = m->patterns.list[i].length;
    return (starts - 1) / shortest + 1;
}

static hd_status make_places(list_pass *p)
{
    const int device = p->m->job.device;

    for (int i = 0; i < MATCH_STAGES; i++) {
        HD_TRY(hd_alloc(&p->places[i].positions, p->room, device));
        if (p->which)
            HD_TRY(hd_alloc(&p->places[i].which, p->room, device));
    }
    HD_TRY(cli_intervals_open(&p->searches, MATCH_STAGES, device));
    return hd_stream_create(device, &p->stream);
}

static int open_pass(list_pass *p, match_job *m)
{
    memset(p, 0, sizeof *p);
    p->m = m;
    p->room = room_of(m);
    p->lines = cli_job_memory(&m->job, LINES);
    p->positions = cli_job_memory(&m->job, p->room * sizeof *p->positions);
    if (m->patterns.count > 1)
        p->which = cli_job_memory(&m->job, p->room * sizeof *p->which);
    if (!p->lines || !p->positions || (m->patterns.count > 1 && !p->which))
        return CLI_FAILED;
    return make_places(p) < 0 ? cli_failed_call(m->job.arguments->command) : CLI_DONE;
}

static void close_pass(list_pass *p)
{
    hd_stream_destroy(p->stream);
    cli_intervals_close(&p->searches);
    for (int i = 0; i < MATCH_STAGES; i++) {
        hd_free(p->places[i].which);
        hd_free(p->places[i].positions);
    }
    free(p->which);
    free(p->positions);
    free(p->lines);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void print_lines(list_pass *p)
{
    if (!p->output_failed)
        p->output_failed = cli_write(p->m->job.arguments->command, p->lines, p->used) != CLI_DONE;
    p->used = 0;
}

/* "OFFSET:PATTERN", as printed by `grep -ob`. */
static void print_match(list_pass *p, uint64_t position, const hd_pattern *pattern)
{
    char digits[DIGITS];
    size_t first = DIGITS;

    if (p->used + DIGITS + pattern->length + 2 > LINES)
        print_lines(p);
    do
        digits[--first] = (char)('0' + position % 10);
    while (position /= 10);
    memcpy(p->lines + p->used, digits + first, DIGITS - first);
    p->used += DIGITS - first;
    p->lines[p->used++] = ':';
    memcpy(p->lines + p->used, pattern->bytes, pattern->length);
    p->used += pattern->length;
    p->lines[p->used++] = '\n';
}

/* ---- chunks --------------------------------------------------------------------------------- */

static hd_status read_chunk(void *state, void *buffer, size_t capacity, size_t *units)
{
    list_pass *p = state;
    list_place *place = &p->places[p->read % MATCH_STAGES];

    (void)capacity; /* always one chunk, which is one unit */
    HD_TRY(match_feed_next(p->m, buffer, &place->piece));
    place->text = buffer;
    p->read++;
    *units = place->piece.n > 0;
    return HD_OK;
}

static hd_status search_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    list_pass *p = state;
    const match_job *m = p->m;
    const list_place *place = &p->places[chunk->index % MATCH_STAGES];
    const match_piece *piece = &place->piece;

    HD_TRY(cli_interval_begin(&p->searches, chunk->index, stream));
    HD_TRY(hd_fill_zero(&m->state->count, 1, stream));
    HD_TRY(hd_match_chunk(m->matcher, chunk->in[0], piece->n, piece->starts, piece->base,
                          place->positions, place->which, p->room, m->state, NULL, stream));
    HD_TRY(hd_copy_bytes(chunk->out[0], m->state, 1, sizeof *m->state, stream));
    return cli_interval_end(&p->searches, chunk->index, stream);
}

/* Searches the same chunk on the host and compares. */
static void verify(list_pass *p, const list_place *place, uint64_t count)
{
    match_job *m = p->m;
    const match_piece *piece = &place->piece;
    uint64_t parted = match_reference_chunk(&m->reference, &m->patterns, m->flags, place->text,
                                            piece->n, piece->starts, piece->base, p->positions,
                                            p->which, count);

    if (parted == UINT64_MAX && m->reference.count != m->count)
        parted = piece->base;
    if (m->wrong_at == UINT64_MAX)
        m->wrong_at = parted;
}

/* Receives chunks in order, on a thread of the pipeline. */
static hd_status print_chunk(void *state, const void *buffer, size_t units)
{
    list_pass *p = state;
    match_job *m = p->m;
    const list_place *place = &p->places[p->delivered++ % MATCH_STAGES];
    hd_match_state found;

    (void)units; /* always one */
    memcpy(&found, buffer, sizeof found);
    HD_TRY(hd_copy_blocking(p->positions, (const uint64_t *)place->positions, (size_t)found.count,
                            p->stream));
    if (p->which)
        HD_TRY(hd_copy_blocking(p->which, (const uint32_t *)place->which, (size_t)found.count,
                                p->stream));
    for (uint64_t i = 0; i < found.count; i++)
        print_match(p, p->positions[i], &m->patterns.list[p->which ? p->which[i] : 0]);
    print_lines(p);
    if (found.count > 0 &&
        !p->output_failed) /* the reader of a pipe should not have to wait for the next chunk */
        p->output_failed = cli_flush(m->job.arguments->command) != CLI_DONE;
    m->count += found.count;
    if (m->job.verify)
        verify(p, place, found.count);
    return p->output_failed ? HD_ERR_IO : HD_OK;
}

static hd_status list_all(list_pass *p)
{
    match_job *m = p->m;
    const hd_pipeline_input in = {NULL, 1, m->chunk + m->longest - 1, read_chunk, p};
    const hd_pipeline_output out = {NULL, sizeof(hd_match_state), 1, print_chunk, p};
    const hd_pipeline_job job = {&in, 1, &out, 1, HD_PIPELINE_UNBOUNDED, 0, search_chunk, p};
    hd_pipeline_options options = {0};
    hd_pipeline *pipeline = NULL;
    hd_status status;

    options.device = m->job.device;
    options.chunk = 1;
    options.streams = 1; /* the state is passed from chunk to chunk */
    options.buffers = MATCH_STAGES;
    HD_TRY(hd_pipeline_create(&options, &pipeline));
    status = hd_pipeline_run(pipeline, &job, &m->report);
    if (status >= 0)
        status = cli_intervals_finish(&p->searches);
    m->seconds = p->searches.seconds;
    return hd_pipeline_destroy(pipeline) < 0 || status < 0 ? HD_ERR_STATE : HD_OK;
}

int match_list(match_job *m)
{
    const cli_command *command = m->job.arguments->command;
    list_pass p;
    int status = open_pass(&p, m);

    if (status == CLI_DONE && list_all(&p) < 0)
        status = m->feed.message[0] ? cli_failed(command, "%s", m->feed.message)
                 : p.output_failed  ? CLI_FAILED
                                    : cli_failed_call(command);
    close_pass(&p);
    return status;
}
