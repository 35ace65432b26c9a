/* SPDX-License-Identifier: Apache-2.0 */
/* test_vote.c - votes, matches and masks against loops over the lanes. */
#include <heddle/types.h>

#include "rig.h"
#include "vote.h"

enum { MAX_THREADS = 256 };

/* The lanes of thread t's warp that exist, without those that returned. */
static uint64_t lanes_there(unsigned t, unsigned threads, unsigned exit_every)
{
    unsigned first = t / rig_warp * rig_warp, lane;
    uint64_t lanes = 0;

    for (lane = 0; lane < rig_warp && first + lane < threads; lane++)
        if (exit_every == 0 || (first + lane) % exit_every != 0)
            lanes |= (uint64_t)1 << lane;
    return lanes;
}

static uint64_t ballot_of(const int *p, unsigned t, uint64_t lanes)
{
    unsigned first = t / rig_warp * rig_warp, lane;
    uint64_t result = 0;

    for (lane = 0; lane < rig_warp; lane++)
        if ((lanes >> lane & 1) && p[first + lane] != 0)
            result |= (uint64_t)1 << lane;
    return result;
}

static void check_votes(const int *p, const uint64_t *out, unsigned threads, unsigned t,
                        uint64_t lanes)
{
    uint64_t ballot = ballot_of(p, t, lanes);

    CHECK_EQ_U64(out[VOTE_ANY * threads + t] != 0, ballot != 0);
    CHECK_EQ_U64(out[VOTE_ALL * threads + t] != 0, ballot == lanes);
    CHECK_EQ_U64(out[VOTE_BALLOT * threads + t], ballot);
}

/* pattern 0: none; 1: all; 2: one lane; else random. Values other than 0 and 1 count as true. */
static void fill_votes(int *p, unsigned threads, int pattern, uint64_t *seed)
{
    unsigned t;

    for (t = 0; t < threads; t++) {
        p[t] = pattern == 1 ? -(int)(t + 1) : pattern == 2 ? t % rig_warp == 3 : 0;
        if (pattern > 2)
            p[t] = (int)(rig_random(seed) & 1) * 0x40000000;
    }
}

/* Two random disjoint sets per warp that together are its lanes. */
static void fill_masks(uint64_t *masks, unsigned threads, uint64_t *seed)
{
    unsigned t;

    memset(masks, 0, MAX_THREADS * 2 * sizeof *masks);
    for (t = 0; t < threads; t++)
        masks[2 * (t / rig_warp) + (rig_random(seed) & 1)] |= (uint64_t)1 << t % rig_warp;
}

TEST(votes_with_partial_warps_and_early_exits)
{
    static const unsigned exits[] = {0, 2, 3, 7};
    unsigned sizes[4], s, e, t;
    int p[MAX_THREADS], pattern;
    uint64_t out[VOTE_RESULTS * MAX_THREADS], seed = 1;
    void *d_p, *d_out;

    rig_open();
    sizes[0] = 1;
    sizes[1] = rig_warp;
    sizes[2] = 2 * rig_warp;
    sizes[3] = 2 * rig_warp + 9;
    for (s = 0; s < 4; s++) {
        for (e = 0; e < 4; e++) {
            for (pattern = 0; pattern < 6; pattern++) {
                fill_votes(p, sizes[s], pattern, &seed);
                d_p = rig_upload(p, sizeof p);
                d_out = rig_zeroed(sizeof out);
                MUST(hd_launch(vote, rig_flat(1, sizes[s]), (const int *)d_p, (uint64_t *)d_out,
                               exits[e]));
                rig_download(out, d_out, sizeof out);
                for (t = 0; t < sizes[s]; t++)
                    if (exits[e] == 0 || t % exits[e] != 0)
                        check_votes(p, out, sizes[s], t, lanes_there(t, sizes[s], exits[e]));
                rig_drop(d_p);
                rig_drop(d_out);
            }
        }
    }
}

TEST(votes_among_the_lanes_of_a_mask)
{
    unsigned threads, t;
    int p[MAX_THREADS], round;
    uint64_t masks[2 * MAX_THREADS], out[VOTE_RESULTS * MAX_THREADS], seed = 2;
    void *d_p, *d_masks, *d_out;

    rig_open();
    threads = 2 * rig_warp + 13;
    for (round = 0; round < 12; round++) {
        fill_votes(p, threads, round % 4, &seed);
        fill_masks(masks, threads, &seed);
        d_p = rig_upload(p, sizeof p);
        d_masks = rig_upload(masks, sizeof masks);
        d_out = rig_zeroed(sizeof out);
        MUST(hd_launch(vote_in, rig_flat(1, threads), (const int *)d_p, (const uint64_t *)d_masks,
                       (uint64_t *)d_out));
        rig_download(out, d_out, sizeof out);
        for (t = 0; t < threads; t++) {
            uint64_t a = masks[2 * (t / rig_warp)], b = masks[2 * (t / rig_warp) + 1];
            check_votes(p, out, threads, t, a >> t % rig_warp & 1 ? a : b);
        }
        rig_drop(d_p);
        rig_drop(d_masks);
        rig_drop(d_out);
    }
}

