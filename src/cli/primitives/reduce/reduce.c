/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - `heddle reduce`: reads its options and runs the job step by step. */
#include <stdarg.h>
#include <string.h>

#include <heddle/group.h>

#include "cli/app/progress.h"
#include "job.h"
#include "cli/app/words.h"

static const cli_option options[] = {
    {"op", "LIST", "operations, for example sum,norm2 (default: all but prod, norm1 and norminf)"},
    CLI_INPUT_OPTIONS("element type of raw input: " CLI_TYPE_NAMES
                      "; of CSV: f64 (default), i64 or u64"),
    {"algo", "NAME",
     "auto (default); for sum, min and max also variants for teaching: tree, shuffle, host, "
     "atomic, lock"},
    CLI_DEVICE_OPTION,
    {"devices", "LIST", "devices to split the array among: 0,3 or 0-3, or all"},
    {"chunk", "BYTES", "process the data in chunks of this size, for example 64M"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and one row"},
    {NULL, NULL, NULL},
};

static const char notes[] =
    "operations: count sum min max argmin argmax mean norm2; only on request: prod norm1 norminf\n"
    "The text output ends with the number of reductions that were run. count takes none, and mean\n"
    "that of sum (it is sum / count).\n"
    "\n"
    "FILE is a NumPy .npy array, a column of a .csv or .tsv file (read as f64; --type i64 or u64:\n"
    "exact integers), a .png picture, or raw little-endian elements of --type (--format raw\n"
    "without --type: u8).\n"
    "A file whose format is not clear from its name, first bytes or options is refused. '-' is\n"
    "standard input: raw or CSV from a pipe, .npy only if it is a regular file ('< a.npy').\n"
    "\n"
    "argmin and argmax are element indices in file order; for arrays of several axes the NumPy\n"
    "index is printed too. Integer sums are exact. Float sums are bitwise identical on every\n"
    "device and for every warp size, chunk size and number of --devices.\n"
    "\n"
    "Arrays larger than device memory are processed in chunks; with --devices the array has to\n"
    "fit into the memory of the devices together. CSV files and pipes are read completely first,\n"
    "because the order in which floats are added depends on the element count; data beyond\n"
    "256 MiB is written to $TMPDIR.\n"
    "--chunk is rounded down to whole tiles (docs/reductions.md), but not below one. A tile has\n"
    "at most 256 KiB if the data has 8 GiB or less.\n"
    "\n"
    "JSON keys: count sum min max argmin argmax mean norm2 seconds gbps file format type column\n"
    "devices argmin_index argmax_index (null unless there are several axes) verified. NaN and\n"
    "infinities are the strings \"NaN\", \"Infinity\", \"-Infinity\"; "
    "an undefined or unrepresentable\n"
    "result is null; integers are printed in full, up to 128 bits. verified is \"skipped\":\n"
    "reduce has no --verify.\n";

static const char examples[] = "  heddle reduce measurements.npy\n"
                               "  heddle reduce docs/temperatures.csv --column celsius\n"
                               "  heddle reduce samples.bin --type f32 --op sum,norm2\n"
                               "  heddle reduce big.npy --chunk 256M --json\n"
                               "  heddle reduce big.npy --devices 0-3\n"
                               "  cat samples.bin | heddle reduce - --type i16\n";

static int read_algorithm(reduce_job *job)
{
    static const char *const names[] = {
#define ALGORITHM_NAME_(name, text, what) text,
        HD_REDUCE_ALGORITHM_LIST(ALGORITHM_NAME_)
#undef ALGORITHM_NAME_
    };
    size_t i;
    int status = cli_word_read(job->arguments, "algo", names, HD_REDUCE_ALGORITHM_COUNT_, 0, &i);

    if (status == CLI_DONE)
        job->algorithm = (hd_reduce_algorithm)i;
    return status;
}

static int read_quantities(reduce_job *job)
{
    unsigned usual = (1u << QUANTITY_REPORT) - 1;

    if (job->algorithm != HD_REDUCE_AUTO)
        usual = 1u << QUANTITY_COUNT | 1u << QUANTITY_SUM | 1u << QUANTITY_MIN |
                1u << QUANTITY_MAX | 1u << QUANTITY_MEAN;
    return cli_word_list_read(job->arguments, "op", reduce_quantity_names, QUANTITY_COUNT_, usual,
                              &job->quantities);
}

static int read_chunk(reduce_job *job)
{
    const char *text = cli_option_value(job->arguments, "chunk");
    uint64_t bytes = 0;

    if (text && (!cli_size_read(text, strlen(text), &bytes) || bytes == 0 || bytes > SIZE_MAX))
        return cli_misused(job->arguments->command, "--chunk: '%s' is not a size in bytes", text);
    if (text && job->algorithm != HD_REDUCE_AUTO)
        return cli_misused(job->arguments->command, "--chunk works with --algo auto only");
    job->chunk_bytes = (size_t)bytes;
    return CLI_DONE;
}

static int read_devices(reduce_job *job)
{
    static const char *const others[] = {"device", "chunk", "algo"};
    int status;

    if (!cli_option_given(job->arguments, "devices"))
        return CLI_DONE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_option_given(job->arguments, others[i]))
            return cli_misused(job->arguments->command, "--devices cannot be combined with --%s",
                               others[i]);
    status = cli_devices_read(job->arguments, 1, &job->devices);
    if (status == CLI_DONE && job->devices.count > HD_GROUP_MAX_RANKS)
        status = cli_misused(job->arguments->command, "--devices: at most %d devices are possible",
                             (int)HD_GROUP_MAX_RANKS);
    return status;
}

