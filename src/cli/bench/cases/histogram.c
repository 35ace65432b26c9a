/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - `heddle bench histogram`: uniform and skewed elements, few bins and many. */
#include <heddle/histogram.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/histogram.h"

/* One row: generated elements of a type, and bins over a range. */
typedef struct histogram_row {
    hd_type type;
    int pattern;
    size_t bins;
    double low, high;
    const char *text;
} histogram_row;

static const histogram_row rows[] = {
    {HD_U8, GENERATE_UNIFORM, 256, 0, 256, "u8, 256 bins, uniform"},
    {HD_U8, GENERATE_ZIPF, 256, 0, 256, "u8, 256 bins, zipf"},
    {HD_U8, GENERATE_CONSTANT, 256, 0, 256, "u8, 256 bins, constant"},
    {HD_U32, GENERATE_UNIFORM, 256, 0, 4294967040.0, "u32, 256 bins, uniform"},
    {HD_U32, GENERATE_ZIPF, 256, 0, 65536, "u32, 256 bins, zipf"},
    {HD_U32, GENERATE_CONSTANT, 256, 0, 256, "u32, 256 bins, constant"},
    {HD_F32, GENERATE_UNIFORM, 256, 0, 1, "f32, 256 bins, uniform"},
    {HD_F32, GENERATE_CONSTANT, 256, 0, 2, "f32, 256 bins, constant"},
    {HD_U64, GENERATE_UNIFORM, 256, 0, 18446744073709549568.0, "u64, 256 bins, uniform"},
    {HD_F64, GENERATE_UNIFORM, 256, 0, 1, "f64, 256 bins, uniform"},
    {HD_U32, GENERATE_UNIFORM, 4096, 0, 4294963200.0, "u32, 4096 bins, uniform"},
    {HD_U32, GENERATE_CONSTANT, 4096, 0, 4096, "u32, 4096 bins, constant"},
    {HD_U32, GENERATE_UNIFORM, 65536, 0, 4294901760.0, "u32, 65536 bins, uniform"},
    {HD_U32, GENERATE_CONSTANT, 65536, 0, 65536, "u32, 65536 bins, constant"}};

static hd_bins bins_of(const bench_case *c)
{
    hd_bins bins;
    bins.low = c->numbers[0];
    bins.high = c->numbers[1];
    bins.count = c->sizes[0];
    return bins;
}

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    if (bench_fill(b, a->in[0], c->n, c->type, (int)c->sizes[1], 1) < 0)
        return bench_failed_call(b);
    return 0;
}

static hd_status histogram(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_bins bins = bins_of(c);
    return hd_histogram(a->in[0], c->n, c->type, &bins, HD_U32, a->out[0], NULL, bench_workspace(b),
                        bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    const uint32_t bins = (uint32_t)c->sizes[0];
    if (c->type == HD_U8)
        plain_histogram_u8(a->in[0], c->n, (uint32_t)c->numbers[0], (uint32_t)c->numbers[1], bins,
                           a->out[0]);
    else if (c->type == HD_U32)
        plain_histogram_u32(a->in[0], c->n, (uint64_t)c->numbers[0], (uint64_t)c->numbers[1], bins,
                            a->out[0]);
    else if (c->type == HD_U64)
        plain_histogram_u64(a->in[0], c->n, (uint64_t)c->numbers[0], (uint64_t)c->numbers[1], bins,
                            a->out[0]);
    else if (c->type == HD_F64)
        plain_histogram_f64(a->in[0], c->n, c->numbers[0], c->numbers[1], bins, a->out[0]);
    else
        plain_histogram_f32(a->in[0], c->n, (float)c->numbers[0], (float)c->numbers[1], bins,
                            a->out[0]);
}

static int add(bench *b, const histogram_row *row, size_t n)
{
    bench_case *c = bench_add(b);
    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%s", row->text);
    c->type = row->type;
    c->n = n;
    c->sizes[0] = row->bins;
    c->sizes[1] = (size_t)row->pattern;
    c->numbers[0] = row->low;
    c->numbers[1] = row->high;
    c->bytes = (double)n * (double)hd_type_bytes(row->type);
    c->in_bytes[0] = n * hd_type_bytes(row->type);
    c->out_bytes[0] = row->bins * sizeof(uint32_t);
    c->ceiling = BENCH_READ;
    c->fill = fill;
    c->run = histogram;
    c->plain = plain;
    c->vendor = "histogram";
    const hd_bins bins = bins_of(c);
    if (hd_histogram_workspace(n, row->type, &bins, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    return 0;
}

static int list(bench *b)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t i = 0; i < bench_size_count(b); i++)
            if (add(b, &rows[r], bench_size(b, i)) < 0)
                return -1;
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^12,2^16,2^20,2^24,2^28", "2^12,2^16,2^20,2^24");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};
const cli_command cli_command_bench_histogram = {
    "bench histogram",
    "time histograms of uniform and skewed elements (--vendor: against CUB)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench histogram --vendor\n"
    "  heddle bench histogram --only u8 --sizes 2^28\n",
    run};
