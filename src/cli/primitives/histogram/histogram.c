/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - `heddle histogram`: counts the elements of an array in even bins. */
#include "call.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"

enum { ROWS = 24, BAR = 40 };

static hd_status histogram(void *state, hd_stream *stream)
{
    histogram_call *c = state;
    return histogram_bins_count(&c->bins, c->in, c->array.n, c->counts, c->outside, stream);
}

/* The first wrong count, or the number of counts. */
static size_t first_wrong(histogram_call *c)
{
    const size_t places = c->bins.count + OUTSIDE;
    size_t i = 0;
    for (size_t k = 0; c->array.data && k < c->array.n; k++)
        c->expected[histogram_bins_place(&c->bins, c->array.data, k)]++;
    while (i < places && c->got[i] == c->expected[i])
        i++;
    return i;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The elements in the bins of one row of text. */
static uint64_t row_count(const histogram_call *c, size_t row, size_t per_row)
{
    uint64_t sum = 0;

    for (size_t i = row * per_row; i < (row + 1) * per_row && i < c->bins.count; i++)
        sum += c->got[i];
    return sum;
}

/* Text: at most ROWS rows with bars, of several bins each if there are more bins. */
static void report_bins(cli_job *job, const histogram_call *c)
{
    static const char full_bar[BAR + 1] = "########################################";
    const size_t per_row = (c->bins.count + ROWS - 1) / ROWS;
    const size_t rows = (c->bins.count + per_row - 1) / per_row;
    char key[CLI_JOB_KEY], note[2 * CLI_NUMBER + BAR], edge[CLI_NUMBER];
    uint64_t most = 1;
    int width = 0, digits, bar; /* characters: edges, largest count, this row's bar */

    for (size_t row = 0; row < rows; row++) {
        most = row_count(c, row, per_row) > most ? row_count(c, row, per_row) : most;
        histogram_bins_edge(&c->bins, row * per_row, edge);
        width = (int)strlen(edge) > width ? (int)strlen(edge) : width;
    }
    digits = snprintf(note, sizeof note, "%" PRIu64, most);
    for (size_t row = 0; row < rows; row++) {
        const uint64_t count = row_count(c, row, per_row);
        const size_t last = (row + 1) * per_row < c->bins.count ? (row + 1) * per_row
                                                                : c->bins.count;

        if (last - row * per_row > 1)
            snprintf(key, sizeof key, "bin_%zu-%zu", row * per_row, last - 1);
        else
            snprintf(key, sizeof key, "bin_%zu", row * per_row);
        histogram_bins_edge(&c->bins, row * per_row, edge);
        bar = (int)ceil(BAR * ((double)count / (double)most));
        snprintf(note, sizeof note, "%*sfrom %-*s%s%.*s",
                 digits - snprintf(NULL, 0, "%" PRIu64, count), "", bar ? width : 0, edge,
                 bar ? " " : "", bar, full_bar);
        cli_job_count(job, key, count, note);
    }
}

/* All counts, separated by commas; NULL without memory. */
static char *list_counts(const histogram_call *c)
{
    char *list = malloc(c->bins.count * (size_t)CLI_NUMBER);
    size_t at = 0;

    for (size_t i = 0; list && i < c->bins.count; i++)
        at += (size_t)snprintf(list + at, CLI_NUMBER, i ? ", %" PRIu64 : "%" PRIu64, c->got[i]);
    return list;
}

static void report_bound(cli_job *job, const char *key, const histogram_call *c, size_t bin,
                         const char *note)
{
    char text[CLI_NUMBER];

    histogram_bins_edge(&c->bins, bin, text);
    cli_job_digits(job, key, text, note);
}

static void report(cli_job *job, const histogram_call *c)
{
    const bool closed = c->bins.reals.closed;
    uint64_t inside = 0;
    size_t fullest = 0;
    for (size_t i = 0; i < c->bins.count; i++) {
        inside += c->got[i];
        fullest = c->got[i] > c->got[fullest] ? i : fullest;
    }
    cli_job_path(job, "input", c->array.from, c->array.path, NULL);
    cli_job_text(job, "type", hd_type_name(c->array.type), NULL);
    if (c->chunks)
        cli_job_count(job, "chunks", c->chunks, "through a pipeline");
    cli_job_count(job, "bins", c->bins.count, NULL);
    report_bound(job, "low", c, 0, NULL);
    report_bound(job, "high", c, c->bins.count,
                 closed ? "the largest value, in the last bin" : NULL);
    cli_job_count(job, "count", inside, "elements in bins");
    cli_job_count(job, "below", c->got[c->bins.count], NULL);
    cli_job_count(job, "above", c->got[c->bins.count + 1], closed ? NULL : "at or above high");
    cli_job_count(job, "nan", c->got[c->bins.count + 2], NULL);
    cli_job_count(job, "fullest", fullest, "the bin with the most elements");
    cli_job_count(job, "most", c->got[fullest], NULL);
}

/* Counts the array as a whole on the device. */
static int count_whole(cli_job *job, histogram_call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->array.type);
    int status = cli_job_upload(job, c->array.data, bytes, &c->in);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, c->bins.count * sizeof *c->got, &c->counts);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, OUTSIDE * sizeof *c->got, &c->outside);
    if (status == CLI_DONE)
        status = cli_job_time(job, histogram, c, (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->got, c->counts, c->bins.count * sizeof *c->got);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->got + c->bins.count, c->outside,
                                  OUTSIDE * sizeof *c->got);
    return status;
}

