/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong.c - `heddle mpi pingpong`: messages of growing size between two ranks, back and
   forth. */
#include "pingpong.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"
#include "commands.h"

enum { RUNS_MAX = 1001 };

/* ---- one size by one method ------------------------------------------------------------------ */

/* Data of the two ranks. */
typedef struct rig {
    pingpong *p;
    int peer, first; /* first: this rank sends first */
    unsigned char *host;
    void *memory;
} rig;

static hd_status there_or_back(rig *r, pingpong_method method, size_t bytes, int sends)
{
    pingpong *p = r->p;
    hd_mpi_message message = {.peer = r->peer};
    hd_mpi *mpi = method >= PINGPONG_PEER ? p->other[method].mpi : p->job.mpi;

    if (method == PINGPONG_HOST) {
        const int code = sends
                             ? MPI_Send(r->host, (int)bytes, MPI_BYTE, r->peer, 0, hd_mpi_comm(mpi))
                             : MPI_Recv(r->host, (int)bytes, MPI_BYTE, r->peer, 0, hd_mpi_comm(mpi),
                                        MPI_STATUS_IGNORE);
        return code == MPI_SUCCESS ? HD_OK : HD_ERR_BACKEND;
    }
    message.send = sends ? r->memory : NULL;
    message.send_bytes = sends ? bytes : 0;
    message.receive = sends ? NULL : r->memory;
    message.receive_bytes = sends ? 0 : bytes;
    return hd_mpi_exchange(mpi, &message, 1, p->job.stream);
}

/* Round trips, until the data is back on the device. */
static hd_status round_trips(rig *r, pingpong_method method, size_t bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        HD_TRY(there_or_back(r, method, bytes, r->first));
        HD_TRY(there_or_back(r, method, bytes, !r->first));
    }
    return hd_stream_synchronize(r->p->job.stream);
}

static unsigned char pattern(size_t i, size_t bytes)
{
    return (unsigned char)((i * 167 + i / 251 + bytes) & 255);
}

/* Only the rank that sends first has the pattern, so the data that comes back has been on the other
   rank. */
static hd_status fill(rig *r, pingpong_method method, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        r->host[i] = r->first ? pattern(i, bytes) : 0xee;
    if (method == PINGPONG_HOST)
        return HD_OK;
    return hd_copy_blocking_bytes(r->memory, r->host, bytes, 1, r->p->job.stream);
}

static hd_status count_wrong(rig *r, pingpong_method method, size_t bytes)
{
    if (method != PINGPONG_HOST) {
        memset(r->host, 0, bytes);
        HD_TRY(hd_copy_blocking_bytes(r->host, r->memory, bytes, 1, r->p->job.stream));
    }
    for (size_t i = 0; i < bytes; i++)
        r->p->wrong += r->host[i] != pattern(i, bytes);
    return HD_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Batches of about 64 KiB, so that small messages can be timed. */
static hd_status measure(rig *r, pingpong_method method, size_t bytes, double *seconds)
{
    double samples[RUNS_MAX];
    const size_t batch = bytes < 8192 ? 8 : 1;

    HD_TRY(fill(r, method, bytes));
    HD_TRY(round_trips(r, method, bytes, 1));
    for (size_t i = 0; i < r->p->runs; i++) {
        const double began = MPI_Wtime();
        HD_TRY(round_trips(r, method, bytes, batch));
        samples[i] = (MPI_Wtime() - began) / (2.0 * (double)batch);
    }
    qsort(samples, r->p->runs, sizeof *samples, compare);
    *seconds = samples[r->p->runs / 2];
    return count_wrong(r, method, bytes);
}

/* ---- all measurements ------------------------------------------------------------------------ */

static hd_status measure_methods(rig *r)
{
    pingpong *p = r->p;
    const size_t most = p->sizes[p->size_count - 1];

    r->host = malloc(most);
    if (!r->host)
        return HD_ERR_NO_MEMORY;
    HD_TRY(mpi_job_alloc(&p->job, &r->memory, most));
    for (int method = 0; method < PINGPONG_METHODS; method++) {
        pingpong_series *series = &p->series[method];
        if (method >= PINGPONG_PEER && !p->other[method].mpi)
            continue;
        for (size_t s = 0; s < p->size_count; s++)
            HD_TRY(measure(r, (pingpong_method)method, p->sizes[s], &series->seconds[s]));
        series->fit = cli_fit_of(p->sizes, series->seconds, p->size_count);
        series->measured = true;
    }
    return HD_OK;
}

/* The two ranks measure; rank 0 receives the results of the first. */
static int run_pair(pingpong *p)
{
    rig r = {.p = p, .peer = -1};
    hd_status status = HD_OK;
    int result;

    r.first = p->job.rank == p->ranks[0];
    if (r.first || p->job.rank == p->ranks[1]) {
        r.peer = p->ranks[r.first];
        status = measure_methods(&r);
    }
    hd_free(r.memory);
    free(r.host);
    result = mpi_job_settle(&p->job, status);
    if (result != CLI_DONE)
        return result;
    (void)MPI_Allreduce(MPI_IN_PLACE, &p->wrong, 1, MPI_UINT64_T, MPI_SUM, hd_mpi_comm(p->job.mpi));
    (void)MPI_Bcast(p->series, (int)sizeof p->series, MPI_BYTE, p->ranks[0],
                    hd_mpi_comm(p->job.mpi));
    return CLI_DONE;
}

static int finish(pingpong *p)
{
    const cli_command *command = p->job.arguments->command;
    int status = CLI_DONE;

    if (p->job.rank == 0) {
        status = pingpong_print(p);
        if (p->wrong)
            status = cli_failed(command, "not verified: %llu bytes differ",
                                (unsigned long long)p->wrong);
    }
    return mpi_job_status(&p->job, status);
}

static int read_options(pingpong *p, const cli_arguments *arguments)
{
    uint64_t first = 0, second = 1, most = 0, runs = 0;
    int status = cli_count_read(arguments, "from", 0, 0, INT32_MAX, &first);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "to", 1, 0, INT32_MAX, &second);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "bytes", 1 << 24, 8, 1 << 30, &most);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "runs", 21, 1, RUNS_MAX, &runs);
    if (status != CLI_DONE)
        return status;
    if (first == second)
        return cli_misused(arguments->command, "--from and --to are the same rank");
    p->ranks[0] = (int)first;
    p->ranks[1] = (int)second;
    p->runs = (size_t)runs;
    for (size_t bytes = 8; bytes < most; bytes *= 4)
        p->sizes[p->size_count++] = bytes;
    p->sizes[p->size_count++] = (size_t)most;
    return CLI_DONE;
}

