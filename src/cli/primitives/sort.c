/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - `heddle sort`: sorts numbers from a file or generated ones, optionally with their
   indices. */
#include <heddle/sort.h>

#include <stdlib.h>
#include <string.h>

#include "cli/input/array.h"
#include "cli/app/job.h"
#include "cli/app/words.h"

typedef struct call {
    void *in, *out, *places_in, *places_out;
    size_t n;
    hd_type type;
    hd_sort_options options;
} call;

static hd_status sort(void *state, hd_stream *stream)
{
    const call *c = state;
    return c->places_in ? hd_sort_pairs(c->in, c->places_in, c->out, c->places_out, c->n, c->type,
                                        8, &c->options, NULL, stream)
                        : hd_sort_keys(c->in, c->out, c->n, c->type, &c->options, NULL, stream);
}

/* The key as an unsigned integer with the same order. */
static uint64_t code_at(const call *c, const unsigned char *keys, size_t i)
{
    const size_t size = hd_type_bytes(c->type);
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    uint64_t key = 0;

    memcpy(&key, keys + i * size, size);
    if (c->type == HD_U32 || c->type == HD_U64)
        return key;
    if ((c->type == HD_F32 || c->type == HD_F64) && key & top)
        return ~key & (top | (top - 1));
    return key ^ top;
}

/* A checksum of the keys that does not depend on their order. */
static uint64_t fingerprint(const call *c, const unsigned char *keys)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->n; i++) {
        uint64_t z = code_at(c, keys, i) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9u;
        sum += z ^ z >> 32;
    }
    return sum;
}

/* The first wrong position, or n. With indices, also the first key that differs from the input at
   its index, or that is out of order among equal keys. */
static size_t first_wrong(const call *c, const unsigned char *in, const unsigned char *out,
                          const uint64_t *places)
{
    const size_t size = hd_type_bytes(c->type);
    const uint64_t bits = c->options.end_bit - c->options.first_bit;
    const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    uint64_t before = 0;

    for (size_t i = 0; i < c->n; i++) {
        const uint64_t code = code_at(c, out, i) >> c->options.first_bit & mask;
        if (i > 0 && (c->options.descending ? code > before : code < before))
            return i;
        if (places && (places[i] >= c->n || memcmp(in + places[i] * size, out + i * size, size)))
            return i;
        if (places && i > 0 && code == before && places[i] <= places[i - 1])
            return i;
        before = code;
    }
    return c->n;
}

static int finish(cli_job *job, const cli_array *array, const call *c, const void *sorted,
                  const uint64_t *places)
{
    size_t wrong = c->n;
    int kept = 1;

    if (job->verify) {
        wrong = first_wrong(c, array->data, sorted, places);
        kept = fingerprint(c, array->data) == fingerprint(c, sorted);
    }
    cli_job_path(job, "input", array->from, array->path, NULL);
    cli_job_text(job, "type", hd_type_name(c->type), NULL);
    cli_job_count(job, "count", c->n, c->options.descending ? "descending" : "ascending");
    if (c->n > 0) {
        cli_job_element(job, "first", c->type, sorted, 0, NULL);
        cli_job_element(job, "median", c->type, sorted, c->n / 2, NULL);
        cli_job_element(job, "last", c->type, sorted, c->n - 1, NULL);
    }
    if (job->seconds > 0)
        cli_job_number(job, "gkeys", (double)c->n / job->seconds * 1e-9, 6, "Gkeys/s");
    return cli_job_end(job,
                       !job->verify            ? CLI_SKIPPED
                       : wrong == c->n && kept ? CLI_VERIFIED
                                               : CLI_WRONG,
                       wrong < c->n ? "element %zu is out of order"
                                    : "the %zu keys are not those of the input",
                       wrong);
}

/* Indices 0, 1, 2 ... as values. */
static int upload_places(cli_job *job, call *c, uint64_t *places)
{
    int status;

    for (size_t i = 0; i < c->n; i++)
        places[i] = i;
    status = cli_job_upload(job, places, c->n * sizeof *places, &c->places_in);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, c->n * sizeof *places, &c->places_out);
    return status;
}

/* Writes --out: the sorted keys, or with --values the sort indices. */
static int write_out(const cli_job *job, const call *c, const void *sorted, const uint64_t *places)
{
    const uint64_t shape = c->n;

    return cli_array_output(job->arguments, places ? HD_U64 : c->type,
                            places ? (const void *)places : sorted, 1, &shape);
}

