/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - variant graph: passes over all parts, captured once and launched repeatedly. A graph
   begins and ends with the field in memory[0]. There are three graphs: one without sums, and one
   for the slots of each half. */
#include "jacobi_group.h"

#include <heddle/graph.h>

#include "runtime/backend.h"

enum { GRAPH_PASSES = 16 };

void hd__jacobi_graphs_close(hd_jacobi_group *g)
{
    for (unsigned i = 0; i < 1 + HD__JACOBI_HALVES; i++)
        (void)hd_graph_exec_destroy(g->graphs.exec[i]);
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_event_destroy(g->parts[i].joined);
}

/* Passes of a graph: an even number whose sums fit in a half. */
static unsigned passes_of(const hd_jacobi_group *g)
{
    unsigned passes = hd__jacobi_group_forced.passes ? hd__jacobi_group_forced.passes
                                                     : GRAPH_PASSES;
    if (passes * g->depth > g->sums.slots)
        passes = g->sums.slots / g->depth;
    return passes / 2 * 2;
}

/* Makes the streams of all parts wait for the first one's (fork), or the first one for all
   (join). */
static hd_status spread(hd_jacobi_group *g)
{
    HD_TRY(hd_event_record(g->parts[0].joined, g->parts[0].main));
    for (unsigned i = 1; i < g->count; i++)
        HD_TRY(hd_stream_wait(g->parts[i].main, g->parts[0].joined));
    for (unsigned i = 0; i < g->count; i++)
        HD_TRY(hd_event_record(g->parts[i].swept, g->parts[i].main));
    return HD_OK;
}

static hd_status join(hd_jacobi_group *g)
{
    for (unsigned i = 1; i < g->count; i++) {
        HD_TRY(hd_event_record(g->parts[i].joined, g->parts[i].main));
        HD_TRY(hd_stream_wait(g->parts[0].main, g->parts[i].joined));
    }
    return HD_OK;
}

static hd_status record(hd_jacobi_group *g, int norms)
{
    hd__jacobi_step step = {g->depth, 0, norms, 0};
    HD_TRY(spread(g));
    for (unsigned i = 0; i < g->graphs.passes; i++) {
        step.slot = i * g->depth;
        HD_TRY(hd__jacobi_group_step(g, &step));
        g->field.turn ^= 1;
    }
    return join(g);
}

/* Captures a graph and leaves the streams as they were. */
static hd_status capture(hd_jacobi_group *g, int norms, hd_graph_exec **exec)
{
    hd_graph *graph = NULL;
    hd_status status, ended;
    for (unsigned i = 0; i < g->count; i++)
        if (!g->parts[i].joined)
            HD_TRY(hd_event_create(g->parts[i].device, 0, &g->parts[i].joined));
    HD_TRY(hd_stream_capture_begin(g->parts[0].main));
    g->graphs.capturing = 1;
    status = record(g, norms);
    g->graphs.capturing = 0;
    ended = hd_stream_capture_end(g->parts[0].main, &graph);
    if (status >= 0)
        status = ended;
    if (status >= 0)
        status = hd_graph_instantiate(graph, exec);
    (void)hd_graph_destroy(graph);
    return status;
}

/* The next passes match the graph's. */
static int fits(const hd_jacobi_group *g, size_t at, size_t every, size_t left, int norms)
{
    const size_t count = (size_t)g->graphs.passes * g->depth;
    if (count == 0 || g->field.turn || left < count)
        return 0;
    if (!norms)
        return !every || (at + every - 1) / every * every >= at + count;
    return every && every <= g->depth;
}

static hd_status launch(hd_jacobi_group *g, int norms)
{
    hd_graph_exec **exec = &g->graphs.exec[norms ? 1 + g->sums.half : 0];
    if (!*exec)
        HD_TRY(capture(g, norms, exec));
    HD_TRY(join(g));
    HD_TRY(hd_graph_launch(*exec, g->parts[0].main));
    return spread(g);
}

hd_status hd__jacobi_group_graphs(hd_jacobi_group *g, size_t at, size_t every, double *norms,
                                  size_t *left)
{
    g->graphs.passes = passes_of(g);
    for (;;) {
        const unsigned count = g->graphs.passes * g->depth;
        const int with = fits(g, at, every, *left, 1);
        unsigned slot = 0;
        if (!with && !fits(g, at, every, *left, 0))
            return HD_OK;
        if (with) {
            if (g->sums.halves[g->sums.half].used)
                HD_TRY(hd__jacobi_sums_turn(g));
            HD_TRY(hd__jacobi_sums_room(g, count, &slot));
            for (unsigned i = 0; i < count; i++)
                hd__jacobi_sums_want(g, i, (at + i) % every ? NULL : norms + (at + i) / every);
        }
        HD_TRY(launch(g, with));
        g->field.made += g->graphs.passes;
        at += count;
        *left -= count;
    }
}
