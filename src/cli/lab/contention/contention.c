/* SPDX-License-Identifier: Apache-2.0 */
/* contention.c - `heddle lab contention`: every atomic operation of every type and scope, on one
   word and on a word per thread. */
#include "contention.h"

#include <stdio.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"

enum { TYPES = 6, PLACES = 2, BLOCKS_CPU = 3, TURNS_GPU = 8, TURNS_CPU = 2, TURNS_MAX = 32 };
enum { BLOCKS_MAX = 1024 }; /* so that sums of f32 stay exact */

static const char *const ops[CONTENTION_OPS] = {"add", "sub", "min", "max", "exch", "cas",
                                                "and", "or",  "xor", "inc", "dec"};
static const hd_type types[TYPES] = {HD_U32, HD_I32, HD_U64, HD_I64, HD_F32, HD_F64};
static const char *const type_names[TYPES] = {"u32", "i32", "u64", "i64", "f32", "f64"};
static const char *const scopes[CONTENTION_SCOPES] = {"device", "block", "system"};
static const char *const places[PLACES] = {"global", "shared"};

typedef struct contention {
    lab lab;
    unsigned ops, types, scopes, places; /* bits */
    uint32_t blocks, turns;
    contention_case running;
    void *words;
    uint64_t *tallies, *host_words, *host_tallies;
    double spread; /* seconds with a word per thread; 0: not timed */
} contention;

static size_t threads_of(const contention *c)
{
    return (size_t)c->blocks * CONTENTION_BLOCK;
}

static const hd_kernel *kernel_of(hd_type type)
{
    return type == HD_U32   ? &contention_u32_kernel
           : type == HD_I32 ? &contention_i32_kernel
           : type == HD_U64 ? &contention_u64_kernel
           : type == HD_I64 ? &contention_i64_kernel
           : type == HD_F32 ? &contention_f32_kernel
                            : &contention_f64_kernel;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const contention *c = state;
    const contention_work *work = &c->running.work;
    hd_launch_config config = hd_launch_with(hd_dim(c->blocks, 1, 1),
                                             hd_dim(CONTENTION_BLOCK, 1, 1), 0, stream);

    switch (c->running.type) {
    case HD_U32:
        return hd_launch(contention_u32, config, *work, c->words, c->tallies);
    case HD_I32:
        return hd_launch(contention_i32, config, *work, c->words, c->tallies);
    case HD_U64:
        return hd_launch(contention_u64, config, *work, c->words, c->tallies);
    case HD_I64:
        return hd_launch(contention_i64, config, *work, c->words, c->tallies);
    case HD_F32:
        return hd_launch(contention_f32, config, *work, c->words, c->tallies);
    default:
        return hd_launch(contention_f64, config, *work, c->words, c->tallies);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -4},
    {.key = "type", .heading = "\ntype", .width = -4},
    {.key = "scope", .heading = "\nscope", .width = -6},
    {.key = "place", .heading = "\nplace", .width = -6},
    {.key = "words", .heading = "\nwords", .width = -10},
    {.key = "operations", .heading = "predicted\noperations", .width = 10},
    {.key = "on_one_word", .heading = "\non a word", .width = 9},
    {.key = "exact", .heading = "\nexact", .width = 5},
    {.key = "seconds"},
    {.key = "gops", .heading = "measured\n10^9/s", .width = 8, .decimals = 3},
    {.key = "ratio", .heading = "\nto spread", .width = 9, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* Runs the case from its start, and compares the words and what was returned. */
static hd_status verify(contention *c, bool *right_out)
{
    const contention_results found = {c->host_words, c->host_tallies};
    const size_t bytes = contention_bytes(c->running.type), threads = threads_of(c);
    hd_stream *stream = c->lab.job.stream;

    contention_start(&c->running, c->host_words);
    HD_TRY(hd_copy_blocking_bytes(c->words, c->host_words, threads, bytes, stream));
    HD_TRY(run_case(c, stream));
    HD_TRY(hd_copy_blocking_bytes(c->host_words, c->words, threads, bytes, stream));
    HD_TRY(hd_copy_blocking(c->host_tallies, c->tallies, threads, stream));
    *right_out = contention_right(&c->running, &found);
    return HD_OK;
}

static lab_point point_of(const contention *c, double gops)
{
    const contention_work *work = &c->running.work;
    char series[LAB_LABEL];

    (void)snprintf(series, sizeof series, "%s, %s", places[work->shared],
                   work->one ? "one word" : "spread");
    lab_point p = lab_point_at(ops[work->op], series);
    p.predicted = (double)contention_busiest(&c->running);
    if (gops > 0)
        p.measured = gops;
    return p;
}

static void row_print(contention *c, size_t type, bool right, double seconds)
{
    const contention_work *work = &c->running.work;
    const double n = (double)threads_of(c) * c->turns;
    const bool timed = seconds > 0, ratio = timed && work->one && c->spread > 0;
    const lab_row row = {
        .own = true, .equal = right, .point = point_of(c, timed ? 1e-9 * n / seconds : 0)};

    CLI_ROW(c->lab.result, cell_text(ops[work->op]), cell_text(type_names[type]),
            cell_text(scopes[work->scope]), cell_text(places[work->shared]),
            cell_text(work->one ? "one" : "per thread"), cell_count((uint64_t)n),
            cell_count(contention_busiest(&c->running)), lab_exact(&c->lab, right),
            cell_if(timed, cell_number(seconds)), cell_if(timed, cell_number(1e-9 * n / seconds)),
            cell_if(ratio, cell_number(seconds / c->spread)), lab_verdict(&c->lab, &row));
}

static void run_row(contention *c, size_t type)
{
    const lab_launch launch = {kernel_of(c->running.type), run_case, c};
    bool right = true;
    double seconds = 0;

    if (c->lab.failed >= 0 && c->lab.job.verify)
        c->lab.failed = verify(c, &right);
    if (c->lab.failed >= 0)
        c->lab.failed = lab_time(&c->lab, &launch, LAB_WARM, &seconds);
    if (!c->running.work.one)
        c->spread = seconds;
    if (c->lab.failed >= 0)
        row_print(c, type, right, seconds);
}

/* A word per thread, then one word, for every scope and place. */
static void run_operation(contention *c, size_t type, unsigned op)
{
    for (unsigned scope = 0; scope < CONTENTION_SCOPES; scope++)
        for (unsigned place = 0; place < PLACES; place++)
            for (unsigned one = 0; one < 2 && c->scopes >> scope & c->places >> place & 1; one++) {
                c->running = (contention_case){
                    {op, scope, one, place, c->turns}, types[type], c->blocks};
                run_row(c, type);
            }
}

static void run_rows(void *state)
{
    contention *c = state;
    for (unsigned op = 0; op < CONTENTION_OPS; op++)
        for (size_t type = 0; type < TYPES; type++)
            if (c->ops >> op & c->types >> type & 1 && contention_exists(op, types[type]))
                run_operation(c, type, op);
    c->lab.counts = c->lab.job.verify; /* by the operations themselves */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    contention *c = state;
    const cli_arguments *arguments = c->lab.job.arguments;
    uint64_t turns = 0;
    int status = cli_word_list_read(arguments, "ops", ops, CONTENTION_OPS,
                                    (1u << CONTENTION_OPS) - 1, &c->ops);

    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "types", type_names, TYPES, (1u << TYPES) - 1,
                                    &c->types);
    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "scopes", scopes, CONTENTION_SCOPES, 7, &c->scopes);
    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "places", places, PLACES, 3, &c->places);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "turns", c->lab.gpu ? TURNS_GPU : TURNS_CPU, 1,
                                TURNS_MAX, &turns);
    c->turns = (uint32_t)turns;
    return status;
}

