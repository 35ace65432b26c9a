/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the rows of a benchmark as aligned text, JSON or CSV. */
#include <inttypes.h>
#include <string.h>

#include "frame.h"

static const char *const data_names[] = {"warm", "rotated", "memory"};
static const char *const ceiling_names[] = {"none", "read", "write", "copy", "triad"};

/* Units of work, or bytes, per 1e9 seconds. */
static double rate(const bench_case *c, double seconds)
{
    return (c->work > 0 ? c->work : c->bytes) / seconds * 1e-9;
}

static const char *unit(const bench_case *c)
{
    return c->work > 0 ? c->unit : "GB/s";
}

/* "2^20", "1000" or the case's own words. */
static void size_text(const bench_case *c, char text[BENCH_TEXT])
{
    if (c->shape[0])
        snprintf(text, BENCH_TEXT, "%s", c->shape);
    else if (c->n && !(c->n & (c->n - 1)))
        snprintf(text, BENCH_TEXT, "2^%d", __builtin_ctzll((unsigned long long)c->n));
    else
        snprintf(text, BENCH_TEXT, "%zu", c->n);
}

void bench_print_head(const bench *b)
{
    int64_t warp = 0;
    cli_json object;

    hd_device_get(b->device, HD_ATTR_WARP_SIZE, &warp);
    if (b->format == CLI_CSV) {
        puts("case,type,n,shape,data,seconds,min,p10,p90,gbps,rate,unit,ceiling,ceiling_seconds,"
             "ceiling_ratio,peer,peer_seconds,peer_rate,peer_ratio");
    } else if (b->format == CLI_JSON) {
        cli_json_begin(&object);
        cli_json_text(&object, "backend", hd_backend_name());
        cli_json_text(&object, "device", b->device_name);
        cli_json_f64(&object, "warp", (double)warp, 9);
        cli_json_raw(&object, "rows", "[");
    } else {
        printf(
            "%s, backend %s, warp %" PRId64 "\n"
            "median of %zu batches; ratios: the other's time / ours; ceiling: a kernel that only "
            "moves the bytes\n\n"
            "%-26s %-4s %-12s %-8s %10s %10s %10s %9s %-12s %-12s %9s %6s  %s\n",
            b->device_name, hd_backend_name(), warp, b->clock.rounds, "case", "type", "n", "data",
            "median us", "p10", "p90", "rate", "", "ceiling", "peer rate", "ratio",
            b->compare ? "peer" : "(--peers)");
    }
}

static void print_row_json(const bench *b, const bench_row *r)
{
    const bench_case *c = b->running;
    cli_json object;

    fputs(b->rows ? ",\n " : "\n ", stdout);
    cli_json_begin(&object);
    cli_json_text(&object, "case", c->text);
    cli_json_text(&object, "type", hd_type_name(c->type));
    cli_json_f64(&object, "n", (double)c->n, 17);
    cli_json_text(&object, "shape", c->shape);
    cli_json_text(&object, "data", data_names[r->data]);
    cli_json_f64(&object, "seconds", r->heddle.median, 6);
    cli_json_f64(&object, "min", r->heddle.least, 6);
    cli_json_f64(&object, "p10", r->heddle.p10, 6);
    cli_json_f64(&object, "p90", r->heddle.p90, 6);
    cli_json_f64(&object, "gbps", c->bytes / r->heddle.median * 1e-9, 6);
    cli_json_f64(&object, "rate", rate(c, r->heddle.median), 6);
    cli_json_text(&object, "unit", unit(c));
    if (b->ceiling_copies) {
        cli_json_text(&object, "ceiling", ceiling_names[c->ceiling]);
        cli_json_f64(&object, "ceiling_seconds", r->ceiling.median, 6);
        cli_json_f64(&object, "ceiling_ratio", r->ceiling.median / r->heddle.median, 4);
    }
    if (r->peer_name) {
        cli_json_text(&object, "peer", r->peer_name);
        cli_json_f64(&object, "peer_seconds", r->peer.median, 6);
        cli_json_f64(&object, "peer_rate", rate(c, r->peer.median), 6);
        cli_json_f64(&object, "peer_ratio", r->peer.median / r->heddle.median, 4);
    }
    cli_json_end();
}

static void print_row_csv(const bench *b, const bench_row *r)
{
    const bench_case *c = b->running;

    cli_csv_cell(c->text, stdout);
    printf(",%s,%zu,", hd_type_name(c->type), c->n);
    cli_csv_cell(c->shape, stdout);
    printf(",%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%s,", data_names[r->data], r->heddle.median,
           r->heddle.least, r->heddle.p10, r->heddle.p90, c->bytes / r->heddle.median * 1e-9,
           rate(c, r->heddle.median), unit(c));
    if (b->ceiling_copies)
        printf("%s,%.6g,%.4g,", ceiling_names[c->ceiling], r->ceiling.median,
               r->ceiling.median / r->heddle.median);
    else
        fputs(",,,", stdout);
    if (!r->peer_name) {
        puts(",,,");
        return;
    }
    cli_csv_cell(r->peer_name, stdout);
    printf(",%.6g,%.6g,%.4g\n", r->peer.median, rate(c, r->peer.median),
           r->peer.median / r->heddle.median);
}

static void print_row_text(const bench *b, const bench_row *r)
{
    const bench_case *c = b->running;
    char size[BENCH_TEXT], ceiling[BENCH_TEXT] = "-", peer[BENCH_TEXT] = "-", ratio[16] = "-";

    size_text(c, size);
    if (b->ceiling_copies)
        snprintf(ceiling, sizeof ceiling, "%.3f %s", r->ceiling.median / r->heddle.median,
                 ceiling_names[c->ceiling]);
    if (r->peer_name) {
        snprintf(peer, sizeof peer, "%.1f", rate(c, r->peer.median));
        snprintf(ratio, sizeof ratio, "%.3f", r->peer.median / r->heddle.median);
    }
    printf("%-26s %-4s %-12s %-8s %10.2f %10.2f %10.2f %9.1f %-12s %-12s %9s %6s  %s\n", c->text,
           hd_type_name(c->type), size, data_names[r->data], 1e6 * r->heddle.median,
           1e6 * r->heddle.p10, 1e6 * r->heddle.p90, rate(c, r->heddle.median), unit(c), ceiling,
           peer, ratio, r->peer_name ? r->peer_name : "");
}

void bench_print_row(bench *b, const bench_row *row)
{
    if (b->format == CLI_JSON)
        print_row_json(b, row);
    else if (b->format == CLI_CSV)
        print_row_csv(b, row);
    else
        print_row_text(b, row);
    b->rows++;
}

void bench_print_end(const bench *b)
{
    if (b->format == CLI_JSON)
        puts("\n]}");
}
