/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - `heddle match`: byte patterns in a file of any size, which passes through the device in
   chunks that overlap by the length of the longest pattern minus 1. */
#include "job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"

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
        return cli_misused(arguments->command, "%zu patterns; at most %d are possible", words,
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

static hd_status make_matcher(match_job *m)
{
    HD_TRY(hd_matcher_create(m->patterns.list, m->patterns.count, m->flags, m->job.device,
                             &m->matcher));
    HD_TRY(hd_matcher_longest(m->matcher, &m->longest));
    HD_TRY(hd_alloc(&m->state, 1, m->job.device));
    HD_TRY(hd_fill_zero(m->state, 1, m->job.stream));
    return hd_stream_synchronize(m->job.stream);
}

static int make_memory(match_job *m)
{
    if (make_matcher(m) < 0)
        return cli_failed_call(m->job.arguments->command);
    m->feed.tail = cli_job_memory(&m->job, m->longest);
    return m->feed.tail ? CLI_DONE : CLI_FAILED;
}

static void free_memory(match_job *m)
{
    hd_free(m->state);
    hd_matcher_destroy(m->matcher);
    match_patterns_free(&m->patterns);
    hd__source_close(m->feed.source);
    free(m->feed.tail);
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
    if (hd__source_open(&options, &m->feed.source, message) < 0)
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
    const char *path = arguments->operands[arguments->operand_count - 1];
    char bytes[CLI_NUMBER], name[HD__IO_NAME];

    job->seconds = m->seconds;
    job->gbps = m->seconds > 0 ? (double)m->feed.bytes / m->seconds * 1e-9 : 0.0;
    job->runs = 0;
    if (m->print_positions && m->wrong_at == UINT64_MAX)
        return cli_flush(arguments->command);
    cli_text_bytes((double)m->feed.bytes, bytes);
    hd__io_printable_path(path, name, sizeof name);
    cli_job_count(job, "count", m->count,
                  m->flags ? "occurrences, overlapping ones too"
                           : "matches, as grep -o finds them");
    cli_job_count(job, "patterns", m->patterns.count, NULL);
    cli_job_path(job, "file", name, path, NULL);
    cli_job_count(job, "bytes", m->feed.bytes, bytes);
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
                 ? cli_misused(arguments->command, "FILE is missing after the pattern")
                 : cli_job_open(&m.job, arguments);
    if (status == CLI_DONE)
        status = read_options(&m);
    if (status == CLI_DONE)
        status = open_file(&m);
    if (status == CLI_DONE)
        status = make_memory(&m);
    if (status == CLI_DONE)
        status = m.print_positions ? match_list(&m) : match_count(&m);
    if (status == CLI_DONE)
        status = finish(&m);
    free_memory(&m);
    cli_job_close(&m.job);
    return status;
}

static const cli_option options[] = {
    {"overlapping", NULL, "count every occurrence of every pattern"},
    {"positions", NULL, "print only OFFSET:PATTERN, a line per match"},
    {"hex", NULL, "patterns are hexadecimal bytes, such as 0d0a"},
    {"chunk", "BYTES", "chunk size (default 16M; with --positions 4M)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

const cli_command cli_command_match = {
    "match",
    "count byte patterns in a file, or print their positions",
    "PATTERN... FILE",
    options,
    "Patterns are byte strings, not regular expressions. Matches are those of 'grep -o -a -F':\n"
    "from left to right, the longest of several at the same position, without overlaps; unlike in\n"
    "grep, a pattern may contain newlines. '-' is standard input. --runs has no effect: the time\n"
    "is that of the searches of all chunks, with the data on the device.\n"
    "\n"
    "Reading, copying, searching and printing of chunks overlap; a smaller --chunk lowers the\n"
    "latency of a pipe.\n"
    "\n"
    "JSON keys: count patterns file bytes chunks latency_min latency_median latency_p99\n"
    "latency_max seconds gbps verified\n",
    "  heddle match needle haystack.txt\n"
    "  heddle match GET POST PUT access.log --json\n"
    "  heddle match 89504e47 --hex disk.img --positions\n",
    run,
};
