/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_print.c - the result of `heddle p2p` as text, JSON and CSV. */
#include "p2p.h"

#include "cli/app/table.h"

static double gbps(double bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * bytes / seconds : 0;
}

/* ---- matrices -------------------------------------------------------------------------------- */

typedef double value_of(const p2p *p, p2p_method method, size_t pair);

static double one_way(const p2p *p, p2p_method method, size_t pair)
{
    return gbps((double)p2p_largest(p), p->series[method][pair].seconds[p->size_count - 1]);
}

static double both_ways(const p2p *p, p2p_method method, size_t pair)
{
    return gbps(2.0 * (double)p2p_largest(p), p->series[method][pair].both);
}

static double latency(const p2p *p, p2p_method method, size_t pair)
{
    return 1e6 * p->series[method][pair].fit.latency;
}

static double flag(const p2p *p, p2p_method method, size_t pair)
{
    (void)method;
    return 1e6 * p->pingpong[pair];
}

/* Pairs that were not measured show a dash. */
static void print_matrix(const p2p *p, p2p_method method, const char *title, value_of *value,
                         const char *unit)
{
    const unsigned count = p->devices.count;

    printf("\n%s, %s\n%6s", title, unit, "");
    for (unsigned j = 0; j < count; j++)
        printf(" %9d", p->devices.device[j]);
    for (unsigned i = 0; i < count; i++) {
        printf("\n%6d", p->devices.device[i]);
        for (unsigned j = 0; j < count; j++) {
            const size_t pair = p2p_at(p, i, j);
            const bool there = value == flag
                                   ? p->pingpong[pair] > 0
                                   : p->series[method][pair].measured &&
                                         (value != latency || p->series[method][pair].fit.holds);
            if (i != j && there)
                printf(" %9.3f", value(p, method, pair));
            else
                printf(" %9s", "-");
        }
    }
    putchar('\n');
}

/* ---- other text ------------------------------------------------------------------------------ */

static void print_crowd(const p2p *p, const char *name, const p2p_crowd *crowds)
{
    for (int m = 0; m < P2P_METHOD_COUNT; m++) {
        const double rate = gbps((double)crowds[m].flows * (double)p2p_largest(p),
                                 crowds[m].seconds);
        if (crowds[m].flows)
            printf("%12s  %-6s %6u %12.3f %12.3f\n", name, p2p_method_name((p2p_method)m),
                   crowds[m].flows, rate, rate / p->devices.count);
    }
}

static double fit_gbps(const cli_fit *fit)
{
    return 1e-9 * fit->rate;
}

static double fit_microseconds(const cli_fit *fit)
{
    return 1e6 * fit->latency;
}

static double fit_percent(const cli_fit *fit)
{
    return 100 * fit->worst;
}

/* One value per method; a dash without a fit. */
static void print_fit(const p2p *p, const char *name, double (*value)(const cli_fit *fit),
                      int digits, const char *unit)
{
    const size_t pair = p2p_at(p, 0, 1);

    printf("\n%12s", name);
    for (int m = 0; m < P2P_METHOD_COUNT; m++) {
        const p2p_series *series = &p->series[m][pair];
        if (series->measured && series->fit.holds)
            printf(" %*.*f%s", unit[0] ? 8 : 9, digits, value(&series->fit), unit);
        else if (series->measured)
            printf(" %9s", "-");
    }
}

static bool every_fit_holds(const p2p *p)
{
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        for (size_t pair = 0; pair < (size_t)p->devices.count * p->devices.count; pair++)
            if (p->series[m][pair].measured && !p->series[m][pair].fit.holds)
                return false;
    return true;
}

