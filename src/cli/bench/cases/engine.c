/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - `heddle bench engine`: throughput of the CPU engine per core, and how it scales to two
   cores. Each number of threads is measured in a separate process, because the engine starts its
   threads once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/reduce.h>

#include "cli/bench/kernels/bench.h"
#include "cli/app/table.h"
#include "cli/app/words.h"
#include "cli/bench/timing.h"

enum {
    BLOCKS = 64,
    THREADS = 256,
    ROUNDS_IN_KERNEL = 400,
    AXPY_ELEMENTS = 1 << 20,
    SUM_ELEMENTS = 1 << 26,
    MACHINE_STEPS = 1 << 23,
    ROUNDS = 15 /* by default */
};

/* X(name, text, baseline case, required: millions per second, or ratio) */
#define ENGINE_CASE_LIST(X)                                                                        \
    X(CASE_SHUFFLES, "shuffles", CASE_COUNT_, 100.0)                                               \
    X(CASE_BARRIERS, "barriers", CASE_COUNT_, 100.0)                                               \
    X(CASE_AXPY, "axpy, a thread an element", CASE_PLAIN_AXPY, 0.9)                                \
    X(CASE_AXPY_FOR, "axpy, HD_FOR", CASE_PLAIN_AXPY, 0.9)                                         \
    X(CASE_PLAIN_AXPY, "axpy, plain loop", CASE_COUNT_, 0.0)                                       \
    X(CASE_SUM, "hd_reduce sum of 2^26 f32", CASE_PLAIN_SUM, 0.8)                                  \
    X(CASE_PLAIN_SUM, "sum, plain loop", CASE_COUNT_, 0.0)                                         \
    X(CASE_MACHINE, "steps of plain threads", CASE_COUNT_, 0.0)

typedef enum engine_case {
#define ENGINE_CASE_ENUM_(name, text, reference, wanted) name,
    ENGINE_CASE_LIST(ENGINE_CASE_ENUM_)
#undef ENGINE_CASE_ENUM_
        CASE_COUNT_
} engine_case;

static const struct {
    const char *text;
    engine_case reference;
    double wanted;
} cases[] = {
#define ENGINE_CASE_ROW_(name, text, reference, wanted) {text, reference, wanted},
    ENGINE_CASE_LIST(ENGINE_CASE_ROW_)
#undef ENGINE_CASE_ROW_
};

/* What a measuring process sends: operations per second, or an error. */
typedef struct report {
    int status;
    double rates[CASE_COUNT_]; /* of the median batch */
    double best[CASE_COUNT_];  /* of the fastest batch: what a shared machine can reach */
    char message[TIMING_MESSAGE];
} report;

typedef struct bench {
    timing clock;
    size_t threads, last;
    float *x, *y, *out;
    hd_workspace workspace;
} bench;

static int checked(bench *b, hd_status status)
{
    return status < 0 ? timing_failed_call(&b->clock) : 0;
}

static hd_launch_config full_blocks(bench *b)
{
    return hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(THREADS, 1, 1), 0, b->clock.stream);
}

static int run_shuffles(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_shuffles, full_blocks(b), ROUNDS_IN_KERNEL, b->out));
}

static int run_barriers(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_barriers, full_blocks(b), ROUNDS_IN_KERNEL, b->out));
}

static int run_axpy(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b,
                   hd_launch(launch_axpy_f32, hd_launch_1d(AXPY_ELEMENTS, THREADS, b->clock.stream),
                             (size_t)AXPY_ELEMENTS, 1e-3f, b->x, b->y));
}

static int run_axpy_for(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_axpy_f32,
                                hd_launch_loop(AXPY_ELEMENTS, THREADS, b->clock.stream),
                                (size_t)AXPY_ELEMENTS, 1e-3f, b->x, b->y));
}

static int run_plain_axpy(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    plain_axpy_f32(AXPY_ELEMENTS, 1e-3f, b->x, b->y);
    return 0;
}

static int run_sum(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(
        b, hd_reduce(b->x, SUM_ELEMENTS, HD_F32, HD_SUM, b->out, &b->workspace, b->clock.stream));
}

static int run_plain_sum(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    b->y[0] = plain_sum_f32(b->x, SUM_ELEMENTS);
    return 0;
}

/* A chain of dependent steps in scalar registers: measures the core alone. */
static void *step_along(void *steps)
{
    uint64_t v = 1;

    for (size_t i = *(size_t *)steps; i > 0; i--)
        v = v * 6364136223846793005u + i;
    *(size_t *)steps = (size_t)v;
    return NULL;
}

