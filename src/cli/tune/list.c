/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - `heddle tune --list`, `--show` and `--reset`: parameter spaces and stored choices. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "drivers/tune/table.h"
#include "tune.h"

void tune_values_text(const hd_tune_knob *knobs, size_t count, const unsigned *values,
                      char text[TUNE_VALUES_TEXT])
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && at < TUNE_VALUES_TEXT; i++)
        at += (size_t)snprintf(text + at, TUNE_VALUES_TEXT - at, "%s%s=%u", i ? " " : "",
                               knobs[i].name, values[i]);
}

static void values_list(const hd_tune_knob *knob, char *text, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < knob->count && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%u", i ? "," : "", knob->values[i]);
}

int tune_list(const tune_plan *plan)
{
    static const cli_column columns[] = {{"family", "family", -12, 0, 0, NULL, 0, 0, false},
                                         {"knob", "knob", -8, 0, 0, NULL, 0, 0, false},
                                         {"values", "values", -24, 0, 0, NULL, 0, 0, false},
                                         {"meaning", "meaning", -1, 0, 0, NULL, 0, 0, false}};
    cli_result result;
    cli_result_begin(&result, plan->arguments->command, plan->format, CLI_NO_DEVICE);
    CLI_TABLE(&result, "rows", columns);
    for (int f = 0; f < HD__TUNE_FAMILIES; f++) {
        const hd__tune_space *s = &hd__tune_spaces[f];
        if (plan->families && !(plan->families >> f & 1))
            continue;
        for (size_t k = 0; k < s->knob_count; k++) {
            char values[TUNE_VALUES_TEXT];
            values_list(&s->knobs[k], values, sizeof values);
            CLI_ROW(&result, cell_text(s->name), cell_text(s->knobs[k].name), cell_list(values),
                    cell_text(s->meanings[k]));
        }
    }
    cli_table_end(&result);
    cli_say(&result, "\n");
    for (int f = 0; f < HD__TUNE_FAMILIES; f++) {
        const hd__tune_space *s = &hd__tune_spaces[f];
        if (plan->families && !(plan->families >> f & 1))
            continue;
        cli_say(&result, "%s: types", s->name);
        for (size_t i = 0; i < s->type_count; i++)
            if (hd__tune_problem_exists(f, (unsigned)i, 0))
                cli_say(&result, " %s", s->types[i]);
        cli_say(&result, "; kinds");
        for (size_t i = 0; i < s->kind_count; i++)
            cli_say(&result, " %s", s->kinds[i]);
        cli_say(&result, "\n");
    }
    cli_say(&result, "0 leaves a choice to the driver.\n");
    return cli_result_end(&result);
}

static void show_entry(cli_result *result, const hd__tune_entry *e, const hd__tune_place *here)
{
    char values[TUNE_VALUES_TEXT];
    hd_tune_knob knobs[HD_TUNE_KNOBS_MAX];
    const bool ours = hd__tune_family_named(e->name) != HD__TUNE_FAMILIES;
    /* The source of other kernels is known to their programs only. */
    const bool same = strcmp(e->place.device, here->device) == 0 &&
                      strcmp(e->place.driver, here->driver) == 0 &&
                      strcmp(e->place.compiler, here->compiler) == 0;
    const bool applies = same && strcmp(e->place.source, here->source) == 0;
    for (size_t i = 0; i < e->knob_count; i++)
        knobs[i].name = e->knobs[i];
    tune_values_text(knobs, e->knob_count, e->values, values);
    CLI_ROW(result, cell_text(e->name), cell_text(e->type),
            cell_count((uint64_t)1 << 2 * e->bucket), cell_text(values), cell_number(e->speedup),
            cell_if(ours || !same, cell_flag(ours ? applies : same)), cell_text(e->place.device),
            cell_text(e->place.driver), cell_text(e->place.compiler), cell_text(e->place.source));
}

int tune_show(const tune_plan *plan)
{
    static const cli_column columns[] = {{"family", "name", -12, 0, 0, NULL, 0, 0, false},
                                         {"type", "type", -18, 0, 0, NULL, 0, 0, false},
                                         {"from", "from size", 12, 0, 0, NULL, 0, 0, false},
                                         {"values", "values", -34, 0, 0, NULL, 0, 2, false},
                                         {"speedup", "speed-up", 8, 3, 0, NULL, 0, 0, false},
                                         {"applies", "applies", 8, 0, 0, NULL, 0, 0, false},
                                         {"on_device", "device", -24, 0, 0, NULL, 0, 2, false},
                                         {"driver", NULL, 0, 0, 0, NULL, 0, 0, false},
                                         {"compiler", NULL, 0, 0, 0, NULL, 0, 0, false},
                                         {"source", NULL, 0, 0, 0, NULL, 0, 0, false}};
    const cli_command *command = plan->arguments->command;
    char path[PATH_MAX];
    hd__tune_entries entries;
    hd__tune_place here;
    cli_result result;
    if (hd_tune_file(path, sizeof path) < 0 || hd__tune_read("hd_tune", path, &entries) < 0)
        return cli_failed_call(command);
    if (hd__tune_place_of(plan->device, NULL, &here) < 0) {
        hd__tune_entries_free(&entries);
        return cli_failed_call(command);
    }
    cli_result_begin(&result, command, plan->format, plan->device);
    cli_say(&result, "%s: %zu choice%s\n\n", path, entries.count, entries.count == 1 ? "" : "s");
    cli_field(&result, "file", cell_text(path));
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < entries.count; i++)
        show_entry(&result, &entries.all[i], &here);
    cli_table_end(&result);
    hd__tune_entries_free(&entries);
    return cli_result_end(&result);
}

int tune_reset(const tune_plan *plan)
{
    const cli_command *command = plan->arguments->command;
    char path[PATH_MAX];
    size_t removed = 0, all = 0;
    cli_result result;
    if (hd_tune_file(path, sizeof path) < 0 ||
        (plan->families == 0 && hd_tune_reset(NULL, &all) < 0))
        return cli_failed_call(command);
    for (int f = 0; f < HD__TUNE_FAMILIES; f++) {
        if (plan->families >> f & 1) {
            if (hd_tune_reset(hd__tune_spaces[f].name, &removed) < 0)
                return cli_failed_call(command);
            all += removed;
        }
    }
    cli_result_begin(&result, command, plan->format, CLI_NO_DEVICE);
    cli_say(&result, "%s: %zu choice%s removed\n", path, all, all == 1 ? "" : "s");
    cli_field(&result, "file", cell_text(path));
    cli_field(&result, "removed", cell_count(all));
    return cli_result_end(&result);
}
