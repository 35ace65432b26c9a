/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong_print.c - the table of `heddle mpi pingpong`. */
#include "pingpong.h"

const char *pingpong_method_name(pingpong_method method)
{
    static const char *const names[] = {
#define NAME_(name, text, path) text,
        PINGPONG_METHOD_LIST(NAME_)
#undef NAME_
    };
    return names[method];
}

static double rate(const pingpong *p, int method, size_t s)
{
    return 1e-9 * (double)p->sizes[s] / p->series[method].seconds[s];
}

static bool method_requested(const pingpong *p, int method)
{
    return method < PINGPONG_PEER || p->other[method].asked;
}

/* No rate if times of small messages do not grow with their size. */
static void print_fit(const char *name, const cli_fit *fit)
{
    if (fit->holds)
        printf("%-8s alpha %9.3f us  1/beta %8.3f GB/s  off by up to %.0f%%\n", name,
               1e6 * fit->latency, 1e-9 * fit->rate, 100 * fit->worst);
    else
        printf(
            "%-8s alpha %9s     1/beta %8s       the times are not on a line that grows with the "
            "bytes: larger --bytes, more --runs\n",
            name, "-", "-");
}

static void print_text(const pingpong *p)
{
    const hd_mpi_place *places = hd_mpi_places(p->job.mpi);
    const hd_mpi_place *a = &places[p->ranks[0]], *b = &places[p->ranks[1]];

    printf("rank %d (%s, device %d) and rank %d (%s, device %d), backend %s\n\n", a->rank, a->host,
           a->device, b->rank, b->host, b->device, hd_backend_name());
    printf("%10s", "bytes");
    for (int method = 0; method < PINGPONG_METHODS; method++)
        if (p->series[method].measured)
            printf(" %8s us     GB/s", pingpong_method_name((pingpong_method)method));
    putchar('\n');
    for (size_t s = 0; s < p->size_count; s++) {
        char bytes[CLI_NUMBER];
        cli_text_bytes((double)p->sizes[s], bytes);
        printf("%10s", bytes);
        for (int method = 0; method < PINGPONG_METHODS; method++)
            if (p->series[method].measured)
                printf(" %11.2f %8.3f", 1e6 * p->series[method].seconds[s], rate(p, method, s));
        putchar('\n');
    }
    putchar('\n');
    for (int method = 0; method < PINGPONG_METHODS; method++)
        if (p->series[method].measured)
            print_fit(pingpong_method_name((pingpong_method)method), &p->series[method].fit);
    for (int method = PINGPONG_PEER; method < PINGPONG_METHODS; method++)
        if (!p->other[method].mpi)
            printf("%-8s not measured: %s\n", pingpong_method_name((pingpong_method)method),
                   p->other[method].reason);
    printf("verified: %s\n", p->wrong ? "no" : "every byte");
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static const cli_column row_columns[] = {
    {.key = "method"}, {.key = "bytes"},  {.key = "seconds"},
    {.key = "gbps"},   {.key = "reason"}, {.key = "verified"},
};

static const cli_column method_columns[] = {
    {.key = "method"},           {.key = "alpha"},  {.key = "rate"},
    {.key = "off", .digits = 4}, {.key = "reason"},
};

static void print_sizes(const pingpong *p, int method, cli_result *result)
{
    const cli_cell name = cell_text(pingpong_method_name((pingpong_method)method));

    for (size_t s = 0; s < p->size_count && p->series[method].measured; s++)
        CLI_ROW(result, name, cell_count(p->sizes[s]), cell_number(p->series[method].seconds[s]),
                cell_number(rate(p, method, s)), cell_none(), cell_flag(!p->wrong));
    if (!p->series[method].measured)
        CLI_ROW(result, name, cell_none(), cell_none(), cell_none(),
                cell_text(p->other[method].reason), cell_none());
}

static void print_line_of(const pingpong *p, int method, cli_result *result)
{
    const pingpong_series *series = &p->series[method];
    const bool holds = series->measured && series->fit.holds;

    CLI_ROW(result, cell_text(pingpong_method_name((pingpong_method)method)),
            cell_if(holds, cell_number(series->fit.latency)),
            cell_if(holds, cell_number(series->fit.rate)),
            cell_if(holds, cell_number(series->fit.worst)),
            cell_if(!series->measured, cell_text(p->other[method].reason)));
}

static int print_fields(const pingpong *p)
{
    cli_result result;

    mpi_result_begin(&result, &p->job);
    cli_field(&result, "from", cell_number(p->ranks[0]));
    cli_field(&result, "to", cell_number(p->ranks[1]));
    CLI_TABLE(&result, "rows", row_columns);
    for (int method = 0; method < PINGPONG_METHODS; method++)
        if (method_requested(p, method))
            print_sizes(p, method, &result);
    cli_table_end(&result);
    CLI_TABLE(&result, "methods", method_columns);
    for (int method = 0; method < PINGPONG_METHODS; method++)
        if (method_requested(p, method))
            print_line_of(p, method, &result);
    cli_table_end(&result);
    cli_field(&result, "verified", cell_flag(!p->wrong));
    return cli_result_end(&result);
}

int pingpong_print(const pingpong *p)
{
    if (p->job.format != CLI_TEXT)
        return print_fields(p);
    print_text(p);
    return cli_flush(p->job.arguments->command);
}