static void print_sweep(const p2p *p)
{
    const size_t pair = p2p_at(p, 0, 1);
    char size[CLI_NUMBER];

    printf("\npayloads from device %d to %d, GB/s\n%12s", p->devices.device[0],
           p->devices.device[1], "bytes");
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        if (p->series[m][pair].measured)
            printf(" %9s", p2p_method_name((p2p_method)m));
    for (size_t s = 0; s < p->size_count; s++) {
        cli_text_bytes((double)p->sizes[s], size);
        printf("\n%12s", size);
        for (int m = 0; m < P2P_METHOD_COUNT; m++)
            if (p->series[m][pair].measured)
                printf(" %9.3f", gbps((double)p->sizes[s], p->series[m][pair].seconds[s]));
    }
    print_fit(p, "fit", fit_gbps, 3, "");
    print_fit(p, "latency us", fit_microseconds, 3, "");
    print_fit(p, "fit is off", fit_percent, 0, "%");
    if (p->size_count < CLI_FIT_LEAST)
        printf("\nlatencies and rates are fitted to %d payloads or more: --least, --most",
               CLI_FIT_LEAST);
    else if (!every_fit_holds(p))
        printf("\n-: the times are not on a line that grows with the bytes: --runs, --most");
    putchar('\n');
}

static void print_head(const p2p *p)
{
    unsigned staged = 0;
    char list[CLI_DEVICES_TEXT], size[CLI_NUMBER];

    for (unsigned i = 0; i < p->devices.count; i++)
        for (unsigned j = 0; j < i; j++)
            staged += p->pairs[p2p_at(p, i, j)].path == HD_PATH_STAGED;
    cli_devices_text(&p->devices, list);
    cli_text_bytes((double)p2p_largest(p), size);
    printf("devices %s, backend %s; %u of %u pairs staged; payload %s, median of %zu runs\n"
           "rows send, columns receive\n",
           list, hd_backend_name(), staged, p->devices.count * (p->devices.count - 1) / 2, size,
           p->runs);
}

