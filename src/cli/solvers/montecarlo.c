/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.c - `heddle montecarlo`: the price of an option on two correlated assets. */
#include <math.h>
#include <string.h>

#include <heddle/montecarlo.h>

#include "cli/app/job.h"
#include "cli/app/words.h"

enum { SCRAMBLES = 16 };

typedef struct price {
    hd_montecarlo_model model;
    uint64_t paths, first; /* paths per call; Sobol: per scramble */
    hd_montecarlo_sums *sums;
    size_t calls; /* Sobol: one per scramble */
} price;

static hd_status simulate(void *state, hd_stream *stream)
{
    const price *p = state;
    hd_montecarlo_model model = p->model;

    for (size_t i = 0; i < p->calls; i++, model.seed++)
        HD_TRY(hd_montecarlo(&model, p->first, p->paths, p->sums + i, NULL, stream));
    return HD_OK;
}

/* ---- options -------------------------------------------------------------------------------- */

static int read_words(const cli_arguments *arguments, hd_montecarlo_model *model)
{
    static const char *const payoffs[] = {
#define PAYOFF_NAME_(name, text, what) text,
        HD_PAYOFF_LIST(PAYOFF_NAME_)
#undef PAYOFF_NAME_
    };
    static const char *const normals[] = {
#define NORMALS_NAME_(name, text, what) text,
        HD_NORMALS_LIST(NORMALS_NAME_)
#undef NORMALS_NAME_
    };
    size_t payoff = 0, source = 0;
    int status = cli_word_read(arguments, "payoff", payoffs, HD_PAYOFF_COUNT_, 0, &payoff);

    if (status == CLI_DONE)
        status = cli_word_read(arguments, "normals", normals, HD_NORMALS_COUNT_, 0, &source);
    model->payoff = (hd_payoff)payoff;
    model->normals = (hd_normals)source;
    model->antithetic = cli_option_given(arguments, "antithetic");
    return status;
}

static int read_numbers(const cli_arguments *arguments, hd_montecarlo_model *m)
{
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"spot", &m->spot},   {"strike", &m->strike},
                   {"rate", &m->rate},   {"volatility", &m->volatility},
                   {"years", &m->years}, {"correlation", &m->correlation}};
    int status = CLI_DONE;

    for (size_t i = 0; status == CLI_DONE && i < sizeof numbers / sizeof *numbers; i++)
        status = cli_number_read(arguments, numbers[i].name, *numbers[i].value, numbers[i].value);
    if (status == CLI_DONE && !(m->volatility > 0))
        status = cli_misused(arguments->command, "--volatility: %g is not above 0", m->volatility);
    if (status == CLI_DONE && !(m->years > 0))
        status = cli_misused(arguments->command, "--years: %g is not above 0", m->years);
    if (status == CLI_DONE && !(fabs(m->correlation) <= 1))
        status = cli_misused(arguments->command, "--correlation: %g is not from -1 to 1",
                             m->correlation);
    return status;
}

static int read_options(const cli_arguments *arguments, price *p)
{
    uint64_t steps = 100;
    int status;

    p->model = hd_montecarlo_default();
    status = read_words(arguments, &p->model);
    if (status == CLI_DONE)
        status = read_numbers(arguments, &p->model);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "paths", 1 << 20, 2, (uint64_t)1 << 32, &p->paths);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "steps", 100, 1, 65536, &steps);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "seed", 1, 0, UINT64_MAX, &p->model.seed);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "first", 0, 0, (uint64_t)1 << 32, &p->first);
    p->model.steps = (unsigned)steps;
    p->calls = p->model.normals == HD_NORMALS_SOBOL ? SCRAMBLES : 1;
    p->paths = p->paths / p->calls;
    if (status == CLI_DONE && p->paths < 2)
        return cli_misused(arguments->command, "--paths: at least %zu", 2 * p->calls);
    return status;
}

/* ---- result --------------------------------------------------------------------------------- */

/* From the scrambles' values, which are independent. */
static void combine(const hd_montecarlo_estimate *each, size_t count, hd_montecarlo_estimate *all)
{
    double squares = 0;

    all->value = 0;
    for (size_t i = 0; i < count; i++)
        all->value += each[i].value / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (each[i].value - all->value) * (each[i].value - all->value);
    all->error = sqrt(squares / (double)(count * (count - 1)));
    all->low = all->value - 2.131 * all->error; /* Student's t, 15 degrees of freedom */
    all->high = all->value + 2.131 * all->error;
}

