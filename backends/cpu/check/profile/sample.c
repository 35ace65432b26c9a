/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c - combines the events of a warp's lanes between two meetings as a GPU would have
   executed them: lanes in the same iterations of the same loops execute an instruction together.

       lane 0   A  B C  B C  D
       lane 1   A  B C       D
       warp     A  B C  B C  D     both lanes execute D together

   Loops are found from the branch targets that a lane passes: a target that comes again before any
   older one begins a loop, and the targets in between belong to the loop. If an instruction occurs
   several times in one iteration (a branch was not seen), its n-th executions are combined. */
#include "profile.h"

#include <stdlib.h>

enum { DEPTH = 256, NESTED = 8, WAYS = 64, WAITING = 32 };

/* Path of one lane: the branch targets passed, without those of loops' earlier iterations. */
typedef struct path {
    unsigned depth;
    uint32_t site[DEPTH];
    uint32_t turn[DEPTH];
} path;

/* One event with its iterations. */
typedef struct item {
    uint64_t context; /* hash of the iterations of the loops around it */
    uint32_t site, index;
    unsigned lane;
} item;

static struct {
    item *items;
    size_t count, room;
} all;

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static int inside(uint32_t site, uint32_t loop)
{
    for (unsigned i = 0; i < NESTED && site; i++, site = hd_check_sites[site].loop)
        if (site == loop)
            return 1;
    return 0;
}

/* The target lies in the loop. Keeps the loop known so far if that is further inside. */
static void belongs(uint32_t site, uint32_t loop)
{
    hd_check_site *s = &hd_check_sites[site];

    if (site != loop && !inside(loop, site) && (!s->loop || inside(loop, s->loop)))
        s->loop = loop;
}

/* The lane reaches a branch target. */
static void path_follow(path *p, uint32_t site)
{
    unsigned at = p->depth;

    while (at > 0 && p->site[at - 1] != site)
        at--;
    if (at == 0) {
        if (p->depth < DEPTH) {
            p->site[p->depth] = site;
            p->turn[p->depth++] = 0;
        }
        return;
    }
    hd_check_sites[site].begins_loop = 1;
    for (unsigned i = at; i < p->depth; i++)
        belongs(p->site[i], site);
    p->depth = at;
    p->turn[at - 1]++;
}

static uint32_t turn_of(const path *p, uint32_t loop)
{
    for (unsigned i = p->depth; i > 0; i--)
        if (p->site[i - 1] == loop)
            return p->turn[i - 1];
    return 0;
}

/* A hash of the iterations of the loops around the last target. */
static uint64_t path_context(const path *p)
{
    uint32_t loop = p->depth ? p->site[p->depth - 1] : 0;
    uint64_t context = 1;

    if (loop && !hd_check_sites[loop].begins_loop)
        loop = hd_check_sites[loop].loop;
    for (unsigned i = 0; i < NESTED && loop; i++, loop = hd_check_sites[loop].loop)
        context = mixed(context ^ ((uint64_t)loop << 32 | turn_of(p, loop)));
    return context;
}

static int is_branch(uint32_t site)
{
    return hd_check_sites[site].what == HD_CHECK_BRANCH;
}

static void learn_loops(const hd_check_log *log)
{
    static path p; /* under hd_check_lock */

    p.depth = 0;
    for (unsigned i = 0; i < log->count; i++)
        if (is_branch(log->events[i].site))
            path_follow(&p, log->events[i].site);
}

/* ---- events and their iterations ------------------------------------------------------------- */

static int item_add(item made)
{
    if (all.count == all.room) {
        size_t room = all.room ? 2 * all.room : 4096;
        item *more = realloc(all.items, room * sizeof *more);

        if (!more)
            return 0;
        all.items = more;
        all.room = room;
    }
    all.items[all.count++] = made;
    return 1;
}

static void place_events(const hd_check_log *log, unsigned lane)
{
    static path p;
    uint64_t context = 1;

    p.depth = 0;
    for (unsigned i = 0; i < log->count; i++) {
        uint32_t site = log->events[i].site;

        if (is_branch(site)) {
            path_follow(&p, site);
            context = path_context(&p);
        }
        if (!item_add((item){context, site, i, lane}))
            return;
    }
}

