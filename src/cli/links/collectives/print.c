/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the rows of `heddle collectives`: in text one line per size, in the format of the NCCL
   tests; in JSON and CSV one row per size and placement. */
#include "collectives.h"

/* Bytes of the larger array per second, in GB/s. */
static double array_gbps(const collectives_row *r, int k)
{
    return r->result[k].seconds > 0 ? (double)r->bytes / r->result[k].seconds * 1e-9 : 0;
}

static double bus_gbps(const collectives *s, const collectives_row *r, int k)
{
    return array_gbps(r, k) * collective_bus(r->what, s->devices.count);
}

const char *collectives_algorithm(const collectives *s, const collectives_row *row)
{
    hd_group_algorithm algorithm = HD_GROUP_BY_SIZE;

    if (row->what != COLLECTIVE_ALL_REDUCE ||
        hd_group_algorithm_of(s->own, row->count, s->type, &algorithm) < 0)
        return "-";
    return hd_group_algorithm_name(algorithm);
}

static const char *redop_of(const collectives *s, collective what)
{
    return what <= COLLECTIVE_REDUCE_SCATTER ? hd_reduce_op_name(s->op) : "none";
}

/* ---- text ------------------------------------------------------------------------------------ */

/* One line of headings: out of place, in place and, if present, the library. */
static void headings(const collectives *s, const char *a, const char *b, const char *c,
                     const char *last)
{
    const int blocks = s->library ? 3 : 2;

    for (int k = 0; k < blocks; k++)
        printf(" %9s %8s %8s%s%*s", a, b, c, *last ? " " : "",
               *last            ? 7
               : k + 1 < blocks ? 8
                                : 0,
               last);
    putchar('\n');
}

static void print_heading(const collectives *s, collective what)
{
    char devices[CLI_DEVICES_TEXT];

    cli_devices_text(&s->devices, devices);
    printf("%s# %s, %u ranks on devices %s, backend %s%s", s->lines ? "\n" : "",
           collective_names[what], s->devices.count, devices, hd_backend_name(),
           s->check ? "" : ", not checked");
    if (s->in_graph)
        printf(", graphs of %zu", s->in_graph);
    printf("\n# %80s %35s", "out of place", "in place");
    if (s->library)
        printf(" %35s", "vendor's library");
    printf("\n# %10s %11s %5s %5s %9s", "size", "count", "type", "redop", "algorithm");
    headings(s, "time", "algbw", "busbw", "#wrong");
    printf("# %10s %11s %5s %5s %9s", "(B)", "(elements)", "", "", "");
    headings(s, "(us)", "(GB/s)", "(GB/s)", "");
}

static void print_result(const collectives *s, const collectives_row *r, int k)
{
    char wrong[24] = "N/A";

    if (!r->has[k]) {
        printf(" %9s %8s %8s %7s", "-", "-", "-", "-");
        return;
    }
    if (r->result[k].checked)
        (void)snprintf(wrong, sizeof wrong, "%llu", (unsigned long long)r->result[k].wrong);
    printf(" %9.2f %8.2f %8.2f %7s", r->result[k].seconds * 1e6, array_gbps(r, k),
           bus_gbps(s, r, k), wrong);
}

static void print_line(const collectives *s, const collectives_row *r)
{
    printf("%12zu %11zu %5s %5s %9s", r->bytes, r->count, hd_type_name(s->type),
           redop_of(s, r->what), collectives_algorithm(s, r));
    print_result(s, r, 0);
    print_result(s, r, 1);
    if (s->library)
        print_result(s, r, 2);
    putchar('\n');
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "collective"}, {.key = "bytes"},     {.key = "count"},    {.key = "type"},
    {.key = "redop"},      {.key = "algorithm"}, {.key = "ranks"},    {.key = "place"},
    {.key = "seconds"},    {.key = "gbps"},      {.key = "bus_gbps"}, {.key = "graph"},
    {.key = "wrong"},      {.key = "verified"},
};

static void print_row(collectives *s, const collectives_row *r, int k)
{
    static const char *const places[] = {"out", "in", "library"};
    const collective_result *result = &r->result[k];

    CLI_ROW(&s->output, cell_text(collective_names[r->what]), cell_count(r->bytes),
            cell_count(r->count), cell_text(hd_type_name(s->type)), cell_text(redop_of(s, r->what)),
            cell_text(k == 2 ? "library" : collectives_algorithm(s, r)),
            cell_count(s->devices.count), cell_text(places[k]), cell_number(result->seconds),
            cell_number(array_gbps(r, k)), cell_number(bus_gbps(s, r, k)), cell_count(s->in_graph),
            cell_if(result->checked, cell_count(result->wrong)),
            cell_verdict(result->checked, !result->wrong));
}

/* ---- either ---------------------------------------------------------------------------------- */

void collectives_print(collectives *s, const collectives_row *row, bool first)
{
    if (s->lines == 0) {
        cli_result_begin_devices(&s->output, s->arguments->command, s->format, &s->devices);
        CLI_TABLE(&s->output, "rows", columns);
    }
    if (s->format == CLI_TEXT && first)
        print_heading(s, row->what);
    if (s->format == CLI_TEXT)
        print_line(s, row);
    for (int k = 0; k < 3; k++)
        if (row->has[k])
            print_row(s, row, k);
    s->lines++;
    (void)fflush(stdout); /* large sizes take long */
}

int collectives_print_end(collectives *s, int status)
{
    const bool right = !s->wrong && status == CLI_DONE;

    if (s->lines == 0)
        return CLI_DONE;
    cli_table_end(&s->output);
    cli_say(&s->output, "\n# verified: %s\n", !s->check ? "skipped" : right ? "true" : "false");
    cli_field(&s->output, "verified", cell_verdict(s->check, right));
    return cli_result_end(&s->output);
}
