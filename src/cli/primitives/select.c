/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - `heddle select`, `heddle partition` and `heddle unique`. */
#include "select.h"

#include <stdlib.h>
#include <string.h>

#include "io/array_write.h"
#include "cli/app/words.h"

static hd_status select_once(void *state, hd_stream *stream)
{
    cli_select_call *c = state;
    switch (c->what) {
    case CLI_SELECT:
        return hd_select(c->in, c->array.n, c->array.type, &c->where, c->out, c->count, NULL,
                         stream);
    case CLI_PARTITION:
        return hd_partition(c->in, c->array.n, c->array.type, &c->where, c->out, c->others,
                            c->count, NULL, stream);
    case CLI_UNIQUE:
        return hd_unique(c->in, c->array.n, c->array.type, c->out, c->count, NULL, stream);
    default:
        return hd_run_lengths(c->in, c->array.n, c->array.type, c->out, HD_U64, c->others, c->count,
                              NULL, stream);
    }
}

/* ---- condition ------------------------------------------------------------------------------- */

/* Reads a condition such as '>30'. */
static int read_condition(const cli_arguments *arguments, const char *text, hd_type type,
                          hd_where *where)
{
    static const struct {
        const char *sign;
        hd_where_kind kind;
    } signs[] = {{"<=", HD_WHERE_LE}, {">=", HD_WHERE_GE}, {"==", HD_WHERE_EQ},
                 {"!=", HD_WHERE_NE}, {"<", HD_WHERE_LT},  {">", HD_WHERE_GT}};
    const size_t length = strspn(text, "<>=!");
    const char *value = text + length + strspn(text + length, " ");

    if (cli_option_given(arguments, "value"))
        return cli_misused(arguments->command, "--where '%s' has a value; omit --value", text);
    for (size_t i = 0; i < sizeof signs / sizeof *signs && *value; i++)
        if (strlen(signs[i].sign) == length && memcmp(signs[i].sign, text, length) == 0) {
            where->kind = signs[i].kind;
            return cli_scalar_parse(arguments, "where", value, type, &where->value);
        }
    return cli_misused(arguments->command,
                       "--where: invalid condition '%s'; use >, >=, <, <=, == or != and a value, "
                       "as '>30'",
                       text);
}

static int read_where(const cli_arguments *arguments, hd_type type, hd_where *where)
{
    const char *text = cli_option_value(arguments, "where");
    const char *words[HD_WHERE_FLAGS];
    size_t kind = 0;
    for (size_t i = 0; i < HD_WHERE_FLAGS; i++)
        words[i] = hd_where_name((hd_where_kind)i);
    if (text && (text[0] < 'a' || text[0] > 'z'))
        return read_condition(arguments, text, type, where);
    int status = cli_word_read(arguments, "where", words, HD_WHERE_FLAGS, HD_WHERE_NE, &kind);
    if (status != CLI_DONE)
        return status;
    where->kind = (hd_where_kind)kind;
    return cli_scalar_read(arguments, "value", type, &where->value);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Runs once to count the selected elements, then again for timing. */
static int measure(cli_job *job, cli_select_call *c)
{
    const size_t size = hd_type_bytes(c->array.type);
    double bytes = (double)(c->array.n * size);
    if (select_once(c, job->stream) < 0)
        return cli_failed_call(job->arguments->command);
    int status = cli_job_download(job, &c->selected, c->count, sizeof c->selected);
    bytes += c->what == CLI_PARTITION ? bytes : (double)(c->selected * size);
    bytes += c->what == CLI_RUNS ? (double)c->selected * 8 : 0;
    if (status == CLI_DONE)
        status = cli_job_time(job, select_once, c, bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->chosen, c->out, c->selected * size);
    if (status == CLI_DONE && c->what == CLI_PARTITION)
        status = cli_job_download(job, c->chosen + c->selected * size, c->others,
                                  (c->array.n - c->selected) * size);
    if (status == CLI_DONE && c->what == CLI_RUNS)
        status = cli_job_download(job, c->lengths, c->others, c->selected * sizeof *c->lengths);
    return status;
}

static int write_lengths(const cli_job *job, const cli_select_call *c)
{
    const char *path = cli_option_value(job->arguments, "lengths");
    char message[HD__IO_MESSAGE];
    const uint64_t shape[1] = {c->selected};
    if (path && hd__array_write(path, HD__IO_U64, 1, shape, c->lengths, message) < 0)
        return cli_failed(job->arguments->command, "%s", message);
    return CLI_DONE;
}

static void report(cli_job *job, const cli_select_call *c)
{
    cli_job_path(job, "input", c->array.from, c->array.path, NULL);
    cli_job_text(job, "type", hd_type_name(c->array.type), NULL);
    cli_job_count(job, "elements", c->array.n, NULL);
    if (c->what < CLI_UNIQUE) {
        cli_job_text(job, "where", hd_where_name(c->where.kind), NULL);
        cli_job_element(job, "value", c->array.type, &c->where.value, 0, NULL);
    }
    cli_job_count(job, "count", c->selected, c->what < CLI_UNIQUE ? "selected" : "runs");
    if (c->what == CLI_PARTITION)
        cli_job_count(job, "rejected", c->array.n - c->selected, NULL);
    if (c->selected > 0) {
        cli_job_element(job, "first", c->array.type, c->chosen, 0, NULL);
        cli_job_element(job, "last", c->array.type, c->chosen, c->selected - 1, NULL);
    }
    if (c->what == CLI_RUNS && c->selected > 0) {
        size_t longest = 0;
        for (size_t i = 0; i < c->selected; i++)
            longest = c->lengths[i] > c->lengths[longest] ? i : longest;
        cli_job_count(job, "longest", c->lengths[longest], "elements in a run at most");
        cli_job_element(job, "longest_value", c->array.type, c->chosen, longest, NULL);
    }
}

static int run_on(cli_job *job, cli_select_call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->array.type);
    size_t wrong = CLI_SELECT_RIGHT;
    int status = cli_job_upload(job, c->array.data, bytes, &c->in);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes + 1, &c->out);
    if (status == CLI_DONE && c->what != CLI_SELECT)
        status = cli_job_upload(job, NULL, c->array.n * 8 + 8, &c->others);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, sizeof c->selected, &c->count);
    if (status == CLI_DONE)
        status = measure(job, c);
    const uint64_t shape[1] = {c->what == CLI_PARTITION ? c->array.n : c->selected};
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->array.type, c->chosen, 1, shape);
    if (status == CLI_DONE && c->what == CLI_RUNS)
        status = write_lengths(job, c);
    if (status != CLI_DONE)
        return status;
    if (job->verify)
        wrong = cli_select_check(c);
    report(job, c);
    return cli_job_end(job,
                       !job->verify                ? CLI_SKIPPED
                       : wrong == CLI_SELECT_RIGHT ? CLI_VERIFIED
                                                   : CLI_WRONG,
                       "the result differs from element %zu on", wrong);
}

