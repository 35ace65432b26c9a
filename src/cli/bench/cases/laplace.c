/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.c - `heddle bench laplace` and `laplace3d`: one pass of Jacobi sweeps over memory, with
   the norm of every sweep, compared with hand-written kernels that make one sweep per pass. */
#include <heddle/laplace.h>

#include "cli/bench/case.h"
#include "cli/bench/plain/plain.h"

static hd_jacobi problem_of(const bench_case *c)
{
    hd_jacobi p = {0};
    p.type = c->type;
    p.nx = c->sizes[0];
    p.ny = c->sizes[1];
    p.nz = c->sizes[2];
    p.sweeps = p.depth = (unsigned)c->sizes[3];
    return p;
}

/* One pass, from in[0] to out[0]; norms go to in[1], as in the reference kernels. */
static hd_status run_2d(bench *b, const bench_case *c, const bench_arrays *a)
{
    hd_jacobi p = problem_of(c);
    void *result;
    p.norms = a->in[1];
    return hd_jacobi2d(&p, a->in[0], a->out[0], &result, bench_workspace(b), bench_stream(b));
}

static hd_status run_3d(bench *b, const bench_case *c, const bench_arrays *a)
{
    hd_jacobi p = problem_of(c);
    void *result;
    p.norms = a->in[1];
    return hd_jacobi3d(&p, a->in[0], a->out[0], &result, bench_workspace(b), bench_stream(b));
}

static void plain_2d(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_jacobi2d_f32(c->sizes[0], c->sizes[1], a->in[0], a->out[0], a->in[1]);
    else
        plain_jacobi2d_f64(c->sizes[0], c->sizes[1], a->in[0], a->out[0], a->in[1]);
}

static void plain_3d(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_jacobi3d_f32(c->sizes[0], c->sizes[1], c->sizes[2], a->in[0], a->out[0], a->in[1]);
    else
        plain_jacobi3d_f64(c->sizes[0], c->sizes[1], c->sizes[2], a->in[0], a->out[0], a->in[1]);
}

/* n^2 or n^3 cells, `sweeps` per pass. */
static int add(bench *b, size_t n, hd_type type, unsigned sweeps, int dimensions)
{
    const size_t element = hd_type_bytes(type), cells = n * n * (dimensions == 3 ? n : 1);
    bench_case *c = bench_add(b);
    hd_jacobi p;
    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%u sweep%s per pass", sweeps, sweeps == 1 ? "" : "s");
    snprintf(c->shape, sizeof c->shape, dimensions == 3 ? "%zu^3" : "%zu^2", n);
    c->type = type;
    c->n = cells;
    c->sizes[0] = c->sizes[1] = n;
    c->sizes[2] = dimensions == 3 ? n : 1;
    c->sizes[3] = sweeps;
    c->in_bytes[0] = c->out_bytes[0] = cells * element;
    c->in_bytes[1] = 8 * sizeof(double);
    c->bytes = 2.0 * (double)(cells * element);
    c->ceiling = BENCH_COPY;
    c->work = (double)cells * sweeps;
    c->unit = "GLUP/s";
    c->run = dimensions == 3 ? run_3d : run_2d;
    c->plain = sweeps > 1 ? NULL : dimensions == 3 ? plain_3d : plain_2d;
    c->vendor = dimensions == 3 ? "jacobi3d" : "jacobi2d";
    p = problem_of(c);
    p.norms = (double *)(void *)c; /* any pointer: the size does not depend on it */
    if ((dimensions == 3 ? hd_jacobi3d_workspace(&p, &c->workspace_bytes)
                         : hd_jacobi2d_workspace(&p, &c->workspace_bytes)) < 0)
        return bench_failed_call(b);
    return 0;
}

static int list(bench *b, int dimensions)
{
    static const struct {
        hd_type type;
        unsigned sweeps;
    } cases[] = {{HD_F32, 1}, {HD_F32, 2}, {HD_F32, 4}, {HD_F32, 8},
                 {HD_F64, 1}, {HD_F64, 2}, {HD_F64, 4}};
    for (size_t i = 0; i < bench_size_count(b); i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            if (cases[k].sweeps > (bench_is_cpu(b) ? 1u : dimensions == 3 ? 2u : 8u))
                continue;
            if (add(b, bench_size(b, i), cases[k].type, cases[k].sweeps, dimensions) != 0)
                return -1;
        }
    return 0;
}

static int list_2d(bench *b)
{
    return list(b, 2);
}

static int list_3d(bench *b)
{
    return list(b, 3);
}

static int run_bench_2d(const cli_arguments *arguments)
{
    return bench_main(arguments, list_2d, "2^10..2^14", "2^8..2^12");
}

static int run_bench_3d(const cli_arguments *arguments)
{
    return bench_main(arguments, list_3d, "256,512,1024", "64,256");
}

#define NOTES                                                                                      \
    BENCH_NOTES                                                                                    \
    "GLUP/s: 10^9 cell updates per second. The norm of every sweep is computed. The reference\n"   \
    "does the same number of sweeps, one per pass over memory; "                                   \
    "its field has to be bitwise\n"                                                                \
    "equal. The ceiling is one copy of the field.\n"

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};
const cli_command cli_command_bench_laplace = {
    "bench laplace",
    "time Jacobi sweeps of square fields",
    NULL,
    options,
    NOTES,
    "  heddle bench laplace --vendor\n"
    "  heddle bench laplace --sizes 4096 --only \"1 sweep\"\n",
    run_bench_2d};
const cli_command cli_command_bench_laplace3d = {"bench laplace3d",
                                                 "time Jacobi sweeps of cubes",
                                                 NULL,
                                                 options,
                                                 NOTES,
                                                 "  heddle bench laplace3d --vendor\n",
                                                 run_bench_3d};
