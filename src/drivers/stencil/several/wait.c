/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - waiting for parts that wait for each other. Where one fails, another may
   never end by itself: all are looked at in turn, and after a failure those that wait go on. */
#include <stdio.h>
#include <string.h>
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
        if (status == HD_OK) /* done; says what its kernels left behind */
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
        if (status >= 0 && half && (status = hd_event_query(g->parts[i].folded[*half])) < 0)
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

/* By copies: a kernel might find no place beside those that wait. */
static void write_words(hd_jacobi_group *g, const hd__jacobi_words *words)
{
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_copy(g->parts[i].words, words, 1, g->parts[i].edge);
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_stream_synchronize(g->parts[i].edge);
}

/* As if all passes had been announced; what kernels compute is lost. A part that still has passes
   would announce lower ones over that, and its neighbour may have passes that it was not given: so
   all are told first that their announcements are to be far. */
static void end_waits(hd_jacobi_group *g)
{
    hd__jacobi_words words = {.let_go = 1};
    write_words(g, &words);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned turn = 0; turn < HD__JACOBI_TURNS; turn++)
            words.arrived[side][turn] = HD__JACOBI_FAR;
    write_words(g, &words);
}

void hd__jacobi_group_let_go(hd_jacobi_group *g)
{
    hd__error_mute(1);
    if (g->collective)
        (void)hd_group_abort(g->collective);
    end_waits(g);
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_stream_synchronize(g->parts[i].side);
    (void)hd_group_destroy(g->collective);
    g->collective = NULL;
    memset(g->halves, 0, sizeof g->halves);
    for (unsigned i = 0; i < g->count; i++) {
        (void)hd_fill_zero(g->parts[i].done, g->parts[i].bands, g->parts[i].main);
        (void)hd_stream_synchronize(g->parts[i].main);
    }
    g->loaded = 0;
    hd__error_mute(0);
}
