/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c - runs an experiment by its steps, and what steps have in common. */
#include <assert.h>
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/words.h"
#include "lab.h"

void lab_field(lab *l, const char *key, uint64_t value)
{
    assert(l->field_count < LAB_FIELDS_MAX);
    l->fields[l->field_count].key = key;
    l->fields[l->field_count++].value = value;
}

int lab_turns_read(lab *l, unsigned gpu, unsigned gpu_max, unsigned cpu, unsigned *turns_out)
{
    uint64_t turns = 0;
    const int status = cli_count_read(l->job.arguments, "turns", l->gpu ? gpu : cpu, 1,
                                      l->gpu ? gpu_max : LAB_TURNS_CPU_MAX, &turns);

    *turns_out = (unsigned)turns;
    return status;
}

hd_status lab_blocks(const lab *l, unsigned per_unit, unsigned cpu, unsigned *blocks_out)
{
    int64_t units = 1;

    HD_TRY(hd_device_get(l->job.device, HD_ATTR_COMPUTE_UNITS, &units));
    *blocks_out = l->gpu ? (unsigned)units * per_unit : cpu;
    return HD_OK;
}

static int print(lab *l, const lab_steps *steps, void *state)
{
    lab_begin(l, steps->about);
    for (size_t i = 0; i < l->field_count; i++)
        cli_field(l->result, l->fields[i].key, cell_count(l->fields[i].value));
    cli_table_begin(l->result, "rows", steps->columns, steps->column_count);
    steps->rows(state);
    cli_table_end(l->result);
    if (steps->foot)
        steps->foot(state);
    if (l->failed < 0)
        return cli_failed_call(l->job.arguments->command);
    return lab_end(l);
}

int lab_run(void *state, size_t bytes, const cli_arguments *arguments, const lab_steps *steps)
{
    lab *l = state;
    int status;

    memset(state, 0, bytes);
    status = lab_open(l, arguments);
    if (status == CLI_DONE && steps->read)
        status = steps->read(state);
    if (status == CLI_DONE && steps->open && steps->open(state) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(l, steps, state);
    lab_close(l);
    return status;
}
