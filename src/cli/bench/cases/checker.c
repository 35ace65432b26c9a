/* SPDX-License-Identifier: Apache-2.0 */
/* checker.c - `heddle bench checker`: the cost of checked runs. The tools of preset check and of
   another build measure the same cases; one runs the other and prints the ratios. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/reduce.h>

#include "cli/bench/kernels/bench.h"
#include "cli/app/table.h"
#include "cli/bench/timing.h"

enum {
    THREADS = 256,
    BLOCKS = 16,
    COLLECTIVES = 100,  /* per thread */
    ELEMENTS = 1 << 24, /* more than the caches hold: these kernels stream */
    TOUCHED = 64 << 20, /* bytes of the memory measurement */
    ROUNDS = 5
};

/* X(name, text, limit of the ratio checked / unchecked) */
#define CHECKER_CASES(X)                                                                           \
    X(CASE_AXPY, "axpy, per element", 100.0)                                                       \
    X(CASE_AXPY_FOR, "axpy with HD_FOR, per element", 100.0)                                       \
    X(CASE_SUM, "hd_reduce sum of f32, per element", 100.0)                                        \
    X(CASE_BYTES, "255 - x of u8, per element", 200.0)                                             \
    X(CASE_SHUFFLES, "shuffle, per lane", 15.0)                                                    \
    X(CASE_BARRIERS, "barrier, per thread", 15.0)

typedef enum checker_case {
#define CHECKER_ENUM_(name, text, wanted) name,
    CHECKER_CASES(CHECKER_ENUM_)
#undef CHECKER_ENUM_
        CASE_COUNT_
} checker_case;

static const struct {
    const char *text;
    double wanted;
} cases[] = {
#define CHECKER_ROW_(name, text, wanted) {text, wanted},
    CHECKER_CASES(CHECKER_ROW_)
#undef CHECKER_ROW_
};

typedef struct bench {
    timing clock;
    float *x, *y, *out;
    uint8_t *from, *to;
    double seconds[CASE_COUNT_]; /* per element, lane or thread */
    double memory;               /* resident bytes per byte touched by a fill */
    double memory_u8;            /* and then by a kernel, byte by byte */
} bench;

static int checked(bench *b, hd_status status)
{
    return status < 0 ? timing_failed_call(&b->clock) : 0;
}

static int run_axpy(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(launch_axpy_f32, hd_launch_1d(ELEMENTS, THREADS, b->clock.stream),
                                (size_t)ELEMENTS, 1e-3f, b->x, b->y));
}

static int run_axpy_for(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_axpy_f32, hd_launch_loop(ELEMENTS, THREADS, b->clock.stream),
                                (size_t)ELEMENTS, 1e-3f, b->x, b->y));
}

static int run_sum(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_reduce(b->x, ELEMENTS, HD_F32, HD_SUM, b->out, NULL, b->clock.stream));
}

static int run_bytes(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_invert_u8, hd_launch_1d(ELEMENTS, THREADS, b->clock.stream),
                                (size_t)ELEMENTS, b->from, b->to));
}

static int run_shuffles(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_shuffles,
                                hd_launch_1d(BLOCKS * THREADS, THREADS, b->clock.stream),
                                COLLECTIVES, b->out));
}

static int run_barriers(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    return checked(b, hd_launch(engine_barriers,
                                hd_launch_1d(BLOCKS * THREADS, THREADS, b->clock.stream),
                                COLLECTIVES, b->out));
}

static hd_status make_memory(bench *b)
{
    HD_TRY(hd_alloc(&b->x, ELEMENTS, 0));
    HD_TRY(hd_alloc(&b->y, ELEMENTS, 0));
    HD_TRY(hd_alloc(&b->out, BLOCKS * THREADS, 0));
    HD_TRY(hd_alloc(&b->from, ELEMENTS, 0));
    HD_TRY(hd_alloc(&b->to, ELEMENTS, 0));
    HD_TRY(hd_fill_zero(b->from, ELEMENTS, b->clock.stream));
    HD_TRY(hd_fill_zero(b->x, ELEMENTS, b->clock.stream));
    HD_TRY(hd_fill_zero(b->y, ELEMENTS, b->clock.stream));
    return hd_stream_synchronize(b->clock.stream);
}

