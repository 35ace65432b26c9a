/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - `heddle bench select`, `partition` and `unique`. */
#include <heddle/select.h>

#include <math.h>

#include "cli/bench/case.h"
#include "cli/bench/kernels/bench.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/histogram.h"

/* Outputs: the number, the selected elements, the rejected elements or run lengths. */
enum { COUNT, CHOSEN, OTHERS };

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    if (bench_fill(b, a->in[0], c->n, c->type, (int)c->sizes[0], 1) < 0)
        return bench_failed_call(b);
    if (c->in_bytes[1] && bench_fill(b, a->in[1], c->n, HD_U8, (int)c->sizes[1], 2) < 0)
        return bench_failed_call(b);
    return 0;
}

/* Adds a case of n elements of a pattern of which a fraction of about `share` is selected. */
static bench_case *add(bench *b, const char *text, hd_type type, size_t n, int pattern,
                       double share)
{
    bench_case *c = bench_add(b);
    if (!c)
        return NULL;
    snprintf(c->text, sizeof c->text, "%s", text);
    c->type = type;
    c->n = n;
    c->sizes[0] = (size_t)pattern;
    c->numbers[0] = share;
    c->in_bytes[0] = c->out_bytes[CHOSEN] = n * hd_type_bytes(type);
    c->out_bytes[COUNT] = sizeof(uint64_t);
    c->bytes = (double)c->in_bytes[0] * (1 + share);
    c->ceiling = BENCH_COPY;
    c->fill = fill;
    /* Minimum number of selected elements: for small n, six standard deviations below the mean. */
    const double mean = (double)n * share;
    const double least = 0.9 * mean - 6 * sqrt(mean * (1 - share));
    c->agree_bytes[CHOSEN] = (size_t)fmax(least, 1) * hd_type_bytes(type);
    c->agree_bytes[OTHERS] = c->agree_bytes[CHOSEN];
    if (hd_select_workspace(n, type, &c->workspace_bytes) < 0) {
        (void)bench_failed_call(b);
        return NULL;
    }
    return c;
}

static hd_where where_of(const bench_case *c, const bench_arrays *a)
{
    hd_where where = {HD_WHERE_LT, {0}, a->in[1]};
    if (a->in[1])
        where.kind = HD_WHERE_FLAGS;
    else if (c->type == HD_F32)
        where.value.f32 = (float)c->numbers[0];
    else
        where.value.f64 = c->numbers[0];
    return where;
}

static hd_status run_select(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_where where = where_of(c, a);
    return hd_select(a->in[0], c->n, c->type, &where, a->out[CHOSEN], a->out[COUNT],
                     bench_workspace(b), bench_stream(b));
}

static void plain_select(const bench_case *c, const bench_arrays *a)
{
    size_t count;
    if (a->in[1])
        count = plain_flagged_f32(a->in[0], a->in[1], c->n, a->out[CHOSEN]);
    else if (c->type == HD_F32)
        count = plain_select_f32(a->in[0], c->n, (float)c->numbers[0], a->out[CHOSEN]);
    else
        count = plain_select_f64(a->in[0], c->n, c->numbers[0], a->out[CHOSEN]);
    plain_store_u64(count, a->out[COUNT]);
}

static int list_select(bench *b)
{
    static const double shares[] = {0.5, 0.1, 0.9};
    for (size_t i = 0; i < bench_size_count(b); i++) {
        const size_t n = bench_size(b, i);
        for (size_t s = 0; s < 3; s++) {
            char text[BENCH_TEXT];
            snprintf(text, sizeof text, "select %.0f %%", 100 * shares[s]);
            bench_case *c = add(b, text, HD_F32, n, GENERATE_UNIFORM, shares[s]);
            if (!c)
                return -1;
            c->run = run_select;
            c->plain = plain_select;
            c->vendor = "select";
        }
        bench_case *c = add(b, "select 50 %", HD_F64, n, GENERATE_UNIFORM, 0.5);
        if (!c)
            return -1;
        c->run = run_select;
        c->plain = plain_select;
        c->vendor = "select";
        c = add(b, "select by flags", HD_F32, n, GENERATE_UNIFORM, 255.0 / 256);
        if (!c)
            return -1;
        c->in_bytes[1] = n;
        c->bytes += (double)n;
        c->run = run_select;
        c->plain = plain_select;
        c->vendor = "select";
        c->variant = "flags";
    }
    return 0;
}

static hd_status run_partition(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_where where = where_of(c, a);
    return hd_partition(a->in[0], c->n, c->type, &where, a->out[CHOSEN],
                        c->variant ? NULL : a->out[OTHERS], a->out[COUNT], bench_workspace(b),
                        bench_stream(b));
}

