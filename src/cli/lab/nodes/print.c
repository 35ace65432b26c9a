/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - prints the measurements of small kernels. */
#include "nodes.h"

#include "cli/app/table.h"

const char *nodes_shape_name(nodes_shape shape)
{
    static const char *const names[] = {
#define NODES_NAME_(name, text) text,
        NODES_SHAPE_LIST(NODES_NAME_)
#undef NODES_NAME_
    };
    return names[shape];
}

/* Every strategy was compared, and none was wrong. */
static int nodes_right(const nodes *n)
{
    return !n->wrong && n->compared == n->strategy_count;
}

static double at(const nodes *n, const double *sorted, double part)
{
    return sorted[(size_t)(part * (double)(n->job.runs - 1) + 0.5)];
}

static void print_head(const nodes *n, cli_result *result)
{
    char turns[32];

    (void)snprintf(turns, sizeof turns, "%u turns", n->turns);
    cli_say(
        result,
        "%s, backend %s\n%zu kernels (%s) of %u x %u threads, %s; us per kernel, medians of %zu "
        "run%s\n\n",
        n->job.device_name, hd_backend_name(), n->count, nodes_shape_name(n->shape), n->blocks,
        n->threads, n->empty ? "empty" : turns, n->job.runs, n->job.runs == 1 ? "" : "s");
    cli_field(result, "shape", cell_text(nodes_shape_name(n->shape)));
    cli_field(result, "nodes", cell_count(n->count));
    cli_field(result, "blocks", cell_count(n->blocks));
    cli_field(result, "threads", cell_count(n->threads));
    cli_field(result, "turns", cell_count(n->turns));
    cli_field(result, "empty", cell_flag(n->empty));
}

static const cli_column columns[] = {
    {.key = "strategy", .heading = "", .width = -24},
    {.key = "calls", .heading = "calls", .width = 9, .decimals = 3, .scale = 1e6},
    {.key = "alone", .heading = "alone", .width = 9, .decimals = 3, .scale = 1e6},
    {.key = "seconds", .heading = "in a row", .width = 9, .decimals = 3, .scale = 1e6},
    {.key = "p10", .heading = "p10", .width = 9, .decimals = 3, .scale = 1e6},
    {.key = "p90", .heading = "p90", .width = 9, .decimals = 3, .scale = 1e6},
    {.key = "verified"},
    {.key = "speedup", .heading = "speedup", .width = 8, .decimals = 2, .unit = "x"},
};

static void print_rows(const nodes *n, cli_cell verdict, cli_result *result)
{
    const double first = at(n, n->strategies[0].row, 0.5);

    CLI_TABLE(result, "rows", columns);
    for (size_t w = 0; w < n->strategy_count; w++) {
        const nodes_strategy *strategy = &n->strategies[w];
        const double row = at(n, strategy->row, 0.5);

        CLI_ROW(result, cell_text(strategy->name), cell_number(at(n, strategy->call, 0.5)),
                cell_number(at(n, strategy->alone, 0.5)), cell_number(row),
                cell_number(at(n, strategy->row, 0.1)), cell_number(at(n, strategy->row, 0.9)),
                verdict, cell_number(first / row));
    }
    cli_table_end(result);
}

static void print_once(const nodes *n, cli_result *result)
{
    cli_say(result, "\nonce, per kernel: %.3f us to add, %.3f to instantiate", 1e6 * n->build,
            1e6 * n->instantiate);
    if (n->update > 0)
        cli_say(result, ", %.3f to give new arguments", 1e6 * n->update);
    if (n->capture > 0)
        cli_say(result, ", %.3f to capture", 1e6 * n->capture);
    cli_field(result, "add", cell_number(n->build));
    cli_field(result, "instantiate", cell_number(n->instantiate));
    cli_field(result, "update", cell_number(n->update));
    cli_field(result, "capture", cell_number(n->capture));
}

int nodes_print(nodes *n)
{
    const cli_command *command = n->job.arguments->command;
    const bool looked = n->job.verify && !n->empty;
    const cli_cell verdict = cell_verdict(looked, nodes_right(n));
    cli_result result;
    int status;

    cli_result_begin(&result, command, n->job.format, n->job.device);
    print_head(n, &result);
    print_rows(n, verdict, &result);
    print_once(n, &result);
    cli_say(&result, "\nverified: %s\n",
            !looked          ? "skipped"
            : nodes_right(n) ? "every cell of every strategy"
                             : "no");
    cli_field(&result, "verified", verdict);
    status = cli_result_end(&result);
    if (n->wrong)
        return cli_failed(command, "not verified: %s: node %zu differs", n->wrong, n->wrong_at);
    if (looked && !nodes_right(n))
        return cli_failed(command, "not verified: %zu of %zu strategies were compared", n->compared,
                          n->strategy_count);
    return status;
}