static int measure_times(bench *b)
{
    static timing_side sides[CASE_COUNT_];
    static const double work[] = {ELEMENTS,
                                  ELEMENTS,
                                  ELEMENTS,
                                  ELEMENTS,
                                  (double)BLOCKS * THREADS * COLLECTIVES,
                                  (double)BLOCKS * THREADS * COLLECTIVES};
    int (*const runs[])(void *, size_t) = {run_axpy,  run_axpy_for, run_sum,
                                           run_bytes, run_shuffles, run_barriers};

    for (size_t i = 0; i < CASE_COUNT_; i++) {
        sides[i].run = runs[i];
        sides[i].state = b;
    }
    if (timing_measure(&b->clock, sides, CASE_COUNT_) < 0)
        return -1;
    for (size_t i = 0; i < CASE_COUNT_; i++)
        b->seconds[i] = timing_spread_of(&sides[i], ROUNDS).median / work[i];
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static double resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    double pages = 0;

    if (file && fscanf(file, "%*s %lf", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

static int measure_memory(bench *b)
{
    double before = resident_bytes();
    uint8_t *x = NULL;
    int failed;

    failed = checked(b, hd_alloc(&x, TOUCHED, 0)) < 0 ||
             checked(b, hd_fill_zero(x, TOUCHED, b->clock.stream)) < 0 ||
             checked(b, hd_stream_synchronize(b->clock.stream)) < 0;
    b->memory = (resident_bytes() - before) / TOUCHED;
    failed = failed ||
             checked(b, hd_launch(engine_invert_u8, hd_launch_1d(TOUCHED, THREADS, b->clock.stream),
                                  (size_t)TOUCHED, x, x)) < 0 ||
             checked(b, hd_stream_synchronize(b->clock.stream)) < 0;
    b->memory_u8 = (resident_bytes() - before) / TOUCHED;
    return checked(b, hd_free(x)) < 0 || failed ? -1 : 0;
}

/* ---- the other build ------------------------------------------------------------------------- */

/* Starts `TOOL bench checker --csv`; the name may have any length. NULL: errno has the reason. */
static FILE *start(const char *tool)
{
    static const char format[] = "'%s' bench checker --csv";
    const size_t size = sizeof format + strlen(tool);
    char *line = malloc(size);
    FILE *pipe = NULL;

    if (line) {
        snprintf(line, size, format, tool);
        pipe = popen(line, "r");
    }
    free(line);
    return pipe;
}

/* Reads its times: one line per case, in the order of the cases. */
static int ask(const cli_arguments *arguments, const char *tool, bench *other)
{
    char line[256];
    size_t got = 0;
    FILE *pipe;

    if (strchr(tool, '\''))
        return cli_misused(arguments->command, "--against: '%s' has a quote in its name", tool);
    pipe = start(tool);
    while (pipe && got < CASE_COUNT_ && fgets(line, sizeof line, pipe)) {
        const char *quote = line[0] == '"' ? strchr(line + 1, '"') : line;
        const char *number = strchr(quote ? quote : line, ',');

        if (number && sscanf(number, ",%lf", &other->seconds[got]) == 1)
            got++;
    }
    if (!pipe || pclose(pipe) != 0 || got < CASE_COUNT_)
        return cli_failed(arguments->command, "'%s bench checker --csv' does not measure", tool);
    return 0;
}

/* ---- printing -------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "what", .heading = "", .width = -36},
    {.key = "seconds", .heading = "ns", .width = 10, .decimals = 2, .scale = 1e9},
    {.key = "other_seconds", .heading = "other ns", .width = 10, .decimals = 2, .scale = 1e9},
    {.key = "ratio", .heading = "ratio", .width = 8, .decimals = 1, .digits = 4},
    {.key = "wanted", .heading = "wanted", .width = 8, .decimals = 0, .digits = 4},
    {.key = "bytes"},
};
enum { COLUMNS = sizeof columns / sizeof *columns, WITHOUT_OTHER = 2 };

/* Bytes in the column of times, followed by a sentence. */
static void print_memory(const char *what, double bytes, const char *about, cli_result *result)
{
    char text[CLI_NUMBER];

    snprintf(text, sizeof text, "%.2f", bytes);
    CLI_ROW_NOTED(result, WITHOUT_OTHER, about, cell_text(what), cell_shown(cell_none(), text),
                  cell_none(), cell_none(), cell_none(), cell_number(bytes));
}

/* `other` is NULL without --against. */
static int print(const cli_arguments *arguments, cli_format format, const bench *b,
                 const bench *other)
{
    cli_column shown[COLUMNS];
    cli_result result;

    memcpy(shown, columns, sizeof columns);
    for (size_t i = WITHOUT_OTHER; i < COLUMNS && !other; i++)
        shown[i].heading = NULL;
    cli_result_begin(&result, arguments->command, format, 0);
    cli_say(&result, "Medians of %d batches.\n\n", (int)ROUNDS);
    cli_table_begin(&result, "rows", shown, COLUMNS);
    for (size_t i = 0; i < CASE_COUNT_; i++) {
        const double theirs = other ? other->seconds[i] : 0;

        CLI_ROW(&result, cell_text(cases[i].text), cell_number(b->seconds[i]),
                cell_if(other, cell_number(theirs)),
                cell_if(other, cell_number(b->seconds[i] / theirs)),
                cell_if(other, cell_number(cases[i].wanted)), cell_none());
    }
    print_memory("memory, bytes per byte touched", b->memory,
                 "(1 is the byte itself; wanted at most 17 when checked)", &result);
    print_memory("memory, bytes per u8 touched", b->memory_u8,
                 "(the same after a kernel that uses bytes one by one; wanted at most 25)",
                 &result);
    cli_table_end(&result);
    return cli_result_end(&result);
}

static int run(const cli_arguments *arguments)
{
    static bench b, other;
    const char *tool = cli_option_value(arguments, "against");
    cli_format format;
    int status = cli_format_read(arguments, &format);

    if (status != CLI_DONE)
        return status;
    if (strcmp(hd_backend_name(), "cpu") != 0)
        return cli_failed(arguments->command,
                          "this measures the CPU engines, and this build is for %s",
                          hd_backend_name());
    if (tool && (status = ask(arguments, tool, &other)) != 0)
        return status;
    if (timing_open(&b.clock, 0, ROUNDS) < 0 || measure_memory(&b) < 0)
        return cli_failed(arguments->command, "%s", b.clock.message);
    if (make_memory(&b) < 0)
        timing_failed_call(&b.clock);
    else
        measure_times(&b);
    hd_free(b.x);
    hd_free(b.y);
    hd_free(b.out);
    hd_free(b.from);
    hd_free(b.to);
    if (b.clock.message[0])
        return cli_failed(arguments->command, "%s", b.clock.message);
    timing_close(&b.clock);
    return print(arguments, format, &b, tool ? &other : NULL);
}

static const cli_option options[] = {
    {"against", "TOOL", "heddle tool of another build to compare with"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_checker = {
    "bench checker",
    "compare the times of checked and unchecked runs",
    NULL,
    options,
    "Run the tool of preset check and pass that of preset cpu to --against: both measure the same\n"
    "launches, and the ratio is the cost of checking. "
    "The memory rows show how much memory becomes\n"
    "resident in a fill of 64 MiB, and in a kernel that then accesses these bytes one by one: the\n"
    "bytes themselves and the checker's shadow memory.\n",
    "  build/check/heddle bench checker --against build/cpu/heddle\n"
    "  heddle bench checker --json\n",
    run,
};
