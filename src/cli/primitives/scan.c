/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - `heddle scan`: running sums, minima or maxima of numbers. */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/job.h"
#include "cli/app/words.h"

static const char *const op_words[] = {"sum", "min", "max"};
static const hd_reduce_op ops[] = {HD_SUM, HD_MIN, HD_MAX};

static hd_status scan_once(void *state, hd_stream *stream)
{
    cli_scan_call *c = state;
    const void *initial = c->begins ? &c->initial : NULL;
    if (c->dev_heads)
        return hd_scan_segments(c->in, c->dev_heads, HD_U8, c->array.n, c->array.type, c->op,
                                c->kind, initial, c->out, NULL, stream);
    return hd_scan_with((hd_scan_algorithm)c->algorithm, c->in, c->array.n, c->array.type, c->op,
                        c->kind, initial, c->out, NULL, stream);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static int read_input(const cli_arguments *arguments, cli_scan_call *c)
{
    const unsigned types = CLI_TYPE_BIT(HD_I32) | CLI_TYPE_BIT(HD_U32) | CLI_TYPE_BIT(HD_I64) |
                           CLI_TYPE_BIT(HD_U64) | CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64);
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    const char *heads = cli_option_value(arguments, "heads");
    const char *column = cli_option_value(arguments, "heads-column");
    int status = cli_array_input(arguments, path, types, HD_F32, &c->array);

    if (status != CLI_DONE || (!heads && !column))
        return status;
    if (!path || (heads && column))
        return cli_misused(arguments->command, "--heads FILE.npy and --heads-column require FILE");
    status = cli_array_flags(arguments, column ? path : heads, column, &c->heads);
    if (status == CLI_DONE && c->heads.n != c->array.n)
        status = cli_failed(arguments->command, "%zu heads for %zu elements", c->heads.n,
                            c->array.n);
    return status;
}

static int read_options(const cli_arguments *arguments, cli_scan_call *c)
{
    static const char *const algorithms[] = {
#define ALGORITHM_NAME_(name, text, what) text,
        HD_SCAN_ALGORITHM_LIST(ALGORITHM_NAME_)
#undef ALGORITHM_NAME_
    };
    size_t op = 0;
    int status = cli_word_read(arguments, "op", op_words, 3, 0, &op);

    if (status == CLI_DONE)
        status = cli_word_read(arguments, "algo", algorithms, HD_SCAN_ALGORITHM_COUNT_, 0,
                               &c->algorithm);
    if (status == CLI_DONE)
        status = read_input(arguments, c);
    if (status == CLI_DONE)
        status = cli_scalar_read(arguments, "initial", c->array.type, &c->initial);
    if (status == CLI_DONE && c->heads.data && c->algorithm != HD_SCAN_AUTO)
        status = cli_misused(arguments->command, "--algo %s does not support segments",
                             algorithms[c->algorithm]);
    c->op = ops[op];
    c->begins = cli_option_given(arguments, "initial");
    c->kind = cli_option_given(arguments, "exclusive") ? HD_SCAN_EXCLUSIVE : HD_SCAN_INCLUSIVE;
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int measure(cli_job *job, cli_scan_call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->array.type);
    const size_t flags = c->heads.data ? c->heads.n : 0;
    int status = cli_job_upload(job, c->array.data, bytes, &c->in);

    if (status == CLI_DONE && c->heads.data)
        status = cli_job_upload(job, c->heads.data, flags, &c->dev_heads);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->out);
    if (status == CLI_DONE)
        status = cli_job_time(job, scan_once, c, 2.0 * (double)bytes + (double)flags);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->result, c->out, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->array.type, c->result, c->array.axes,
                                  c->array.shape);
    return status;
}

static int report(cli_job *job, const cli_scan_call *c)
{
    const size_t good = job->verify ? cli_scan_check(c) : c->array.n;

    cli_job_path(job, "input", c->array.from, c->array.path, NULL);
    cli_job_text(job, "type", hd_type_name(c->array.type), NULL);
    cli_job_text(job, "op", op_words[c->op == HD_SUM ? 0 : c->op == HD_MIN ? 1 : 2], NULL);
    cli_job_text(job, "kind", c->kind == HD_SCAN_EXCLUSIVE ? "exclusive" : "inclusive", NULL);
    if (c->begins)
        cli_job_element(job, "initial", c->array.type, &c->initial, 0, NULL);
    if (c->heads.data)
        cli_job_path(job, "heads", c->heads.from, c->heads.path, NULL);
    cli_job_count(job, "count", c->array.n, "elements");
    if (c->array.n > 0)
        cli_job_element(job, "last", c->array.type, c->result, c->array.n - 1, NULL);
    return cli_job_end(job,
                       !job->verify         ? CLI_SKIPPED
                       : good == c->array.n ? CLI_VERIFIED
                                            : CLI_WRONG,
                       "element %zu differs", good);
}

static int run(const cli_arguments *arguments)
{
    cli_scan_call c;
    cli_job job;
    int status = cli_job_open(&job, arguments);

    memset(&c, 0, sizeof c);
    if (status == CLI_DONE)
        status = read_options(arguments, &c);
    if (status == CLI_DONE &&
        !(c.result = cli_job_memory(&job, c.array.n * hd_type_bytes(c.array.type))))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = measure(&job, &c);
    if (status == CLI_DONE)
        status = report(&job, &c);
    hd_free(c.in);
    hd_free(c.dev_heads);
    hd_free(c.out);
    free(c.result);
    cli_array_free(&c.array);
    cli_array_free(&c.heads);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS("i32 u32 i64 u64 f32 f64" CLI_WIDENED("u8 u16 i8 i16 f16")),
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {"op", "NAME", "sum (default), min or max"},
    {"exclusive", NULL, "exclusive scan: result i excludes element i"},
    {"heads", "FILE.npy", "segment flags, one per element: nonzero starts a segment"},
    {"heads-column", "NAME|N", "column of FILE that holds the segment flags"},
    {"initial", "X", "initial value of the scan, or of every segment"},
    {"algo", "NAME",
     "auto (default: one pass); for i32, f32 and f64 also hillis (Hillis-Steele: log2(n) passes), "
     "shuffle (warp shuffles; block totals are scanned by further launches), host (block totals "
     "are scanned on the host)"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_scan = {
    "scan",
    "compute running sums, minima or maxima",
    "[FILE]",
    options,
    "Types: i32 u32 i64 u64 f32 f64; narrower input is widened. Integer sums wrap around. Float\n"
    "sums are bitwise identical on every device, and are verified in double-double arithmetic.\n",
    "  heddle scan --n 2^24\n"
    "  heddle scan measurements.npy --op max --out peaks.npy\n"
    "  heddle scan sales.csv --column amount --heads-column new_month --type f64\n",
    run,
};
