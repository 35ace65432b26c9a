/* SPDX-License-Identifier: Apache-2.0 */
/* test_barrier.c - block and warp barriers against lock-step loops over the threads. */
#include "barrier.h"
#include "rig.h"

enum { MAX_THREADS = 1024, ROUNDS = 9 };

static const hd_dim3 shapes[] = {{1, 1, 1},   {31, 1, 1},   {50, 1, 1}, {64, 1, 1},
                                 {100, 1, 1}, {8, 8, 3},    {5, 7, 9},  {1, 33, 2},
                                 {257, 1, 1}, {1024, 1, 1}, {16, 4, 16}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static unsigned threads_of(hd_dim3 shape)
{
    return shape.x * shape.y * shape.z;
}

static void check_round(const int *p, const int *leave, const int *out, unsigned n, int r)
{
    int count = 0, all = 1, any = 0;
    unsigned t;

    for (t = 0; t < n; t++) {
        if (leave[t] <= r)
            continue;
        count += p[t] != 0;
        all = all && p[t] != 0;
        any = any || p[t] != 0;
    }
    for (t = 0; t < n; t++) {
        int here = leave[t] > r;

        CHECK_EQ_I64(out[BARRIER_RESULTS * t + BARRIER_COUNT], here ? count : BARRIER_LEFT);
        CHECK_EQ_I64(out[BARRIER_RESULTS * t + BARRIER_AND], here ? all : BARRIER_LEFT);
        CHECK_EQ_I64(out[BARRIER_RESULTS * t + BARRIER_OR], here ? any : BARRIER_LEFT);
    }
}

/* Who returns when: the thread `t` of `n`. */
enum leaving { LEAVE_ANY, LEAVE_FIRST_LANES, LEAVE_FIRST_WARP, LEAVE_ALL_BUT_LAST, LEAVINGS };

static int leaves(enum leaving kind, unsigned t, unsigned n, uint64_t *seed)
{
    int goes = kind == LEAVE_FIRST_LANES    ? t % rig_warp == 0
               : kind == LEAVE_FIRST_WARP   ? t < rig_warp
               : kind == LEAVE_ALL_BUT_LAST ? t + 1 < n
                                            : rig_random(seed) % 3 == 0;

    if (!goes)
        return ROUNDS;
    return kind == LEAVE_ANY ? (int)(rig_random(seed) % ROUNDS) : 1;
}

/* bias 0: all false, 1: all true, 2: one true, else random. */
static void run_predicates(hd_dim3 shape, int bias, enum leaving kind, uint64_t *seed)
{
    unsigned n = threads_of(shape), t, i;
    size_t rows = (size_t)ROUNDS * n;
    int *p = rig_host(rows * sizeof(int)), *leave = rig_host(n * sizeof(int));
    int *out = rig_host(BARRIER_RESULTS * rows * sizeof(int)), r;
    void *d_p, *d_leave, *d_out;

    for (i = 0; i < rows; i++)
        p[i] = bias == 0   ? 0
               : bias == 1 ? -1
               : bias == 2 ? i % n == n / 2
                           : (int)(rig_random(seed) & 4);
    for (t = 0; t < n; t++)
        leave[t] = leaves(kind, t, n, seed);
    for (i = 0; i < BARRIER_RESULTS * rows; i++)
        out[i] = BARRIER_LEFT;
    d_p = rig_upload(p, rows * sizeof(int));
    d_leave = rig_upload(leave, n * sizeof(int));
    d_out = rig_upload(out, BARRIER_RESULTS * rows * sizeof(int));
    MUST(hd_launch(barrier_predicates, rig_shape(hd_dim(1, 1, 1), shape, 0), (const int *)d_p,
                   (const int *)d_leave, (int *)d_out, ROUNDS));
    rig_download(out, d_out, BARRIER_RESULTS * rows * sizeof(int));
    for (r = 0; r < ROUNDS; r++)
        check_round(p + (size_t)r * n, leave, out + BARRIER_RESULTS * (size_t)r * n, n, r);
    rig_drop(d_p);
    rig_drop(d_leave);
    rig_drop(d_out);
    free(p);
    free(leave);
    free(out);
}

TEST(counts_under_threads_that_leave)
{
    uint64_t seed = 1;
    int i, bias;

    rig_open();
    for (i = 0; i < SHAPES; i++)
        for (bias = 0; bias < 5; bias++)
            run_predicates(shapes[i], bias, LEAVE_ANY, &seed);
}

TEST(counts_where_the_first_lanes_or_warps_have_left)
{
    uint64_t seed = 2;
    int i, kind;

    rig_open();
    for (i = 0; i < SHAPES; i++)
        for (kind = LEAVE_FIRST_LANES; kind < LEAVINGS; kind++)
            run_predicates(shapes[i], 3, (enum leaving)kind, &seed);
}

static void model_exchange(uint32_t *v, unsigned block, unsigned n, unsigned modulus, unsigned step,
                           int rounds)
{
    uint32_t place[MAX_THREADS], got[MAX_THREADS];
    unsigned t;
    int r;

    for (t = 0; t < n; t++)
        place[t] = v[t] = t % modulus == modulus - 1 ? 1 : t * 7 + block;
    for (r = 0; r < rounds; r++) {
        for (t = 0; t < n; t++)
            if (t % modulus != modulus - 1 && !(r > 5 && t % 16 == 2))
                place[t] = v[t];
        for (t = 0; t < n; t++) {
            unsigned from = (t + step + (unsigned)r) % n;
            got[t] = from % modulus == modulus - 1 ? 3 : place[from];
        }
        for (t = 0; t < n; t++)
            if (t % modulus != modulus - 1 && !(r > 5 && t % 16 == 2))
                v[t] = v[t] * 3 + got[t];
    }
}

TEST(exchange_through_shared_memory_with_early_exits)
{
    enum { BLOCKS = 5 };
    uint32_t *out = rig_host(BLOCKS * MAX_THREADS * sizeof *out), v[MAX_THREADS];
    unsigned modulus, n, b;
    void *d_out;
    int i, r;

    rig_open();
    d_out = rig_zeroed(BLOCKS * MAX_THREADS * sizeof *out);
    for (i = 0; i < SHAPES; i++) {
        n = threads_of(shapes[i]);
        for (modulus = 2; modulus < 40; modulus += 7) {
            for (r = 0; r < 12; r += 2) {
                MUST(hd_launch(barrier_exchange, rig_shape(hd_dim(BLOCKS, 1, 1), shapes[i], 0),
                               (uint32_t *)d_out, modulus, (unsigned)r * 3 + 1, r));
                rig_download(out, d_out, BLOCKS * n * sizeof *out);
                for (b = 0; b < BLOCKS; b++) {
                    model_exchange(v, b, n, modulus, (unsigned)r * 3 + 1, r);
                    CHECK(memcmp(v, out + (size_t)b * n, n * sizeof *v) == 0);
                }
            }
        }
    }
    rig_drop(d_out);
    free(out);
}

static void model_warp(uint32_t *v, unsigned n, int rounds)
{
    uint32_t before[MAX_THREADS];
    unsigned t;
    int r;

    for (t = 0; t < n; t++)
        v[t] = t + 1;
    for (r = 0; r < rounds; r++) {
        memcpy(before, v, n * sizeof *v);
        for (t = 0; t < n; t++) {
            unsigned first = t / rig_warp * rig_warp;
            unsigned lanes = n - first < rig_warp ? n - first : rig_warp;
            v[t] = v[t] * 5 + before[first + (t - first + 1 + (unsigned)r) % lanes];
        }
    }
}

TEST(exchange_ordered_by_warp_barriers)
{
    uint32_t out[MAX_THREADS], v[MAX_THREADS];
    void *d_out;
    unsigned n;
    int i;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    for (i = 0; i < SHAPES; i++) {
        n = threads_of(shapes[i]);
        MUST(hd_launch(warp_exchange, rig_shape(hd_dim(1, 1, 1), shapes[i], 0), (uint32_t *)d_out,
                       7));
        rig_download(out, d_out, n * sizeof *out);
        model_warp(v, n, 7);
        CHECK(memcmp(out, v, n * sizeof *v) == 0);
    }
    rig_drop(d_out);
}

static void model_among(const uint64_t *masks, uint32_t *v, unsigned n, int rounds)
{
    uint32_t before[MAX_THREADS];
    unsigned t;
    int r;

    for (t = 0; t < n; t++)
        v[t] = t + 1;
    for (r = 0; r <= rounds; r++) {
        memcpy(before, v, n * sizeof *v);
        for (t = 0; t < n; t++) {
            unsigned first = t / rig_warp * rig_warp, next = t - first;
            int second = !(masks[2 * (t / rig_warp)] >> next & 1);
            uint64_t mine = masks[2 * (t / rig_warp) + (unsigned)second];

            if (!second && r == rounds)
                continue;
            do
                next = (next + 1) % 64;
            while (!(mine >> next & 1));
            v[t] = v[t] * 5 + before[first + next];
        }
    }
}

TEST(exchange_ordered_by_barriers_of_some_lanes)
{
    uint32_t out[MAX_THREADS], v[MAX_THREADS];
    uint64_t masks[64], seed = 9;
    void *d_out, *d_masks;
    unsigned n, t;
    int i;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    for (i = 0; i < SHAPES; i++) {
        n = threads_of(shapes[i]);
        memset(masks, 0, sizeof masks);
        for (t = 0; t < n; t++)
            masks[2 * (t / rig_warp) + (rig_random(&seed) & 1)] |= (uint64_t)1 << t % rig_warp;
        d_masks = rig_upload(masks, sizeof masks);
        MUST(hd_launch(warp_exchange_in, rig_shape(hd_dim(1, 1, 1), shapes[i], 0),
                       (const uint64_t *)d_masks, (uint32_t *)d_out, 6));
        rig_download(out, d_out, n * sizeof *out);
        model_among(masks, v, n, 6);
        CHECK(memcmp(out, v, n * sizeof *v) == 0);
        rig_drop(d_masks);
    }
    rig_drop(d_out);
}

TEST_MAIN