TEST(rank_warp_mask_and_active_mask)
{
    unsigned threads, t, lane;
    uint64_t m[MAX_THREADS], out[MASK_RESULTS * MAX_THREADS], seed = 3;
    void *d_m, *d_out;

    rig_open();
    threads = 2 * rig_warp + 5;
    for (t = 0; t < threads; t++)
        m[t] = rig_random(&seed) >> (64 - rig_warp);
    d_m = rig_upload(m, sizeof m);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(mask_queries, rig_flat(1, threads), (const uint64_t *)d_m, (uint64_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (t = 0; t < threads; t++) {
        uint64_t rank = 0, below = 0, there = lanes_there(t, threads, 0), self;

        for (lane = 0; lane < t % rig_warp; lane++) {
            rank += m[t] >> lane & 1;
            below |= (uint64_t)1 << lane;
        }
        self = below + 1;
        CHECK_EQ_U64(out[MASK_WARP * threads + t], rig_warp == 64 ? ~(uint64_t)0 : 0xffffffffu);
        CHECK_EQ_U64(out[MASK_RANK * threads + t], rank);
        CHECK_EQ_U64(out[MASK_BELOW * threads + t], below);
        CHECK_EQ_U64(out[MASK_ACTIVE * threads + t] & self, self);
        CHECK_EQ_U64(out[MASK_ACTIVE * threads + t] & ~there, 0);
        if (t % rig_warp % 2 == 1) {
            CHECK_EQ_U64(out[MASK_ACTIVE_ODD * threads + t] & self, self);
            CHECK_EQ_U64(out[MASK_ACTIVE_ODD * threads + t] & 0x5555555555555555u, 0);
        }
    }
    rig_drop(d_m);
    rig_drop(d_out);
}

typedef struct match_type {
    const char *name;
    size_t size;
    hd_status (*plain)(hd_launch_config, const void *, uint64_t *);
    hd_status (*among)(hd_launch_config, const void *, const uint64_t *, uint64_t *);
} match_type;

#define LAUNCHERS(suffix, type)                                                                    \
    static hd_status plain_##suffix(hd_launch_config c, const void *in, uint64_t *out)             \
    {                                                                                              \
        return hd_launch(match_##suffix, c, (const type *)in, out);                                \
    }                                                                                              \
    static hd_status among_##suffix(hd_launch_config c, const void *in, const uint64_t *masks,     \
                                    uint64_t *out)                                                 \
    {                                                                                              \
        return hd_launch(match_in_##suffix, c, (const type *)in, masks, out);                      \
    }
TYPED_LIST(LAUNCHERS)
#define ROW(suffix, type) {#suffix, sizeof(type), plain_##suffix, among_##suffix},
static const match_type match_types[] = {TYPED_LIST(ROW)};

/* Few different values, which differ in single bits all over the word; 0.0 and -0.0 among them. */
static void fill_match(unsigned char *in, size_t size, unsigned threads, int kinds, uint64_t *seed)
{
    unsigned t;

    memset(in, 0, size * threads);
    for (t = 0; t < threads; t++) {
        unsigned which = (unsigned)(rig_random(seed) % (unsigned)kinds);
        if (which == 1)
            in[t * size + size - 1] = 0x80;
        else if (which > 1)
            in[t * size + which % size] = (unsigned char)(1u << which % 8);
    }
}

static void check_match(const match_type *type, const unsigned char *in, const uint64_t *out,
                        unsigned threads, unsigned t, uint64_t lanes)
{
    unsigned first = t / rig_warp * rig_warp, lane;
    uint64_t equal = 0;

    for (lane = 0; lane < rig_warp; lane++)
        if ((lanes >> lane & 1) &&
            memcmp(in + (first + lane) * type->size, in + t * type->size, type->size) == 0)
            equal |= (uint64_t)1 << lane;
    if (out[MATCH_ANY * threads + t] != equal)
        test_fail(__FILE__, __LINE__, "match_any %s thread %u: %" PRIx64 " against %" PRIx64,
                  type->name, t, out[MATCH_ANY * threads + t], equal);
    if (out[MATCH_ALL * threads + t] != (equal == lanes ? lanes : 0))
        test_fail(__FILE__, __LINE__, "match_all %s thread %u: %" PRIx64, type->name, t,
                  out[MATCH_ALL * threads + t]);
}

static void run_match(const match_type *type, int kinds, int use_masks, uint64_t *seed)
{
    unsigned threads = 2 * rig_warp + 7, t;
    unsigned char in[8 * MAX_THREADS];
    uint64_t masks[2 * MAX_THREADS], out[MATCH_RESULTS * MAX_THREADS];
    void *d_in, *d_masks, *d_out = rig_zeroed(sizeof out);

    fill_match(in, type->size, threads, kinds, seed);
    fill_masks(masks, threads, seed);
    d_in = rig_upload(in, type->size * threads);
    d_masks = rig_upload(masks, sizeof masks);
    if (use_masks)
        MUST(type->among(rig_flat(1, threads), d_in, (const uint64_t *)d_masks, (uint64_t *)d_out));
    else
        MUST(type->plain(rig_flat(1, threads), d_in, (uint64_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (t = 0; t < threads; t++) {
        uint64_t a = masks[2 * (t / rig_warp)], b = masks[2 * (t / rig_warp) + 1];
        uint64_t lanes = lanes_there(t, threads, 0);

        if (use_masks)
            lanes = a >> t % rig_warp & 1 ? a : b;
        check_match(type, in, out, threads, t, lanes);
    }
    rig_drop(d_in);
    rig_drop(d_masks);
    rig_drop(d_out);
}

TEST(match_compares_bits)
{
    uint64_t seed = 4;
    size_t i;
    int kinds;

    rig_open();
    for (i = 0; i < sizeof match_types / sizeof match_types[0]; i++) {
        for (kinds = 1; kinds < 12; kinds += 3) {
            run_match(&match_types[i], kinds, 0, &seed);
            run_match(&match_types[i], kinds, 1, &seed);
        }
    }
}

/* Values that agree in many bits, all zeros among them; the last warp is not complete. */
TEST(match_of_lowest_bits)
{
    static const uint64_t care[MATCH_BITS_RESULTS] = {1, 0xff, 0xffffffffu};
    uint64_t seed = 6, out[MATCH_BITS_RESULTS * MAX_THREADS];
    unsigned in[MAX_THREADS], threads, t, row, lane;
    void *d_in, *d_out;

    rig_open();
    threads = 2 * rig_warp + 7;
    for (t = 0; t < threads; t++)
        in[t] = (unsigned)(rig_random(&seed) & rig_random(&seed) & 0x80000183u);
    d_in = rig_upload(in, sizeof *in * threads);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(match_bits, rig_flat(1, threads), (const unsigned *)d_in, (uint64_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (row = 0; row < MATCH_BITS_RESULTS; row++) {
        for (t = 0; t < threads; t++) {
            unsigned first = t / rig_warp * rig_warp;
            uint64_t equal = 0;

            for (lane = 0; lane < rig_warp && first + lane < threads; lane++)
                if (((in[first + lane] ^ in[t]) & care[row]) == 0)
                    equal |= (uint64_t)1 << lane;
            CHECK_EQ_U64(out[row * threads + t], equal);
        }
    }
    rig_drop(d_in);
    rig_drop(d_out);
}

TEST(mask_functions_on_the_host)
{
    uint64_t seed = 5;
    unsigned lane, i;

    CHECK(hd_mask_is_empty(hd_mask_none()));
    CHECK_EQ_U64(hd_mask_bits(hd_mask_below(0)), 0);
    CHECK_EQ_U64(hd_mask_bits(hd_mask_below(64)), ~(uint64_t)0);
    for (i = 0; i < 1000; i++) {
        uint64_t a = rig_random(&seed) & rig_random(&seed), b = rig_random(&seed), count = 0;
        hd_mask m = hd_mask_of(a), n = hd_mask_of(b);
        unsigned first = 64, last = 0;

        if (i < 64)
            m = hd_mask_of(a = (uint64_t)1 << i);
        for (lane = 0; lane < 64; lane++) {
            uint64_t bit = a / ((uint64_t)1 << lane) % 2;
            CHECK_EQ_I64(hd_mask_test(m, lane), (int)bit);
            count += bit;
            if (bit && first == 64)
                first = lane;
            if (bit)
                last = lane;
        }
        CHECK_EQ_U64(hd_mask_count(m), count);
        CHECK_EQ_U64(hd_mask_first(m), first);
        if (a != 0)
            CHECK_EQ_U64(hd_mask_last(m), last);
        CHECK_EQ_U64(hd_mask_bits(hd_mask_and(m, n)), a & b);
        CHECK_EQ_U64(hd_mask_bits(hd_mask_or(m, n)), a | b);
        CHECK_EQ_U64(hd_mask_bits(hd_mask_xor(m, n)), a ^ b);
        CHECK_EQ_U64(hd_mask_bits(hd_mask_andnot(m, n)), a & ~b);
        CHECK_EQ_I64(hd_mask_equal(m, n), a == b);
        CHECK(hd_mask_equal(m, m));
    }
}

TEST_MAIN
