/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.c - `heddle collectives`: time and bandwidth of collectives over several devices, in
   the format of the vendors' test programs. */
#include "collectives.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"

/* Algorithms that can be requested for a collective, as bits: docs/collectives.md. */
#define BIT(algorithm) (1u << (algorithm))
static const unsigned collective_algorithms[COLLECTIVE_COUNT_] = {
    [COLLECTIVE_ALL_REDUCE] = ~0u,
    [COLLECTIVE_REDUCE] = BIT(HD_GROUP_ONE_SHOT) | BIT(HD_GROUP_TWO_SHOT) | BIT(HD_GROUP_DIRECT),
    [COLLECTIVE_REDUCE_SCATTER] = BIT(HD_GROUP_TWO_SHOT) | BIT(HD_GROUP_DIRECT) |
                                  BIT(HD_GROUP_COPIES),
    [COLLECTIVE_ALL_GATHER] = BIT(HD_GROUP_COPIES),
    [COLLECTIVE_ALL_TO_ALL] = BIT(HD_GROUP_COPIES)};
#undef BIT

/* ---- options --------------------------------------------------------------------------------- */

/* "8..1G" or "64K", from text[0..length). */
static int range_read(const collectives *s, const char *text, size_t length, uint64_t *from,
                      uint64_t *to)
{
    const char *dots = strstr(text, "..");
    const size_t first = dots && dots < text + length ? (size_t)(dots - text) : length;
    int good = cli_size_read(text, first, from);
    const char *why;

    *to = good ? *from : 0;
    if (good && first < length)
        good = cli_size_read(text + first + 2, length - first - 2, to);
    why = !good                     ? "is not a size in bytes or a range such as 8..1G"
          : *from == 0              ? "is nothing to send: sizes begin at 1 byte"
          : *to < *from             ? "is a descending range"
          : *to > (uint64_t)1 << 40 ? "is too large: sizes end at 1T"
                                    : NULL;
    return why ? cli_misused(s->arguments->command, "--sizes: '%.*s' %s", (int)length, text, why)
               : CLI_DONE;
}

static int sizes_read(collectives *s, const char *fallback)
{
    const char *text = cli_option_value(s->arguments, "sizes");
    const char *at = text ? text : fallback;

    while (*at) {
        const size_t length = strcspn(at, ",");
        uint64_t from, to;
        const int status = range_read(s, at, length, &from, &to);
        if (status != CLI_DONE)
            return status;
        for (uint64_t size = from; size <= to; size *= 2) {
            if (s->size_count == COLLECTIVES_SIZES)
                return cli_misused(s->arguments->command, "--sizes: more than %d",
                                   COLLECTIVES_SIZES);
            s->sizes[s->size_count++] = size;
        }
        at += length + (at[length] == ',');
    }
    return s->size_count ? CLI_DONE : cli_misused(s->arguments->command, "--sizes is empty");
}

/* Rejects options that apply to none of the listed collectives. */
static int words_check(const collectives *s)
{
    const cli_command *command = s->arguments->command;
    const char *name = hd_group_algorithm_name(s->algorithm);
    int reduces = 0, goes = s->algorithm == HD_GROUP_BY_SIZE;

    for (unsigned what = 0; what < COLLECTIVE_COUNT_; what++)
        if (s->collectives >> what & 1) {
            reduces |= what <= COLLECTIVE_REDUCE_SCATTER;
            goes |= (collective_algorithms[what] & 1u << s->algorithm) != 0;
        }
    if (!reduces && cli_option_given(s->arguments, "redop"))
        return cli_misused(command,
                           "--redop cannot be combined with --op %s, which reduces nothing",
                           cli_option_value(s->arguments, "op"));
    if (!goes)
        return cli_misused(command, "--algorithm %s is not available for --op %s", name,
                           cli_option_value(s->arguments, "op"));
    if (s->algorithm == HD_GROUP_RING && hd_type_bytes(s->type) == 2)
        return cli_misused(command, "--algorithm ring is not for %s", hd_type_name(s->type));
    return CLI_DONE;
}

