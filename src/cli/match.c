/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - `heddle match`: byte patterns in a file of any size, which passes through the device in
   chunks that share the bytes a match may reach across. */
#include "match_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "words.h"

enum { CHUNK = 16 << 20, CHUNK_POSITIONS = 4 << 20 };

/* ---- options -------------------------------------------------------------------------------- */

static int read_options(match_job *m)
{
    const cli_arguments *arguments = m->job.arguments;
    size_t words = arguments->operand_count - 1;
    uint64_t chunk;
    int status = cli_count_read(arguments, "chunk", 0, 1, (uint64_t)1 << 40, &chunk);

    if (status != CLI_DONE)
        return status;
    if (words > HD_MATCH_PATTERNS_MAX)
        return cli_misused(arguments->command, "%zu patterns, at most %d are possible", words,
                           (int)HD_MATCH_PATTERNS_MAX);
    m->flags = cli_option_given(arguments, "overlapping") ? HD_MATCH_OVERLAPPING : 0;
    m->print_positions = cli_option_given(arguments, "positions");
    if (m->print_positions && m->job.format != CLI_TEXT)
        return cli_misused(arguments->command, "--positions prints text; --json and --csv do not");
    m->chunk = chunk ? (size_t)chunk : m->print_positions ? (size_t)CHUNK_POSITIONS : (size_t)CHUNK;
    status = match_patterns_read(arguments, words, cli_option_given(arguments, "hex"),
                                 &m->patterns);
    if (status == CLI_DONE && m->print_positions && m->flags)
        m->chunk = m->chunk / m->patterns.count + 1;
    return status;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t room_of(const match_job *m)
{
    return m->chunk * (m->flags ? m->patterns.count : 1);
}

static hd_status make_matcher(match_job *m)
{
    HD_TRY(hd_matcher_create(m->patterns.list, m->patterns.count, m->flags, m->job.device,
                             &m->matcher));
    HD_TRY(hd_matcher_longest(m->matcher, &m->longest));
    HD_TRY(hd_alloc(&m->state, 1, m->job.device));
    return hd_fill_zero(m->state, 1, m->job.stream);
}

static hd_status make_device_memory(match_job *m)
{
    const int device = m->job.device;
    const size_t room = room_of(m);

    HD_TRY(hd_alloc_bytes((void **)&m->host, m->chunk + m->longest, 1, HD_MEM_PINNED, device));
    HD_TRY(hd_alloc_bytes(&m->text, m->chunk + m->longest, 1, HD_MEM_DEVICE, device));
    HD_TRY(hd_alloc_bytes(&m->positions, room, sizeof(uint64_t), HD_MEM_DEVICE, device));
    HD_TRY(hd_alloc_bytes(&m->which, room, sizeof(uint32_t), HD_MEM_DEVICE, device));
    HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &m->begin));
    return hd_event_create(device, HD_EVENT_TIMING, &m->end);
}

static int make_memory(match_job *m)
{
    const size_t room = room_of(m);

    if (make_matcher(m) < 0 || (m->print_positions && make_device_memory(m) < 0))
        return cli_failed_call(m->job.arguments->command);
    if (!m->print_positions)
        return CLI_DONE;
    m->host_positions = cli_job_memory(&m->job, room * sizeof *m->host_positions);
    m->host_which = cli_job_memory(&m->job, room * sizeof *m->host_which);
    return m->host_positions && m->host_which ? CLI_DONE : CLI_FAILED;
}

static void free_memory(match_job *m)
{
    hd_event_destroy(m->end);
    hd_event_destroy(m->begin);
    hd_free(m->state);
    hd_free(m->which);
    hd_free(m->positions);
    hd_free(m->text);
    hd_free(m->host);
    hd_matcher_destroy(m->matcher);
    free(m->host_positions);
    free(m->host_which);
    match_patterns_free(&m->patterns);
    hd__source_close(m->source);
}

