/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.c - small kernels and their dependencies: shapes, memory, expected cells, measurement. */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/lab/kernels/nodes.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"

enum { GARBAGE = 0x5a5a5a5a };

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The number of nodes that `node` depends on; writes them unless `list` is NULL. */
static size_t before(const nodes *n, size_t node, uint32_t *list)
{
    const int last = node == n->count - 1;
    size_t from = node ? node - 1 : 0, count = node > 0;

    switch (n->shape) {
    case NODES_FAN: /* all depend on the first, the last on all */
        from = last && node > 1 ? 1 : 0;
        count = last && node > 1 ? node - 1 : node > 0;
        break;
    case NODES_DIAMOND: /* one, two in parallel, one that depends on both, two ... */
        from = node % 3 == 2 ? node - 2 : node % 3 == 1 ? node - 1 : node > 1 ? node - 2 : 0;
        count = node == 0 ? 0 : node % 3 == 0 ? 2 : 1;
        break;
    case NODES_INDEPENDENT:
        count = 0;
        break;
    default:
        break;
    }
    for (size_t i = 0; list && i < count; i++)
        list[i] = (uint32_t)(from + i);
    return count;
}

static int make_lists(nodes *n)
{
    n->first = cli_job_memory(&n->job, (n->count + 1) * sizeof *n->first);
    if (!n->first)
        return CLI_FAILED;
    n->first[0] = 0;
    for (size_t i = 0; i < n->count; i++)
        n->first[i + 1] = n->first[i] + before(n, i, NULL);
    n->list = cli_job_memory(&n->job, (n->first[n->count] + 1) * sizeof *n->list);
    if (!n->list)
        return CLI_FAILED;
    for (size_t i = 0; i < n->count; i++)
        before(n, i, n->list + n->first[i]);
    return CLI_DONE;
}

/* The iterations of all threads are one linear map. */
static void expect(nodes *n)
{
    const uint32_t c = node_turns(n->turns, 0), a = node_turns(n->turns, 1) - c;

    for (size_t i = 0; i < n->count; i++)
        for (uint32_t b = 0; b < n->blocks; b++) {
            uint32_t sum = 0;
            for (uint32_t t = 0; t < n->threads; t++)
                sum += a * ((uint32_t)i + b * n->threads + t) + c;
            for (size_t k = n->first[i]; k < n->first[i + 1]; k++)
                sum += node_mix(n->expected[n->list[k] * n->blocks + b]);
            n->expected[i * n->blocks + b] = sum;
        }
}

/* ---- opening --------------------------------------------------------------------------------- */

static int read_options(nodes *n, size_t count, unsigned turns, unsigned streams)
{
    const cli_arguments *arguments = n->job.arguments;
    uint64_t nodes_count = 0, blocks = 0, threads = 0, loops = 0, most = 0, passes = 0;
    int status = cli_count_read(arguments, "nodes", count, 1, 1 << 20, &nodes_count);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "blocks", 1, 1, 65535, &blocks);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "threads", 32, 1, 1024, &threads);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "turns", turns, 0, 1u << 30, &loops);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "streams", streams, 1, 1024, &most);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "passes", 10, 1, 100000, &passes);
    if (status == CLI_DONE && nodes_count * blocks > 1u << 28)
        status = cli_misused(arguments->command, "more than 2^28 blocks in all");
    n->count = (size_t)nodes_count;
    n->blocks = (unsigned)blocks;
    n->threads = (unsigned)threads;
    n->turns = (unsigned)loops;
    n->streams = (unsigned)most;
    n->passes = (size_t)passes;
    n->empty = cli_option_given(arguments, "empty");
    return status;
}

static hd_status make_streams(nodes *n)
{
    n->stream = calloc(n->streams, sizeof(hd_stream *));
    n->join = calloc(n->streams, sizeof(hd_event *));
    n->done = calloc(n->count, sizeof(hd_event *));
    if (!n->stream || !n->join || !n->done)
        return cli_no_memory("%u streams of %zu nodes", n->streams, n->count);
    n->stream[0] = n->job.stream;
    HD_TRY(hd_event_create(n->job.device, 0, &n->fork));
    for (unsigned s = 1; s < n->streams; s++) {
        HD_TRY(hd_stream_create_with(n->job.device, HD_STREAM_NON_BLOCKING, 0, &n->stream[s]));
        HD_TRY(hd_event_create(n->job.device, 0, &n->join[s]));
    }
    for (size_t i = 0; i < n->count && n->shape != NODES_INDEPENDENT; i++)
        HD_TRY(hd_event_create(n->job.device, 0, &n->done[i]));
    return HD_OK;
}

