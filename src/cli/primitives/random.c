/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - `heddle random`: random numbers to a file, raw to standard output, or as a report of
   their moments. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/random.h>

#include "cli/input/array.h"
#include "cli/app/job.h"
#include "random_reference.h"
#include "cli/app/words.h"

enum { RAW_CHUNK = 1 << 20 };

static hd_status fill(void *state, hd_stream *stream)
{
    const random_call *c = state;

    switch (c->distribution) {
    case RANDOM_BITS:
        return hd_random_fill_bits(c->out, c->n, c->type, &c->from, stream);
    case RANDOM_UNIFORM:
        return hd_random_fill_uniform(c->out, c->n, c->type, &c->from, stream);
    case RANDOM_NORMAL:
        return hd_random_fill_normal(c->out, c->n, c->type, c->mean, c->deviation, &c->from,
                                     stream);
    case RANDOM_LOGNORMAL:
        return hd_random_fill_lognormal(c->out, c->n, c->type, c->mean, c->deviation, &c->from,
                                        stream);
    case RANDOM_POISSON:
        return hd_random_fill_poisson(c->out, c->n, c->mean, &c->from, stream);
    case RANDOM_SOBOL:
        break;
    }
    return hd_random_fill_sobol(c->out, c->n / c->dimensions, c->dimensions, c->type, c->kind,
                                &c->from, NULL, stream);
}

/* ---- options -------------------------------------------------------------------------------- */

static int read_stream(const cli_arguments *arguments, random_call *c)
{
    static const char *const generators[] = {
#define GENERATOR_NAME_(name, text, what) text,
        HD_RANDOM_LIST(GENERATOR_NAME_)
#undef GENERATOR_NAME_
    };
    size_t generator = 0;
    int status = cli_word_read(arguments, "generator", generators, HD_RANDOM_COUNT_, 0, &generator);

    c->from.generator = (hd_random_generator)generator;
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "seed", 1, 0, UINT64_MAX, &c->from.seed);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "subsequence", 0, 0, UINT64_MAX, &c->from.subsequence);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "offset", 0, 0, UINT64_MAX, &c->from.offset);
    return status;
}

static int read_distribution(const cli_arguments *arguments, random_call *c)
{
    static const char *const names[] = {"bits",      "uniform", "normal",
                                        "lognormal", "poisson", "sobol"};
    size_t which = RANDOM_UNIFORM;
    uint64_t dimensions = 1;
    int status = cli_word_read(arguments, "dist", names, sizeof names / sizeof *names,
                               RANDOM_UNIFORM, &which);
    int integers = which == RANDOM_BITS || which == RANDOM_POISSON;

    c->distribution = (random_distribution)which;
    c->name = names[which];
    if (status == CLI_DONE)
        status = cli_type_read(arguments, integers ? HD_U32 : HD_F32, &c->type);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "mean", which == RANDOM_POISSON ? 10 : 0, &c->mean);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "deviation", 1, &c->deviation);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "dimensions", 1, 1, HD_SOBOL_DIMENSIONS, &dimensions);
    if (status == CLI_DONE && c->deviation < 0)
        status = cli_misused(arguments->command, "--deviation: %g is below 0", c->deviation);
    if (status == CLI_DONE && which == RANDOM_POISSON && !(c->mean >= 0 && c->mean <= 0x1p30))
        status = cli_misused(arguments->command, "--mean: %g is not from 0 to 2^30", c->mean);
    c->dimensions = (unsigned)dimensions;
    c->kind = cli_option_given(arguments, "plain") ? HD_SOBOL_PLAIN : HD_SOBOL_SCRAMBLED;
    if (status == CLI_DONE && which == RANDOM_POISSON && c->type != HD_U32)
        return cli_misused(arguments->command, "--dist poisson gives u32, not %s",
                           hd_type_name(c->type));
    return status;
}

/* Rejects options for a report if raw bytes are requested. */
static int wants_report(const cli_arguments *arguments)
{
    return cli_option_given(arguments, "json") || cli_option_given(arguments, "csv") ||
           cli_option_given(arguments, "out");
}

static int read_options(const cli_arguments *arguments, random_call *c)
{
    const int raw = cli_option_given(arguments, "raw");
    uint64_t n = 0;
    int status = read_stream(arguments, c);

    if (status == CLI_DONE)
        status = read_distribution(arguments, c);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "n", raw ? 0 : 1 << 20, 0, (uint64_t)1 << 40, &n);
    c->n = (size_t)n * c->dimensions;
    if (status == CLI_DONE && raw && c->distribution == RANDOM_SOBOL)
        return cli_misused(arguments->command, "--raw and --dist sobol are mutually exclusive");
    if (status == CLI_DONE && raw && wants_report(arguments))
        return cli_misused(arguments->command, "--raw excludes --json, --csv and --out");
    if (status == CLI_DONE && c->distribution == RANDOM_SOBOL &&
        cli_option_given(arguments, "generator"))
        return cli_misused(arguments->command, "--dist sobol cannot be combined with --generator");
    if (status == CLI_DONE && c->dimensions > 1 && c->distribution != RANDOM_SOBOL)
        return cli_misused(arguments->command, "--dimensions is of --dist sobol");
    return status;
}

/* ---- raw ------------------------------------------------------------------------------------ */

