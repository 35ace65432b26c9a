/* SPDX-License-Identifier: Apache-2.0 */
/* bandwidth.c - `heddle bandwidth`: transfers between host and device, for every kind of memory and
   many sizes, in one direction and in both at once, with latency and rate. */
#include "bandwidth.h"

#include <string.h>

#include "cli/app/table.h"
#include "cli/app/words.h"

enum { LEAST = 4 << 10, MAX_CPU = 16 << 20, MAX_GPU = 256 << 20, STEP = 4 };

const char *bandwidth_kind_name(bandwidth_kind kind)
{
    static const char *const names[] = {
#define KIND_NAME_(name, text, memory, how) text,
        BANDWIDTH_KIND_LIST(KIND_NAME_)
#undef KIND_NAME_
    };
    return names[kind];
}

static const char *kind_how(bandwidth_kind kind)
{
    static const char *const how[] = {
#define KIND_HOW_(name, text, memory, how) how,
        BANDWIDTH_KIND_LIST(KIND_HOW_)
#undef KIND_HOW_
    };
    return how[kind];
}

const char *bandwidth_direction_name(int direction)
{
    static const char *const names[] = {"", "in", "out", "both"};
    return names[direction];
}

/* Both directions at once move twice the bytes. */
static double moved(int direction, size_t bytes)
{
    return (direction == BANDWIDTH_BOTH ? 2.0 : 1.0) * (double)bytes;
}

static double rate_of(const cli_fit *fit, int direction)
{
    return moved(direction, 1) * fit->rate;
}

static double gbps(const bandwidth_series *series, int direction, size_t bytes, size_t s)
{
    return 1e-9 * moved(direction, bytes) / series->seconds[direction][s];
}

/* Whether there is a rate: bytes were moved. */
static bool has_rate(const bandwidth_series *series, int direction, size_t s)
{
    return !series->still && series->seconds[direction][s] > 0;
}

static bool has_fit(const bandwidth_series *series, int direction)
{
    return !series->still && series->fit[direction].holds;
}

/* ---- options --------------------------------------------------------------------------------- */

static int read_options(bandwidth *b)
{
    const cli_arguments *arguments = b->job.arguments;
    const char *names[BANDWIDTH_KIND_COUNT];
    uint64_t least = 0, most = 0, threads = 0;
    int status;

    for (int i = 0; i < BANDWIDTH_KIND_COUNT; i++)
        names[i] = bandwidth_kind_name((bandwidth_kind)i);
    status = cli_word_list_read(arguments, "mem", names, BANDWIDTH_KIND_COUNT,
                                (1u << BANDWIDTH_KIND_COUNT) - 1, &b->kinds);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "least", LEAST, 4, (uint64_t)1 << 40, &least);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "most",
                                strcmp(hd_backend_name(), "cpu") == 0 ? MAX_CPU : MAX_GPU, 4,
                                (uint64_t)1 << 40, &most);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "threads", 0, 1, 1024, &threads);
    b->threads = (unsigned)threads;
    if (status == CLI_DONE && least > most)
        return cli_misused(arguments->command, "--least is more than --most");
    for (uint64_t size = least; size <= most && b->size_count < BANDWIDTH_SIZES; size *= STEP)
        b->sizes[b->size_count++] = (size_t)size / 4 * 4;
    return status;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* A number, or a dash if there is none. */
static void print_number(bool there, double value, int width, int digits, const char *unit)
{
    if (there)
        printf(" %*.*f%s", width, digits, value, unit);
    else
        printf(" %10s", "-");
}

static void print_fits(const bandwidth *b, const bandwidth_series *series)
{
    const cli_fit *fit = series->fit;

    printf("%12s", "fit");
    for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
        print_number(has_fit(series, direction), 1e-9 * rate_of(&fit[direction], direction), 10, 3,
                     "");
    printf("\n%12s", "latency us");
    for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
        print_number(has_fit(series, direction), 1e6 * fit[direction].latency, 10, 2, "");
    printf("\n%12s", "fit is off");
    for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
        print_number(has_fit(series, direction), 100 * fit[direction].worst, 9, 0, "%");
    if (b->link.rate > 0) {
        printf("\n%12s", "of the link");
        for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
            print_number(has_fit(series, direction), 100 * fit[direction].rate / b->link.rate, 9, 1,
                         "%");
    }
    putchar('\n');
}

static void print_kind(const bandwidth *b, bandwidth_kind kind)
{
    const bandwidth_series *series = &b->series[kind];
    char size[CLI_NUMBER];

    if (series->still) {
        printf("\n%s: host and device use the same pages; nothing moves, so there is no rate\n",
               bandwidth_kind_name(kind));
        return;
    }
    printf("\n%s: %s\n%12s %10s %10s %10s   GB/s\n", bandwidth_kind_name(kind), kind_how(kind),
           "bytes", "in", "out", "both");
    for (size_t s = 0; s < b->size_count; s++) {
        cli_text_bytes((double)b->sizes[s], size);
        printf("%12s", size);
        for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH; direction++)
            print_number(has_rate(series, direction, s), gbps(series, direction, b->sizes[s], s),
                         10, 3, "");
        putchar('\n');
    }
    print_fits(b, series);
}

