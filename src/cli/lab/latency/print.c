/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - one row: what was predicted, counted and measured, and the verdict. */
#include "latency.h"

static cli_cell judge(latency *l, const latency_row *row)
{
    const bool timed = row->seconds > 0;
    const bool inside = !timed || (row->least <= row->seconds && row->seconds <= row->most);

    if (!l->lab.job.verify)
        return cell_none();
    l->lab.rows++;
    l->lab.wrong += !row->right || !inside;
    if (!row->right || !timed)
        return cell_text(row->right ? "equal" : "differs");
    return cell_text(inside ? "within" : "outside");
}

void latency_print(latency *l, const latency_row *row)
{
    const bool timed = row->seconds > 0;
    const bool calls = !row->level;

    CLI_ROW(&l->result, cell_text(row->name), cell_if(row->bytes > 0, cell_count(row->bytes)),
            cell_if(!calls, cell_text(row->level)), cell_count(row->predicted),
            cell_if(!row->uncounted, cell_count(row->counted)),
            cell_if(timed, cell_number(row->seconds)),
            cell_if(timed && !calls && l->kilohertz > 0,
                    cell_number(row->seconds * 1e3 * (double)l->kilohertz)),
            cell_if(timed, cell_number(row->least)), cell_if(timed, cell_number(row->most)),
            judge(l, row));
}
