/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c - `heddle topology`: how devices are linked, and the path of transfers between
   them. */
#include "topology.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/table.h"

static hd_status look(topology *t, int probe)
{
    const cli_devices *d = &t->devices;

    for (unsigned i = 0; i < d->count; i++) {
        HD_TRY(hd_device_name(d->device[i], t->device[i].name, sizeof t->device[i].name));
        HD_TRY(hd_device_bus_id(d->device[i], t->device[i].bus_id, sizeof t->device[i].bus_id));
    }
    for (unsigned i = 0; i < d->count; i++)
        for (unsigned j = 0; j < d->count; j++) {
            if (probe)
                HD_TRY(hd_peer_connect(d->device[i], d->device[j], NULL));
            HD_TRY(hd_peer_query(d->device[i], d->device[j], &t->pairs[i * d->count + j]));
        }
    return HD_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

enum { CELL = 16 };

static void link_cell(const hd_peer_info *pair, char text[CELL])
{
    (void)snprintf(text, CELL, "%.14s",
                   pair->link == HD_LINK_SELF ? "-"
                   : pair->link_name[0]       ? pair->link_name
                                              : hd_link_name(pair->link));
}

static void class_cell(const hd_peer_info *pair, char text[CELL])
{
    (void)snprintf(text, CELL, "%s", pair->link == HD_LINK_SELF ? "-" : hd_link_name(pair->link));
}

static int not_proved(const hd_peer_info *pair)
{
    return pair->path == HD_PATH_DIRECT && pair->verified == 0;
}

static void path_cell(const hd_peer_info *pair, char text[CELL])
{
    (void)snprintf(text, CELL, "%s%s",
                   pair->path == HD_PATH_SAME ? "-" : hd_peer_path_name(pair->path),
                   not_proved(pair) ? "?" : "");
}

static void atomics_cell(const hd_peer_info *pair, char text[CELL])
{
    (void)snprintf(text, CELL, "%s",
                   pair->link == HD_LINK_SELF ? "-"
                   : pair->atomics            ? "yes"
                                              : "no");
}

static void lanes_cell(const hd_peer_info *pair, char text[CELL])
{
    if (pair->link_count > 0)
        (void)snprintf(text, CELL, "%d", pair->link_count);
    else
        (void)snprintf(text, CELL, "%s", pair->link == HD_LINK_SELF ? "-" : "?");
}

static void print_matrix(const topology *t, const char *title,
                         void (*cell)(const hd_peer_info *, char text[CELL]))
{
    const unsigned count = t->devices.count;
    size_t width = 3;
    char text[CELL];

    for (unsigned k = 0; k < count * count; k++) {
        cell(&t->pairs[k], text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    printf("\n%s\n%5s", title, "");
    for (unsigned j = 0; j < count; j++)
        printf("  %*d", (int)width, t->devices.device[j]);
    for (unsigned i = 0; i < count; i++) {
        printf("\n%5d", t->devices.device[i]);
        for (unsigned j = 0; j < count; j++) {
            cell(topology_pair(t, i, j), text);
            printf("  %*s", (int)width, text);
        }
    }
    putchar('\n');
}

static void print_paths(const topology *t)
{
    int open = 0;

    for (unsigned k = 0; k < t->devices.count * t->devices.count; k++)
        open |= not_proved(&t->pairs[k]);
    print_matrix(t, open ? "path of transfers (?: no pattern was sent)" : "path of transfers",
                 path_cell);
}

static void print_reasons(const topology *t)
{
    int lines = 0;

    for (unsigned i = 0; i < t->devices.count; i++)
        for (unsigned j = i + 1; j < t->devices.count; j++) {
            const hd_peer_info *pair = topology_pair(t, i, j);
            if (pair->reason[0])
                printf("%s  %d - %d: %s\n", lines++ ? "" : "\nwhy pairs are not direct\n",
                       t->devices.device[i], t->devices.device[j], pair->reason);
        }
}

/* Link names and lane counts, from vendors that report them. */
static void print_vendors(const topology *t)
{
    int named = 0, counted = 0;

    for (unsigned k = 0; k < t->devices.count * t->devices.count; k++) {
        named |= t->pairs[k].link_name[0];
        counted |= t->pairs[k].link_count > 0;
    }
    if (named)
        print_matrix(t, "link as the vendor calls it", link_cell);
    if (counted)
        print_matrix(t, "lanes of the link (?: not known, or no fabric)", lanes_cell);
}

static void print_text(const topology *t)
{
    printf("%u device%s, backend %s\n", t->devices.count, t->devices.count == 1 ? "" : "s",
           hd_backend_name());
    for (unsigned i = 0; i < t->devices.count; i++)
        printf("%5d  %s, %s\n", t->devices.device[i], t->device[i].name, t->device[i].bus_id);
    print_matrix(t, "class of the link", class_cell);
    print_vendors(t);
    print_matrix(t, "atomics over the link", atomics_cell);
    print_paths(t);
    print_reasons(t);
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "device"}, {.key = "peer"},     {.key = "link"},   {.key = "name"},
    {.key = "lanes"},  {.key = "rank"},     {.key = "access"}, {.key = "atomics"},
    {.key = "path"},   {.key = "verified"}, {.key = "reason"},
};

static void print_pair(const topology *t, unsigned i, unsigned j, cli_result *result)
{
    const hd_peer_info *pair = topology_pair(t, i, j);

    CLI_ROW(result, cell_number(t->devices.device[i]), cell_number(t->devices.device[j]),
            cell_text(hd_link_name(pair->link)), cell_text(pair->link_name),
            cell_number(pair->link_count), cell_number(pair->rank), cell_flag(pair->access),
            cell_flag(pair->atomics), cell_text(hd_peer_path_name(pair->path)),
            cell_if(pair->verified, cell_flag(pair->verified > 0)), cell_text(pair->reason));
}

static int print_fields(const topology *t, cli_format format)
{
    cli_result result;

    cli_result_begin(&result, t->arguments->command, format, t->devices.device[0]);
    cli_list_begin(&result, "devices", true);
    for (unsigned i = 0; i < t->devices.count; i++) {
        cli_object_begin(&result);
        cli_field(&result, "device", cell_number(t->devices.device[i]));
        cli_field(&result, "name", cell_text(t->device[i].name));
        cli_field(&result, "bus_id", cell_text(t->device[i].bus_id));
        cli_object_end(&result);
    }
    cli_list_end(&result);
    CLI_TABLE(&result, "rows", columns);
    for (unsigned i = 0; i < t->devices.count; i++)
        for (unsigned j = 0; j < t->devices.count; j++)
            if (i != j)
                print_pair(t, i, j, &result);
    cli_table_end(&result);
    return cli_result_end(&result);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int show(const topology *t, cli_format format)
{
    const char *svg = cli_option_value(t->arguments, "svg");
    int status, drawn;

    if (format == CLI_TEXT) {
        print_text(t);
        status = cli_flush(t->arguments->command);
    } else {
        status = print_fields(t, format);
    }
    drawn = svg ? topology_draw(t, svg) : CLI_DONE; /* may fail */
    return status != CLI_DONE ? status : drawn;
}

static int run(const cli_arguments *arguments)
{
    topology t = {arguments, {0, {0}}, NULL, NULL};
    cli_format format;
    int status = cli_format_read(arguments, &format);

    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 1, &t.devices);
    if (status != CLI_DONE)
        return status;
    t.device = calloc(t.devices.count, sizeof *t.device);
    t.pairs = calloc((size_t)t.devices.count * t.devices.count, sizeof *t.pairs);
    if (!t.device || !t.pairs)
        status = cli_failed(arguments->command, "no memory for %u devices", t.devices.count);
    else if (look(&t, !cli_option_given(arguments, "no-probe")) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = show(&t, format);
    free(t.device);
    free(t.pairs);
    return status;
}

static const cli_option options[] = {
    CLI_DEVICES_OPTION,
    {"no-probe", NULL, "query only, without sending test patterns between devices"},
    {"svg", "FILE.svg", "draw the topology"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per ordered pair"},
    {NULL, NULL, NULL}};

const cli_command cli_command_topology = {
    "topology",
    "show links between devices and the paths of transfers",
    NULL,
    options,
    "fabric: direct link between devices; switch: PCIe switches; host: a PCIe host bridge or one\n"
    "NUMA node; system: across NUMA nodes. direct: peer access, verified with a test pattern in\n"
    "both directions by a copy, by a kernel's loads and by its stores. Otherwise transfers are\n"
    "staged through pinned host memory, and the last lines say why. HEDDLE_P2P=auto|on|off.\n"
    "\n"
    "JSON keys: devices (device name bus_id)\n"
    "rows (device peer link name lanes rank access atomics path verified reason)\n",
    "  heddle topology\n"
    "  heddle topology --svg topology.svg\n"
    "  HEDDLE_CPU_DEVICES=4 HEDDLE_CPU_PEERS=0-1,1-2 heddle topology --csv\n",
    run};
