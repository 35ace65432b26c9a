/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - what was measured of small kernels, as text, JSON and CSV. */
#include "nodes.h"

/* Every way was looked at, and none was wrong. */
static int nodes_right(const nodes *n)
{
    return !n->wrong && n->compared == n->way_count;
}

static const char *verified(const nodes *n)
{
    if (!n->job.verify || n->empty)
        return "skipped";
    return nodes_right(n) ? "every cell of every way" : "no";
}

static double at(const nodes *n, const double *sorted, double part)
{
    return sorted[(size_t)(part * (double)(n->job.runs - 1) + 0.5)];
}

static void print_text(const nodes *n)
{
    const double first = at(n, n->ways[0].row, 0.5);

    printf("%s, backend %s\n%zu kernels (%s) of %u x %u threads, ", n->job.device_name,
           hd_backend_name(), n->count, nodes_shape_name(n->shape), n->blocks, n->threads);
    if (n->empty)
        printf("empty");
    else
        printf("%u turns", n->turns);
    printf("; us per kernel, medians of %zu run%s\n\n", n->job.runs, n->job.runs == 1 ? "" : "s");
    printf("%-24s %9s %9s %9s %9s %9s %8s\n", "", "calls", "alone", "in a row", "p10", "p90", "");
    for (size_t w = 0; w < n->way_count; w++) {
        const nodes_way *way = &n->ways[w];
        const double row = at(n, way->row, 0.5);
        printf("%-24s %9.3f %9.3f %9.3f %9.3f %9.3f %7.2fx\n", way->name,
               1e6 * at(n, way->call, 0.5), 1e6 * at(n, way->alone, 0.5), 1e6 * row,
               1e6 * at(n, way->row, 0.1), 1e6 * at(n, way->row, 0.9), first / row);
    }
    printf("\nonce, per kernel: %.3f us to add, %.3f to instantiate", 1e6 * n->build,
           1e6 * n->instantiate);
    if (n->update > 0)
        printf(", %.3f to give new arguments", 1e6 * n->update);
    if (n->capture > 0)
        printf(", %.3f to capture", 1e6 * n->capture);
    printf("\nverified: %s\n", verified(n));
}

static void print_json(const nodes *n)
{
    cli_json object, row;

    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "device", n->job.device_name);
    cli_json_text(&object, "shape", nodes_shape_name(n->shape));
    cli_json_f64(&object, "nodes", (double)n->count, 17);
    cli_json_f64(&object, "blocks", n->blocks, 10);
    cli_json_f64(&object, "threads", n->threads, 10);
    cli_json_f64(&object, "turns", n->turns, 10);
    cli_json_raw(&object, "empty", n->empty ? "true" : "false");
    cli_json_raw(&object, "rows", "[");
    for (size_t w = 0; w < n->way_count; w++) {
        const nodes_way *way = &n->ways[w];
        fputs(w ? ",\n " : "\n ", stdout);
        cli_json_begin(&row);
        cli_json_text(&row, "way", way->name);
        cli_json_f64(&row, "calls", at(n, way->call, 0.5), 6);
        cli_json_f64(&row, "alone", at(n, way->alone, 0.5), 6);
        cli_json_f64(&row, "in_a_row", at(n, way->row, 0.5), 6);
        cli_json_f64(&row, "p10", at(n, way->row, 0.1), 6);
        cli_json_f64(&row, "p90", at(n, way->row, 0.9), 6);
        cli_json_end();
    }
    fputs("\n]", stdout);
    cli_json_f64(&object, "add", n->build, 6);
    cli_json_f64(&object, "instantiate", n->instantiate, 6);
    cli_json_f64(&object, "update", n->update, 6);
    cli_json_f64(&object, "capture", n->capture, 6);
    if (n->job.verify && !n->empty)
        cli_json_raw(&object, "verified", nodes_right(n) ? "true" : "false");
    else
        cli_json_text(&object, "verified", "skipped");
    cli_json_end();
    putchar('\n');
}

static void print_csv(const nodes *n)
{
    const char *verdict = !n->job.verify || n->empty ? "skipped"
                          : nodes_right(n)           ? "true"
                                                     : "false";

    puts("way,calls,alone,in_a_row,p10,p90,verified");
    for (size_t w = 0; w < n->way_count; w++) {
        const nodes_way *way = &n->ways[w];
        cli_csv_cell(way->name);
        printf(",%.6g,%.6g,%.6g,%.6g,%.6g,%s\n", at(n, way->call, 0.5), at(n, way->alone, 0.5),
               at(n, way->row, 0.5), at(n, way->row, 0.1), at(n, way->row, 0.9), verdict);
    }
}

int nodes_print(nodes *n)
{
    void (*const printers[])(const nodes *) = {print_text, print_json, print_csv};
    const cli_command *command = n->job.arguments->command;
    int status;

    printers[n->job.format](n);
    status = cli_flush(command);
    if (n->wrong)
        return cli_failed(command, "not verified: %s: node %zu differs", n->wrong, n->wrong_at);
    if (n->job.verify && !n->empty && !nodes_right(n))
        return cli_failed(command, "not verified: %zu of %zu ways were looked at", n->compared,
                          n->way_count);
    return status;
}