static int item_order(const void *one, const void *other)
{
    const item *a = one, *b = other;

    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* ---- cost of executions ---------------------------------------------------------------------- */

static void keep_worst(hd_check_site *site, const hd_check_sample *sample, unsigned first,
                       const hd_check_request *request, unsigned cost)
{
    unsigned lane = (unsigned)__builtin_ctzll(request->lanes);
    const hd_check_block *block = sample->block->check;

    if (site->launch == block->op->number && cost <= site->worst)
        return;
    site->launch = block->op->number;
    site->worst = cost;
    site->block = block->serial - block->op->serial;
    site->thread = first + lane;
    site->address = request->address[lane];
}

static void add_request(const hd_check_sample *sample, uint32_t number, unsigned first,
                        const hd_check_request *request, unsigned present)
{
    hd_check_site *site = &hd_check_sites[number];
    unsigned lanes = (unsigned)__builtin_popcountll(request->lanes);
    hd_check_traffic t = site->what & HD_CHECK_SHARED_SITE ? hd_check_traffic_shared(request)
                                                           : hd_check_traffic_global(request);

    site->requests++;
    site->lanes += lanes;
    site->slots += present;
    site->transactions += t.transactions;
    site->ideal += t.ideal;
    site->lines += t.lines;
    site->words += t.words;
    site->degree = site->degree < t.degree ? t.degree : site->degree;
    if (2 * lanes >= sample->block->view.dims.warp_size) {
        site->busy_transactions += t.transactions;
        site->busy_ideal += t.ideal;
    }
    keep_worst(site, sample, first, request, t.transactions - t.ideal + 1);
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* Requests of one iteration are collected here until those of one vector access are merged. */
static struct {
    unsigned count;
    struct waiting {
        uint32_t site;
        hd_check_request request;
    } item[WAITING];
} waiting;

static void waiting_done(const hd_check_sample *sample, unsigned first, unsigned present)
{
    for (unsigned i = 0; i < waiting.count; i++) {
        struct waiting *a = &waiting.item[i];

        for (unsigned j = i + 1; a->request.lanes && j < waiting.count; j++)
            if (hd_check_sites[a->site].what == hd_check_sites[waiting.item[j].site].what &&
                hd_check_request_join(&a->request, &waiting.item[j].request)) {
                waiting.item[j].request.lanes = 0;
                j = i; /* retries those that could not be merged before */
            }
        if (a->request.lanes)
            add_request(sample, a->site, first, &a->request, present);
    }
    waiting.count = 0;
}

static void waiting_add(const hd_check_sample *sample, uint32_t site, unsigned first,
                        const hd_check_request *request, unsigned present)
{
    if (waiting.count == WAITING)
        waiting_done(sample, first, present);
    waiting.item[waiting.count++] = (struct waiting){site, *request};
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Branch targets that only some lanes reached in one iteration. */
typedef struct ways {
    unsigned count;
    struct way {
        uint32_t site;
        uint64_t lanes;
        double idle;
    } way[WAYS];
} ways;

/* Work after a branch target: its memory accesses, plus one per loop iteration. Arithmetic does not
   count, because GPU compilers replace branches around it by selects. */
static unsigned weight_of(const hd_check_log *log, const item *it)
{
    unsigned i = it->index + 1;

    while (i < log->count && log->events[i].bytes)
        i++;
    return i - it->index - 1 + (hd_check_sites[it->site].begins_loop != 0);
}

static void add_branch(const hd_check_sample *sample, const item *it, unsigned first,
                       const hd_check_request *request, unsigned present, ways *partial)
{
    hd_check_site *site = &hd_check_sites[it->site];
    unsigned lanes = (unsigned)__builtin_popcountll(request->lanes);
    unsigned weight = weight_of(&sample->log[first + it->lane], it);
    double idle = weight * (1 - (double)lanes / present);

    site->requests++;
    site->lanes += lanes;
    site->slots += present;
    site->kernel->work += weight;
    if (!weight || lanes == present)
        return;
    site->idle += idle;
    site->kernel->idle += idle;
    if (partial->count < WAYS)
        partial->way[partial->count++] = (struct way){it->site, request->lanes, idle};
    keep_worst(site, sample, first, request, present - lanes);
}

/* Counts a target as a split if other lanes took another branch in the same iteration. */
static void add_splits(const ways *partial)
{
    for (unsigned i = 0; i < partial->count; i++) {
        const struct way *w = &partial->way[i];
        unsigned j = 0;

        while (j < partial->count && partial->way[j].lanes & w->lanes)
            j++;
        if (j == partial->count)
            continue;
        hd_check_sites[w->site].split += w->idle;
        hd_check_sites[w->site].kernel->split += w->idle;
    }
}

/* ---- a warp ---------------------------------------------------------------------------------- */

/* The items [from, to) are of one site and iteration, sorted by lane: combines the lanes' first
   executions, then their second ones, etc. */
static void add_site(const hd_check_sample *sample, unsigned first, size_t from, size_t to,
                     unsigned present, ways *partial)
{
    size_t at[HD_CHECK_REQUEST_LANES + 1];
    unsigned runs = 0;
    int more = 1;

    for (size_t i = from; i < to; i++)
        if (i == from || all.items[i].lane != all.items[i - 1].lane)
            at[runs++] = i;
    at[runs] = to;
    for (size_t n = 0; more; n++) {
        hd_check_request request;
        const item *any = NULL;

        more = 0;
        request.lanes = 0;
        for (unsigned r = 0; r < runs; r++) {
            const item *it = &all.items[at[r] + n];
            const hd_check_event *event;

            if (at[r] + n >= at[r + 1])
                continue;
            any = it;
            event = &sample->log[first + it->lane].events[it->index];
            request.lanes |= (uint64_t)1 << it->lane;
            request.address[it->lane] = event->address;
            request.bytes[it->lane] = event->bytes;
            more |= at[r] + n + 1 < at[r + 1];
        }
        if (is_branch(any->site))
            add_branch(sample, any, first, &request, present, partial);
        else
            waiting_add(sample, any->site, first, &request, present);
    }
}

static void add_all(const hd_check_sample *sample, unsigned first, unsigned present)
{
    static ways partial;
    size_t from = 0;

    while (from < all.count) {
        uint64_t context = all.items[from].context;

        partial.count = 0;
        while (from < all.count && all.items[from].context == context) {
            size_t to = from;

            while (to < all.count && all.items[to].context == context &&
                   all.items[to].site == all.items[from].site)
                to++;
            add_site(sample, first, from, to, present, &partial);
            from = to;
        }
        add_splits(&partial);
        waiting_done(sample, first, present);
    }
}

void hd_check_sample_take(hd_check_sample *sample, unsigned warp)
{
    const hd_cpu_resident *block = sample->block;
    unsigned first = warp << block->shift, present = 0;
    unsigned end = first + block->view.dims.warp_size;

    if (end > block->threads)
        end = block->threads;
    for (unsigned t = first; t < end; t++) {
        present += sample->log[t].count != 0;
        learn_loops(&sample->log[t]);
    }
    all.count = 0;
    for (unsigned t = first; t < end; t++)
        place_events(&sample->log[t], t - first);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, item_order);
    add_all(sample, first, present);
    for (unsigned t = first; t < end; t++)
        sample->log[t].count = 0;
}