/* Writes bytes in chunks, --n elements or forever; ends when the reader closes the pipe. */
static int write_raw(cli_job *job, random_call *c)
{
    const size_t size = hd_type_bytes(c->type);
    uint64_t left = c->n;
    const int endless = left == 0;
    void *host = cli_job_memory(job, RAW_CHUNK * size);
    int status = host ? cli_job_upload(job, NULL, RAW_CHUNK * size, &c->out) : CLI_FAILED;

    while (status == CLI_DONE && (endless || left > 0)) {
        c->n = endless || left > RAW_CHUNK ? RAW_CHUNK : (size_t)left;
        if (fill(c, job->stream) < 0)
            status = cli_failed_call(job->arguments->command);
        if (status == CLI_DONE)
            status = cli_job_download(job, host, c->out, c->n * size);
        if (status == CLI_DONE)
            status = cli_write(job->arguments->command, host, c->n * size);
        if (status == CLI_FAILED && errno == EPIPE) { /* the reader has closed the pipe */
            clearerr(stdout);
            status = CLI_DONE;
            break;
        }
        c->from.offset += c->n;
        left -= c->n;
    }
    free(host);
    return status == CLI_DONE ? cli_flush(job->arguments->command) : status;
}

/* ---- report --------------------------------------------------------------------------------- */

static void report(cli_job *job, const random_call *c, const void *data)
{
    double sum = 0, squares = 0, least = (double)INFINITY, most = -(double)INFINITY, mean;

    for (size_t i = 0; i < c->n; i++) {
        const double x = random_element(c, data, i);
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    mean = c->n ? sum / (double)c->n : 0;
    for (size_t i = 0; i < c->n; i++) {
        const double x = random_element(c, data, i) - mean;
        squares += x * x;
    }
    cli_job_text(job, "distribution", c->name, NULL);
    cli_job_text(job, "type", hd_type_name(c->type), NULL);
    cli_job_text(job, "generator",
                 c->distribution == RANDOM_SOBOL ? "sobol" : hd_random_name(c->from.generator),
                 NULL);
    cli_job_count(job, "seed", c->from.seed, NULL);
    cli_job_count(job, "subsequence", c->from.subsequence, NULL);
    cli_job_count(job, "offset", c->from.offset, NULL);
    cli_job_count(job, "count", c->n, "elements");
    if (c->n > 0) {
        cli_job_number(job, "mean", mean, 9, NULL);
        cli_job_number(job, "deviation", sqrt(squares / (double)c->n), 9, NULL);
        cli_job_number(job, "min", least, 9, NULL);
        cli_job_number(job, "max", most, 9, NULL);
        cli_job_element(job, "first", c->type, data, 0, NULL);
        cli_job_element(job, "last", c->type, data, c->n - 1, NULL);
    }
    if (job->seconds > 0)
        cli_job_number(job, "gsamples_per_s", 1e-9 * (double)c->n / job->seconds, 4, NULL);
}

static int run_report(cli_job *job, random_call *c)
{
    const size_t bytes = c->n * hd_type_bytes(c->type);
    const uint64_t shape[2] = {c->dimensions, c->n / c->dimensions};
    const int rows = c->dimensions > 1;
    void *host = cli_job_memory(job, bytes);
    int status = host ? cli_job_upload(job, NULL, bytes, &c->out) : CLI_FAILED;
    size_t wrong = SIZE_MAX;

    if (status == CLI_DONE)
        status = cli_job_time(job, fill, c, (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, host, c->out, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->type, host, rows ? 2 : 1,
                                  rows ? shape : &shape[1]);
    if (status == CLI_DONE) {
        report(job, c, host);
        if (job->verify)
            wrong = random_wrong(c, host);
        status = cli_job_end(job,
                             !job->verify || !random_has_reference(c) ? CLI_SKIPPED
                             : wrong == SIZE_MAX                      ? CLI_VERIFIED
                                                                      : CLI_WRONG,
                             "element %zu is not the one that its definition gives", wrong);
    }
    free(host);
    return status;
}

static int run(const cli_arguments *arguments)
{
    random_call c = {0};
    cli_job job;
    int status = cli_job_open(&job, arguments);

    if (status == CLI_DONE)
        status = read_options(arguments, &c);
    if (status == CLI_DONE)
        status = cli_option_given(arguments, "raw") ? write_raw(&job, &c) : run_report(&job, &c);
    hd_free(c.out);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    {"dist", "NAME", "bits, uniform (default), normal, lognormal, poisson or sobol"},
    {"type", "TYPE", "f32 (default) or f64; for bits u32 (default) or u64"},
    {"n", "N", "number of elements (default 2^20); for sobol number of points"},
    {"generator", "NAME", "philox (default), mrg32k3a, xorwow or mt19937"},
    {"seed", "S", "seed (default 1)"},
    {"subsequence", "S", "subsequence of the seed (default 0)"},
    {"offset", "I", "offset of the first element in the subsequence (default 0)"},
    {"mean", "X", "mean of normal and lognormal (default 0) and poisson (default 10)"},
    {"deviation", "X", "standard deviation of normal and lognormal (default 1)"},
    {"dimensions", "D", "dimensions of sobol, at most 256 (default 1)"},
    {"plain", NULL, "do not scramble the points of sobol"},
    {"raw", NULL, "write raw bytes to standard output; without --n endlessly"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

static const char notes[] =
    "Element i depends only on generator, seed, subsequence and i, so it has the same bits on\n"
    "every device. The verification generates elements one by one on the host and compares\n"
    "bits: of all elements if there are at most 2^20, otherwise of a sample. For mrg32k3a,\n"
    "xorwow and mt19937 it prints the moments instead, and verified is 'skipped'.\n";

static const char examples[] = "  heddle random --dist normal --n 2^24 --type f64\n"
                               "  heddle random --dist sobol --dimensions 8 --n 4096 --out p.npy\n"
                               "  heddle random --dist bits --raw | dieharder -g 200 -d 0\n";

const cli_command cli_command_random = {
    "random", "generate random numbers from a distribution", NULL, options, notes, examples, run,
};