static int words_read(collectives *s, hd_group_options *options)
{
    static const char *const ops[] = {"sum", "prod", "min", "max"};
    static const hd_reduce_op op_of[] = {HD_SUM, HD_PROD, HD_MIN, HD_MAX};
    static const char *const p2p[] = {"auto", "on", "off"};
    const char *algorithms[HD_GROUP_ALGORITHM_COUNT_];
    size_t op = 0, path = 0, algorithm = 0;
    uint64_t runs = 0, in_graph = 0;
    int status;

    for (int i = 0; i < HD_GROUP_ALGORITHM_COUNT_; i++)
        algorithms[i] = hd_group_algorithm_name((hd_group_algorithm)i);
    status = cli_word_list_read(s->arguments, "op", collective_names, COLLECTIVE_COUNT_,
                                1u << COLLECTIVE_ALL_REDUCE, &s->collectives);
    if (status == CLI_DONE)
        status = cli_word_read(s->arguments, "redop", ops, 4, 0, &op);
    if (status == CLI_DONE)
        status = cli_word_read(s->arguments, "p2p", p2p, 3, 0, &path);
    if (status == CLI_DONE)
        status = cli_word_read(s->arguments, "algorithm", algorithms, HD_GROUP_ALGORITHM_COUNT_, 0,
                               &algorithm);
    if (status == CLI_DONE)
        status = cli_type_read(s->arguments, HD_F32, &s->type);
    if (status == CLI_DONE)
        status = cli_count_read(s->arguments, "runs", 0, 1, 1000000, &runs);
    if (status == CLI_DONE)
        status = cli_count_read(s->arguments, "graph", 0, 1, 4096, &in_graph);
    if (status == CLI_DONE)
        status = cli_verify_read(s->arguments, &s->check);
    s->op = op_of[op];
    s->runs = (size_t)runs;
    s->in_graph = (size_t)in_graph;
    s->algorithm = options->algorithm = (hd_group_algorithm)algorithm;
    options->p2p = (hd_group_p2p)path;
    return status == CLI_DONE ? words_check(s) : status;
}

static int open_groups(collectives *s, const hd_group_options *options)
{
    hd_group_options vendor = {.transport = HD_GROUP_LIBRARY};

    if (hd_group_create(s->devices.device, s->devices.count, options, &s->own) < 0)
        return cli_failed_call(s->arguments->command);
    if (!cli_option_given(s->arguments, "vendor"))
        return CLI_DONE;
    (void)setenv("NCCL_NVLS_ENABLE", "0", 0); /* no sums in the switch: order not defined */
    if (hd_group_create(s->devices.device, s->devices.count, &vendor, &s->library) < 0)
        fprintf(stderr, "heddle: collectives: peers are not available: %s\n",
                hd_error_last()->message);
    return CLI_DONE;
}

/* ---- running --------------------------------------------------------------------------------- */

static size_t runs_for(const collectives *s, size_t bytes)
{
    if (s->runs)
        return s->runs;
    if (strcmp(hd_backend_name(), "cpu") == 0)
        return bytes <= 65536 ? 5 : 1;
    return bytes <= (size_t)4 << 20 ? 500 : 20;
}

/* The library moves every type, but does not reduce every one. */
static int library_does(collectives *s, collective what)
{
    if (!s->library || what > COLLECTIVE_REDUCE_SCATTER ||
        hd_group_all_reduce(s->library, NULL, NULL, 0, s->type, s->op, NULL) >= 0)
        return s->library != NULL;
    if (!s->refused)
        cli_note(s->arguments->command, "--vendor: %s", hd_error_last()->message);
    s->refused = 1;
    return 0;
}

static hd_status run_row(collectives *s, collectives_row *r)
{
    for (int k = 0; k < 3; k++) {
        const collective_case c = {.group = k == 2 ? s->library : s->own,
                                   .what = r->what,
                                   .count = r->count,
                                   .type = s->type,
                                   .op = s->op,
                                   .in_place = k == 1,
                                   .runs = runs_for(s, r->bytes),
                                   .in_graph = s->in_graph,
                                   .check = s->check};
        r->has[k] = (k < 2 || library_does(s, r->what)) &&
                    !(k == 0 && r->what == COLLECTIVE_BROADCAST) &&
                    !(k == 1 && r->what == COLLECTIVE_SEND_RECEIVE);
        if (!r->has[k])
            continue;
        HD_TRY(collective_run(&c, &r->result[k]));
        s->wrong += r->result[k].wrong;
    }
    return HD_OK;
}

/* Reported once: the column of each row names the algorithm used. */
static void report_replaced(collectives *s, const collectives_row *r)
{
    const char *used = collectives_algorithm(s, r), *asked = hd_group_algorithm_name(s->algorithm);

    if (s->replaced || s->algorithm == HD_GROUP_BY_SIZE || r->what != COLLECTIVE_ALL_REDUCE ||
        strcmp(used, asked) == 0)
        return;
    cli_note(s->arguments->command, "--algorithm %s is not available for %zu bytes; %s is used",
             asked, r->bytes, used);
    s->replaced = 1;
}

/* Reports sizes that were rounded up: a row has whole elements, and the same number for every
   rank. */