static int read_options(reduce_job *job)
{
    int (*const readers[])(reduce_job *) = {read_algorithm, read_quantities, read_chunk,
                                            read_devices};
    int status = cli_format_read(job->arguments, &job->format);

    job->path = job->arguments->operands[0];
    for (size_t i = 0; i < sizeof readers / sizeof *readers && status == CLI_DONE; i++)
        status = readers[i](job);
    if (status == CLI_DONE)
        status = cli_input_options(job->arguments, job->path, &job->input.options);
    return status;
}

static int find_device(reduce_job *job)
{
    const int several = job->devices.count > 0;

    if (several)
        job->device = job->devices.device[0];
    if ((!several &&
         hd_device_select(cli_option_value(job->arguments, "device"), &job->device) < 0) ||
        hd_device_name(job->device, job->device_name, sizeof job->device_name) < 0 ||
        hd_device_get(job->device, HD_ATTR_WARP_SIZE, &job->warp) < 0)
        return reduce_failed_call(job);
    return 0;
}

/* Ops that the quantities need; also minimum and maximum if a sum could overflow. */
static unsigned wanted_ops(const reduce_job *job)
{
    unsigned ops = 0;

    for (int q = 0; q < QUANTITY_COUNT_; q++)
        if (job->quantities & ~job->undefined & 1u << q &&
            reduce_quantity_op((reduce_quantity)q) != HD_REDUCE_COUNT_)
            ops |= 1u << reduce_quantity_op((reduce_quantity)q);
    if (ops & 1u << HD_SUM && (job->type == HD_U32 || job->type == HD_I32) && job->n >> 32)
        ops |= 1u << HD_MIN | 1u << HD_MAX;
    return ops;
}

/* Some quantities are undefined for zero elements. The report says so; requested by name it is an
   error. */
static int check_empty(reduce_job *job)
{
    if (job->n > 0)
        return 0;
    job->undefined = job->quantities &
                     (1u << QUANTITY_MIN | 1u << QUANTITY_MAX | 1u << QUANTITY_ARGMIN |
                      1u << QUANTITY_ARGMAX | 1u << QUANTITY_MEAN);
    if (!job->undefined || !cli_option_given(job->arguments, "op"))
        return 0;
    return reduce_failed(job, "%s: no elements, so %s is not defined (--op count,sum,norm2 is)",
                         job->path,
                         reduce_quantity_name((reduce_quantity)__builtin_ctz(job->undefined)));
}

static int open_input(reduce_job *job)
{
    if (cli_input_open(&job->input) < 0)
        return reduce_failed(job, "%s", job->input.message);
    cli_input_note(job->arguments->command, &job->input);
    job->n = job->input.n;
    job->type = job->input.type;
    return 0;
}

/* Prints all results. One that does not fit is a failure, but the others are still printed. */
static int finish(const reduce_job *job)
{
    const cli_command *command = job->arguments->command;
    int status = CLI_DONE;

    if (job->quantities & ~job->unfit) {
        status = reduce_print(job);
    }
    return job->unfit ? cli_failed(command, "%s", job->message) : status;
}

static int run(const cli_arguments *arguments)
{
    reduce_job job;
    double began = cli_now();
    int status;

    memset(&job, 0, sizeof job);
    job.arguments = arguments;
    status = read_options(&job);
    if (status != CLI_DONE)
        return status;
    status = open_input(&job);
    if (status == 0)
        status = check_empty(&job);
    if (status == 0)
        status = find_device(&job);
    if (status == 0) {
        job.ops = wanted_ops(&job);
        status = job.devices.count ? reduce_devices_run(&job) : reduce_run(&job);
    }
    if (status == 0)
        status = reduce_check_overflow(&job);
    job.total_seconds = cli_now() - began;
    if (status == 0)
        status = finish(&job);
    else
        status = job.input.misused ? cli_misused(arguments->command, "%s", job.message)
                                   : cli_failed(arguments->command, "%s", job.message);
    cli_input_close(&job.input);
    return status;
}

const cli_command cli_command_reduce = {
    "reduce", "reduce a file of numbers: sum, extremes, mean, norm",
    "FILE",   options,
    notes,    examples,
    run,
};
