/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_print.c - the result of `heddle p2p` as text, JSON and CSV. */
#include "p2p.h"

static double gbps(double bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * bytes / seconds : 0;
}

static const char *verified(const p2p *p)
{
    return p->wrong[0] ? "false" : "true";
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

/* Pairs that were not measured have a dash. */
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

/* ---- the rest of the text -------------------------------------------------------------------- */

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

/* Of each method; a dash without a fit. */
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
    printf("\nverified: %s\n", verified(p));
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

typedef void row_print(const p2p *p, p2p_method method, const char *pattern, int from, int to,
                       double bytes, double seconds, int *rows);

/* Of `ring` and `all-to-all` from and to are NOBODY: all devices send, and all receive. */
enum { NOBODY = -1 };

static void each_row(const p2p *p, row_print *print)
{
    const double most = (double)p2p_largest(p);
    int rows = 0;

    for (int m = 0; m < P2P_METHOD_COUNT; m++) {
        const p2p_method method = (p2p_method)m;
        for (size_t pair = 0; pair < (size_t)p->devices.count * p->devices.count; pair++) {
            const p2p_series *series = &p->series[m][pair];
            const int from = p->devices.device[pair / p->devices.count];
            const int to = p->devices.device[pair % p->devices.count];
            for (size_t s = 0; s < p->size_count && series->measured; s++)
                print(p, method, "one-way", from, to, (double)p->sizes[s], series->seconds[s],
                      &rows);
            if (series->measured)
                print(p, method, "both-ways", from, to, 2 * most, series->both, &rows);
        }
        if (p->ring[m].flows)
            print(p, method, "ring", NOBODY, NOBODY, p->ring[m].flows * most, p->ring[m].seconds,
                  &rows);
        if (p->all[m].flows)
            print(p, method, "all-to-all", NOBODY, NOBODY, p->all[m].flows * most,
                  p->all[m].seconds, &rows);
    }
}

static void print_row_json(const p2p *p, p2p_method method, const char *pattern, int from, int to,
                           double bytes, double seconds, int *rows)
{
    cli_json object;

    (void)p;
    fputs((*rows)++ ? ",\n " : "\n ", stdout);
    cli_json_begin(&object);
    cli_json_text(&object, "method", p2p_method_name(method));
    cli_json_text(&object, "pattern", pattern);
    cli_json_maybe(&object, "from", from != NOBODY, from, 4);
    cli_json_maybe(&object, "to", to != NOBODY, to, 4);
    cli_json_f64(&object, "bytes", bytes, 17);
    cli_json_f64(&object, "seconds", seconds, 6);
    cli_json_f64(&object, "gbps", gbps(bytes, seconds), 6);
    cli_json_end();
}

/* Empty where it is nobody. */
static void csv_device(int device)
{
    if (device != NOBODY)
        printf("%d", device);
    putchar(',');
}

static void print_row_csv(const p2p *p, p2p_method method, const char *pattern, int from, int to,
                          double bytes, double seconds, int *rows)
{
    if ((*rows)++ == 0)
        puts("method,pattern,from,to,bytes,seconds,gbps,verified");
    printf("%s,%s,", p2p_method_name(method), pattern);
    csv_device(from);
    csv_device(to);
    printf("%.0f,%.6g,%.6g,%s\n", bytes, seconds, gbps(bytes, seconds), verified(p));
}

static void print_fits(const p2p *p)
{
    int rows = 0;

    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        for (size_t pair = 0; pair < (size_t)p->devices.count * p->devices.count; pair++) {
            const p2p_series *series = &p->series[m][pair];
            cli_json object;
            if (!series->measured)
                continue;
            fputs(rows++ ? ",\n " : "\n ", stdout);
            cli_json_begin(&object);
            cli_json_text(&object, "method", p2p_method_name((p2p_method)m));
            cli_json_f64(&object, "from", p->devices.device[pair / p->devices.count], 4);
            cli_json_f64(&object, "to", p->devices.device[pair % p->devices.count], 4);
            cli_json_maybe(&object, "latency", series->fit.holds, series->fit.latency, 6);
            cli_json_maybe(&object, "gbps", series->fit.holds, 1e-9 * series->fit.rate, 6);
            cli_json_maybe(&object, "off", series->fit.holds, series->fit.worst, 4);
            cli_json_end();
        }
}

static void print_flags(const p2p *p)
{
    int rows = 0;

    for (size_t pair = 0; pair < (size_t)p->devices.count * p->devices.count; pair++) {
        cli_json object;
        if (!(p->pingpong[pair] > 0))
            continue;
        fputs(rows++ ? ",\n " : "\n ", stdout);
        cli_json_begin(&object);
        cli_json_f64(&object, "from", p->devices.device[pair / p->devices.count], 4);
        cli_json_f64(&object, "to", p->devices.device[pair % p->devices.count], 4);
        cli_json_f64(&object, "seconds", p->pingpong[pair], 6);
        cli_json_end();
    }
}

static void print_json(const p2p *p)
{
    char list[CLI_DEVICES_TEXT];
    cli_json object;

    cli_devices_text(&p->devices, list);
    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "devices", list);
    cli_json_f64(&object, "bytes", (double)p2p_largest(p), 17);
    cli_json_f64(&object, "runs", (double)p->runs, 6);
    cli_json_raw(&object, "rows", "[");
    each_row(p, print_row_json);
    fputs("\n]", stdout);
    cli_json_raw(&object, "fits", "[");
    print_fits(p);
    fputs("\n]", stdout);
    cli_json_raw(&object, "flags", "[");
    print_flags(p);
    fputs("\n]", stdout);
    cli_json_raw(&object, "verified", verified(p));
    cli_json_end();
    putchar('\n');
}

int p2p_print(const p2p *p)
{
    int status;

    if (p->format == CLI_TEXT)
        print_text(p);
    else if (p->format == CLI_JSON)
        print_json(p);
    else
        each_row(p, print_row_csv);
    status = cli_flush(p->arguments->command);
    if (p->wrong[0])
        return cli_failed(p->arguments->command, "not verified: %s", p->wrong);
    return status;
}
