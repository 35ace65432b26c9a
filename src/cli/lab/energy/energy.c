/* SPDX-License-Identifier: Apache-2.0 */
/* energy.c - `heddle lab energy`: power and energy of copies and of multiply-adds. */
#include <string.h>

#include <heddle/heddle.h>
#include <heddle/random.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/chains.h"
#include "power.h"

enum { CHAINS = 8, THREADS_GPU = 1024, THREADS_CPU = 64, BLOCKS_PER_UNIT = 2, BLOCKS_CPU = 2 };
enum { STEPS_GPU = 1 << 14, STEPS_CPU = 16, CHECKED_MAX = 1 << 16, F64_BYTES = 8 };
static const uint64_t n_gpu = 1u << 26, n_cpu = 1024, n_max = (uint64_t)1 << 32;

/* The band: a device that works draws at least what it draws idle and at most its limit, where
   sensors are exact to 5 %. */
static const double least_factor = 0.95, most_factor = 1.05;

typedef enum case_kind { IDLE, COPY, ARITHMETIC } case_kind;
static const char *const names[] = {"idle", "copy", "multiply-add"};

typedef struct energy {
    lab lab;
    uint64_t n, milliseconds;
    unsigned blocks, threads;
    uint32_t steps;
    case_kind kind; /* of the launch */
    bool f64;
    float a, b;
    uint32_t *in, *out, *host_in, *host_out; /* n numbers of 8 bytes; host: the first of them */
    double *words, *host_words;              /* one per thread */
    double limit, idle;                      /* watts; 0: unknown */
    power of[3][2];                          /* of each kind and type */
} energy;

static size_t threads_of(const energy *e)
{
    return (size_t)e->blocks * e->threads;
}

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status run_chains(const energy *e, hd_stream *stream)
{
    const chains_work work = {e->steps, e->a, e->b, 0};
    const hd_launch_config config = hd_launch_with(hd_dim(e->blocks, 1, 1),
                                                   hd_dim(e->threads, 1, 1), 0, stream);

    if (e->f64)
        return hd_launch(chains_8_f64, config, work, e->words);
    return hd_launch(chains_8, config, work, (float *)(void *)e->words);
}

static size_t words_of(const energy *e)
{
    return (size_t)e->n * (e->f64 ? 2 : 1);
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const energy *e = state;

    if (e->kind == COPY)
        return hd_copy(e->out, e->in, words_of(e), stream);
    return run_chains(e, stream);
}

/* ---- the model, per launch ------------------------------------------------------------------- */

static double bytes_of(const energy *e)
{
    return e->kind == COPY ? 2.0 * 4 * (double)words_of(e) : 0;
}

static double operations_of(const energy *e)
{
    return e->kind == ARITHMETIC ? 2.0 * CHAINS * e->steps * (double)threads_of(e) : 0;
}

/* ---- results --------------------------------------------------------------------------------- */

static hd_status check_copy(energy *e, bool *exact_out)
{
    const size_t n = words_of(e) < CHECKED_MAX ? words_of(e) : CHECKED_MAX;

    HD_TRY(hd_fill_zero(e->out, words_of(e), e->lab.job.stream));
    HD_TRY(run_case(e, e->lab.job.stream));
    HD_TRY(hd_copy_blocking(e->host_in, e->in, n, e->lab.job.stream));
    HD_TRY(hd_copy_blocking(e->host_out, e->out, n, e->lab.job.stream));
    *exact_out = memcmp(e->host_in, e->host_out, n * sizeof *e->host_in) == 0;
    return HD_OK;
}

/* With a = b = 1 each chain counts its steps. */
static hd_status check_chains(energy *e, bool *exact_out)
{
    const size_t threads = threads_of(e);
    const double expected = (double)CHAINS * e->steps;
    const float *singles = (const float *)(const void *)e->host_words;

    e->a = e->b = 1;
    HD_TRY(run_case(e, e->lab.job.stream));
    HD_TRY(hd_copy_blocking(e->host_words, e->words, threads, e->lab.job.stream));
    *exact_out = true;
    for (size_t i = 0; i < threads; i++) {
        const double sum = e->f64 ? e->host_words[i] : (double)singles[i];

        *exact_out = *exact_out && sum >= expected && sum <= expected;
    }
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -12},
    {.key = "type", .heading = "\ntype", .width = -4},
    {.key = "predicted_operations", .heading = "predicted\noperations", .width = 12},
    {.key = "predicted_bytes", .heading = "\nbytes", .width = 10},
    {.key = "exact", .heading = "counted\nexact", .width = 7},
    {.key = "seconds", .heading = "measured\nms", .width = 9, .decimals = 3, .scale = 1e3},
    {.key = "watts", .heading = "\nW", .width = 6, .decimals = 1},
    {.key = "joules", .heading = "\nJ", .width = 9, .decimals = 4},
    {.key = "gflop_per_joule", .heading = "\nGFLOP/J", .width = 7, .decimals = 1},
    {.key = "gb_per_joule", .heading = "\nGB/J", .width = 6, .decimals = 2},
    {.key = "least_watts", .heading = "model W\nfrom", .width = 7, .decimals = 1},
    {.key = "most_watts", .heading = "\nto", .width = 6, .decimals = 1},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* The power lies in the band if the time of the launch's energy does. */