/* ---- one chunk ------------------------------------------------------------------------------ */

static hd_status search(match_job *m, size_t n, size_t starts, hd_match_state *state)
{
    hd_stream *stream = m->job.stream;
    double began;
    float milliseconds;

    HD_TRY(hd_copy_bytes(m->text, m->host, 1, n, stream));
    HD_TRY(hd_fill_zero(&m->state->count, 1, stream));
    HD_TRY(hd_stream_synchronize(stream));
    began = cli_now();
    HD_TRY(hd_event_record(m->begin, stream));
    HD_TRY(hd_match_chunk(m->matcher, m->text, n, starts, m->bytes, m->positions, m->which,
                          room_of(m), m->state, NULL, stream));
    HD_TRY(hd_event_record(m->end, stream));
    HD_TRY(hd_copy_blocking(state, m->state, 1, stream));
    if (strcmp(hd_backend_name(), "cpu") == 0) {
        m->seconds += cli_now() - began;
    } else {
        HD_TRY(hd_event_elapsed(m->begin, m->end, &milliseconds));
        m->seconds += 1e-3 * (double)milliseconds;
    }
    HD_TRY(
        hd_copy_blocking_bytes(m->host_positions, m->positions, (size_t)state->count, 8, stream));
    return hd_copy_blocking_bytes(m->host_which, m->which, (size_t)state->count, 4, stream);
}

/* "OFFSET:PATTERN" per line, as `grep -ob` has it. */
static void print_positions(const match_job *m, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const hd_pattern *pattern = &m->patterns.list[m->host_which[i]];

        printf("%" PRIu64 ":", m->host_positions[i]);
        fwrite(pattern->bytes, 1, pattern->length, stdout);
        putchar('\n');
    }
}

/* Follows the same chunk on the host. */
static void verify(match_job *m, size_t n, size_t starts, uint64_t count)
{
    uint64_t parted = match_reference_chunk(&m->reference, &m->patterns, m->flags, m->host, n,
                                            starts, m->bytes, m->host_positions, m->host_which,
                                            count);

    if (parted == UINT64_MAX && m->reference.count != m->count)
        parted = m->bytes;
    if (m->wrong_at == UINT64_MAX)
        m->wrong_at = parted;
}

static int run_chunk(match_job *m, size_t n, size_t starts)
{
    hd_match_state state;

    if (search(m, n, starts, &state) < 0)
        return cli_failed_call(m->job.arguments->command);
    m->count += state.count;
    print_positions(m, state.count);
    if (m->job.verify)
        verify(m, n, starts, state.count);
    return CLI_DONE;
}

/* The positions of each chunk are printed before the next one is read. Chunks of `chunk` starts,
   each with the longest - 1 bytes behind it, which begin the next. */