static void report_larger(const collectives *s, collective what, size_t asked, size_t bytes)
{
    if (cli_option_given(s->arguments, "sizes"))
        cli_note(s->arguments->command, "--sizes: %s of %zu bytes instead of %zu, one element%s",
                 collective_names[what], bytes, asked,
                 collective_parts(what, 2) > 1 ? " for each rank" : "");
}

static int run_collective(collectives *s, collective what)
{
    const size_t parts = collective_parts(what, s->devices.count);
    const size_t element = hd_type_bytes(s->type) * parts;

    for (size_t i = 0; i < s->size_count; i++) {
        collectives_row r = {.what = what, .count = (size_t)s->sizes[i] / element};
        if (r.count == 0) {
            r.count = 1;
            report_larger(s, what, (size_t)s->sizes[i], element);
        }
        r.bytes = r.count * element;
        report_replaced(s, &r);
        if (run_row(s, &r) < 0)
            return cli_failed_call(s->arguments->command);
        collectives_print(s, &r, i == 0);
    }
    return CLI_DONE;
}

static int run_all(collectives *s)
{
    int status = CLI_DONE, printed;

    for (unsigned what = 0; what < COLLECTIVE_COUNT_ && status == CLI_DONE; what++)
        if (s->collectives >> what & 1)
            status = run_collective(s, (collective)what);
    printed = collectives_print_end(s, status);
    status = status == CLI_DONE ? printed : status;
    if (status == CLI_DONE && s->wrong)
        status = cli_failed(s->arguments->command, "%llu elements are wrong",
                            (unsigned long long)s->wrong);
    return status;
}

static int run(const cli_arguments *arguments)
{
    collectives s = {.arguments = arguments};
    hd_group_options options = {.transport = HD_GROUP_OWN};
    int status = cli_format_read(arguments, &s.format);

    if (status == CLI_DONE)
        status = words_read(&s, &options);
    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 2, &s.devices);
    if (status == CLI_DONE)
        status = sizes_read(&s, strcmp(hd_backend_name(), "cpu") ? "8..1G" : "8..256K");
    if (status == CLI_DONE)
        status = open_groups(&s, &options);
    if (status == CLI_DONE)
        status = run_all(&s);
    (void)hd_group_destroy(s.own);
    (void)hd_group_destroy(s.library);
    return status;
}

static const cli_option options[] = {
    CLI_DEVICES_OPTION,
    {"op", "LIST",
     "all-reduce (default), or several separated by commas, of all-reduce, "
     "reduce, reduce-scatter, all-gather, broadcast, "
     "all-to-all, send-receive"},
    {"sizes", "LIST",
     "bytes of a rank's larger array, as 8..1G (doubling) or 64K,1M; rounded down to whole "
     "elements"},
    {"type", "TYPE", "element type (default f32)"},
    {"redop", "OP", "reduction: sum (default), prod, min or max"},
    {"algorithm", "NAME",
     "auto (default), or for all-reduce one-shot, two-shot, direct, ring or copies, for the "
     "other operations some of these; auto is used for sizes that it does not support"},
    {"p2p", "HOW",
     "auto (default: as HEDDLE_P2P), on (fail without peer access) or off (stage through host "
     "memory)"},
    {"runs", "N", "back-to-back operations per measurement (default: by size)"},
    {"graph", "N", "record N operations once and launch the graph repeatedly"},
    {"verify", NULL, "compare with the host's result (default)"},
    {"no-verify", NULL, "skip the verification"},
    {"no-check", "=no-verify", "the same as --no-verify"},
    {"vendor", NULL, "also time the vendor's library (NCCL, RCCL) in the same run"},
    {"peers", "=vendor", NULL},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL}};

const cli_command cli_command_collectives = {
    "collectives",
    "time all-reduce and the other collectives over several devices",
    NULL,
    options,
    "Time of one operation: that of the slowest rank, "
    "with a host thread per rank, operations back\n"
    "to back, median of 7. algbw: bytes of the larger array / time; busbw: bandwidth per link,\n"
    "algbw times 2 (R - 1) / R for all-reduce, (R - 1) / R for collectives with a part per rank.\n"
    "Launching a short operation takes longer than running it; --graph shows the time of running.\n"
    "\n"
    "JSON keys: devices rows (collective bytes count type redop algorithm ranks place seconds\n"
    "gbps bus_gbps graph wrong verified): a row per size, place (in or out of place) and library\n",
    "  heddle collectives\n"
    "  heddle collectives --op all-reduce,all-gather --sizes 1K..64M --vendor\n"
    "  heddle collectives --sizes 8..1M --graph 32 --vendor\n"
    "  heddle collectives --algorithm ring --type f64 --devices 0,1 --csv\n",
    run};
