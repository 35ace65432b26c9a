/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.c - `heddle bench tridiag`: batches of tridiagonal systems in both layouts. */
#include <stdlib.h>

#include <heddle/tridiag.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/plain.h"

enum { LOWER, DIAGONAL, UPPER, RIGHT, SINGULAR };

static hd_tridiag_batch batch_of(const bench_case *c)
{
    const hd_tridiag_batch batch = {c->sizes[0], c->sizes[1], c->sizes[2], c->type};

    return batch;
}

/* Off-diagonals in [0, 1), diagonal about 2.5: repeating one word gives such a number in both
   types. */
static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    const size_t n = c->sizes[0] * c->sizes[1], words = hd_type_bytes(c->type) / 4;
    hd_status status = bench_fill(b, a->in[LOWER], n, c->type, GENERATE_UNIFORM, 1);

    if (status >= 0)
        status = bench_fill(b, a->in[UPPER], n, c->type, GENERATE_UNIFORM, 2);
    if (status >= 0)
        status = bench_fill(b, a->in[RIGHT], n, c->type, GENERATE_UNIFORM, 3);
    if (status >= 0)
        status = hd_fill_bytes(a->in[DIAGONAL], 0x40204020u, 4, n * words, bench_stream(b));
    return status < 0 ? bench_failed_call(b) : 0;
}

static hd_status run_tridiag(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_tridiag_batch batch = batch_of(c);

    return hd_tridiag(&batch, a->in[LOWER], a->in[DIAGONAL], a->in[UPPER], a->in[RIGHT], a->out[0],
                      a->in[SINGULAR], c->workspace_bytes ? bench_workspace(b) : NULL,
                      bench_stream(b));
}

static int check(bench *b, const bench_case *c, const bench_arrays *a)
{
    (void)c;
    return hd_tridiag_check(a->in[SINGULAR], bench_stream(b)) < 0 ? bench_failed_call(b) : 0;
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_tridiag_f32(c->sizes[0], c->sizes[1], c->sizes[2], a->in[LOWER], a->in[DIAGONAL],
                          a->in[UPPER], a->in[RIGHT], a->out[0], c->own);
    else
        plain_tridiag_f64(c->sizes[0], c->sizes[1], c->sizes[2], a->in[LOWER], a->in[DIAGONAL],
                          a->in[UPPER], a->in[RIGHT], a->out[0], c->own);
}

static void destroy(bench_case *c)
{
    free(c->own);
}

/* 65,536 systems, or fewer so that they have at most 2^26 rows in all; 1024 on the CPU. */
static int add_case(bench *b, hd_type type, int interleaved, size_t rows)
{
    const size_t most = ((size_t)1 << 26) / (rows ? rows : 1),
                 wanted = bench_is_cpu(b) ? 1024 : 65536;
    const size_t systems = most < 1 ? 1 : most < wanted ? most : wanted;
    bench_case *c = rows ? bench_add(b) : NULL;
    hd_tridiag_batch batch;

    if (!c)
        return rows ? -1 : 0;
    snprintf(c->text, sizeof c->text, "%s", interleaved ? "interleaved" : "contiguous");
    snprintf(c->shape, sizeof c->shape, "%zu x %zu", systems, rows);
    c->variant = interleaved ? "interleaved" : "contiguous";
    c->type = type;
    c->n = rows * systems;
    c->sizes[0] = rows;
    c->sizes[1] = systems;
    c->sizes[2] = interleaved ? systems : 1;
    for (int k = LOWER; k <= RIGHT; k++)
        c->in_bytes[k] = c->n * hd_type_bytes(type);
    c->in_bytes[SINGULAR] = sizeof(uint64_t);
    c->out_bytes[0] = c->in_bytes[LOWER];
    c->bytes = 5.0 * (double)c->in_bytes[LOWER];
    c->ceiling = BENCH_TRIAD;
    c->fill = fill;
    c->run = run_tridiag;
    c->check = check;
    c->vendor = "tridiag";
    c->plain = plain;
    c->agreement = BENCH_NEAR;
    c->tolerance = type == HD_F32 ? 1e-5 : 1e-13;
    c->destroy = destroy;
    c->own = bench_is_cpu(b) ? malloc(c->in_bytes[LOWER]) : NULL;
    batch = batch_of(c);
    if (hd_tridiag_workspace(&batch, HD_TRIDIAG_AUTO, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    return bench_is_cpu(b) && !c->own ? bench_failed(b, "out of memory") : 0;
}

static int list(bench *b)
{
    int status = 0;

    for (int kind = 0; kind < 4 && status == 0; kind++)
        for (size_t i = 0; i < bench_size_count(b) && status == 0; i++)
            status = add_case(b, kind < 2 ? HD_F32 : HD_F64, kind % 2, bench_size(b, i));
    return status;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "64,128,256,512,1000,1021,1024,4096,65536",
                      "64,256,1000,1024");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_tridiag = {
    "bench tridiag",
    "time batches of tridiagonal systems",
    NULL,
    options,
    BENCH_NOTES
    "Sizes are rows per system. GB/s counts each of the five arrays once. The vendor's calls\n"
    "overwrite their inputs, which are copied only in the first run.\n",
    "  heddle bench tridiag --vendor\n"
    "  heddle bench tridiag --only interleaved --sizes 1024\n",
    run,
};