static lab_row row_of(const energy *e, const power *p, bool exact)
{
    const double joules = p->watts * p->seconds, least = least_factor * e->idle;
    const double most = most_factor * e->limit;
    lab_row row = {.own = e->kind != IDLE, .equal = exact, .seconds = p->seconds};

    row.point = lab_point_at(names[e->kind], e->kind == IDLE ? "" : e->f64 ? "f64" : "f32");
    if (e->kind != IDLE)
        row.point.predicted = 1e-9 * (operations_of(e) + bytes_of(e));
    if (p->watts <= 0)
        return row;
    row.least = most > 0 ? joules / most : 0;
    row.most = joules / least;
    lab_point_time(&row.point, p->watts, least, most > 0 ? most : p->watts);
    return row;
}

static void row_print(energy *e, bool exact)
{
    const power *p = &e->of[e->kind][e->f64];
    const lab_row row = row_of(e, p, exact);
    const double joules = p->watts * p->seconds, operations = operations_of(e);
    const double bytes = bytes_of(e);
    const bool works = e->kind != IDLE, timed = p->seconds > 0, known = p->watts > 0;

    CLI_ROW(
        e->lab.result, cell_text(names[e->kind]), cell_if(works, cell_text(e->f64 ? "f64" : "f32")),
        cell_if(operations > 0, cell_count((uint64_t)operations)),
        cell_if(bytes > 0, cell_count((uint64_t)bytes)),
        works ? lab_exact(&e->lab, exact) : cell_none(), cell_if(timed, cell_number(p->seconds)),
        cell_if(known, cell_number(p->watts)), cell_if(known, cell_number(joules)),
        cell_if(known && operations > 0, cell_number(1e-9 * operations / joules)),
        cell_if(known && bytes > 0, cell_number(1e-9 * bytes / joules)),
        cell_if(known, cell_number(least_factor * e->idle)),
        cell_if(known && e->limit > 0, cell_number(most_factor * e->limit)),
        lab_verdict(&e->lab, &row));
}

/* Results are verified with numbers whose sums are exact; energy is measured with numbers that have
   all their digits, as data have. */
static hd_status measure(energy *e, bool *exact_out)
{
    const lab_launch launch = {NULL, run_case, e};
    power *p = &e->of[e->kind][e->f64];

    *exact_out = true;
    if (e->lab.job.verify && e->kind != IDLE)
        HD_TRY(e->kind == COPY ? check_copy(e, exact_out) : check_chains(e, exact_out));
    e->a = 1023.0F / 1024;
    e->b = 0.7F;
    HD_TRY(power_measure(&e->lab, e->kind == IDLE ? NULL : &launch, 1e-3 * (double)e->milliseconds,
                         p));
    if (e->kind == IDLE)
        e->idle = p->watts;
    return HD_OK;
}

static void run_row(energy *e, case_kind kind, bool f64)
{
    bool exact = true;

    e->kind = kind;
    e->f64 = f64;
    if (e->lab.failed >= 0)
        e->lab.failed = measure(e, &exact);
    if (e->lab.failed >= 0)
        row_print(e, exact);
}

static void run_rows(void *state)
{
    energy *e = state;

    run_row(e, IDLE, false);
    for (int kind = COPY; kind <= ARITHMETIC; kind++)
        for (int f64 = 0; f64 < 2; f64++)
            run_row(e, (case_kind)kind, f64);
    e->lab.counts = e->lab.job.verify; /* the results */
}

/* ---- below the table ------------------------------------------------------------------------- */

/* Picojoules above idle of one operation or byte; 0: unknown. */
static double above_idle(energy *e, case_kind kind, bool f64)
{
    const power *p = &e->of[kind][f64];

    e->kind = kind;
    e->f64 = f64;
    return e->idle > 0 && p->watts > e->idle
               ? 1e12 * (p->watts - e->idle) * p->seconds / (operations_of(e) + bytes_of(e))
               : 0;
}

static cli_cell known(double value)
{
    return cell_if(value > 0, cell_number(value));
}