/* The machine's own scaling: as many plain threads as the engine has share the work. */
static int run_machine(void *state, size_t turn)
{
    bench *b = state;
    size_t mine = MACHINE_STEPS / b->threads, theirs = mine;
    pthread_t other;

    (void)turn;
    if (b->threads == 2 && pthread_create(&other, NULL, step_along, &theirs) != 0) {
        snprintf(b->clock.message, sizeof b->clock.message, "a thread could not be started");
        return -1;
    }
    step_along(&mine);
    if (b->threads == 2)
        pthread_join(other, NULL);
    b->last = mine; /* keeps the compiler from removing the steps */
    return 0;
}

static hd_status make_memory(bench *b)
{
    size_t workspace_bytes;

    HD_TRY(hd_alloc(&b->x, SUM_ELEMENTS, 0));
    HD_TRY(hd_alloc(&b->y, AXPY_ELEMENTS, 0));
    HD_TRY(hd_alloc(&b->out, BLOCKS * THREADS, 0));
    HD_TRY(hd_launch(ceiling_fill, hd_launch_loop(SUM_ELEMENTS, THREADS, b->clock.stream),
                     (size_t)SUM_ELEMENTS, (uint32_t *)(void *)b->x));
    HD_TRY(hd_fill_zero(b->y, AXPY_ELEMENTS, b->clock.stream));
    HD_TRY(hd_reduce_workspace(SUM_ELEMENTS, HD_F32, HD_SUM, &workspace_bytes));
    b->workspace.bytes = workspace_bytes;
    HD_TRY(hd_alloc_bytes(&b->workspace.memory, workspace_bytes, 1, HD_MEM_DEVICE, 0));
    return hd_stream_synchronize(b->clock.stream);
}

/* Sides that are compared are measured in turn, in one measurement. */
static int measure(bench *b, timing_side *sides, const engine_case *members, size_t count,
                   double work, report *r)
{
    if (timing_measure(&b->clock, sides, count) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        timing_spread spread = timing_spread_of(&sides[i], b->clock.rounds);

        r->rates[members[i]] = work / spread.median;
        r->best[members[i]] = work / spread.least;
    }
    return 0;
}

static int measure_all(bench *b, report *r)
{
    static const engine_case collectives[] = {CASE_SHUFFLES, CASE_BARRIERS};
    static const engine_case axpy[] = {CASE_AXPY, CASE_AXPY_FOR, CASE_PLAIN_AXPY};
    static const engine_case sums[] = {CASE_SUM, CASE_PLAIN_SUM};
    static const engine_case machine[] = {CASE_MACHINE};
    static timing_side sides[CASE_COUNT_];
    int (*const runs[])(void *, size_t) = {run_shuffles,  run_barriers,   run_axpy,
                                           run_axpy_for,  run_plain_axpy, run_sum,
                                           run_plain_sum, run_machine};

    for (size_t i = 0; i < CASE_COUNT_; i++) {
        sides[i].run = runs[i];
        sides[i].state = b;
    }
    if (measure(b, sides, collectives, 2, (double)BLOCKS * THREADS * ROUNDS_IN_KERNEL, r) < 0 ||
        measure(b, sides + CASE_AXPY, axpy, 3, AXPY_ELEMENTS, r) < 0)
        return -1;
    if (measure(b, sides + CASE_SUM, sums, 2, SUM_ELEMENTS, r) < 0)
        return -1;
    return measure(b, sides + CASE_MACHINE, machine, 1, MACHINE_STEPS, r);
}

/* The measuring process: measures with the number of threads in its environment and sends a
   report. */
static void measure_here(int threads, size_t rounds, int pipe_out)
{
    static report r;
    static bench b;
    int status = timing_open(&b.clock, 0, rounds);

    b.threads = (size_t)threads;
    if (status == 0 && make_memory(&b) < 0)
        status = timing_failed_call(&b.clock);
    if (status == 0)
        status = measure_all(&b, &r);
    r.status = status;
    memcpy(r.message, b.clock.message, sizeof r.message);
    _exit(write(pipe_out, &r, sizeof r) == (ssize_t)sizeof r ? 0 : 1);
}