static int run_on(cli_job *job, histogram_call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->array.type);
    const uint64_t shape[1] = {c->bins.count};
    size_t wrong = 0, free_bytes = 0;
    char *list = NULL;
    int status = CLI_DONE;
    if (hd_device_memory(job->device, &free_bytes, NULL) < 0)
        return cli_failed_call(job->arguments->command);
    status = c->streams || c->chunk_bytes || bytes > free_bytes / 8 * 7
                 ? histogram_in_chunks(job, c)
                 : count_whole(job, c);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, HD_U64, c->got, 1, shape);
    if (status != CLI_DONE)
        return status;
    if (job->verify)
        wrong = first_wrong(c);
    report(job, c);
    if (job->format == CLI_TEXT)
        report_bins(job, c);
    else if ((list = list_counts(c)) != NULL)
        cli_job_list(job, "counts", "", list);
    else
        return cli_failed(job->arguments->command, "no memory for the counts");
    status = cli_job_end(job,
                         !job->verify                       ? CLI_SKIPPED
                         : wrong == c->bins.count + OUTSIDE ? CLI_VERIFIED
                                                            : CLI_WRONG,
                         "the count of bin %zu differs", wrong);
    free(list);
    return status;
}

static int run(const cli_arguments *arguments)
{
    const unsigned types = CLI_TYPE_BIT(HD_U8) | CLI_TYPE_BIT(HD_U32) | CLI_TYPE_BIT(HD_I32) |
                           CLI_TYPE_BIT(HD_U64) | CLI_TYPE_BIT(HD_I64) | CLI_TYPE_BIT(HD_F32) |
                           CLI_TYPE_BIT(HD_F64);
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    histogram_call c;
    cli_job job;
    memset(&c, 0, sizeof c);
    int status = cli_job_open(&job, arguments);
    if (status == CLI_DONE)
        status = histogram_open(arguments, path, types, &c);
    if (status == CLI_DONE && !c.streams)
        status = cli_array_input(arguments, path, types, HD_F32, &c.array);
    if (status == CLI_DONE)
        status = histogram_bins_read(arguments, &c.array, &c.bins);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "chunk", 0, 1, (uint64_t)1 << 40, &c.chunk_bytes);
    const size_t bytes = (c.bins.count + OUTSIDE) * sizeof *c.got;
    if (status == CLI_DONE &&
        (!(c.got = cli_job_memory(&job, bytes)) || !(c.expected = cli_job_memory(&job, bytes))))
        status = CLI_FAILED;
    if (status == CLI_DONE) {
        memset(c.expected, 0, bytes);
        status = run_on(&job, &c);
    }
    (void)hd_free(c.in);
    (void)hd_free(c.counts);
    (void)hd_free(c.outside);
    free(c.got);
    free(c.expected);
    cli_array_free(&c.array);
    cli_input_close(&c.input);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS("u8 i32 u32 i64 u64 f32 f64" CLI_WIDENED("u16 i8 i16 f16")),
    {"bins", "N", "number of bins, 1 to 65536 (default 256); for integers at most high - low"},
    {"low", "X", "lower bound of the first bin (default: the minimum; u8: 0)"},
    {"high", "X", "upper bound of the last bin (default: just above the maximum; u8: 256)"},
    {"chunk", "BYTES", "chunk size, to process arrays larger than device memory"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};
const cli_command cli_command_histogram = {
    "histogram",
    "count the elements of an array in bins of equal width",
    "[FILE]",
    options,
    "Elements are u8, u32, i32, u64, i64, f32 or f64; narrower integers and f16 are widened.\n"
    "Bin i is [low + i * width, low + (i + 1) * width), where width is (high - low) / bins.\n"
    "Integers are binned exactly; docs/histogram.md states the rounding of floats. Elements below\n"
    "low, elements at or above high (infinity too) and NaN are counted separately. --out writes\n"
    "the counts as u64.\n"
    "The text output has at most 24 rows: with more bins, each row stands for several of them.\n"
    "--json and --csv have the count of every bin.\n"
    "If --low and --high are given, or the elements are u8, a file whose elements are not widened\n"
    "or converted is counted while it is read, so it may be larger than memory.\n",
    "  heddle histogram --type u8 --format raw picture.bin\n"
    "  heddle histogram --bins 10 --low 0 --high 1 --n 2^24\n"
    "  heddle histogram --column celsius --bins 20 docs/temperatures.csv\n",
    run};
