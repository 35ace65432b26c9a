/* SPDX-License-Identifier: Apache-2.0 */
/* alltoall.c - `heddle mpi alltoall`: a block of every rank for every rank, by several methods. */
#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"
#include "commands.h"
#include "job.h"

enum { RUNS_MAX = 1001 };

/* X(text, method, path) */
#define METHOD_LIST(X)                                                                             \
    X("pairs, staged", HD_MPI_PAIRS, HD_MPI_STAGED)                                                \
    X("pairs, peer", HD_MPI_PAIRS, HD_MPI_PEER)                                                    \
    X("pairs, device", HD_MPI_PAIRS, HD_MPI_DEVICE)                                                \
    X("pairs, library", HD_MPI_PAIRS, HD_MPI_LIBRARY)                                              \
    X("MPI_Alltoall, staged", HD_MPI_COLLECTIVE, HD_MPI_STAGED)                                    \
    X("MPI_Alltoall, device", HD_MPI_COLLECTIVE, HD_MPI_DEVICE)

static const struct {
    const char *text;
    hd_mpi_algorithm how;
    hd_mpi_path path;
} methods[] = {
#define ROW_(text, method, path) {text, method, path},
    METHOD_LIST(ROW_)
#undef ROW_
};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct alltoall {
    mpi_job job;
    mpi_other_path other[HD_MPI_PEER + 1]; /* by path: device, library and peer */
    size_t bytes, runs;
    unsigned char *host;
    void *in, *out;
    double seconds[METHODS]; /* median of the slowest rank; 0: not measured */
    uint64_t wrong;
} alltoall;

static unsigned char pattern(int from, int to, size_t i)
{
    return (unsigned char)(((size_t)from * 31 + (size_t)to * 101 + i * 167 + i / 253) & 255);
}

static hd_status fill(alltoall *a)
{
    for (int to = 0; to < a->job.size; to++)
        for (size_t i = 0; i < a->bytes; i++)
            a->host[(size_t)to * a->bytes + i] = pattern(a->job.rank, to, i);
    HD_TRY(
        hd_copy_blocking_bytes(a->in, a->host, a->bytes * (size_t)a->job.size, 1, a->job.stream));
    return hd_fill_bytes(a->out, 0xee, 1, a->bytes * (size_t)a->job.size, a->job.stream);
}

static hd_status count_wrong(alltoall *a)
{
    const size_t all = a->bytes * (size_t)a->job.size;

    memset(a->host, 0, all);
    HD_TRY(hd_copy_blocking_bytes(a->host, a->out, all, 1, a->job.stream));
    for (int from = 0; from < a->job.size; from++)
        for (size_t i = 0; i < a->bytes; i++)
            a->wrong += a->host[(size_t)from * a->bytes + i] != pattern(from, a->job.rank, i);
    return HD_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* With HEDDLE_MPI_DEVICE, MPI messages are given device memory, but MPI's collectives are not. */
static bool mpi_says_so(const alltoall *a)
{
    for (int r = 0; r < a->job.size; r++)
        if (!hd_mpi_places(a->job.mpi)[r].device_path)
            return false;
    return true;
}

/* NULL if the method is not available. */
static hd_mpi *method_mpi(const alltoall *a, int method)
{
    if (methods[method].path == HD_MPI_STAGED)
        return a->job.mpi;
    if (methods[method].how == HD_MPI_COLLECTIVE && !mpi_says_so(a))
        return NULL;
    return a->other[methods[method].path].mpi;
}

static const char *method_reason(const alltoall *a, int method)
{
    return methods[method].how == HD_MPI_COLLECTIVE
               ? "this MPI does not say that it takes device memory"
               : a->other[methods[method].path].reason;
}

static bool method_requested(const alltoall *a, int method)
{
    return methods[method].path == HD_MPI_STAGED || a->other[methods[method].path].asked;
}

/* All ranks go through all runs, even if one has failed, so that no rank waits forever. */
static hd_status measure(alltoall *a, int method, double *seconds)
{
    double samples[RUNS_MAX];
    hd_mpi *mpi = method_mpi(a, method);
    hd_status status = fill(a);

    for (size_t i = 0; i <= a->runs; i++) {
        hd_status done;
        double began, slowest;
        (void)MPI_Barrier(hd_mpi_comm(mpi));
        began = MPI_Wtime();
        done = hd_mpi_all_to_all(mpi, a->in, a->out, a->bytes, methods[method].how, a->job.stream);
        if (done >= 0)
            done = hd_stream_synchronize(a->job.stream);
        status = status < 0 ? status : done;
        slowest = MPI_Wtime() - began;
        (void)MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, hd_mpi_comm(mpi));
        if (i)
            samples[i - 1] = slowest;
    }
    qsort(samples, a->runs, sizeof *samples, compare);
    *seconds = samples[a->runs / 2];
    return status < 0 ? status : count_wrong(a);
}