static const hd_mpi_path method_paths[PINGPONG_METHODS] = {
#define PINGPONG_PATH_(name, text, path) path,
    PINGPONG_METHOD_LIST(PINGPONG_PATH_)
#undef PINGPONG_PATH_
};

static int run(const cli_arguments *arguments)
{
    pingpong p = {.size_count = 0};
    int status = mpi_job_compare(arguments), size = 0, last;

    if (status == CLI_DONE)
        status = read_options(&p, arguments);
    if (status != CLI_DONE)
        return status;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    last = p.ranks[0] > p.ranks[1] ? p.ranks[0] : p.ranks[1];
    if (last >= size)
        return cli_misused(arguments->command, "no rank %d among %d: mpirun -n %lld or more", last,
                           size, last + 1LL);
    status = mpi_job_open(&p.job, arguments, HD_MPI_STAGED);
    if (status == CLI_DONE) {
        for (int method = PINGPONG_PEER; method < PINGPONG_METHODS; method++)
            mpi_other_path_open(&p.job, method_paths[method], &p.other[method]);
        status = run_pair(&p);
    }
    if (status == CLI_DONE)
        status = finish(&p);
    for (int method = PINGPONG_PEER; method < PINGPONG_METHODS; method++)
        hd_mpi_destroy(p.other[method].mpi);
    mpi_job_close(&p.job);
    return status;
}

static const cli_option options[] = {
    {"from", "RANK", "rank that sends first (default 0)"},
    {"to", "RANK", "rank that replies (default 1)"},
    {"bytes", "N", "largest message (default 16M); from 8 bytes in steps of 4x"},
    {"runs", "N", "report the median time of N runs (default 21)"},
    MPI_VENDOR_OPTION,
    MPI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_mpi_pingpong = {
    "mpi pingpong",
    "measure latency and bandwidth between two ranks",
    NULL,
    options,
    "One way is half a round trip. host: host memory, plain MPI; staged: device memory through\n"
    "pinned host memory; peer: directly between devices of a node; "
    "device: device memory passed to\n"
    "MPI, if it supports that; library: NCCL or RCCL. Every returned byte is verified. alpha and\n"
    "beta of time = alpha + bytes * beta are fitted by relative errors; "
    "`heddle model` reads them.\n"
    "If the time does not grow with the size beyond the scatter of the measurements there is no\n"
    "fit: use larger --bytes or more --runs. An unavailable path has a reason.\n" MPI_JOB_NOTES,
    "  mpirun -n 2 heddle mpi pingpong --vendor\n"
    "  mpirun -n 8 heddle mpi pingpong --from 0 --to 7 --json\n",
    run};