static int measure_threads(int threads, size_t rounds, report *r)
{
    char text[16];
    size_t got = 0;
    ssize_t step = 1;
    int ends[2], state = 0;
    pid_t child;

    snprintf(text, sizeof text, "%d", threads);
    snprintf(r->message, sizeof r->message, "the measuring process failed");
    if (pipe(ends) != 0 || (child = fork()) < 0)
        return -1;
    if (child == 0) {
        setenv("HEDDLE_CPU_THREADS", text, 1);
        close(ends[0]);
        measure_here(threads, rounds, ends[1]);
    }
    close(ends[1]);
    while (got < sizeof *r && step > 0) {
        step = read(ends[0], (char *)r + got, sizeof *r - got);
        got += step > 0 ? (size_t)step : 0;
    }
    close(ends[0]);
    waitpid(child, &state, 0);
    if (got == sizeof *r)
        return r->status;
    snprintf(r->message, sizeof r->message, "the measuring process ended early (state %d)", state);
    return -1;
}

static const cli_column columns[] = {
    {.key = "what", .heading = "", .width = -26},
    {.key = "per_second", .heading = "1 thread", .width = 9, .decimals = 1, .scale = 1e-6},
    {.key = "best_per_second", .heading = "best", .width = 9, .decimals = 1, .scale = 1e-6},
    {.key = "ratio", .heading = "ratio", .width = 7, .decimals = 3, .digits = 4},
    {.key = "best_ratio", .heading = "best", .width = 7, .decimals = 3, .digits = 4},
    {.key = "wanted", .heading = "wanted", .width = 7, .digits = 4},
    {.key = "per_second_2_threads",
     .heading = "2 threads",
     .width = 10,
     .decimals = 1,
     .scale = 1e-6},
    {.key = "scaling", .heading = "scaling", .width = 8, .decimals = 2, .digits = 4},
    {.key = "best_scaling", .heading = "best", .width = 8, .decimals = 2, .digits = 4},
};

static void print_row(const report *one, const report *two, engine_case i, cli_result *result)
{
    const engine_case reference = cases[i].reference;
    const bool compared = reference != CASE_COUNT_, wanted = cases[i].wanted > 0;
    const bool scales = wanted || i == CASE_MACHINE;
    const engine_case to = compared ? reference : i;
    char text[CLI_NUMBER];

    snprintf(text, sizeof text, "%g", cases[i].wanted);
    CLI_ROW(result, cell_text(cases[i].text), cell_number(one->rates[i]), cell_number(one->best[i]),
            cell_if(compared, cell_number(one->rates[i] / one->rates[to])),
            cell_if(compared, cell_number(one->best[i] / one->best[to])),
            cell_if(wanted, cell_shown(cell_number(cases[i].wanted), text)),
            cell_if(scales, cell_number(two->rates[i])),
            cell_if(scales, cell_number(two->rates[i] / one->rates[i])),
            cell_if(scales, cell_number(two->best[i] / one->best[i])));
}

static int print(const cli_arguments *arguments, cli_format format, size_t rounds,
                 const report *one, const report *two)
{
    cli_result result;

    cli_result_begin(&result, arguments->command, format, 0);
    cli_say(
        &result,
        "Medians of %zu batches, in millions per second; 'best' is of the fastest batch. ratio: "
        "to the plain loop.\n\n",
        rounds);
    CLI_TABLE(&result, "rows", columns);
    for (engine_case i = 0; i < CASE_COUNT_; i++)
        print_row(one, two, i, &result);
    cli_table_end(&result);
    return cli_result_end(&result);
}

static int run(const cli_arguments *arguments)
{
    static report one, two;
    cli_format format;
    uint64_t rounds = 0;
    int status = cli_format_read(arguments, &format);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "rounds", ROUNDS, 3, TIMING_ROUNDS_MAX, &rounds);
    if (status != CLI_DONE)
        return status;
    if (strcmp(hd_backend_name(), "cpu") != 0)
        return cli_failed(arguments->command,
                          "this measures the CPU engine, and this build is for %s",
                          hd_backend_name());
    if (measure_threads(1, (size_t)rounds, &one) < 0)
        return cli_failed(arguments->command, "%s", one.message);
    if (measure_threads(2, (size_t)rounds, &two) < 0)
        return cli_failed(arguments->command, "%s", two.message);
    return print(arguments, format, (size_t)rounds, &one, &two);
}

static const cli_option options[] = {
    {"rounds", "N", "batches per result (default 15)"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_engine = {
    "bench engine",
    "time the CPU engine: shuffles, barriers, axpy, sums",
    NULL,
    options,
    "Shuffles and barriers are counted per thread. Reference loops are plain C on one thread,\n"
    "compiled with the flags of kernels; they alternate with what is compared with them. The last\n"
    "line is the speedup of plain threads on a second core: below 2 if others use it. Set\n"
    "HEDDLE_CPU_WARP to measure the other warp size.\n",
    "  heddle bench engine\n"
    "  HEDDLE_CPU_WARP=64 heddle bench engine --json\n",
    run,
};