static hd_status estimate(const price *p, hd_montecarlo_estimate *all, hd_stream *stream)
{
    hd_montecarlo_estimate each[SCRAMBLES];
    hd_montecarlo_sums sums[SCRAMBLES];

    HD_TRY(hd_copy_blocking(sums, p->sums, p->calls, stream));
    for (size_t i = 0; i < p->calls; i++)
        HD_TRY(hd_montecarlo_estimate_of(&p->model, p->paths, &sums[i], &each[i]));
    *all = each[0];
    if (p->calls > 1)
        combine(each, p->calls, all);
    return HD_OK;
}

/* Discretization error of the Euler steps, first order in dt: the bias of a price in addition to
   the statistical error. */
static double step_error(const hd_montecarlo_model *m)
{
    const double dt = m->years / m->steps;

    return m->spot * dt * (m->rate * m->rate + m->volatility * m->volatility) * m->years *
           exp(m->rate * m->years);
}

static int print(cli_job *job, const price *p, const hd_montecarlo_estimate *e)
{
    const hd_montecarlo_model *m = &p->model;
    const double steps = (double)p->paths * (double)p->calls * m->steps;
    const int exact = !isnan(e->exact);

    cli_job_text(job, "payoff", hd_payoff_name(m->payoff), NULL);
    cli_job_number(job, "value", e->value, 9, NULL);
    cli_job_number(job, "error", e->error, 4, "standard error");
    cli_job_number(job, "low", e->low, 9, "of 95 %");
    cli_job_number(job, "high", e->high, 9, NULL);
    if (exact)
        cli_job_number(job, "black_scholes", e->exact, 9, NULL);
    cli_job_count(job, "paths", p->paths * p->calls, NULL);
    cli_job_count(job, "steps", m->steps, NULL);
    cli_job_text(job, "normals", hd_normals_name(m->normals), m->antithetic ? "antithetic" : NULL);
    cli_job_count(job, "seed", m->seed, NULL);
    if (job->seconds > 0) {
        cli_job_number(job, "paths_per_s", steps / m->steps / job->seconds, 5, NULL);
        cli_job_number(job, "samples_per_s", 2 * steps / job->seconds, 5, "normals");
    }
    return cli_job_end(job,
                       !job->verify || !exact                                      ? CLI_SKIPPED
                       : fabs(e->value - e->exact) <= 5 * e->error + step_error(m) ? CLI_VERIFIED
                                                                                   : CLI_WRONG,
                       "the price is %g, Black-Scholes has %g", e->value, e->exact);
}

static int run(const cli_arguments *arguments)
{
    hd_montecarlo_estimate e = {0, 0, 0, 0, 0};
    price p = {0};
    cli_job job;
    int status = cli_job_open(&job, arguments);

    if (status == CLI_DONE)
        status = read_options(arguments, &p);
    if (status == CLI_DONE)
        status = cli_job_upload(&job, NULL, SCRAMBLES * sizeof *p.sums, (void **)&p.sums);
    if (status == CLI_DONE)
        status = cli_job_time(&job, simulate, &p, CLI_NO_BYTES);
    if (status == CLI_DONE && estimate(&p, &e, job.stream) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(&job, &p, &e);
    hd_free(p.sums);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    {"payoff", "NAME", "digital (default), asian or european"},
    {"paths", "N", "number of paths (default 2^20)"},
    {"steps", "N", "time steps per path (default 100)"},
    {"normals", "NAME", "where normals come from: fused (default), coalesced, strided or sobol"},
    {"antithetic", NULL, "average each path with its antithetic path"},
    {"seed", "S", "seed (default 1)"},
    {"first", "P", "index of the first path (default 0)"},
    {"spot", "X", "initial price of both assets (default 1)"},
    {"strike", "X", "strike price (default 1)"},
    {"rate", "X", "risk-free rate (default 0.05)"},
    {"volatility", "X", "volatility of both assets (default 0.1)"},
    {"correlation", "X", "correlation of the assets (default 0.5)"},
    {"years", "X", "maturity in years (default 1)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

static const char notes[] =
    "digital: pays 1 if both assets end within 10 % of the spot price; asian, european: calls on\n"
    "the first asset's mean and final price. All are discounted.\n"
    "fused: the kernel that uses the normals generates them; coalesced, strided: another kernel\n"
    "has written them to memory, in an order that is read with or without coalescing; sobol: 16\n"
    "scramblings of paths/16 points each, whose spread gives the error.\n"
    "The European price is verified against Black-Scholes (within 5 standard errors plus the\n"
    "discretization error). Sums are bitwise reproducible on every device.\n";

static const char examples[] = "  heddle montecarlo --paths 2^24\n"
                               "  heddle montecarlo --payoff european --antithetic --json\n"
                               "  heddle montecarlo --payoff asian --normals sobol --steps 64\n";

const cli_command cli_command_montecarlo = {
    "montecarlo", "price an option by Monte Carlo simulation", NULL, options, notes, examples, run,
};