/* Bytes moved: keys read once to count; keys and values read and written once per 8 bits. Few keys,
   which devices compare in their caches: at least read and written once. */
static double moved(const call *c)
{
    const double size = (double)hd_type_bytes(c->type), value = c->places_in ? 8.0 : 0.0;
    const unsigned passes = (c->options.end_bit - c->options.first_bit + 7) / 8;

    if ((double)c->n * size <= 128 * 1024)
        return (double)c->n * 2.0 * (size + value);
    return (double)c->n * (size + 2.0 * (size + value) * passes);
}

static int run_on(cli_job *job, const cli_array *array, call *c, void *sorted, uint64_t *places)
{
    const size_t bytes = c->n * hd_type_bytes(c->type);
    int status = cli_job_upload(job, array->data, bytes, &c->in);

    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->out);
    if (status == CLI_DONE && places)
        status = upload_places(job, c, places);
    if (status == CLI_DONE)
        status = cli_job_time(job, sort, c, moved(c));
    if (status == CLI_DONE)
        status = cli_job_download(job, sorted, c->out, bytes);
    if (status == CLI_DONE && places)
        status = cli_job_download(job, places, c->places_out, c->n * sizeof *places);
    if (status == CLI_DONE)
        status = write_out(job, c, sorted, places);
    return status == CLI_DONE ? finish(job, array, c, sorted, places) : status;
}

static int read_options(const cli_arguments *arguments, const cli_array *array, call *c)
{
    const uint64_t bits = 8 * hd_type_bytes(array->type);
    uint64_t first, end;
    int status = cli_count_read(arguments, "first-bit", 0, 0, bits, &first);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "end-bit", bits, 1, bits, &end);
    if (status != CLI_DONE)
        return status;
    if (first > end)
        return cli_misused(arguments->command, "--first-bit is above --end-bit");
    c->n = array->n;
    c->type = array->type;
    c->options.descending = cli_option_given(arguments, "descending");
    c->options.first_bit = (unsigned)first;
    c->options.end_bit = (unsigned)end;
    return CLI_DONE;
}

static int run(const cli_arguments *arguments)
{
    const unsigned types = CLI_TYPE_BIT(HD_U32) | CLI_TYPE_BIT(HD_I32) | CLI_TYPE_BIT(HD_F32) |
                           CLI_TYPE_BIT(HD_U64) | CLI_TYPE_BIT(HD_I64) | CLI_TYPE_BIT(HD_F64);
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    const int with_values = cli_option_given(arguments, "values");
    cli_array array = {0};
    call c = {0};
    void *sorted = NULL;
    uint64_t *places = NULL;
    cli_job job;
    int status = cli_job_open(&job, arguments);

    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, types, HD_U32, &array);
    if (status == CLI_DONE)
        status = read_options(arguments, &array, &c);
    if (status == CLI_DONE && !(sorted = cli_job_memory(&job, c.n * hd_type_bytes(c.type))))
        status = CLI_FAILED;
    if (status == CLI_DONE && with_values && !(places = cli_job_memory(&job, c.n * sizeof *places)))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = run_on(&job, &array, &c, sorted, places);
    hd_free(c.in);
    hd_free(c.out);
    hd_free(c.places_in);
    hd_free(c.places_out);
    free(sorted);
    free(places);
    cli_array_free(&array);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS("i32 u32 i64 u64 f32 f64" CLI_WIDENED("u8 u16 i8 i16 f16")),
    {"descending", NULL, "sort in descending order"},
    {"values", NULL, "key-value sort with values 0, 1, 2 ...; --out writes the sort indices"},
    {"first-bit", "B", "lowest key bit to compare (after the order-preserving map to unsigned)"},
    {"end-bit", "B", "one past the highest key bit to compare"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

static const char notes[] =
    "Keys: u32 i32 f32 u64 i64 f64. The sort is stable. Floats are sorted in the total order of\n"
    "IEEE 754: -0 before +0, NaNs first or last by their sign. "
    "With --type, a file of unknown\n"
    "format is read as raw elements; without it, such a file is refused.\n";

const cli_command cli_command_sort = {
    "sort",
    "sort numbers (stable)",
    "[FILE]",
    options,
    notes,
    "  heddle sort docs/temperatures.csv --column celsius --type f32 --out sorted.npy\n"
    "  heddle sort keys.npy --descending --values --out indices.npy\n"
    "  heddle sort --n 2^24 --type u32 --json\n",
    run,
};
