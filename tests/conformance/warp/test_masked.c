/* SPDX-License-Identifier: Apache-2.0 */
/* test_masked.c - groups of lanes: tiles, labelled partitions, sums, scans and shuffles within
   them, at one place of the kernel or at two; reductions of complete warps. */
#include "masked.h"
#include "rig.h"

enum { SIZES = 4 };
static const unsigned sizes[SIZES] = {1, 50, 96, 200};
static uint64_t state = 34;

static uint32_t *make_labels(unsigned n, unsigned labels)
{
    uint32_t *label = rig_host(n * sizeof *label);

    for (unsigned t = 0; t < n; t++)
        label[t] = (uint32_t)(rig_random(&state) % labels);
    return label;
}

/* The lanes of thread t's group. */
static uint64_t group_of(const uint32_t *label, unsigned n, unsigned width, unsigned t)
{
    const unsigned base = t / rig_warp * rig_warp;
    uint64_t group = 0;

    for (unsigned lane = 0; lane < rig_warp && base + lane < n; lane++)
        if (width != 0 ? (base + lane) / width == t / width : label[base + lane] == label[t])
            group |= (uint64_t)1 << lane;
    return group;
}

#define T int32_t
#define TS i32
#define NAME "i32"
#define ADD(a, b) (T)((uint32_t)(a) + (uint32_t)(b))
#include "masked_model.inc"
#undef T
#undef TS
#define T uint32_t
#define TS u32
#define NAME "u32"
#define ADD(a, b) ((a) + (b))
#include "masked_model.inc"
#undef T
#undef TS
#define T int64_t
#define TS i64
#define NAME "i64"
#define ADD(a, b) (T)((uint64_t)(a) + (uint64_t)(b))
#include "masked_model.inc"
#undef T
#undef TS
#define T uint64_t
#define TS u64
#define NAME "u64"
#define ADD(a, b) ((a) + (b))
#include "masked_model.inc"
#undef T
#undef TS
#define T float
#define TS f32
#define NAME "f32"
#define ADD(a, b) ((a) + (b))
#include "masked_model.inc"
#undef T
#undef TS
#define T double
#define TS f64
#define NAME "f64"
#define ADD(a, b) ((a) + (b))
#include "masked_model.inc"
#undef T
#undef TS
#define T long long
#define TS ll
#define NAME "ll"
#define ADD(a, b) (T)((uint64_t)(a) + (uint64_t)(b))
#include "masked_model.inc"
#undef T
#undef TS
#define T unsigned long long
#define TS ull
#define NAME "ull"
#define ADD(a, b) ((a) + (b))
#include "masked_model.inc"
#undef T
#undef TS

static void run_queries(unsigned n, unsigned width, unsigned labels)
{
    uint32_t *label = make_labels(n, labels), *votes = make_labels(n, 2);
    uint64_t *out = rig_host(GROUP_RESULTS * n * sizeof *out);
    void *d_label = rig_upload(label, n * sizeof *label), *d_votes, *d_out;

    for (unsigned t = 0; t < n / 2; t++)
        votes[t] = label[t]; /* groups with equal votes */
    d_votes = rig_upload(votes, n * sizeof *votes);
    d_out = rig_filled(GROUP_RESULTS * n * sizeof *out, 0xff);
    MUST(hd_launch(group_queries, rig_flat(1, n), (const uint32_t *)d_label,
                   (const uint32_t *)d_votes, width, (uint64_t *)d_out));
    rig_download(out, d_out, GROUP_RESULTS * n * sizeof *out);
    for (unsigned t = 0; t < n; t++) {
        const uint64_t group = group_of(label, n, width, t);
        uint64_t packed = 0, rank = 0, size = 0;

        for (unsigned lane = 0; lane < rig_warp; lane++)
            if (group >> lane & 1) {
                rank += lane < t % rig_warp;
                packed |= (uint64_t)(votes[t / rig_warp * rig_warp + lane] & 1u) << size++;
            }
        CHECK_EQ_U64(out[GROUP_MASK * n + t], group);
        CHECK_EQ_U64(out[GROUP_RANK * n + t], rank);
        CHECK_EQ_U64(out[GROUP_SIZE * n + t], size);
        CHECK_EQ_U64(out[GROUP_BALLOT * n + t], packed);
        CHECK_EQ_U64(out[GROUP_ALL_EQUAL * n + t],
                     packed == 0 || packed == ~(uint64_t)0 >> (64 - size) ? group : 0);
    }
    rig_drop(d_label);
    rig_drop(d_votes);
    rig_drop(d_out);
    free(label);
    free(votes);
    free(out);
}

TEST(tiles_and_labelled_partitions)
{
    rig_open();
    for (unsigned s = 0; s < SIZES; s++) {
        for (unsigned width = 1; width <= rig_warp; width *= 2)
            run_queries(sizes[s], width, 3);
        for (unsigned labels = 1; labels <= 7; labels++)
            run_queries(sizes[s], 0, labels);
    }
}

TEST_MAIN
