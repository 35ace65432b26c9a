/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - `heddle histogram`: counts the elements of an array in even bins. */
#include "histogram_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

enum { LISTED = 24, DEFAULT_BINS = 256 };

static hd_status histogram(void *state, hd_stream *stream)
{
    histogram_call *c = state;
    return hd_histogram(c->in, c->array.n, c->array.type, &c->bins, HD_U64, c->counts, c->outside,
                        NULL, stream);
}

/* ---- bins ------------------------------------------------------------------------------------ */

static double element(hd_type type, const void *data, size_t i)
{
    return type == HD_U8    ? ((const uint8_t *)data)[i]
           : type == HD_U32 ? ((const uint32_t *)data)[i]
                            : (double)((const float *)data)[i];
}

/* From the lowest element to just above the highest; u8 has all its values. Of a file that streams
   only what is told is used. */
static hd_bins range_of(const cli_array *array)
{
    hd_bins bins = {INFINITY, -INFINITY, DEFAULT_BINS};
    for (size_t i = 0; array->data && i < array->n; i++) {
        const double x = element(array->type, array->data, i);
        bins.low = x < bins.low && isfinite(x) ? x : bins.low;
        bins.high = x > bins.high && isfinite(x) ? x : bins.high;
    }
    if (array->type == HD_U8 || !(bins.low <= bins.high)) {
        bins.low = 0;
        bins.high = array->type == HD_F32 ? 1 : 256;
    } else if (array->type == HD_U32) {
        bins.high += 1;
    } else {
        bins.high = (double)nextafterf((float)bins.high, INFINITY);
    }
    return bins;
}

static int check_range(const cli_arguments *arguments, hd_type type, const hd_bins *bins)
{
    const double most = type == HD_U8 ? 0x1p8 : 0x1p32;
    if (!(bins->low < bins->high))
        return cli_misused(arguments->command, "--low %g is not below --high %g", bins->low,
                           bins->high);
    if (type != HD_F32 && (bins->low < 0 || bins->high > most || floor(bins->low) < bins->low ||
                           floor(bins->high) < bins->high))
        return cli_misused(arguments->command,
                           "--low %g, --high %g: of %s they are whole numbers from 0 to %.0f",
                           bins->low, bins->high, hd_type_name(type), most);
    return CLI_DONE;
}

static int read_bins(const cli_arguments *arguments, const cli_array *array, hd_bins *bins)
{
    const hd_bins range = range_of(array);
    const int whole = array->type != HD_F32;
    uint64_t count, usual = DEFAULT_BINS;
    int status = cli_number_read(arguments, "low", range.low, &bins->low);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "high", range.high, &bins->high);
    if (status == CLI_DONE)
        status = check_range(arguments, array->type, bins);
    if (whole && bins->high - bins->low >= 1 && bins->high - bins->low < DEFAULT_BINS)
        usual = (uint64_t)(bins->high - bins->low);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "bins", usual, 1, HD_HISTOGRAM_MAX_BINS, &count);
    if (status == CLI_DONE)
        bins->count = (size_t)count;
    return status;
}

/* ---- reference ------------------------------------------------------------------------------- */

size_t histogram_place(const histogram_call *c, const void *data, size_t i)
{
    const hd_bins *bins = &c->bins;
    const float low = (float)bins->low, high = (float)bins->high;
    const float scale = (float)((double)bins->count / ((double)high - (double)low));
    const double x = element(c->array.type, data, i);
    if (isnan(x))
        return bins->count + 2;
    if (c->array.type != HD_F32) {
        if (x < bins->low || x >= bins->high)
            return bins->count + (x >= bins->high);
        return (size_t)((uint64_t)(x - bins->low) * bins->count /
                        (uint64_t)(bins->high - bins->low));
    }
    if (x < (double)low || x >= (double)high)
        return bins->count + (x >= (double)high);
    const float at = ((float)x - low) * scale;
    return (size_t)at < bins->count ? (size_t)at : bins->count - 1;
}

/* The first place whose count is wrong, or the number of places. */
static size_t first_wrong(histogram_call *c)
{
    const size_t places = c->bins.count + OUTSIDE;
    size_t i = 0;
    for (size_t k = 0; c->array.data && k < c->array.n; k++)
        c->expected[histogram_place(c, c->array.data, k)]++;
    while (i < places && c->got[i] == c->expected[i])
        i++;
    return i;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* All of them for programs; people are shown the first. */
static void report_bins(cli_job *job, const histogram_call *c)
{
    const double width = (c->bins.high - c->bins.low) / (double)c->bins.count;
    const int cut = job->format == CLI_TEXT && c->bins.count > LISTED;
    const size_t shown = cut ? LISTED : c->bins.count;
    char key[CLI_JOB_KEY], note[64];
    for (size_t i = 0; i < shown; i++) {
        snprintf(key, sizeof key, "bin_%zu", i);
        snprintf(note, sizeof note, "from %.6g", c->bins.low + (double)i * width);
        cli_job_count(job, key, c->got[i], note);
    }
    if (cut) {
        snprintf(note, sizeof note, "%zu more bin%s (--json lists all)", c->bins.count - shown,
                 c->bins.count - shown == 1 ? "" : "s");
        cli_job_text(job, "...", note, NULL);
    }
}

static void report(cli_job *job, const histogram_call *c)
{
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
    cli_job_number(job, "low", c->bins.low, 9, NULL);
    cli_job_number(job, "high", c->bins.high, 9, NULL);
    cli_job_count(job, "count", inside, "elements in bins");
    cli_job_count(job, "below", c->got[c->bins.count], NULL);
    cli_job_count(job, "above", c->got[c->bins.count + 1], "at or above high");
    cli_job_count(job, "nan", c->got[c->bins.count + 2], NULL);
    cli_job_count(job, "fullest", fullest, "the bin with the most elements");
    cli_job_count(job, "most", c->got[fullest], NULL);
    report_bins(job, c);
}

/* Counts the array, all of it on the device. */
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
    return cli_job_end(job,
                       !job->verify                       ? CLI_SKIPPED
                       : wrong == c->bins.count + OUTSIDE ? CLI_VERIFIED
                                                          : CLI_WRONG,
                       "the count of bin %zu differs", wrong);
}

static int run(const cli_arguments *arguments)
{
    const unsigned types = CLI_TYPE_BIT(HD_U8) | CLI_TYPE_BIT(HD_U32) | CLI_TYPE_BIT(HD_F32);
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
        status = read_bins(arguments, &c.array, &c.bins);
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
    CLI_ARRAY_OPTIONS,
    {"bins", "N", "1 to 65536 bins, 256 by default, of integers no more than values"},
    {"low", "X", "where they begin: by default the lowest element, 0 for u8"},
    {"chunk", "BYTES",
     "pass the array in chunks of that size, as one larger than the device's memory"},
    {"high", "X", "where they end: by default just above the highest, 256 for u8"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};
const cli_command cli_command_histogram = {
    "histogram",
    "counts the elements of an array in even bins",
    "[FILE]",
    options,
    "Elements are u8, u32 or f32. Bin i begins at low + i * (high - low) / N; --out writes the\n"
    "counts as u64. Text shows the first 24 bins, --json and --csv have all, as bin_0, bin_1 ...\n"
    "A file of such elements is counted while it is read, and may be larger than memory, where\n"
    "--low and --high are given or the elements are u8.\n",
    "  heddle histogram --type u8 --format raw picture.bin\n"
    "  heddle histogram --bins 10 --low 0 --high 1 --n 2^24\n"
    "  heddle histogram --column temperature --bins 20 docs/temperatures.csv\n",
    run};
