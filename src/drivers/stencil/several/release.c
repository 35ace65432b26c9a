/* SPDX-License-Identifier: Apache-2.0 */
/* release.c - after a failure: releases parts that wait for a neighbour whose pass never comes, so
   that the work of all parts ends. */
#include "jacobi_group.h"

#include "runtime/backend.h"

/* By copies: the waiting kernels may leave no room for another kernel. */
static void write_words(hd_jacobi_group *g, const hd__jacobi_words *words)
{
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_copy(g->parts[i].words, words, 1, g->parts[i].edge);
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_stream_synchronize(g->parts[i].edge);
}

/* Ends all waits of linked kernels after a failure: flags that they wait for are set to a pass
   number beyond all passes, and what they compute is lost. `released` is set in all parts before
   that: a part that still runs publishes the same number from then on, not its own, lower one. */
static void end_waits(hd_jacobi_group *g)
{
    hd__jacobi_words words = {.released = 1};
    write_words(g, &words);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned turn = 0; turn < HD__JACOBI_TURNS; turn++)
            words.arrived[side][turn] = HD__JACOBI_FAR;
    write_words(g, &words);
}

void hd__jacobi_group_release(hd_jacobi_group *g)
{
    hd__error_mute(1);
    if (g->exchange.collective)
        (void)hd_group_abort(g->exchange.collective);
    end_waits(g);
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_stream_synchronize(g->parts[i].side);
    (void)hd_group_destroy(g->exchange.collective);
    g->exchange.collective = NULL;
    hd__jacobi_sums_forget(g);
    for (unsigned i = 0; i < g->count; i++) {
        const hd__jacobi_part *p = &g->parts[i];
        (void)hd_fill_zero(p->done, hd__jacobi_done_words(p), p->main);
        (void)hd_stream_synchronize(p->main);
    }
    g->field.loaded = 0;
    hd__error_mute(0);
}
