/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the rows of a benchmark. */
#include <inttypes.h>
#include <string.h>

#include "frame.h"

static const char *const data_names[] = {"warm", "rotated", "memory"};
static const char *const ceiling_names[] = {"none", "read", "write", "copy", "triad"};

/* Units of work, or bytes, in 1e9 per second. */
static double rate(const bench_case *c, double seconds)
{
    return (c->work > 0 ? c->work : c->bytes) / seconds * 1e-9;
}

static const char *unit(const bench_case *c)
{
    return c->work > 0 ? c->unit : "GB/s";
}

/* "2^20", "1000" or the case's own text. */
static void size_text(const bench_case *c, char text[BENCH_TEXT])
{
    if (c->shape[0])
        snprintf(text, BENCH_TEXT, "%s", c->shape);
    else if (c->n && !(c->n & (c->n - 1)))
        snprintf(text, BENCH_TEXT, "2^%d", __builtin_ctzll((unsigned long long)c->n));
    else
        snprintf(text, BENCH_TEXT, "%zu", c->n);
}

static const cli_column columns[] = {
    {.key = "case", .heading = "case", .width = -26},
    {.key = "type", .heading = "type", .width = -4},
    {.key = "n", .heading = "n", .width = -12},
    {.key = "shape"},
    {.key = "data", .heading = "data", .width = -8},
    {.key = "seconds", .heading = "median us", .width = 10, .decimals = 2, .scale = 1e6},
    {.key = "min"},
    {.key = "p10", .heading = "p10", .width = 10, .decimals = 2, .scale = 1e6},
    {.key = "p90", .heading = "p90", .width = 10, .decimals = 2, .scale = 1e6},
    {.key = "gbps"},
    {.key = "rate", .heading = "rate", .width = 9, .decimals = 1},
    {.key = "unit", .heading = "", .width = -12},
    {.key = "ceiling", .heading = "ceiling", .width = -12},
    {.key = "ceiling_seconds"},
    {.key = "ceiling_ratio", .digits = 4},
    {.key = "vendor"},
    {.key = "vendor_seconds"},
    {.key = "vendor_rate", .heading = "vendor rate", .width = 11, .decimals = 1},
    {.key = "vendor_ratio", .heading = "ratio", .width = 6, .decimals = 3, .digits = 4},
    {.heading = "vendor", .width = -1, .gap = 2},
};
enum { COLUMNS = sizeof columns / sizeof *columns };
_Static_assert(COLUMNS == (int)BENCH_COLUMNS, "columns of a benchmark");

void bench_print_head(bench *b)
{
    char cache[CLI_NUMBER];
    int64_t warp = 0;

    cli_text_size(b->cache_bytes, cache);
    hd_device_get(b->device, HD_ATTR_WARP_SIZE, &warp);
    memcpy(b->columns, columns, sizeof columns);
    if (!b->compare)
        b->columns[COLUMNS - 1].heading = "(--vendor)";
    cli_result_begin(&b->output, b->arguments->command, b->format, b->device);
    cli_say(&b->output,
            "%s, backend %s, warp %" PRId64 ", cache %s\n"
            "median of %zu batches; ratios: the other's time / ours; ceiling: a kernel that only "
            "moves the bytes\n\n",
            b->device_name, hd_backend_name(), warp, cache, b->clock.rounds);
    cli_field(&b->output, "cache_bytes", cell_count(b->cache_bytes));
    cli_table_begin(&b->output, "rows", b->columns, COLUMNS);
}

void bench_print_row(bench *b, const bench_row *r)
{
    const bench_case *c = b->running;
    const bool vendor = r->vendor_name, ceiling = b->ceiling_copies;
    const double median = r->heddle.median, below = r->ceiling.median / median;
    char size[BENCH_TEXT], text[BENCH_TEXT];

    size_text(c, size);
    snprintf(text, sizeof text, "%.3f %s", below, ceiling_names[c->ceiling]);
    CLI_ROW(&b->output, cell_text(c->text), cell_text(hd_type_name(c->type)),
            cell_shown(cell_count(c->n), size), cell_text(c->shape), cell_text(data_names[r->data]),
            cell_number(median), cell_number(r->heddle.least), cell_number(r->heddle.p10),
            cell_number(r->heddle.p90), cell_number(c->bytes / median * 1e-9),
            cell_number(rate(c, median)), cell_text(unit(c)),
            cell_if(ceiling, cell_shown(cell_text(ceiling_names[c->ceiling]), text)),
            cell_if(ceiling, cell_number(r->ceiling.median)), cell_if(ceiling, cell_number(below)),
            cell_if(vendor, cell_text(r->vendor_name)),
            cell_if(vendor, cell_number(r->vendor.median)),
            cell_if(vendor, cell_number(rate(c, r->vendor.median))),
            cell_if(vendor, cell_number(r->vendor.median / median)),
            cell_text(vendor ? r->vendor_name : ""));
    b->rows++;
}

int bench_print_end(bench *b)
{
    cli_table_end(&b->output);
    return cli_result_end(&b->output);
}