static int list_file(match_job *m)
{
    char message[HD__IO_MESSAGE];
    size_t held = 0, got, wanted = m->chunk + m->longest - 1, starts;
    int status = CLI_DONE;

    while (status == CLI_DONE) {
        if (hd__source_read(m->source, m->host + held, wanted - held, &got, message) < 0)
            return cli_failed(m->job.arguments->command, "%s", message);
        held += got;
        starts = held == wanted ? m->chunk : held;
        if (starts == 0)
            break;
        status = run_chunk(m, held, starts);
        m->bytes += starts;
        held -= starts;
        memmove(m->host, m->host + starts, held);
    }
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int open_file(match_job *m)
{
    const cli_arguments *arguments = m->job.arguments;
    hd__source_options options;
    char message[HD__IO_MESSAGE];

    memset(&options, 0, sizeof options);
    options.path = arguments->operands[arguments->operand_count - 1];
    options.format = HD__IO_RAW;
    options.type = HD__IO_U8;
    if (hd__source_open(&options, &m->source, message) < 0)
        return cli_failed(arguments->command, "%s", message);
    return CLI_DONE;
}

static void report_chunks(match_job *m)
{
    const hd_pipeline_report *r = &m->report;

    cli_job_count(&m->job, "chunks", r->chunks, "through a pipeline");
    cli_job_number(&m->job, "latency_min", r->latency_min, 4, "seconds from a chunk's bytes being");
    cli_job_number(&m->job, "latency_median", r->latency_median, 4,
                   "read to its end on the device");
    cli_job_number(&m->job, "latency_p99", r->latency_p99, 4, NULL);
    cli_job_number(&m->job, "latency_max", r->latency_max, 4, NULL);
}

static int finish(match_job *m)
{
    cli_job *job = &m->job;
    const cli_arguments *arguments = job->arguments;
    char bytes[CLI_NUMBER];

    job->seconds = m->seconds;
    job->gbps = m->seconds > 0 ? (double)m->bytes / m->seconds * 1e-9 : 0.0;
    job->runs = 0;
    if (m->print_positions && m->wrong_at == UINT64_MAX)
        return cli_flush(arguments->command);
    cli_text_bytes((double)m->bytes, bytes);
    cli_job_count(job, "count", m->count,
                  m->flags ? "occurrences, overlapping ones too"
                           : "matches, as grep -o finds them");
    cli_job_count(job, "patterns", m->patterns.count, NULL);
    cli_job_text(job, "file", arguments->operands[arguments->operand_count - 1], NULL);
    cli_job_count(job, "bytes", m->bytes, bytes);
    if (!m->print_positions)
        report_chunks(m);
    return cli_job_end(job,
                       !job->verify                ? CLI_SKIPPED
                       : m->wrong_at == UINT64_MAX ? CLI_VERIFIED
                                                   : CLI_WRONG,
                       "the search on the host differs from byte %" PRIu64 " on", m->wrong_at);
}

static int run(const cli_arguments *arguments)
{
    match_job m;
    int status;

    memset(&m, 0, sizeof m);
    m.wrong_at = UINT64_MAX;
    status = arguments->operand_count < 2
                 ? cli_misused(arguments->command, "FILE is missing behind the pattern")
                 : cli_job_open(&m.job, arguments);
    if (status == CLI_DONE)
        status = read_options(&m);
    if (status == CLI_DONE)
        status = open_file(&m);
    if (status == CLI_DONE)
        status = make_memory(&m);
    if (status == CLI_DONE)
        status = m.print_positions ? list_file(&m) : match_count(&m);
    if (status == CLI_DONE)
        status = finish(&m);
    free_memory(&m);
    cli_job_close(&m.job);
    return status;
}

static const cli_option options[] = {
    {"overlapping", NULL, "count every occurrence of every pattern"},
    {"positions", NULL, "print OFFSET:PATTERN per match, nothing else"},
    {"hex", NULL, "patterns are bytes in hexadecimal, as 0d0a"},
    {"chunk", "BYTES", "pass the file in chunks of that size, 16M by default"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

const cli_command cli_command_match = {
    "match",
    "count byte patterns in a file, or say where they are",
    "PATTERN... FILE",
    options,
    "Patterns are bytes, not expressions. Matches are those of 'grep -o -a -F': from left to\n"
    "right, the longest of several that begin at one place, none that overlaps the one before;\n"
    "unlike there a pattern may hold line ends. '-' is standard input. --runs has no meaning\n"
    "here: seconds are those of the searches of all chunks, data on the device.\n\n"
    "Chunks are read, copied and searched at once; a small --chunk makes a pipe's latency small.\n"
    "\n"
    "JSON keys: count patterns file bytes chunks latency_min latency_median latency_p99\n"
    "latency_max seconds gbps verified backend device warp\n",
    "  heddle match needle haystack.txt\n"
    "  heddle match GET POST PUT access.log --json\n"
    "  heddle match 89504e47 --hex disk.img --positions\n",
    run,
};
