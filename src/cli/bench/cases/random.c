/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - `heddle bench random`: arrays of random numbers compared with the vendor's generators;
   on the CPU with plain C. */
#include <stdio.h>

#include <heddle/random.h>

#include "cli/bench/case.h"
#include "cli/bench/plain/random.h"

enum { SOBOL_DIMENSIONS = 16, SEED = 1 };

/* X(case's name, generator, call, type, plain): `device` compares the vendor's functions inside a
   kernel with the same heddle call. */
#define CASES(X)                                                                                   \
    X("philox bits", HD_PHILOX, "bits", HD_U32, plain_bits)                                        \
    X("philox uniform", HD_PHILOX, "uniform", HD_F32, plain_f32_uniform)                           \
    X("philox normal", HD_PHILOX, "normal", HD_F32, plain_f32_normal)                              \
    X("philox normal device", HD_PHILOX, "normal device", HD_F32, plain_f32_normal)                \
    X("philox uniform device", HD_PHILOX, "uniform device", HD_F32, plain_f32_uniform)             \
    X("philox lognormal", HD_PHILOX, "lognormal", HD_F32, plain_lognormal)                         \
    X("philox uniform f64", HD_PHILOX, "uniform", HD_F64, plain_f64_uniform)                       \
    X("philox normal f64", HD_PHILOX, "normal", HD_F64, plain_f64_normal)                          \
    X("philox poisson 4", HD_PHILOX, "poisson 4", HD_U32, plain_poisson)                           \
    X("philox poisson 100", HD_PHILOX, "poisson 100", HD_U32, plain_poisson)                       \
    X("mrg32k3a uniform", HD_MRG32K3A, "uniform", HD_F32, plain_mrg32k3a)                          \
    X("xorwow uniform", HD_XORWOW, "uniform", HD_F32, plain_xorwow)                                \
    X("mt19937 uniform", HD_MT19937, "uniform", HD_F32, plain_mt19937)                             \
    X("sobol 16 dimensions", HD_PHILOX, "sobol", HD_F32, plain_sobol)

static void plain_f32_uniform(const bench_case *c, const bench_arrays *a)
{
    plain_uniform_f32(c->n, SEED, a->out[0]);
}

static void plain_f32_normal(const bench_case *c, const bench_arrays *a)
{
    plain_normal_f32(c->n, SEED, a->out[0]);
}

static void plain_f64_normal(const bench_case *c, const bench_arrays *a)
{
    plain_normal_f64(c->n, SEED, a->out[0]);
}

static void plain_bits(const bench_case *c, const bench_arrays *a)
{
    plain_bits_u32(c->n, SEED, a->out[0]);
}

static void plain_f64_uniform(const bench_case *c, const bench_arrays *a)
{
    plain_uniform_f64(c->n, SEED, a->out[0]);
}

static void plain_lognormal(const bench_case *c, const bench_arrays *a)
{
    plain_lognormal_f32(c->n, SEED, a->out[0]);
}

static void plain_poisson(const bench_case *c, const bench_arrays *a)
{
    plain_poisson_u32(c->n, SEED, c->numbers[0], a->out[0]);
}

static void plain_mrg32k3a(const bench_case *c, const bench_arrays *a)
{
    plain_mrg32k3a_f32(c->n, SEED, a->out[0]);
}

static void plain_xorwow(const bench_case *c, const bench_arrays *a)
{
    plain_xorwow_f32(c->n, SEED, a->out[0]);
}

static void plain_mt19937(const bench_case *c, const bench_arrays *a)
{
    plain_mt19937_f32(c->n, SEED, a->out[0]);
}

static void plain_sobol(const bench_case *c, const bench_arrays *a)
{
    plain_sobol_f32(c->n / SOBOL_DIMENSIONS, SOBOL_DIMENSIONS, a->out[0]);
}

static hd_status run_case(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_random from = {(hd_random_generator)c->sizes[0], SEED, 0, 0};
    hd_stream *stream = bench_stream(b);

    switch (c->variant[0]) {
    case 'b':
        return hd_random_fill_bits(a->out[0], c->n, c->type, &from, stream);
    case 'u':
        return hd_random_fill_uniform(a->out[0], c->n, c->type, &from, stream);
    case 'n':
        return hd_random_fill_normal(a->out[0], c->n, c->type, 0, 1, &from, stream);
    case 'l':
        return hd_random_fill_lognormal(a->out[0], c->n, c->type, 0, 1, &from, stream);
    case 'p':
        return hd_random_fill_poisson(a->out[0], c->n, c->numbers[0], &from, stream);
    default:
        return hd_random_fill_sobol(a->out[0], c->n / SOBOL_DIMENSIONS, SOBOL_DIMENSIONS, c->type,
                                    HD_SOBOL_SCRAMBLED, &from, bench_workspace(b), stream);
    }
}

static int add(bench *b, size_t n, const char *text, hd_random_generator generator,
               const char *variant, hd_type type,
               void (*plain)(const bench_case *, const bench_arrays *))
{
    bench_case *c = bench_add(b);

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%s", text);
    c->n = n;
    c->type = type;
    c->variant = variant;
    c->sizes[0] = generator;
    c->sizes[1] = SOBOL_DIMENSIONS;
    c->numbers[0] = variant[0] == 'p' ? (variant[8] == '4' ? 4 : 100) : 0;
    c->out_bytes[0] = n * hd_type_bytes(type);
    if (variant[0] == 's' && hd_random_sobol_workspace(SOBOL_DIMENSIONS, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    c->bytes = (double)c->out_bytes[0];
    c->work = (double)n;
    c->unit = "Gsamples/s";
    c->ceiling = BENCH_WRITE;
    c->run = run_case;
    c->plain = plain;
    c->vendor = "random";
    c->agreement = BENCH_NOTHING; /* bits and rounding differ */
    return 0;
}

static int list(bench *b)
{
    for (size_t i = 0; i < bench_size_count(b); i++) {
        const size_t n = bench_size(b, i) / 64 * 64;
#define ADD_(text, generator, variant, type, plain)                                                \
    if (n > 0 && add(b, n, text, generator, variant, type, plain) < 0)                             \
        return -1;
        CASES(ADD_)
#undef ADD_
    }
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^20,2^24,2^28", "2^16,2^20");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_random = {
    "bench random",
    "time the generation of random numbers",
    NULL,
    options,
    BENCH_NOTES "Sizes are rounded down to multiples of 64. "
                "'device' compares the same call with a kernel that\n"
                "uses the device functions of the vendor library.\n",
    "  heddle bench random --vendor --sizes 2^28\n"
    "  heddle bench random --only normal --json\n",
    run,
};
