/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong_print.c - the table of `heddle mpi pingpong`. */
#include "pingpong.h"

const char *pingpong_way_name(pingpong_way way)
{
    static const char *const names[] = {
#define NAME_(name, text, path) text,
        PINGPONG_WAY_LIST(NAME_)
#undef NAME_
    };
    return names[way];
}

static double rate(const pingpong *p, int way, size_t s)
{
    return 1e-9 * (double)p->sizes[s] / p->series[way].seconds[s];
}

static bool way_asked(const pingpong *p, int way)
{
    return way < PINGPONG_PEER || p->other[way].asked;
}

/* Small messages may take as long as smaller ones. */
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
    for (int way = 0; way < PINGPONG_WAYS; way++)
        if (p->series[way].measured)
            printf(" %8s us     GB/s", pingpong_way_name((pingpong_way)way));
    putchar('\n');
    for (size_t s = 0; s < p->size_count; s++) {
        char bytes[CLI_NUMBER];
        cli_text_bytes((double)p->sizes[s], bytes);
        printf("%10s", bytes);
        for (int way = 0; way < PINGPONG_WAYS; way++)
            if (p->series[way].measured)
                printf(" %11.2f %8.3f", 1e6 * p->series[way].seconds[s], rate(p, way, s));
        putchar('\n');
    }
    putchar('\n');
    for (int way = 0; way < PINGPONG_WAYS; way++)
        if (p->series[way].measured)
            print_fit(pingpong_way_name((pingpong_way)way), &p->series[way].fit);
    for (int way = PINGPONG_PEER; way < PINGPONG_WAYS; way++)
        if (!p->other[way].mpi)
            printf("%-8s not measured: %s\n", pingpong_way_name((pingpong_way)way),
                   p->other[way].reason);
    printf("verified: %s\n", p->wrong ? "no" : "every byte");
}

static void print_series_json(const pingpong *p, int way, cli_json *object)
{
    const pingpong_series *series = &p->series[way];
    cli_json row;

    cli_json_maybe(object, "alpha", series->fit.holds, series->fit.latency, 6);
    cli_json_maybe(object, "rate", series->fit.holds, series->fit.rate, 6);
    cli_json_maybe(object, "off", series->fit.holds, series->fit.worst, 4);
    cli_json_raw(object, "rows", "[");
    for (size_t s = 0; s < p->size_count; s++) {
        fputs(s ? ",\n  " : "\n  ", stdout);
        cli_json_begin(&row);
        cli_json_f64(&row, "bytes", (double)p->sizes[s], 17);
        cli_json_f64(&row, "seconds", series->seconds[s], 6);
        cli_json_f64(&row, "gbps", rate(p, way, s), 6);
        cli_json_end();
    }
    putchar(']');
}

static void print_json(const pingpong *p)
{
    cli_json object, way_object;

    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_f64(&object, "from", p->ranks[0], 10);
    cli_json_f64(&object, "to", p->ranks[1], 10);
    cli_json_raw(&object, "ways", "[");
    for (int way = 0, printed = 0; way < PINGPONG_WAYS; way++) {
        if (!way_asked(p, way))
            continue;
        fputs(printed++ ? ",\n " : "\n ", stdout);
        cli_json_begin(&way_object);
        cli_json_text(&way_object, "way", pingpong_way_name((pingpong_way)way));
        if (p->series[way].measured)
            print_series_json(p, way, &way_object);
        else
            cli_json_text(&way_object, "reason", p->other[way].reason);
        cli_json_end();
    }
    fputs("\n]", stdout);
    cli_json_raw(&object, "verified", p->wrong ? "false" : "true");
    cli_json_end();
    putchar('\n');
}

static void print_csv(const pingpong *p)
{
    puts("way,bytes,seconds,gbps,reason,verified");
    for (int way = 0; way < PINGPONG_WAYS; way++) {
        const char *name = pingpong_way_name((pingpong_way)way);
        for (size_t s = 0; s < p->size_count && p->series[way].measured; s++)
            printf("%s,%zu,%.6g,%.6g,,%s\n", name, p->sizes[s], p->series[way].seconds[s],
                   rate(p, way, s), p->wrong ? "false" : "true");
        if (p->series[way].measured || !way_asked(p, way))
            continue;
        printf("%s,,,,", name);
        cli_csv_cell(p->other[way].reason, stdout);
        puts(",");
    }
}

void pingpong_print(const pingpong *p)
{
    void (*const printers[])(const pingpong *) = {print_text, print_json, print_csv};

    printers[p->job.format](p);
}
