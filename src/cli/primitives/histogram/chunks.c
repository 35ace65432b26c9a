/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.c - counts an array that passes through a pipeline: each chunk has separate counts, which
   the host adds up while later chunks are counted. */
#include "call.h"

#include <string.h>
#include <sys/stat.h>

#include <heddle/pipeline.h>

#include "cli/trace/intervals.h"
#include "cli/app/words.h"

enum { STAGES = 4, USUAL_BYTES = 16 << 20 };

typedef struct chunk_pass {
    histogram_call *c;
    size_t places;              /* number of counts per chunk */
    uint64_t *counts, *brought; /* of the chunks in flight: on the device, in pinned memory */
    int used[STAGES];
    size_t read; /* elements read from the file */
    int verify, read_failed;
    cli_intervals times;
} chunk_pass;

/* ---- files ----------------------------------------------------------------------------------- */

/* A regular file whose number of elements is known without reading it. */
static int is_countable(const hd__source_options *options)
{
    char message[HD__IO_MESSAGE];
    hd__source *source = NULL;
    struct stat about;
    int countable = 0;

    if (stat(options->path, &about) == 0 && S_ISREG(about.st_mode) &&
        hd__source_open(options, &source, message) >= 0)
        countable = hd__source_count(source) != SIZE_MAX;
    hd__source_close(source);
    return countable;
}

int histogram_open(const cli_arguments *arguments, const char *path, unsigned types,
                   histogram_call *c)
{
    const int given = cli_option_given(arguments, "low") && cli_option_given(arguments, "high");
    hd_type wanted;

    if (!path || cli_option_given(arguments, "n"))
        return CLI_DONE;
    if (cli_input_options(arguments, path, &c->input.options) != CLI_DONE)
        return CLI_MISUSED;
    c->streams = is_countable(&c->input.options) && cli_input_open(&c->input) == 0 &&
                 cli_type_read(arguments, c->input.type, &wanted) == CLI_DONE &&
                 wanted == c->input.type && types & CLI_TYPE_BIT(wanted) &&
                 (given || wanted == HD_U8);
    if (!c->streams) {
        cli_input_close(&c->input);
        return CLI_DONE;
    }
    cli_input_note(arguments->command, &c->input);
    c->array.type = c->input.type;
    c->array.n = c->input.n;
    hd__io_printable_path(path, c->array.from, HD__IO_NAME);
    c->array.path = path;
    return CLI_DONE;
}

/* Reads the next elements; with --verify, also counts them on the host. */
static hd_status read_chunk(void *state, void *buffer, size_t capacity, size_t *units)
{
    chunk_pass *p = state;
    const size_t left = p->c->array.n - p->read, count = left < capacity ? left : capacity;

    p->read_failed = cli_input_read(&p->c->input, buffer, count) < 0;
    if (p->read_failed)
        return HD_ERR_IO;
    for (size_t i = 0; p->verify && i < count; i++)
        p->c->expected[histogram_bins_place(&p->c->bins, buffer, i)]++;
    p->read += count;
    *units = count;
    return HD_OK;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Adds the counts of the finished chunk in this slot. */
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
    HD_TRY(histogram_bins_count(&c->bins, chunk->in[0], chunk->count, counts,
                                counts + c->bins.count, stream));
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
    const hd_pipeline_input in = {c->array.data, size, 1, c->streams ? read_chunk : NULL, p};
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
    p.verify = job->verify;
    p.places = c->bins.count + OUTSIDE;
    memset(c->got, 0, p.places * sizeof *c->got);
    if (count_all(job, &p, &pipeline) < 0)
        status = p.read_failed ? cli_failed(job->arguments->command, "%s", c->input.message)
                               : cli_failed_call(job->arguments->command);
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