static int run_methods(alltoall *a)
{
    const size_t all = a->bytes * (size_t)a->job.size;
    hd_status made = HD_OK;
    int status;

    a->host = malloc(all);
    if (!a->host)
        made = HD_ERR_NO_MEMORY;
    if (made >= 0)
        made = mpi_job_alloc(&a->job, &a->in, all);
    if (made >= 0)
        made = mpi_job_alloc(&a->job, &a->out, all);
    status = mpi_job_settle(&a->job, made);
    for (int method = 0; method < METHODS && status == CLI_DONE; method++)
        if (method_mpi(a, method))
            status = mpi_job_settle(&a->job, measure(a, method, &a->seconds[method]));
    if (status == CLI_DONE)
        (void)MPI_Allreduce(MPI_IN_PLACE, &a->wrong, 1, MPI_UINT64_T, MPI_SUM,
                            hd_mpi_comm(a->job.mpi));
    return status;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* GB/s that each rank sends to the others. */
static double rate(const alltoall *a, int method)
{
    return 1e-9 * (double)a->bytes * (a->job.size - 1) / a->seconds[method];
}

static const cli_column columns[] = {
    {.key = "method", .heading = "method", .width = -22},
    {.key = "ranks", .once = true},
    {.key = "bytes", .once = true},
    {.key = "seconds", .heading = "time us", .width = 10, .decimals = 2, .scale = 1e6},
    {.key = "gbps", .heading = "GB/s a rank", .width = 12, .decimals = 3},
    {.key = "reason"},
    {.key = "verified"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* A method that was not measured shows the reason instead of times. */
static void print_method(const alltoall *a, int method, cli_result *result)
{
    const bool measured = a->seconds[method] > 0;
    const char *reason = method_reason(a, method);

    CLI_ROW_NOTED(result, COLUMNS, measured ? NULL : reason, cell_text(methods[method].text),
                  cell_count((uint64_t)a->job.size), cell_count(a->bytes),
                  cell_if(measured, cell_number(a->seconds[method])),
                  cell_if(measured, cell_number(rate(a, method))),
                  cell_if(!measured, cell_text(reason)), cell_if(measured, cell_flag(!a->wrong)));
}

static int print(const alltoall *a)
{
    char bytes[CLI_NUMBER];
    cli_result result;

    mpi_result_begin(&result, &a->job);
    cli_text_bytes((double)a->bytes, bytes);
    cli_say(&result, "%d rank%s, %s from each to each, backend %s\n\n", a->job.size,
            a->job.size == 1 ? "" : "s", bytes, hd_backend_name());
    cli_field(&result, "bytes", cell_count(a->bytes));
    CLI_TABLE(&result, "rows", columns);
    for (int method = 0; method < METHODS; method++)
        if (method_requested(a, method) || a->job.format == CLI_TEXT)
            print_method(a, method, &result);
    cli_table_end(&result);
    cli_say(&result, "verified: %s\n", a->wrong ? "no" : "every byte");
    cli_field(&result, "verified", cell_flag(!a->wrong));
    return cli_result_end(&result);
}

static int finish(alltoall *a)
{
    const cli_command *command = a->job.arguments->command;
    int status = CLI_DONE;

    if (a->job.rank == 0) {
        status = print(a);
        if (a->wrong)
            status = cli_failed(command, "not verified: %llu bytes differ",
                                (unsigned long long)a->wrong);
    }
    return mpi_job_status(&a->job, status);
}

static const hd_mpi_path others[] = {HD_MPI_DEVICE, HD_MPI_LIBRARY, HD_MPI_PEER};

static int run(const cli_arguments *arguments)
{
    alltoall a = {.bytes = 0};
    uint64_t bytes = 0, runs = 0;
    int status = mpi_job_compare(arguments);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "bytes", 2 << 20, 1, 1 << 30, &bytes);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "runs", 11, 1, RUNS_MAX, &runs);
    if (status != CLI_DONE)
        return status;
    a.bytes = (size_t)bytes;
    a.runs = (size_t)runs;
    status = mpi_job_open(&a.job, arguments, HD_MPI_STAGED);
    if (status == CLI_DONE) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            mpi_other_path_open(&a.job, others[i], &a.other[others[i]]);
        status = run_methods(&a);
    }
    if (status == CLI_DONE)
        status = finish(&a);
    hd_free(a.in);
    hd_free(a.out);
    free(a.host);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        hd_mpi_destroy(a.other[others[i]].mpi);
    mpi_job_close(&a.job);
    return status;
}

static const cli_option options[] = {
    {"bytes", "N", "size of each block (default 2M)"},
    {"runs", "N", "report the median time of N runs, after a warm-up (default 11)"},
    MPI_VENDOR_OPTION,
    MPI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_mpi_alltoall = {
    "mpi alltoall",
    "send a block from every rank to every rank",
    NULL,
    options,
    "pairs: heddle's own messages, staged or between devices of a node, or those of NCCL or RCCL;\n"
    "MPI_Alltoall: that of MPI, on a staging buffer or on device memory. Times are those of the\n"
    "slowest rank. GB/s per rank: data sent to other ranks, bytes * (ranks - 1) / time. An\n"
    "unavailable path has a reason instead of times. Every byte is verified.\n" MPI_JOB_NOTES,
    "  mpirun -n 4 heddle mpi alltoall --vendor\n"
    "  mpirun -n 8 heddle mpi alltoall --bytes 64K --csv\n",
    run};