static void print_text(const bandwidth *b)
{
    printf("%s, backend %s\nlink: %s\nmedian of %zu run%s; fit: seconds = latency + bytes / rate, "
           "least squares of relative errors\n",
           b->job.device_name, hd_backend_name(), b->link.text, b->job.runs,
           b->job.runs == 1 ? "" : "s");
    for (int kind = 0; kind < BANDWIDTH_KIND_COUNT; kind++)
        if (b->series[kind].measured)
            print_kind(b, (bandwidth_kind)kind);
    printf("\nverified: %s\n",
           b->job.verify ? b->wrong == BANDWIDTH_KIND_COUNT ? "true" : "false" : "skipped");
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static const cli_column row_columns[] = {
    {.key = "mem"},     {.key = "direction"}, {.key = "bytes"},
    {.key = "seconds"}, {.key = "gbps"},      {.key = "verified"},
};

static const cli_column fit_columns[] = {
    {.key = "mem"},  {.key = "direction"},        {.key = "latency"},
    {.key = "gbps"}, {.key = "off", .digits = 4},
};

static bool right(const bandwidth *b)
{
    return b->wrong == BANDWIDTH_KIND_COUNT;
}

static void print_rows(const bandwidth *b, bandwidth_kind kind, int direction, cli_result *result)
{
    const bandwidth_series *series = &b->series[kind];

    for (size_t s = 0; s < b->size_count; s++)
        CLI_ROW(result, cell_text(bandwidth_kind_name(kind)),
                cell_text(bandwidth_direction_name(direction)), cell_count(b->sizes[s]),
                cell_number(series->seconds[direction][s]),
                cell_if(has_rate(series, direction, s),
                        cell_number(gbps(series, direction, b->sizes[s], s))),
                cell_verdict(b->job.verify, right(b)));
}

static void print_fit(const bandwidth *b, bandwidth_kind kind, int direction, cli_result *result)
{
    const cli_fit *fit = &b->series[kind].fit[direction];
    const bool there = has_fit(&b->series[kind], direction);

    CLI_ROW(result, cell_text(bandwidth_kind_name(kind)),
            cell_text(bandwidth_direction_name(direction)),
            cell_if(there, cell_number(fit->latency)),
            cell_if(there, cell_number(1e-9 * rate_of(fit, direction))),
            cell_if(there, cell_number(fit->worst)));
}

static void each_direction(const bandwidth *b, cli_result *result,
                           void (*print)(const bandwidth *, bandwidth_kind, int, cli_result *))
{
    for (int kind = 0; kind < BANDWIDTH_KIND_COUNT; kind++)
        for (int direction = BANDWIDTH_IN; direction <= BANDWIDTH_BOTH && b->series[kind].measured;
             direction++)
            print(b, (bandwidth_kind)kind, direction, result);
    cli_table_end(result);
}

static int print_fields(const bandwidth *b)
{
    cli_result result;

    cli_result_begin(&result, b->job.arguments->command, b->job.format, b->job.device);
    cli_field(&result, "link", cell_text(b->link.text));
    cli_field(&result, "link_gbps", cell_number(1e-9 * b->link.rate));
    CLI_TABLE(&result, "rows", row_columns);
    each_direction(b, &result, print_rows);
    CLI_TABLE(&result, "fits", fit_columns);
    each_direction(b, &result, print_fit);
    cli_field(&result, "verified", cell_verdict(b->job.verify, right(b)));
    return cli_result_end(&result);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print(bandwidth *b)
{
    const cli_command *command = b->job.arguments->command;
    int status;

    if (b->job.format == CLI_TEXT) {
        print_text(b);
        status = cli_flush(command);
    } else {
        status = print_fields(b);
    }
    if (b->wrong != BANDWIDTH_KIND_COUNT)
        return cli_failed(command, "not verified: bytes of %s memory differ",
                          bandwidth_kind_name(b->wrong));
    return status;
}

static int run(const cli_arguments *arguments)
{
    bandwidth b;
    int status;

    memset(&b, 0, sizeof b);
    b.wrong = BANDWIDTH_KIND_COUNT;
    status = cli_job_open(&b.job, arguments);
    if (status == CLI_DONE)
        status = read_options(&b);
    for (int kind = 0; kind < BANDWIDTH_KIND_COUNT && status == CLI_DONE; kind++)
        if (b.kinds >> kind & 1)
            status = bandwidth_measure(&b, (bandwidth_kind)kind);
    if (status == CLI_DONE) {
        b.link = bandwidth_link_of(b.job.device); /* an idle link may have run at a lower rate */
        status = print(&b);
    }
    cli_job_close(&b.job);
    return status;
}

static const cli_option options[] = {
    {"mem", "KINDS",
     "kinds of host memory, separated by commas: pinned, pageable, staged, mapped, managed "
     "(default all)"},
    {"least", "BYTES", "smallest transfer (default 4K)"},
    {"most", "BYTES", "largest transfer, reached in steps of 4x (default 256M; CPU: 16M)"},
    {"threads", "N",
     "host threads that copy pageable memory through pinned buffers, for --mem staged "
     "(default 3/4 of the CPUs, at most 16)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_bandwidth = {
    "bandwidth",
    "measure copies between host and device by kind of memory, size and direction",
    NULL,
    options,
    "in: host to device; out: device to host; both: at once, counting the bytes of both. Latency\n"
    "and rate are fitted by least squares of relative errors. The link's rate is that of the slot\n"
    "(generation, lanes) after line coding; packet headers take about another 10 %. Pageable and\n"
    "staged memory are timed with the host clock, others with events. "
    "A fit is printed only if the\n"
    "time grows with the size beyond the scatter of the measurements and the points are near the\n"
    "line; managed memory has no rate if host and device use the same pages (the CPU engine,\n"
    "integrated GPUs). A missing value is a dash in text, null in JSON, empty in CSV.\n"
    "off: the largest relative distance of a point from its fit.\n"
    "\n"
    "JSON keys: link link_gbps rows (mem direction bytes seconds gbps verified)\n"
    "fits (mem direction latency gbps off) verified\n",
    "  heddle bandwidth\n"
    "  heddle bandwidth --mem pinned,staged --most 1G --runs 11\n",
    run};