static void print_text(const p2p *p)
{
    char title[96];

    print_head(p);
    for (int m = 0; m < P2P_METHOD_COUNT; m++) {
        if (!(p->methods >> m & 1))
            continue;
        (void)snprintf(title, sizeof title, "%s, one way (%s)", p2p_method_name((p2p_method)m),
                       p2p_method_what((p2p_method)m));
        print_matrix(p, (p2p_method)m, title, one_way, "GB/s");
        (void)snprintf(title, sizeof title, "%s, both ways at once",
                       p2p_method_name((p2p_method)m));
        print_matrix(p, (p2p_method)m, title, both_ways, "GB/s of both");
        (void)snprintf(title, sizeof title, "%s, latency", p2p_method_name((p2p_method)m));
        print_matrix(p, (p2p_method)m, title, latency, "us");
    }
    print_matrix(p, P2P_COPY, "flag from kernel to kernel", flag, "us");
    printf("\n%12s  %-6s %6s %12s %12s\n", "at once", "method", "flows", "GB/s", "each device");
    print_crowd(p, "ring", p->ring);
    print_crowd(p, "all-to-all", p->all);
    print_sweep(p);
    printf("\nverified: %s\n", p->wrong[0] ? "false" : "true");
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static const cli_column row_columns[] = {
    {.key = "method"}, {.key = "pattern"}, {.key = "from"}, {.key = "to"},
    {.key = "bytes"},  {.key = "seconds"}, {.key = "gbps"}, {.key = "verified"},
};

static const cli_column fit_columns[] = {
    {.key = "method"},  {.key = "from"}, {.key = "to"},
    {.key = "latency"}, {.key = "gbps"}, {.key = "off", .digits = 4},
};

static const cli_column flag_columns[] = {{.key = "from"}, {.key = "to"}, {.key = "seconds"}};

/* For `ring` and `all-to-all`, from and to are NOBODY: all devices send and receive. */
enum { NOBODY = -1 };

static cli_cell device_cell(int device)
{
    return cell_if(device != NOBODY, cell_count((uint64_t)device));
}

static size_t pair_count(const p2p *p)
{
    return (size_t)p->devices.count * p->devices.count;
}

static int sender(const p2p *p, size_t pair)
{
    return p->devices.device[pair / p->devices.count];
}

static int receiver(const p2p *p, size_t pair)
{
    return p->devices.device[pair % p->devices.count];
}

static void print_row(const p2p *p, cli_result *result, p2p_method method, const char *pattern,
                      int from, int to, size_t bytes, double seconds)
{
    CLI_ROW(result, cell_text(p2p_method_name(method)), cell_text(pattern), device_cell(from),
            device_cell(to), cell_count(bytes), cell_number(seconds),
            cell_number(gbps((double)bytes, seconds)), cell_flag(!p->wrong[0]));
}

static void print_series(const p2p *p, cli_result *result, p2p_method method, size_t pair)
{
    const p2p_series *series = &p->series[method][pair];
    const int from = sender(p, pair), to = receiver(p, pair);

    if (!series->measured)
        return;
    for (size_t s = 0; s < p->size_count; s++)
        print_row(p, result, method, "one-way", from, to, p->sizes[s], series->seconds[s]);
    print_row(p, result, method, "both-ways", from, to, 2 * p2p_largest(p), series->both);
}

static void print_crowd_row(const p2p *p, cli_result *result, p2p_method method,
                            const char *pattern, const p2p_crowd *crowd)
{
    if (crowd->flows)
        print_row(p, result, method, pattern, NOBODY, NOBODY, crowd->flows * p2p_largest(p),
                  crowd->seconds);
}

static void print_rows(const p2p *p, cli_result *result)
{
    CLI_TABLE(result, "rows", row_columns);
    for (p2p_method m = 0; m < P2P_METHOD_COUNT; m++) {
        for (size_t pair = 0; pair < pair_count(p); pair++)
            print_series(p, result, m, pair);
        print_crowd_row(p, result, m, "ring", &p->ring[m]);
        print_crowd_row(p, result, m, "all-to-all", &p->all[m]);
    }
    cli_table_end(result);
}

static void print_fits(const p2p *p, cli_result *result)
{
    CLI_TABLE(result, "fits", fit_columns);
    for (p2p_method m = 0; m < P2P_METHOD_COUNT; m++)
        for (size_t pair = 0; pair < pair_count(p); pair++) {
            const cli_fit *fit = &p->series[m][pair].fit;

            if (p->series[m][pair].measured)
                CLI_ROW(result, cell_text(p2p_method_name(m)), device_cell(sender(p, pair)),
                        device_cell(receiver(p, pair)),
                        cell_if(fit->holds, cell_number(fit->latency)),
                        cell_if(fit->holds, cell_number(1e-9 * fit->rate)),
                        cell_if(fit->holds, cell_number(fit->worst)));
        }
    cli_table_end(result);
}

static void print_flags(const p2p *p, cli_result *result)
{
    CLI_TABLE(result, "flags", flag_columns);
    for (size_t pair = 0; pair < pair_count(p); pair++)
        if (p->pingpong[pair] > 0)
            CLI_ROW(result, device_cell(sender(p, pair)), device_cell(receiver(p, pair)),
                    cell_number(p->pingpong[pair]));
    cli_table_end(result);
}

static int print_fields(const p2p *p)
{
    cli_result result;

    cli_result_begin_devices(&result, p->arguments->command, p->format, &p->devices);
    cli_field(&result, "bytes", cell_count(p2p_largest(p)));
    cli_field(&result, "runs", cell_count(p->runs));
    print_rows(p, &result);
    print_fits(p, &result);
    print_flags(p, &result);
    cli_field(&result, "verified", cell_flag(!p->wrong[0]));
    return cli_result_end(&result);
}

int p2p_print(const p2p *p)
{
    int status;

    if (p->format == CLI_TEXT) {
        print_text(p);
        status = cli_flush(p->arguments->command);
    } else {
        status = print_fields(p);
    }
    if (p->wrong[0])
        return cli_failed(p->arguments->command, "not verified: %s", p->wrong);
    return status;
}