static hd_status open_memory(void *state)
{
    contention *c = state;
    size_t threads;

    HD_TRY(lab_blocks(&c->lab, 1, BLOCKS_CPU, &c->blocks));
    c->blocks = c->blocks < BLOCKS_MAX ? c->blocks : BLOCKS_MAX;
    lab_field(&c->lab, "blocks", c->blocks);
    lab_field(&c->lab, "turns", c->turns);
    threads = threads_of(c);
    HD_TRY(lab_alloc_host(&c->lab, &c->host_words, threads));
    HD_TRY(lab_alloc_host(&c->lab, &c->host_tallies, threads));
    HD_TRY(lab_alloc_bytes(&c->lab, &c->words, threads, sizeof(uint64_t)));
    HD_TRY(lab_alloc(&c->lab, &c->tallies, threads));
    return hd_fill_zero((uint64_t *)c->words, threads, c->lab.job.stream);
}

static const lab_about about = {
    "atomics on one word (of the grid, or of a block at block scope and in shared memory), and on "
    "a word per thread",
    "192 threads per block, operations per thread",
    {"operation; a dot for each type and scope", "operations on a word", "10^9 operations / s"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    contention c;

    return lab_run(&c, sizeof c, arguments, &steps);
}

static const cli_option options[] = {
    {"ops", "LIST", "some of add, sub, min, max, exch, cas, and, or, xor, inc, dec (default: all)"},
    {"types", "LIST", "some of u32, i32, u64, i64, f32, f64 (default: all)"},
    {"scopes", "LIST", "some of device, block, system (default: all)"},
    {"places", "LIST", "some of global, shared (default: both)"},
    {"turns", "N", "operations per thread, at most 32 (default 8; CPU: 2)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_contention = {
    "lab contention",
    "verify and time every atomic operation on one word and on many",
    NULL,
    options,
    "Every thread repeats one operation on a word of its own (per thread) or on one that it\n"
    "shares (one): with the grid, or with its block at block scope and in shared memory. What\n"
    "is left in memory must equal arithmetic on the host bit by bit, and so must the sum of\n"
    "the values that add, sub, exch, inc and dec returned and the number of successes of\n"
    "cas. Bitwise operations exist for integers, inc and dec for u32. GPUs are timed: the\n"
    "rate, and the time of one word divided by that of a word per thread. Exit status 1 if a\n"
    "result is not exact.\n"
    "\n"
    "JSON keys: blocks turns rows (case type scope place words operations on_one_word exact\n"
    "seconds gops ratio verdict)\n" LAB_KEYS,
    "  heddle lab contention\n"
    "  heddle lab contention --ops add,cas --types u32,f32 --scopes device\n"
    "  heddle lab contention --places shared --csv\n",
    run};
