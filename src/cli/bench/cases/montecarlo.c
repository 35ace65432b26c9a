/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.c - `heddle bench montecarlo`: paths and steps per second, compared with the vendor's
   generator in a kernel of the same paths; on the CPU with plain C. */
#include <math.h>
#include <stdio.h>

#include <heddle/montecarlo.h>

#include "cli/bench/case.h"
#include "cli/bench/kernels/bench.h"
#include "cli/bench/plain/random.h"

enum { STEPS = 100 };

static hd_montecarlo_model model_of(const bench_case *c)
{
    hd_montecarlo_model model = hd_montecarlo_default();

    model.payoff = (hd_payoff)c->sizes[1];
    model.normals = (hd_normals)c->sizes[2];
    model.steps = STEPS;
    return model;
}

static hd_status run_case(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_montecarlo_model model = model_of(c);

    return hd_montecarlo(&model, 0, c->n, a->out[0], bench_workspace(b), bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    const plain_payoff payoff = c->sizes[1] == HD_DIGITAL      ? PLAIN_DIGITAL
                                : c->sizes[1] == HD_ASIAN_CALL ? PLAIN_ASIAN
                                                               : PLAIN_EUROPEAN;

    plain_store_f64(c->sizes[2] == HD_NORMALS_SOBOL ? plain_sobol_paths(c->n, STEPS, payoff)
                                                    : plain_paths(c->n, STEPS, 1, payoff),
                    a->out[0]);
}

/* Two estimates of the same price must be within six standard errors. */
static int agree(bench *b, const bench_case *c, const bench_arrays *ours,
                 const bench_arrays *theirs)
{
    const hd_montecarlo_model model = model_of(c);
    hd_montecarlo_estimate e;
    hd_montecarlo_sums sums;
    double other = 0;

    if (hd_copy_blocking(&sums, (hd_montecarlo_sums *)ours->out[0], 1, bench_stream(b)) < 0 ||
        hd_montecarlo_estimate_of(&model, c->n, &sums, &e) < 0)
        return bench_failed_call(b);
    if (bench_vendor_values(b, theirs, &other, 1) < 0)
        return -1;
    other *= exp(-model.rate) / (double)c->n;
    if (!(fabs(other - e.value) <= 6 * 1.42 * e.error))
        return bench_failed(b, "%s: %g, the vendor has %g", c->text, e.value, other);
    return 0;
}

static int add(bench *b, size_t n, hd_payoff payoff, hd_normals normals)
{
    bench_case *c = bench_add(b);
    hd_montecarlo_model model;

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%s %s", hd_payoff_name(payoff), hd_normals_name(normals));
    c->n = n;
    c->type = HD_F32;
    c->variant = hd_payoff_name(payoff);
    c->sizes[0] = STEPS;
    c->sizes[1] = payoff;
    c->sizes[2] = normals;
    c->out_bytes[0] = 64;
    model = model_of(c);
    if (hd_montecarlo_workspace(&model, n, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    c->work = (double)n * STEPS;
    c->unit = "Gsteps/s";
    c->run = run_case;
    c->plain = plain;
    c->agreement = BENCH_OWN;
    c->agree = agree;
    if (payoff == HD_DIGITAL && normals != HD_NORMALS_SOBOL)
        c->vendor = "montecarlo";
    return 0;
}

static int list(bench *b)
{
    for (size_t i = 0; i < bench_size_count(b); i++) {
        const size_t n = bench_size(b, i);

        for (int normals = 0; normals < HD_NORMALS_COUNT_; normals++)
            if (add(b, n, HD_DIGITAL, (hd_normals)normals) < 0)
                return -1;
        if (add(b, n, HD_ASIAN_CALL, HD_NORMALS_FUSED) < 0 ||
            add(b, n, HD_EUROPEAN_CALL, HD_NORMALS_FUSED) < 0)
            return -1;
    }
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^18,2^20,2^24", "2^12");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_montecarlo = {
    "bench montecarlo",
    "time Monte Carlo paths",
    NULL,
    options,
    BENCH_NOTES
    "Sizes are numbers of paths of 100 steps; the rate is path-steps per second, each with two\n"
    "normals. The vendor side generates them in its kernel in every case.\n",
    "  heddle bench montecarlo --vendor --sizes 2^24\n",
    run,
};