int nodes_open(nodes *n, const cli_arguments *arguments, nodes_shape shape, size_t count,
               unsigned turns, unsigned streams)
{
    void *device_list = NULL, *cells = NULL;
    size_t bytes;
    int status = cli_job_open(&n->job, arguments);

    n->shape = shape;
    if (status == CLI_DONE)
        status = read_options(n, count, turns, streams);
    if (status == CLI_DONE)
        status = make_lists(n);
    if (status != CLI_DONE)
        return status;
    bytes = n->count * n->blocks * sizeof *n->cells;
    n->expected = cli_job_memory(&n->job, bytes);
    n->found = cli_job_memory(&n->job, bytes);
    if (!n->expected || !n->found)
        return CLI_FAILED;
    expect(n);
    status = cli_job_upload(&n->job, n->list, n->first[n->count] * sizeof *n->list, &device_list);
    n->device_list = device_list;
    if (status == CLI_DONE)
        status = cli_job_upload(&n->job, NULL, bytes, &cells);
    n->cells = cells;
    if (status == CLI_DONE && make_streams(n) < 0)
        status = cli_failed_call(arguments->command);
    return status;
}

void nodes_close(nodes *n)
{
    for (size_t w = 0; w < n->strategy_count; w++) {
        hd_graph_exec_destroy(n->strategies[w].exec);
        free(n->strategies[w].awaited);
    }
    for (unsigned s = 1; n->stream && n->join && s < n->streams; s++) {
        hd_stream_destroy(n->stream[s]);
        hd_event_destroy(n->join[s]);
    }
    for (size_t i = 0; n->done && i < n->count; i++)
        hd_event_destroy(n->done[i]);
    hd_event_destroy(n->fork);
    hd_free(n->device_list);
    hd_free(n->cells);
    free(n->stream);
    free(n->join);
    free(n->done);
    free(n->first);
    free(n->list);
    free(n->expected);
    free(n->found);
    cli_job_close(&n->job);
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Cells are overwritten with garbage first, so that a kernel that runs too early gives a wrong
   result. */
static hd_status verify(nodes *n, nodes_strategy *strategy)
{
    const size_t cells = n->count * n->blocks;

    HD_TRY(hd_fill_bytes(n->cells, GARBAGE, 4, cells, n->job.stream));
    HD_TRY(hd_stream_synchronize(n->job.stream));
    HD_TRY(strategy->pass(n, strategy));
    HD_TRY(hd_copy_blocking(n->found, (const uint32_t *)n->cells, cells, n->job.stream));
    for (size_t i = 0; i < cells && !n->wrong; i++)
        if (n->found[i] != n->expected[i]) {
            n->wrong = strategy->name;
            n->wrong_at = i / n->blocks;
        }
    n->compared++;
    return HD_OK;
}

static hd_status time_strategy(nodes *n, nodes_strategy *strategy, size_t run)
{
    const double count = (double)n->count;
    double began = cli_now();

    HD_TRY(strategy->pass(n, strategy));
    strategy->call[run] = (cli_now() - began) / count;
    HD_TRY(hd_stream_synchronize(n->job.stream));
    strategy->alone[run] = (cli_now() - began) / count;
    began = cli_now();
    for (size_t p = 0; p < n->passes; p++)
        HD_TRY(strategy->pass(n, strategy));
    HD_TRY(hd_stream_synchronize(n->job.stream));
    strategy->row[run] = (cli_now() - began) / (count * (double)n->passes);
    return HD_OK;
}

static hd_status measure(nodes *n)
{
    for (size_t w = 0; w < n->strategy_count; w++) {
        if (n->job.verify && !n->empty)
            HD_TRY(verify(n, &n->strategies[w]));
        HD_TRY(time_strategy(n, &n->strategies[w], 0)); /* warm-up */
    }
    for (size_t run = 0; run < n->job.runs; run++)
        for (size_t w = 0; w < n->strategy_count; w++)
            HD_TRY(time_strategy(n, &n->strategies[w], run));
    return HD_OK;
}

int nodes_measure(nodes *n)
{
    if (measure(n) < 0)
        return cli_failed_call(n->job.arguments->command);
    for (size_t w = 0; w < n->strategy_count; w++) {
        nodes_strategy *strategy = &n->strategies[w];
        cli_sort_numbers(strategy->call, n->job.runs);
        cli_sort_numbers(strategy->alone, n->job.runs);
        cli_sort_numbers(strategy->row, n->job.runs);
    }
    return CLI_DONE;
}

int nodes_run(const cli_arguments *arguments, nodes_shape shape, size_t count, unsigned turns,
              unsigned streams, hd_status (*add_strategies)(nodes *n))
{
    nodes *n = calloc(1, sizeof *n);
    int status;

    if (!n)
        return cli_failed(arguments->command, "no memory");
    status = nodes_open(n, arguments, shape, count, turns, streams);
    if (status == CLI_DONE && add_strategies(n) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = nodes_measure(n);
    if (status == CLI_DONE)
        status = nodes_print(n);
    nodes_close(n);
    free(n);
    return status;
}
