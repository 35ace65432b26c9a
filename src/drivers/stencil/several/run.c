/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - hd_jacobi_group_run: groups sweeps into passes and passes into launches, and computes the
   norms that are requested. */
#include "jacobi_group.h"
#include "runtime/backend.h"

enum { PASSES_MAX = 256 };

typedef struct sweeps {
    size_t at, count, every; /* next sweep; number of sweeps; norm interval, 0: no norms */
    double *norms;
} sweeps;

/* Destination of the norm of a sweep; NULL: not requested. */
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

/* Number of passes in the next launch: of one depth, all with norms or all without. */
static unsigned passes_of(const hd_jacobi_group *g, const sweeps *s, unsigned depth, int norms)
{
    unsigned most = PASSES_MAX, passes = 1;
    if (hd__jacobi_group_forced.passes)
        most = hd__jacobi_group_forced.passes;
    if (norms && most > g->sums.slots / depth)
        most = g->sums.slots / depth;
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
            hd__jacobi_sums_want(g, step.slot + i, wanted(s, s->at + i));
    }
    if (g->variant == HD_JACOBI_PERSISTENT)
        step.passes = passes;
    HD_TRY(hd__jacobi_group_step(g, &step));
    g->field.turn ^= passes % 2;
    g->field.made += passes;
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

hd_status hd_jacobi_group_run(hd_jacobi_group *g, size_t count, size_t norm_every, double *norms)
{
    static const char call[] = "hd_jacobi_group_run";
    sweeps s = {0, count, norm_every, norms};
    hd_status status;
    if (!g)
        return hd__fail(HD_ERR_ARGUMENT, call, "group is NULL");
    if (norm_every && !norms && count)
        return hd__fail(HD_ERR_ARGUMENT, call, "norms is NULL");
    if (!g->field.loaded)
        return hd__fail(HD_ERR_STATE, call, "the group has no field");
    g->call = call;
    status = all_steps(g, &s);
    if (status >= 0 && norm_every)
        status = hd__jacobi_sums_finish(g);
    if (status >= 0)
        status = hd__jacobi_group_wait(g, NULL);
    if (status >= 0 && g->exchange.collective)
        status = hd_group_synchronize(g->exchange.collective); /* also ends if it was aborted */
    if (status < 0)
        hd__jacobi_group_release(g);
    return status;
}
