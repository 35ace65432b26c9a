/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.c - one warp's additions to one word or to a word per lane, one after the other. */
#include <heddle/heddle.h>

#include "cli/lab/kernels/operations/latency.h"
#include "latency.h"

/* Global atomics are executed by L2: its band, four times as long for a sector per lane. Shared
   memory: from a few cycles to a pass per lane. */
static const double global_least = 50e-9, global_most = 4 * 640e-9;
static const double shared_least = 5e-9, shared_most = 400e-9;

typedef struct atomics {
    latency *l;
    uint32_t *words;
    uint32_t stride, turns;
    bool shared;
} atomics;

static hd_status add(void *state, hd_stream *stream)
{
    const atomics *a = state;
    const hd_launch_config one = hd_launch_1d(LATENCY_LANES, LATENCY_LANES, stream);

    if (a->shared)
        return hd_launch(latency_atomic_shared, one, a->words, a->stride, a->turns, 0);
    return hd_launch(latency_atomic, one, a->words, a->stride, a->turns, 0);
}

/* Sets the sum of all words, and whether each word has its share of it. */
static hd_status count(const atomics *a, uint64_t *sum_out, bool *right_out)
{
    const cli_job *job = &a->l->lab.job;
    const uint32_t lanes = (uint32_t)job->warp, share = a->stride ? 1 : lanes;
    uint32_t words[LATENCY_LANES * LATENCY_WORDS];

    HD_TRY(hd_fill_zero(a->words, LATENCY_LANES * LATENCY_WORDS, job->stream));
    HD_TRY(add((void *)(uintptr_t)a, job->stream));
    HD_TRY(hd_copy_blocking(words, a->words, LATENCY_LANES * LATENCY_WORDS, job->stream));
    *sum_out = 0;
    for (uint32_t i = 0; i < LATENCY_LANES * LATENCY_WORDS; i++)
        *sum_out += words[i];
    *right_out = true;
    for (uint32_t lane = 0; lane < lanes; lane++)
        *right_out = *right_out && words[lane * a->stride] == share * a->turns;
    return HD_OK;
}

static hd_status run_row(atomics *a, const char *name)
{
    latency *l = a->l;
    const lab_launch launch = {a->shared ? &latency_atomic_shared_kernel : &latency_atomic_kernel,
                               add, a};
    latency_row row = {.name = name, .level = a->shared ? "shared" : "L2"};

    a->turns = (uint32_t)l->repeats;
    row.uncounted = !l->lab.job.verify;
    row.predicted = (uint64_t)l->lab.job.warp * a->turns;
    row.least = a->shared ? shared_least : global_least;
    row.most = a->shared ? shared_most : global_most;
    HD_TRY(count(a, &row.counted, &row.right));
    row.right = row.right && row.counted == row.predicted;
    HD_TRY(lab_time(&l->lab, &launch, LAB_WARM, &row.seconds));
    row.seconds /= a->turns;
    latency_print(l, &row);
    return HD_OK;
}

static hd_status run_rows(atomics *a)
{
    HD_TRY(hd_alloc(&a->words, LATENCY_LANES * LATENCY_WORDS, a->l->lab.job.device));
    HD_TRY(run_row(a, "atomic, one word"));
    a->stride = LATENCY_WORDS;
    HD_TRY(run_row(a, "atomic, word per lane"));
    a->shared = true;
    a->stride = 0;
    HD_TRY(run_row(a, "shared, one word"));
    a->stride = 1;
    return run_row(a, "shared, word per lane");
}

void latency_atomics(latency *l)
{
    atomics a = {.l = l};

    l->lab.failed = run_rows(&a);
    hd_free(a.words);
}
