/* SPDX-License-Identifier: Apache-2.0 */
/* chase.c - one thread follows a chain of dependent loads through working sets of growing size. */
#include <stdlib.h>

#include <heddle/heddle.h>

#include "cli/lab/kernels/operations/latency.h"
#include "latency.h"

enum { LINE = LATENCY_WORDS * 4, VISITS_GPU_MAX = 1 << 16 };
static const uint64_t set_min = 4096;

/* Working sets that the first level of every supported GPU holds, and that none holds. */
static const uint64_t first_max = 8 << 10, second_min = 512 << 10;

enum { FIRST, SECOND, MEMORY, LEVELS };
static const char *const names[LEVELS] = {"L1", "L2", "memory"};
/* Half of the shortest and twice the longest latency that has been published for each level of the
   supported GPUs (docs/lab-occupancy.md). */
static const double least_seconds[LEVELS] = {9e-9, 50e-9, 185e-9};
static const double most_seconds[LEVELS] = {155e-9, 640e-9, 850e-9};

typedef struct chase {
    latency *l;
    uint32_t *next, *at, *visits;
    uint32_t bits, steps;
} chase;

/* The levels [*first_out, *last_out] whose latencies a load of the set may have. */
static void levels_of(const latency *l, uint64_t bytes, int *first_out, int *last_out)
{
    const uint64_t l2 = (uint64_t)l->l2;

    *first_out = bytes < second_min ? FIRST : l2 && bytes >= 4 * l2 ? MEMORY : SECOND;
    *last_out = bytes <= first_max ? FIRST : l2 && bytes <= l2 / 4 ? SECOND : MEMORY;
}

static hd_status follow(void *state, hd_stream *stream)
{
    const chase *c = state;

    return hd_launch(latency_chase, hd_launch_1d(1, 1, stream), (const uint32_t *)c->next, c->steps,
                     c->at, (uint32_t *)NULL);
}

static hd_status link_all(void *state, hd_stream *stream)
{
    const chase *c = state;

    return hd_launch(latency_link, hd_launch_1d((size_t)1 << c->bits, LATENCY_BLOCK, stream),
                     c->next, c->bits);
}

static hd_status link_elements(chase *c)
{
    const lab_launch launch = {&latency_link_kernel, link_all, c};
    const uint32_t start = latency_place(0, c->bits);
    hdb_counters unused; /* counting keeps the checker from reporting the scattered stores */

    HD_TRY(lab_count(&c->l->lab, &launch, &unused));
    return hd_copy_blocking(c->at, &start, 1, c->l->lab.job.stream);
}

/* ---- verification ---------------------------------------------------------------------------- */

/* Once around the cycle, counting the elements that were visited exactly once. */
static hd_status visit(const chase *c, uint64_t *once_out)
{
    hd_stream *stream = c->l->lab.job.stream;
    const size_t elements = (size_t)1 << c->bits;
    uint32_t *visits = malloc(elements * sizeof *visits);
    hd_status status = visits ? hd_fill_zero(c->visits, elements, stream)
                              : cli_no_memory("%zu visits", elements);

    if (status >= 0)
        status = hd_launch(latency_chase, hd_launch_1d(1, 1, stream), (const uint32_t *)c->next,
                           (uint32_t)elements, c->at, c->visits);
    if (status >= 0)
        status = hd_copy_blocking(visits, c->visits, elements, stream);
    *once_out = 0;
    for (size_t i = 0; i < elements && status >= 0; i++)
        *once_out += visits[i] == 1;
    free(visits);
    return status;
}

/* Whether the thread has come to the element that is `steps` after the first one. */
static hd_status check_place(const chase *c, uint64_t steps, bool *right_out)
{
    const uint64_t mask = ((uint64_t)1 << c->bits) - 1;
    uint32_t at = 0;

    HD_TRY(hd_copy_blocking(&at, c->at, 1, c->l->lab.job.stream));
    *right_out = at == latency_place((uint32_t)(steps & mask), c->bits);
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A launch goes on where the one before it stopped, so that a walk through a part of a large set
   does not come to elements that a cache still holds. */
static hd_status measure(chase *c, latency_row *row)
{
    latency *l = c->l;
    const uint64_t elements = row->predicted;
    const lab_launch launch = {&latency_chase_kernel, follow, c};
    bool closed = true, placed = true;

    HD_TRY(link_elements(c));
    row->uncounted = !l->lab.job.verify || (l->lab.gpu && elements > VISITS_GPU_MAX);
    if (!row->uncounted) {
        HD_TRY(visit(c, &row->counted));
        HD_TRY(check_place(c, elements, &closed));
    }
    c->steps = (uint32_t)l->repeats;
    HD_TRY(follow(c, l->lab.job.stream));
    HD_TRY(lab_time(&l->lab, &launch, LAB_WARM, &row->seconds));
    row->seconds /= c->steps;
    HD_TRY(check_place(c, l->repeats * (l->lab.gpu ? l->lab.job.runs + 1 : 1), &placed));
    row->right = closed && placed && (row->uncounted || row->counted == elements);
    return HD_OK;
}

static hd_status run_row(chase *c)
{
    latency_row row = {.name = "chase", .bytes = (uint64_t)LINE << c->bits};
    char level[24];
    int first, last;

    row.predicted = (uint64_t)1 << c->bits;
    levels_of(c->l, row.bytes, &first, &last);
    (void)snprintf(level, sizeof level, first == last ? "%s" : "%s to %s", names[first],
                   names[last]);
    row.level = level;
    row.least = least_seconds[first];
    row.most = most_seconds[last];
    if (row.bytes == 4 << 10)
        row.published = lab_reference(c->l->lab.model, LAB_LATENCY_L1);
    if (row.bytes == 1 << 20)
        row.published = lab_reference(c->l->lab.model, LAB_LATENCY_L2);
    if (row.bytes == (uint64_t)1 << 30)
        row.published = lab_reference(c->l->lab.model, LAB_LATENCY_MEMORY);
    HD_TRY(measure(c, &row));
    latency_print(c->l, &row);
    return HD_OK;
}

static hd_status open_memory(chase *c)
{
    const int device = c->l->lab.job.device;
    const size_t elements = (size_t)c->l->size / LINE;

    HD_TRY(hd_alloc(&c->next, elements * LATENCY_WORDS, device));
    HD_TRY(hd_alloc(&c->at, 1, device));
    return hd_alloc(&c->visits,
                    c->l->lab.gpu && elements > VISITS_GPU_MAX ? VISITS_GPU_MAX : elements, device);
}

void latency_chases(latency *l)
{
    chase c = {.l = l};

    l->lab.failed = open_memory(&c);
    while ((uint64_t)LINE << c.bits < set_min)
        c.bits++;
    for (; (uint64_t)LINE << c.bits <= l->size && l->lab.failed >= 0; c.bits++)
        l->lab.failed = run_row(&c);
    hd_free(c.next);
    hd_free(c.at);
    hd_free(c.visits);
}
