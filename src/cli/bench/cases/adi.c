/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - `heddle bench adi`: ADI (alternating direction implicit) steps on a cube. */
#include <stdlib.h>
#include <string.h>

#include <heddle/adi.h>
#include <heddle/tridiag.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/plain.h"

#define RATE 2.0

enum { START, SINGULAR };

static hd_adi_grid grid_of(const bench_case *c)
{
    const hd_adi_grid grid = {c->sizes[0], c->sizes[0], c->sizes[0], c->type, RATE};
    return grid;
}

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    return bench_fill(b, a->in[START], c->n, c->type, GENERATE_UNIFORM, 1) < 0
               ? bench_failed_call(b)
               : 0;
}

/* From the same start each time, so that the field does not decay. */
static hd_status run_adi(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_adi_grid grid = grid_of(c);
    HD_TRY(hd_copy_bytes(a->out[0], a->in[START], c->n, hd_type_bytes(c->type), bench_stream(b)));
    return hd_adi_steps(&grid, 1, a->out[0], a->in[SINGULAR], bench_workspace(b), bench_stream(b));
}

static int check(bench *b, const bench_case *c, const bench_arrays *a)
{
    (void)c;
    return hd_tridiag_check(a->in[SINGULAR], bench_stream(b)) < 0 ? bench_failed_call(b) : 0;
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    memcpy(a->out[0], a->in[START], c->n * hd_type_bytes(c->type));
    if (c->type == HD_F32)
        plain_adi_f32(c->sizes[0], (float)RATE, a->out[0], c->own);
    else
        plain_adi_f64(c->sizes[0], RATE, a->out[0], c->own);
}

static void destroy(bench_case *c)
{
    free(c->own);
}

static int add(bench *b, hd_type type, size_t edge)
{
    const size_t size = hd_type_bytes(type);
    bench_case *c = bench_add(b);
    hd_adi_grid grid;

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "step");
    snprintf(c->shape, sizeof c->shape, "%zu^3", edge);
    c->type = type;
    c->n = edge * edge * edge;
    c->sizes[0] = edge;
    c->in_bytes[START] = c->out_bytes[0] = c->n * size;
    c->in_bytes[SINGULAR] = sizeof(uint64_t);
    c->bytes = 22.0 * (double)(c->n * size);
    c->ceiling = BENCH_COPY;
    c->fill = fill;
    c->run = run_adi;
    c->check = check;
    c->plain = plain;
    c->agreement = BENCH_NEAR;
    c->tolerance = type == HD_F32 ? 1e-5 : 1e-13;
    c->destroy = destroy;
    grid = grid_of(c);
    if (hd_adi_workspace(&grid, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    if (bench_is_cpu(b) && !(c->own = malloc((c->n + 2 * edge) * size)))
        return bench_failed(b, "out of memory");
    return 0;
}

static int list(bench *b)
{
    static const hd_type types[] = {HD_F32, HD_F64};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < bench_size_count(b); i++)
            if (add(b, types[t], bench_size(b, i)) < 0)
                return -1;
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "64,128,256", "32,64,128");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_adi = {
    "bench adi",
    "time steps of the heat equation on a cube",
    NULL,
    options,
    BENCH_NOTES
    "Sizes are points along each axis. A run copies the field and does one step: GB/s counts 22\n"
    "fields of memory traffic, as on GPUs; the CPU, with a table per axis, moves less.\n",
    "  heddle bench adi --sizes 256\n",
    run,
};