static void say_costs(void *state)
{
    static const char *const sources[] = {NULL, "energy counter", "power samples"};
    energy *e = state;
    const char *source = sources[e->of[IDLE][0].source];
    const double f32 = above_idle(e, ARITHMETIC, false), f64 = above_idle(e, ARITHMETIC, true);
    const double byte = above_idle(e, COPY, true);

    cli_field(e->lab.result, "source", cell_if(source != NULL, cell_text(source ? source : "")));
    cli_field(e->lab.result, "f32_picojoules", known(f32));
    cli_field(e->lab.result, "f64_picojoules", known(f64));
    cli_field(e->lab.result, "byte_picojoules", known(byte));
    if (!source)
        cli_say(e->lab.result, "\nThe driver of this device reports no power.\n");
    else if (f32 > 0 && f64 > 0 && byte > 0)
        cli_say(e->lab.result,
                "\nfrom the driver's %s; above idle: %.2f pJ per operation in f32, %.2f in f64,\n"
                "%.1f per byte: copying a number of 4 bytes takes as much as %.0f operations in "
                "f32\n",
                source, f32, f64, byte, 8 * byte / f32);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    energy *e = state;
    const cli_arguments *arguments = e->lab.job.arguments;
    int status = cli_count_read(arguments, "n", e->lab.gpu ? n_gpu : n_cpu, 1, n_max, &e->n);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "milliseconds", 1000, 100, 60000, &e->milliseconds);
    return status;
}

static hd_status open_memory(void *state)
{
    energy *e = state;
    const hd_random numbers = {.seed = 1};
    const size_t n = (size_t)e->n;

    HD_TRY(lab_blocks(&e->lab, BLOCKS_PER_UNIT, BLOCKS_CPU, &e->blocks));
    e->threads = e->lab.gpu ? THREADS_GPU : THREADS_CPU;
    e->steps = e->lab.gpu ? STEPS_GPU : STEPS_CPU;
    e->limit = power_limit(&e->lab);
    lab_field(&e->lab, "n", e->n);
    lab_field(&e->lab, "milliseconds", e->milliseconds);
    lab_field(&e->lab, "threads", threads_of(e));
    lab_field(&e->lab, "steps", e->steps);
    HD_TRY(lab_alloc_bytes(&e->lab, (void **)(void *)&e->in, n, F64_BYTES));
    HD_TRY(lab_alloc_bytes(&e->lab, (void **)(void *)&e->out, n, F64_BYTES));
    HD_TRY(lab_alloc(&e->lab, &e->words, threads_of(e)));
    HD_TRY(lab_alloc_host(&e->lab, &e->host_in, CHECKED_MAX));
    HD_TRY(lab_alloc_host(&e->lab, &e->host_out, CHECKED_MAX));
    HD_TRY(lab_alloc_host(&e->lab, &e->host_words, threads_of(e)));
    HD_TRY(hd_fill_zero(e->words, threads_of(e), e->lab.job.stream));
    return hd_random_fill_bits(e->in, 2 * n, HD_U32, &numbers, e->lab.job.stream);
}

static const lab_about about = {
    "energy of a run: power of the device, by its driver, times the time of the run",
    "numbers that are copied, milliseconds per row, 8 chains per thread",
    {"work", "10^9 operations or bytes per run", "power / W"}};

static const lab_steps steps = {&about,   LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                say_costs};

static int run(const cli_arguments *arguments)
{
    energy e;

    return lab_run(&e, sizeof e, arguments, &steps);
}

static const cli_option options[] = {
    {"n", "N", "numbers that are copied (default 2^26; CPU: 1024)"},
    {"milliseconds", "N", "how long each row runs at least, 100 to 60000 (default 1000)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_energy = {
    "lab energy",
    "measure power and energy of copies and multiply-adds in f32 and f64",
    NULL,
    options,
    "idle: nothing runs; copy: --n random numbers, read and written; multiply-add: 8 independent\n"
    "chains in each of as many threads as are resident. Each row runs again and again for\n"
    "--milliseconds, because drivers count energy only every 20 to 100 ms; power is the energy\n"
    "counter's difference over the time between two changes, or an average of power samples\n"
    "where there is no counter. The model: power lies between that of the idle device and the\n"
    "power limit, to 5 % each. Results are verified on every backend. heddle only reads; it sets\n"
    "no clock and no limit. - without a driver that reports power, as on the CPU engine.\n"
    "Exit status 1 if a row lies outside of the model.\n"
    "\n"
    "JSON keys: n milliseconds threads steps rows (case type predicted_operations\n"
    "predicted_bytes exact seconds watts joules gflop_per_joule gb_per_joule least_watts\n"
    "most_watts verdict) source f32_picojoules f64_picojoules byte_picojoules\n" LAB_KEYS,
    "  heddle lab energy\n"
    "  heddle lab energy --milliseconds 5000 --plot energy.svg\n",
    run};
