/* SPDX-License-Identifier: Apache-2.0 */
/* priority.c - `heddle streams priority`: how long a small kernel waits if it is launched while a
   large one runs, on a stream of the lowest priority and on one of the highest. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app/job.h"
#include "cli/lab/kernels/crowd.h"
#include "cli/app/progress.h"
#include "cli/app/table.h"
#include "cli/app/words.h"

enum { THREADS = 64, RUNS_MAX = 1001, BLOCKS_CPU = 2000, TURNS_CPU = 1000, TURNS_GPU = 4000 };
enum { UNDER_WAY_US = 200 }; /* from the first block until all compute units are busy */
enum { ALONE, LEAST, GREATEST, ROWS };

typedef struct priority {
    cli_job job;
    hd_stream *large, *stream[ROWS]; /* stream: for the small kernel */
    unsigned blocks, turns;
    uint32_t *count, *seen, *begun, *begun_device;
    uint32_t sum; /* expected result of the large kernel */
    double seconds[ROWS][RUNS_MAX];
    double done[ROWS][RUNS_MAX]; /* fraction of the large kernel's blocks that had ended */
    hd_status launched;          /* status of the launching thread */
    bool wrong;
} priority;

/* ---- one run --------------------------------------------------------------------------------- */

/* On the CPU engine a launch returns when the kernel is done, so the large one needs a separate
   thread. */
static void *launch_large(void *argument)
{
    priority *p = argument;

    p->launched = hd_launch(
        crowd_work, hd_launch_with(hd_dim(p->blocks, 1, 1), hd_dim(THREADS, 1, 1), 0, p->large),
        p->count, p->begun_device, p->turns);
    if (p->launched >= 0)
        p->launched = hd_stream_synchronize(p->large);
    if (p->launched < 0) /* releases the waiting thread */
        __atomic_store_n(p->begun, 1, __ATOMIC_RELEASE);
    return NULL;
}

static hd_status look(priority *p, int row, size_t run)
{
    const double began = cli_now();

    HD_TRY(hd_launch(crowd_look,
                     hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, p->stream[row]),
                     (const uint32_t *)p->count, p->seen));
    HD_TRY(hd_stream_synchronize(p->stream[row]));
    p->seconds[row][run] = cli_now() - began;
    return HD_OK;
}

static hd_status check(priority *p)
{
    uint32_t count[2] = {0, 0};

    HD_TRY(hd_copy_blocking(count, (const uint32_t *)p->count, 2, p->job.stream));
    p->wrong |= count[0] != p->blocks || count[1] != p->sum;
    return HD_OK;
}

static hd_status run_once(priority *p, int row, size_t run)
{
    pthread_t thread;
    hd_status status;
    uint32_t seen = 0;

    HD_TRY(hd_fill_zero(p->count, 2, p->job.stream));
    HD_TRY(hd_stream_synchronize(p->job.stream));
    if (row == ALONE)
        return look(p, row, run);
    __atomic_store_n(p->begun, 0, __ATOMIC_RELEASE);
    if (pthread_create(&thread, NULL, launch_large, p) != 0)
        return cli_no_memory("a thread");
    while (!__atomic_load_n(p->begun, __ATOMIC_ACQUIRE))
        (void)usleep(20);
    (void)usleep(UNDER_WAY_US);
    status = look(p, row, run);
    (void)pthread_join(thread, NULL);
    if (status >= 0)
        status = p->launched;
    if (status >= 0)
        status = hd_copy_blocking(&seen, (const uint32_t *)p->seen, 1, p->job.stream);
    p->done[row][run] = (double)seen / p->blocks;
    return status < 0 || !p->job.verify ? status : check(p);
}

/* The first run of each is a warm-up. */
static hd_status measure(priority *p)
{
    for (size_t run = 0; run <= p->job.runs; run++)
        for (int row = 0; row < ROWS; row++)
            HD_TRY(run_once(p, row, run ? run - 1 : 0));
    for (int row = 0; row < ROWS; row++) {
        cli_sort_numbers(p->seconds[row], p->job.runs);
        cli_sort_numbers(p->done[row], p->job.runs);
    }
    return HD_OK;
}

/* ---- printing -------------------------------------------------------------------------------- */

static const char *const names[ROWS] = {"alone", "behind at the least", "behind at the greatest"};

static const cli_column columns[] = {
    {.key = "what", .heading = "us until it is done", .width = -28},
    {.key = "seconds", .heading = "median", .width = 10, .decimals = 1, .scale = 1e6},
    {.key = "min", .heading = "min", .width = 10, .decimals = 1, .scale = 1e6},
    {.key = "max", .heading = "max", .width = 10, .decimals = 1, .scale = 1e6},
    {.key = "done",
     .heading = "large one done",
     .width = 14,
     .decimals = 1,
     .scale = 100,
     .unit = "%",
     .digits = 4},
    {.key = "verified"},
};

