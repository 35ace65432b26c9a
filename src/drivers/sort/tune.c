/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - sorts to be tuned: unsigned keys with random bits, alone or with values of 4 or 8 bytes.
   The result is keys and then values. */
#include <heddle/sort.h>

#include "drivers/tune/problem.h"
#include "drivers/sort/space.h"
#include "plan.h"

static hd_type key_type(const hd__tune_problem *p)
{
    return p->type ? HD_U64 : HD_U32;
}

static size_t value_bytes(const hd__tune_problem *p)
{
    return p->kind == HD__SORT_KIND_KEYS ? 0 : p->kind == HD__SORT_KIND_PAIRS_4 ? 4 : 8;
}

/* Where the values begin in the result. */
static size_t values_at(const hd__tune_problem *p, size_t n)
{
    return (n * hd_type_bytes(key_type(p)) + 15) / 16 * 16;
}

static hd_status prepare(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const size_t values = n * value_bytes(p);
    HD_TRY(hd__tune_input(p, 0, n * hd_type_bytes(key_type(p))));
    HD_TRY(hd__tune_numbers(p->in[0], n, key_type(p), n, stream));
    HD_TRY(hd__tune_input(p, 1, values));
    if (values)
        HD_TRY(hd__tune_numbers(p->in[1], values / 4, HD_U32, n + 1, stream));
    return hd__tune_output(p, values_at(p, n) + values);
}

static hd_status run(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    if (p->kind == HD__SORT_KIND_KEYS)
        return hd_sort_keys(p->in[0], p->out, n, key_type(p), NULL, NULL, stream);
    return hd_sort_pairs(p->in[0], p->in[1], p->out, (char *)p->out + values_at(p, n), n,
                         key_type(p), value_bytes(p), NULL, NULL, stream);
}

static int accepts(const hd__tune_problem *p, size_t n, hd__tune_choice choice)
{
    hd__sort_plan plan;
    const int merges = choice.of[HD__SORT_KNOB_RUN] || choice.of[HD__SORT_KNOB_TEAM];
    const int passes = choice.of[HD__SORT_KNOB_PASSES], ahead = choice.of[HD__SORT_KNOB_AHEAD];
    if (hd__sort_split("hd_tune_measure", n, key_type(p), value_bytes(p), &plan) < 0 || plan.small)
        return 0;
    if (!plan.merged) /* only keys of 8 bytes are prefetched */
        return !merges && !passes && (!ahead || (p->type && plan.tiles > 1));
    return passes ? !merges && (!ahead || p->type) : !ahead;
}

const hd__tune_family hd__tune_sort = {prepare, run, accepts};
