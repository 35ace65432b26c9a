/* SPDX-License-Identifier: Apache-2.0 */
/* references.c - the table of published values, and `heddle lab references`, which prints it. */
#include "references.h"

#include <string.h>

#include "cli/app/commands.h"
#include "cli/app/table.h"

typedef struct published {
    double value;       /* 0: none */
    const char *source; /* a letter; "-": none */
} published;

typedef struct quantity {
    const char *key, *unit, *meaning;
    published of[LAB_DEVICES];
} quantity;

#define PAIR_(number, source) (number, source)
#define NONE_ (0, -)
#define PUBLISHED_(number, source)                                                                 \
    {                                                                                              \
        number, #source                                                                            \
    }
#define QUANTITY_(quantity, key, unit, d0, d1, d2, d3, d4, d5, meaning)                            \
    {key,                                                                                          \
     unit,                                                                                         \
     meaning,                                                                                      \
     {PUBLISHED_ d0, PUBLISHED_ d1, PUBLISHED_ d2, PUBLISHED_ d3, PUBLISHED_ d4, PUBLISHED_ d5}},
static const quantity quantities[] = {LAB_QUANTITY_LIST(QUANTITY_, PAIR_, NONE_)};

#define WORD_(device, word, name, column) word,
const char *const lab_device_words[LAB_DEVICES] = {LAB_DEVICE_LIST(WORD_)};
#define NAME_(device, word, name, column) name,
static const char *const names[LAB_DEVICES] = {LAB_DEVICE_LIST(NAME_)};

double lab_reference(lab_device device, lab_quantity of)
{
    return device == LAB_NO_DEVICE ? 0 : quantities[of].of[device].value;
}

double lab_reference_read(lab_device device)
{
    const double dot = lab_reference(device, LAB_STREAM_DOT);

    return dot > 0 ? dot : lab_reference(device, LAB_READ);
}

lab_device lab_device_find(const char *name)
{
    if (strstr(name, " NVL") || strstr(name, " MIG "))
        return LAB_NO_DEVICE;
    for (int i = 0; i < LAB_DEVICES; i++)
        if (strstr(name, names[i]))
            return (lab_device)i;
    return LAB_NO_DEVICE;
}

/* ---- the command ----------------------------------------------------------------------------- */

#define COLUMN_(device, word, name, column)                                                        \
    {.key = column, .heading = word, .width = 9, .decimals = 1},
static const cli_column columns[] = {
    {.key = "quantity", .heading = "quantity", .width = -14},
    {.key = "unit", .heading = "unit", .width = -7},
    LAB_DEVICE_LIST(COLUMN_){.key = "sources", .heading = "sources", .width = -7, .gap = 2},
    {.key = "meaning", .heading = "meaning", .width = -7, .gap = 2},
};

static cli_cell value_cell(const published *p)
{
    return cell_if(p->value > 0, cell_number(p->value));
}

static void print_row(cli_result *result, const quantity *q)
{
    char sources[LAB_DEVICES + 1] = "";

    for (int i = 0; i < LAB_DEVICES; i++)
        sources[i] = q->of[i].source[0];
#define CELL_(device, word, name, column) value_cell(&q->of[device]),
    CLI_ROW(result, cell_text(q->key), cell_text(q->unit),
            LAB_DEVICE_LIST(CELL_) cell_text(sources), cell_text(q->meaning));
#undef CELL_
}

static int run(const cli_arguments *arguments)
{
    cli_format format;
    cli_result result;
    int status = cli_format_read(arguments, &format);

    if (status != CLI_DONE)
        return status;
    cli_result_begin(&result, arguments->command, format, CLI_NO_DEVICE);
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        print_row(&result, &quantities[i]);
    cli_table_end(&result);
    cli_say(&result, "\nsources, in the order of the devices: docs/lab-references.md\n");
    return cli_result_end(&result);
}

static const cli_option options[] = {{"json", NULL, "print one JSON object"},
                                     {"csv", NULL, "print CSV: a header and the results"},
                                     CLI_UNTRACED};

const cli_command cli_command_lab_references = {
    "lab references",
    "print published measurements and peak rates of devices",
    NULL,
    options,
    "The values that the experiments print beside their own, with one letter per device for\n"
    "the source; - where nothing is published. The values of the MI250X are those of one of its\n"
    "two dies.\n"
    "\n"
    "JSON keys: rows (quantity unit h100_pcie h100 h200 mi210 mi250x mi300x sources meaning)\n",
    "  heddle lab references\n"
    "  heddle lab references --csv\n",
    run};
