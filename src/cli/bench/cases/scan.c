/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - `heddle bench scan`: inclusive sums compared with the vendor library, segments; `heddle
   bench recurrence`: recurrences and running averages. */
#include <heddle/recurrence.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/scan.h"

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    for (int i = 0; i < 2; i++) {
        const hd_type type = i == 1 && c->in_bytes[1] == c->n ? HD_U8 : c->type;
        if (a->in[i] && bench_fill(b, a->in[i], c->n, type, GENERATE_UNIFORM, (uint64_t)i + 1) < 0)
            return bench_failed_call(b);
    }
    return 0;
}

static hd_status run_scan(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_scan(a->in[0], c->n, c->type, HD_SUM, HD_SCAN_INCLUSIVE, NULL, a->out[0],
                   bench_workspace(b), bench_stream(b));
}

static hd_status run_segments(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_scan_segments(a->in[0], a->in[1], HD_U8, c->n, c->type, HD_SUM, HD_SCAN_INCLUSIVE,
                            NULL, a->out[0], bench_workspace(b), bench_stream(b));
}

static hd_status run_recurrence(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_recurrence(a->in[0], a->in[1], c->n, c->type, NULL, a->out[0], bench_workspace(b),
                         bench_stream(b));
}

static hd_status run_average(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_running_average(a->in[0], a->in[1], c->n, c->type, a->out[0], bench_workspace(b),
                              bench_stream(b));
}

static void plain_scan(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_scan_f32(a->in[0], c->n, a->out[0]);
    else if (c->type == HD_F64)
        plain_scan_f64(a->in[0], c->n, a->out[0]);
    else if (c->type == HD_U32)
        plain_scan_u32(a->in[0], c->n, a->out[0]);
    else
        plain_scan_u64(a->in[0], c->n, a->out[0]);
}

static void plain_segments(const bench_case *c, const bench_arrays *a)
{
    plain_segments_f32(a->in[0], a->in[1], c->n, a->out[0]);
}

static void plain_recurrence(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_recurrence_f32(a->in[0], a->in[1], c->n, a->out[0]);
    else
        plain_recurrence_f64(a->in[0], a->in[1], c->n, a->out[0]);
}

static void plain_average(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_average_f32(a->in[0], a->in[1], c->n, a->out[0]);
    else
        plain_average_f64(a->in[0], a->in[1], c->n, a->out[0]);
}

/* Adds a case whose second input has `second` bytes. */
static bench_case *add(bench *b, const char *text, hd_type type, size_t n, size_t second)
{
    const size_t bytes = n * hd_type_bytes(type);
    bench_case *c = bench_add(b);
    if (!c)
        return NULL;
    snprintf(c->text, sizeof c->text, "%s", text);
    c->type = type;
    c->n = n;
    c->in_bytes[0] = c->out_bytes[0] = bytes;
    c->in_bytes[1] = second;
    c->bytes = 2.0 * (double)bytes + (double)second;
    c->ceiling = second == bytes ? BENCH_TRIAD : BENCH_COPY;
    c->fill = fill;
    if (hd_scan_workspace(HD_SCAN_AUTO, n, type, &c->workspace_bytes) < 0) {
        (void)bench_failed_call(b);
        return NULL;
    }
    return c;
}

static int add_sum(bench *b, hd_type type, size_t n)
{
    bench_case *c = add(b, "inclusive sum", type, n, 0);
    if (!c)
        return -1;
    c->run = run_scan;
    c->plain = plain_scan;
    c->vendor = "scan";
    c->agreement = type == HD_F32 || type == HD_F64 ? BENCH_NEAR : BENCH_BITS;
    c->tolerance = type == HD_F32 ? 1e-2 : 1e-9;
    return 0;
}

static int list_scans(bench *b)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_U32, HD_U64};
    for (size_t i = 0; i < bench_size_count(b); i++) {
        const size_t n = bench_size(b, i);
        bench_case *segments;
        for (size_t t = 0; t < 4; t++)
            if (add_sum(b, types[t], n) < 0)
                return -1;
        segments = add(b, "segmented sum", HD_F32, n, n);
        if (!segments)
            return -1;
        segments->run = run_segments;
        segments->plain = plain_segments;
        segments->agreement = BENCH_NEAR;
        segments->tolerance = 1e-5;
    }
    return 0;
}

static int list_recurrences(bench *b)
{
    static const hd_type types[] = {HD_F32, HD_F64};
    for (size_t i = 0; i < bench_size_count(b); i++)
        for (size_t t = 0; t < 2; t++)
            for (int average = 0; average < 2; average++) {
                const size_t n = bench_size(b, i), bytes = n * hd_type_bytes(types[t]);
                bench_case *c = add(b, average ? "running average" : "recurrence", types[t], n,
                                    bytes);
                if (!c)
                    return -1;
                if (hd_recurrence_workspace(n, types[t], &c->workspace_bytes) < 0)
                    return bench_failed_call(b);
                c->run = average ? run_average : run_recurrence;
                c->plain = average ? plain_average : plain_recurrence;
                c->agreement = BENCH_NEAR;
                c->tolerance = types[t] == HD_F32 ? 1e-3 : 1e-10;
            }
    return 0;
}

static int run_scans(const cli_arguments *arguments)
{
    return bench_main(arguments, list_scans, "2^10..2^28", "2^10..2^24");
}

static int run_recurrences(const cli_arguments *arguments)
{
    return bench_main(arguments, list_recurrences, "2^10..2^28", "2^10..2^24");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_scan = {
    "bench scan",
    "time scans against a copy (--vendor: also CUB)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench scan --vendor\n  heddle bench scan --only sum --sizes 2^28 --json\n",
    run_scans,
};
const cli_command cli_command_bench_recurrence = {
    "bench recurrence",
    "time recurrences and running averages against the STREAM triad",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench recurrence --sizes 2^28\n",
    run_recurrences,
};
