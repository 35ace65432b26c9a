/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_group_run.c - hd_jacobi_group_run: sweeps in passes, passes in launches, norms of those
   that are asked for. */
#include <string.h>

#include "jacobi_group.h"
#include "runtime/backend.h"

enum { PASSES_MOST = 256 };

typedef struct sweeps {
    size_t at, count, every; /* the next sweep; all; 0: no norms */
    double *norms;
} sweeps;

/* Where the norm of a sweep goes; NULL: it is not asked for. */
static double *wanted(const sweeps *s, size_t sweep)
{
    return s->every && sweep % s->every == 0 ? s->norms + sweep / s->every : NULL;
}

static int any_wanted(const sweeps *s, size_t from, unsigned count)
{
    for (unsigned i = 0; s->every && i < count; i++)
        if (wanted(s, from + i))
            return 1;
    return 0;
}

/* Passes of one launch from here on: of one depth, all with norms or all without. */
static unsigned passes_of(const hd_jacobi_group *g, const sweeps *s, unsigned depth, int norms)
{
    unsigned most = PASSES_MOST, passes = 1;
    if (hd__jacobi_group_forced.passes)
        most = hd__jacobi_group_forced.passes;
    if (norms && most > g->slots / depth)
        most = g->slots / depth;
    while (passes < most && s->count - s->at >= (size_t)depth * (passes + 1) &&
           any_wanted(s, s->at + (size_t)depth * passes, depth) == norms)
        passes++;
    return passes;
}

static hd_status one_step(hd_jacobi_group *g, sweeps *s)
{
    const unsigned depth = hd__jacobi_group_depth(g, s->count - s->at);
    const int norms = any_wanted(s, s->at, depth);
    const unsigned passes = g->variant == HD_JACOBI_PERSISTENT ? passes_of(g, s, depth, norms) : 1;
    hd__jacobi_step step = {depth, 0, norms, 0};
    if (norms) {
        HD_TRY(hd__jacobi_sums_room(g, depth * passes, &step.slot));
        for (unsigned i = 0; i < depth * passes; i++)
            g->halves[g->half].wanted[step.slot + i] = wanted(s, s->at + i);
    }
    if (g->variant == HD_JACOBI_PERSISTENT)
        step.passes = passes;
    HD_TRY(hd__jacobi_group_step(g, &step));
    g->turn ^= passes % 2;
    g->made += passes;
    s->at += (size_t)depth * passes;
    return HD_OK;
}

static hd_status all_steps(hd_jacobi_group *g, sweeps *s)
{
    while (s->at < s->count) {
        size_t left = s->count - s->at;
        if (g->variant == HD_JACOBI_GRAPH) {
            HD_TRY(hd__jacobi_group_graphs(g, s->at, s->every, s->norms, &left));
            s->at = s->count - left;
        }
        if (left)
            HD_TRY(one_step(g, s));
    }
    return HD_OK;
}

static hd_status wait_part(hd_jacobi_group *g, unsigned index, void *argument)
{
    (void)argument;
    HD_TRY(hd_stream_synchronize(g->parts[index].main));
    HD_TRY(hd_stream_synchronize(g->parts[index].edge));
    return hd_stream_synchronize(g->parts[index].side);
}

/* Kernels that wait for a neighbour whose work was never issued go on: every word is as if all
   passes had been announced. What they compute is lost. */
static void let_go(hd_jacobi_group *g)
{
    for (unsigned i = 0; i < g->count; i++)
        (void)hd_fill_bytes(g->parts[i].arrived, 0x3fffffffu, 4, 8, g->parts[i].edge);
    for (unsigned i = 0; i < g->count; i++)
        (void)wait_part(g, i, NULL);
    memset(g->halves, 0, sizeof g->halves);
    for (unsigned i = 0; i < g->count; i++) {
        (void)hd_fill_zero(g->parts[i].done, g->parts[i].bands, g->parts[i].main);
        (void)hd_stream_synchronize(g->parts[i].main);
    }
    g->loaded = 0;
}

hd_status hd_jacobi_group_run(hd_jacobi_group *g, size_t count, size_t norm_every, double *norms)
{
    static const char call[] = "hd_jacobi_group_run";
    sweeps s = {0, count, norm_every, norms};
    hd_status status;
    if (!g)
        return hd__fail(HD_ERR_ARGUMENT, call, "group is NULL");
    if (norm_every && !norms && count)
        return hd__fail(HD_ERR_ARGUMENT, call, "norms is NULL");
    if (!g->loaded)
        return hd__fail(HD_ERR_STATE, call, "the group has no field");
    g->call = call;
    status = all_steps(g, &s);
    if (status >= 0 && norm_every)
        status = hd__jacobi_sums_finish(g);
    if (status >= 0)
        status = hd__jacobi_each(g, wait_part, NULL);
    if (status < 0)
        let_go(g);
    return status;
}
