/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - waits for parts that wait for each other. If one fails, others may never end by
   themselves, so all are polled in turn. */
#include <time.h>

#include "jacobi_group.h"
#include "runtime/backend.h"

static hd_status named(const hd_jacobi_group *g, unsigned index, hd_status status)
{
    const hd_error *e = hd_error_last();
    return hd__fail(status, g->call, "part %u (device %d): %s", index, g->parts[index].device,
                    e->status == status && e->message[0] ? e->message : hd_status_text(status));
}

/* HD_NOT_READY while one of the part's streams has work. */
static hd_status look_at_streams(const hd_jacobi_group *g, unsigned index)
{
    const hd__jacobi_part *p = &g->parts[index];
    hd_stream *const streams[] = {p->main, p->edge, p->side};
    hd_status all = HD_OK;
    for (unsigned i = 0; i < sizeof streams / sizeof *streams; i++) {
        hd_status status = hd_stream_query(streams[i]);
        if (status == HD_OK) /* idle: reports its kernels' failures */
            status = hd_stream_synchronize(streams[i]);
        if (status < 0)
            return named(g, index, status);
        if (status != HD_OK)
            all = status;
    }
    return all;
}

static hd_status look(const hd_jacobi_group *g, const unsigned *half)
{
    hd_status all = HD_OK;
    for (unsigned i = 0; i < g->count; i++) {
        hd_status status = look_at_streams(g, i);
        if (status >= 0 && half && (status = hd_event_query(g->parts[i].sums.folded[*half])) < 0)
            return named(g, i, status);
        HD_TRY(status);
        if (status != HD_OK)
            all = status;
    }
    return all;
}

static void pause_for(unsigned round)
{
    const struct timespec moment = {0, round < 1000 ? 0 : 20000};
    (void)nanosleep(&moment, NULL);
}

hd_status hd__jacobi_group_wait(hd_jacobi_group *g, const unsigned *half)
{
    hd_status status;
    for (unsigned round = 0; (status = look(g, half)) == HD_NOT_READY; round++)
        pause_for(round);
    return status;
}
