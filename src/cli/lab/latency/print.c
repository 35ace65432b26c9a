/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - one row: what was predicted, counted and measured, and the verdict. */
#include <stdio.h>

#include "latency.h"

static lab_point point_of(const latency_row *row)
{
    const bool small = row->bytes >> 20 == 0;
    const char *series = row->bytes ? "chase" : row->level ? "atomics" : "calls";
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%llu%c",
                   (unsigned long long)(row->bytes >> (small ? 10 : 20)), small ? 'K' : 'M');
    lab_point p = lab_point_at(row->bytes ? label : row->name, series);
    p.predicted = (double)row->predicted;
    if (!row->uncounted)
        p.counted = (double)row->counted;
    if (row->seconds > 0)
        lab_point_time(&p, 1e9 * row->seconds, 1e9 * row->least, 1e9 * row->most);
    return p;
}

void latency_print(latency *l, const latency_row *row)
{
    const bool timed = row->seconds > 0, calls = !row->level;
    const lab_row judged = {.own = true,
                            .equal = row->right,
                            .seconds = row->seconds,
                            .least = row->least,
                            .most = row->most,
                            .point = point_of(row)};

    CLI_ROW(l->lab.result, cell_text(row->name), cell_if(row->bytes > 0, cell_count(row->bytes)),
            cell_if(!calls, cell_text(row->level)), cell_count(row->predicted),
            cell_if(!row->uncounted, cell_count(row->counted)),
            cell_if(timed, cell_number(row->seconds)),
            cell_if(timed && !calls && l->kilohertz > 0,
                    cell_number(row->seconds * 1e3 * (double)l->kilohertz)),
            cell_if(timed, cell_number(row->least)), cell_if(timed, cell_number(row->most)),
            lab_published(row->published), lab_verdict(&l->lab, &judged));
}