static int run_what(const cli_arguments *arguments, cli_selection what)
{
    const unsigned types = CLI_TYPE_BIT(HD_U8) | CLI_TYPE_BIT(HD_I32) | CLI_TYPE_BIT(HD_U32) |
                           CLI_TYPE_BIT(HD_I64) | CLI_TYPE_BIT(HD_U64) | CLI_TYPE_BIT(HD_F32) |
                           CLI_TYPE_BIT(HD_F64);
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    cli_select_call c;
    cli_job job;
    memset(&c, 0, sizeof c);
    c.what = what;
    int status = cli_job_open(&job, arguments);
    if (status == CLI_DONE && what == CLI_UNIQUE && cli_option_given(arguments, "lengths"))
        status = cli_misused(arguments->command, "--lengths requires --counts");
    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, types, HD_F32, &c.array);
    if (status == CLI_DONE && what < CLI_UNIQUE)
        status = read_where(arguments, c.array.type, &c.where);
    if (status == CLI_DONE &&
        (!(c.chosen = cli_job_memory(&job, c.array.n * hd_type_bytes(c.array.type))) ||
         (what == CLI_RUNS && !(c.lengths = cli_job_memory(&job, c.array.n * sizeof *c.lengths)))))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = run_on(&job, &c);
    (void)hd_free(c.in);
    (void)hd_free(c.out);
    (void)hd_free(c.others);
    (void)hd_free(c.count);
    free(c.chosen);
    free(c.lengths);
    cli_array_free(&c.array);
    cli_job_close(&job);
    return status;
}

static int run_select(const cli_arguments *arguments)
{
    return run_what(arguments, CLI_SELECT);
}

static int run_partition(const cli_arguments *arguments)
{
    return run_what(arguments, CLI_PARTITION);
}

static int run_unique(const cli_arguments *arguments)
{
    return run_what(arguments, cli_option_given(arguments, "counts") ? CLI_RUNS : CLI_UNIQUE);
}

#define WHERE_OPTIONS                                                                              \
    {"where", "COND",                                                                              \
     "condition, quoted: > >= < <= == != and a value, such as '>30' (default '!=0'); "             \
     "without quotes: gt ge lt le eq ne, such as --where gt --value 30"},                          \
    {                                                                                              \
        "value", "X", "value for --where gt, ge, lt, le, eq or ne (default 0)"                     \
    }
static const cli_option where_options[] = {
    CLI_ARRAY_OPTIONS("u8 i32 u32 i64 u64 f32 f64" CLI_WIDENED("u16 i8 i16 f16")),
    WHERE_OPTIONS,
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};
static const cli_option unique_options[] = {
    CLI_ARRAY_OPTIONS("u8 i32 u32 i64 u64 f32 f64" CLI_WIDENED("u16 i8 i16 f16")),
    {"counts", NULL, "also count the elements of each run: run-length encoding"},
    {"lengths", "FILE.npy", "with --counts: write the run lengths as u64"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_select = {
    "select",
    "keep the elements of an array that satisfy a condition",
    "[FILE]",
    where_options,
    "Elements are u8, i32, u32, i64, u64, f32 or f64; their order is preserved.\n",
    "  heddle select --where '>15' --column celsius docs/temperatures.csv\n"
    "  heddle select --type f32 --n 2^24 --where '<0.5' --out low.npy\n",
    run_select};
const cli_command cli_command_partition = {
    "partition",
    "move the elements that satisfy a condition before the others",
    "[FILE]",
    where_options,
    "The order within both parts is preserved; "
    "--out writes the selected, then the rejected elements.\n",
    "  heddle partition --type i32 --where '<0' --n 2^24 --pattern alternating\n",
    run_partition};
const cli_command cli_command_unique = {
    "unique",
    "keep the first of each run of equal elements",
    "[FILE]",
    unique_options,
    "Each element is compared with its predecessor, as uniq does; "
    "sort first for distinct values.\n",
    "  heddle unique --type u8 --format raw --counts picture.bin\n"
    "  heddle unique --type u32 --n 2^20 --pattern zipf --out values.npy\n",
    run_unique};
