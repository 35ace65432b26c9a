/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - `heddle bench batch`: small heat problems in shared memory. */
#include <stdlib.h>

#include <heddle/batch.h>

#include "cli/bench/batch_reference.h"
#include "cli/bench/case.h"

enum { STEPS = 100 };

static const struct {
    hd_type type;
    size_t nx, ny;
} kinds[] = {
    {HD_F32, 128, 0}, {HD_F32, 1024, 0},  {HD_F32, 4096, 0}, {HD_F32, 16, 16}, {HD_F32, 32, 32},
    {HD_F32, 64, 64}, {HD_F32, 128, 100}, {HD_F64, 1024, 0}, {HD_F64, 32, 32}, {HD_F64, 64, 64},
};

static hd_heat_batch batch_of(const bench_case *c)
{
    hd_heat_batch batch = {c->sizes[0], c->sizes[1], c->sizes[2], STEPS, 0.2, NULL};

    return batch;
}

static hd_status run_batch(bench *b, const bench_case *c, const bench_arrays *a)
{
    hd_heat_batch batch = batch_of(c);

    return hd_batch_heat(&batch, c->type, a->in[0], a->out[0], bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    hd_heat_batch batch = batch_of(c);

    batch_plain(&batch, c->type, a->in[0], a->out[0], c->own);
}

static void destroy(bench_case *c)
{
    free(c->own);
}

/* A case of about n points; skipped if a problem does not fit in shared memory. */
static int add_case(bench *b, size_t kind, size_t n)
{
    size_t nx = kinds[kind].nx, ny = kinds[kind].ny, points = nx * (ny ? ny : 1), limit;
    bench_case *c;

    if (hd_batch_heat_limit(kinds[kind].type, bench_device(b), &limit) < 0)
        return bench_failed_call(b);
    if (points > limit || n < points)
        return 0;
    c = bench_add(b);
    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, ny ? "heat %zu x %zu" : "heat %zu", nx, ny);
    c->type = kinds[kind].type;
    c->n = n / points * points;
    c->sizes[0] = n / points;
    c->sizes[1] = nx;
    c->sizes[2] = ny;
    c->in_bytes[0] = c->out_bytes[0] = c->n * hd_type_bytes(c->type);
    c->bytes = 2.0 * (double)c->in_bytes[0];
    c->work = (double)c->n * STEPS;
    c->unit = "GLUP/s";
    c->ceiling = BENCH_COPY;
    c->run = run_batch;
    c->plain = plain;
    c->destroy = destroy;
    c->own = malloc(points * hd_type_bytes(c->type));
    return c->own ? 0 : bench_failed(b, "out of memory");
}

static int list(bench *b)
{
    int status = 0;

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && status == 0; kind++)
        for (size_t i = 0; i < bench_size_count(b) && status == 0; i++)
            status = add_case(b, kind, bench_size(b, i));
    return status;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^24,2^27", "2^20");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_batch = {
    "bench batch",
    "time small heat problems in shared memory",
    NULL,
    options,
    BENCH_NOTES "Each problem runs 100 steps; n is the number of points of all problems.\n",
    "  heddle bench batch --vendor\n"
    "  heddle bench batch --only '32 x 32' --sizes 2^24\n",
    run,
};
