/* SPDX-License-Identifier: Apache-2.0 */
/* phases.c - executes work for all parts: in one thread per device, or in the caller's. */
#include "jacobi_group.h"

hd__jacobi_group_force hd__jacobi_group_forced;

typedef struct job {
    hd_jacobi_group *group;
    hd__jacobi_phase *phase;
    void *argument;
} job;

static hd_status do_phase(void *argument, unsigned index)
{
    const job *j = argument;
    return j->phase(j->group, index, j->argument);
}

hd_status hd__jacobi_each(hd_jacobi_group *g, hd__jacobi_phase *phase, void *argument)
{
    job j = {g, phase, argument};
    if (g->threads && !g->graphs.capturing)
        return hd__jacobi_threads_run(g->threads, g->call, do_phase, &j);
    for (unsigned i = 0; i < g->count; i++)
        HD_TRY(phase(g, i, argument));
    return HD_OK;
}