static void plain_partition(const bench_case *c, const bench_arrays *a)
{
    const float value = (float)c->numbers[0];
    plain_store_u64(
        c->variant ? plain_partition_one_f32(a->in[0], c->n, value, a->out[CHOSEN])
                   : plain_partition_f32(a->in[0], c->n, value, a->out[CHOSEN], a->out[OTHERS]),
        a->out[COUNT]);
}

/* CUB writes the rejected elements backwards from the end of one array. */
static int list_partition(bench *b)
{
    static const double shares[] = {0.5, 0.1, 0.9};
    for (size_t i = 0; i < bench_size_count(b); i++)
        for (size_t s = 0; s < 4; s++) {
            const size_t n = bench_size(b, i);
            char text[BENCH_TEXT];
            snprintf(text, sizeof text, "partition %.0f %%%s", 100 * shares[s % 3],
                     s == 3 ? ", one array" : "");
            bench_case *c = add(b, text, HD_F32, n, GENERATE_UNIFORM, shares[s % 3]);
            if (!c)
                return -1;
            c->out_bytes[OTHERS] = c->in_bytes[0];
            c->bytes = 2.0 * (double)c->in_bytes[0];
            c->run = run_partition;
            c->plain = plain_partition;
            c->vendor = "partition";
            c->variant = s == 3 ? "one array" : NULL;
            c->agreement = BENCH_NOTHING;
        }
    return 0;
}

static hd_status run_unique(bench *b, const bench_case *c, const bench_arrays *a)
{
    if (c->out_bytes[OTHERS])
        return hd_run_lengths(a->in[0], c->n, c->type, a->out[CHOSEN], HD_U32, a->out[OTHERS],
                              a->out[COUNT], bench_workspace(b), bench_stream(b));
    return hd_unique(a->in[0], c->n, c->type, a->out[CHOSEN], a->out[COUNT], bench_workspace(b),
                     bench_stream(b));
}

static void plain_unique(const bench_case *c, const bench_arrays *a)
{
    plain_store_u64(c->out_bytes[OTHERS]
                        ? plain_runs_u32(a->in[0], c->n, a->out[CHOSEN], a->out[OTHERS])
                        : plain_unique_u32(a->in[0], c->n, a->out[CHOSEN]),
                    a->out[COUNT]);
}

/* In a zipf pattern 127 of 128 elements differ from their predecessor. */
static int list_unique(bench *b)
{
    for (size_t i = 0; i < bench_size_count(b); i++)
        for (size_t s = 0; s < 4; s++) {
            const size_t n = bench_size(b, i);
            const int same = s % 2 == 1, lengths = s >= 2;
            char text[BENCH_TEXT];
            snprintf(text, sizeof text, "%s, %s", lengths ? "run lengths" : "unique",
                     same ? "constant" : "zipf");
            bench_case *c = add(b, text, HD_U32, n, same ? GENERATE_CONSTANT : GENERATE_ZIPF,
                                same ? 0 : 127.0 / 128);
            if (!c)
                return -1;
            if (same)
                c->agree_bytes[CHOSEN] = c->agree_bytes[OTHERS] = 4;
            if (lengths) {
                c->out_bytes[OTHERS] = c->in_bytes[0];
                c->bytes += (c->bytes - (double)c->in_bytes[0]);
            }
            c->run = run_unique;
            c->plain = plain_unique;
            c->vendor = lengths ? "run_lengths" : "unique";
        }
    return 0;
}

#define SIZES "2^10..2^28", "2^12,2^16,2^20,2^24"

static int run_bench_select(const cli_arguments *arguments)
{
    return bench_main(arguments, list_select, SIZES);
}

static int run_bench_partition(const cli_arguments *arguments)
{
    return bench_main(arguments, list_partition, SIZES);
}

static int run_bench_unique(const cli_arguments *arguments)
{
    return bench_main(arguments, list_unique, SIZES);
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};
const cli_command cli_command_bench_select = {
    "bench select",
    "time stable selection of elements (--vendor: against CUB)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench select --vendor\n",
    run_bench_select};
const cli_command cli_command_bench_partition = {
    "bench partition",
    "time stable partition (--vendor: against CUB, which is not stable)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench partition --vendor\n",
    run_bench_partition};
const cli_command cli_command_bench_unique = {
    "bench unique",
    "time unique elements and run lengths (--vendor: against CUB)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench unique --vendor\n",
    run_bench_unique};