static int print(const priority *p)
{
    const cli_command *command = p->job.arguments->command;
    const cli_cell verdict = cell_verdict(p->job.verify, !p->wrong);
    const size_t last = p->job.runs - 1, middle = p->job.runs / 2;
    cli_result result;
    int status;

    cli_result_begin(&result, command, p->job.format, p->job.device);
    cli_say(&result,
            "%s, backend %s\na kernel of one thread behind one of %u x %d threads, %zu runs\n\n",
            p->job.device_name, hd_backend_name(), p->blocks, THREADS, p->job.runs);
    cli_field(&result, "blocks", cell_count(p->blocks));
    cli_field(&result, "turns", cell_count(p->turns));
    CLI_TABLE(&result, "rows", columns);
    for (int row = 0; row < ROWS; row++)
        CLI_ROW(&result, cell_text(names[row]), cell_number(p->seconds[row][middle]),
                cell_number(p->seconds[row][0]), cell_number(p->seconds[row][last]),
                cell_if(row != ALONE, cell_number(p->done[row][middle])), verdict);
    cli_table_end(&result);
    cli_say(&result, "\nverified: %s\n",
            !p->job.verify ? "skipped"
            : p->wrong     ? "no"
                           : "every run");
    cli_field(&result, "verified", verdict);
    status = cli_result_end(&result);
    return p->wrong ? cli_failed(command, "not verified: the large kernel's sum differs") : status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static hd_status open_streams(priority *p)
{
    const int device = p->job.device;
    int64_t least = 0, greatest = 0;
    void *seen = NULL;

    HD_TRY(hd_device_get(device, HD_ATTR_STREAM_PRIORITY_LEAST, &least));
    HD_TRY(hd_device_get(device, HD_ATTR_STREAM_PRIORITY_GREATEST, &greatest));
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, (int)least, &p->large));
    for (int row = 0; row < ROWS; row++)
        HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING,
                                     (int)(row == GREATEST ? greatest : least), &p->stream[row]));
    HD_TRY(hd_alloc(&p->count, 2, device));
    HD_TRY(hd_alloc(&p->seen, 1, device));
    HD_TRY(hd_alloc_kind(&p->begun, 1, HD_MEM_MAPPED, device));
    HD_TRY(hd_host_device_pointer(&seen, p->begun, device));
    p->begun_device = seen;
    return HD_OK;
}

static int read_options(priority *p)
{
    const cli_arguments *arguments = p->job.arguments;
    const bool cpu = strcmp(hd_backend_name(), "cpu") == 0;
    int64_t units = 1;
    uint64_t blocks = BLOCKS_CPU, turns = TURNS_CPU;
    int status;

    if (hd_device_get(p->job.device, HD_ATTR_COMPUTE_UNITS, &units) < 0)
        return cli_failed_call(arguments->command);
    status = cli_count_read(arguments, "blocks", cpu ? BLOCKS_CPU : (uint64_t)units * 32 * 60, 1,
                            1 << 24, &blocks);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "turns", cpu ? TURNS_CPU : TURNS_GPU, 1, 1u << 30,
                                &turns);
    p->blocks = (unsigned)blocks;
    p->turns = (unsigned)turns;
    for (uint32_t b = 0; status == CLI_DONE && p->job.verify && b < p->blocks; b++)
        p->sum += crowd_turns(p->turns, b * THREADS);
    return status;
}

static int run(const cli_arguments *arguments)
{
    priority *p = calloc(1, sizeof *p);
    int status;

    if (!p)
        return cli_failed(arguments->command, "no memory");
    status = cli_job_open(&p->job, arguments);
    if (status == CLI_DONE)
        status = read_options(p);
    if (status == CLI_DONE && (open_streams(p) < 0 || measure(p) < 0))
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(p);
    for (int row = 0; row < ROWS; row++)
        hd_stream_destroy(p->stream[row]);
    hd_stream_destroy(p->large);
    hd_free(p->count);
    hd_free(p->seen);
    hd_free(p->begun);
    cli_job_close(&p->job);
    free(p);
    return status;
}

static const cli_option options[] = {
    {"blocks", "B", "blocks of the large kernel (default 60 waves; CPU: 2000)"},
    {"turns", "W", "loop iterations per thread of the large kernel (default 4000; CPU: 1000)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_streams_priority = {
    "streams priority",
    "time a small kernel launched behind a large one, by stream priority",
    NULL,
    options,
    "The small kernel is launched when the first blocks of the large one run. The table has the\n"
    "host time until it has completed, "
    "and the share of the large kernel's blocks that had finished\n"
    "when it ran: blocks of a higher-priority stream are scheduled first, running blocks are not\n"
    "preempted.\n"
    "\n"
    "JSON keys: blocks turns rows (what seconds min max done verified) verified\n",
    "  heddle streams priority\n"
    "  heddle streams priority --blocks 2^18 --turns 20000 --runs 21\n",
    run};
