/* SPDX-License-Identifier: Apache-2.0 */
/* test_counts.c - ordered increments and decrements, locks without waiting, grid barriers that the
   host initialises, clocks. */
#include "counts.h"
#include "rig.h"

#include <time.h>

static void run_last(unsigned blocks, unsigned block, unsigned way)
{
    const unsigned start = way == COUNT_DEC || way == COUNT_DEC_SYSTEM ? blocks - 1 : 0;
    const unsigned zero[4] = {0, 0, 0, 0};
    unsigned counter = start, seen[4];
    uint64_t sum = 0, expected = 0;
    void *d_counter, *d_seen, *d_sum, *d_data;

    d_counter = rig_upload(&counter, sizeof counter);
    d_seen = rig_upload(zero, sizeof zero);
    d_sum = rig_zeroed(sizeof sum);
    d_data = rig_filled((size_t)blocks * block * sizeof(uint32_t), 0xee);
    MUST(hd_launch(last_by_count, rig_flat(blocks, block), (unsigned *)d_counter,
                   (unsigned *)d_seen, (uint32_t *)d_data, (uint64_t *)d_sum, way));
    rig_download(&counter, d_counter, sizeof counter);
    rig_download(seen, d_seen, sizeof seen);
    rig_download(&sum, d_sum, sizeof sum);
    for (uint64_t b = 0; b < blocks; b++)
        for (unsigned t = 0; t < block; t++)
            expected += b * 7 + t;
    CHECK_EQ_U64(sum, expected);
    CHECK_EQ_U64(counter, way == COUNT_ADD ? blocks : start);
    CHECK_EQ_U64(seen[0], blocks);
    CHECK_EQ_U64(seen[1], blocks % 3);
    CHECK_EQ_U64(seen[2], 1000001u - blocks);
    CHECK_EQ_U64(seen[3], (3 - blocks % 3) % 3);
    rig_drop(d_counter);
    rig_drop(d_seen);
    rig_drop(d_sum);
    rig_drop(d_data);
}

TEST(the_last_block_to_count_sees_all_rows)
{
    rig_open();
    for (unsigned way = 0; way < COUNT_WAYS; way++) {
        run_last(1, 33, way);
        run_last((unsigned)rig_size(300, 11), 96, way);
    }
}

TEST(counts_wrap_in_shared_memory)
{
    unsigned out[2];
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    for (unsigned n = 2; n <= 1001; n += 333) {
        MUST(hd_launch(wrap_in_block, rig_flat(1, n), (unsigned *)d_out, 6u));
        rig_download(out, d_out, sizeof out);
        CHECK_EQ_U64(out[0], n % 7);
        CHECK_EQ_U64(out[1], (7 - n % 7) % 7);
    }
    rig_drop(d_out);
}

TEST(locks_are_tried_without_waiting)
{
    const counts_try start = {HD_LOCK_INIT, 0, 0, 0, 0};
    const counts_try held = {{1, 0}, 0, 0, 0, 0};
    const unsigned blocks = 5, block = 256, rounds = 40;
    const unsigned warps = (block + rig_warp - 1) / (rig_warp ? rig_warp : 32);
    counts_try area;
    void *d_area;

    rig_open();
    d_area = rig_upload(&start, sizeof start);
    MUST(hd_launch(try_lock, rig_flat(blocks, block), (counts_try *)d_area, rounds));
    rig_download(&area, d_area, sizeof area);
    CHECK_EQ_U64(area.worst, 1);
    CHECK_EQ_U64(area.taken + area.missed, (uint64_t)blocks * warps * rounds);
    CHECK_EQ_U64(area.taken, area.lock.next);
    CHECK_EQ_U64(area.lock.serving, area.lock.next);
    rig_drop(d_area);
    d_area = rig_upload(&held, sizeof held);
    MUST(hd_launch(try_lock, rig_flat(1, 1), (counts_try *)d_area, rounds));
    rig_download(&area, d_area, sizeof area);
    CHECK_EQ_U64(area.taken, 0);
    CHECK_EQ_U64(area.missed, rounds);
    rig_drop(d_area);
}

/* One barrier for launches of several sizes. */
TEST(grid_barriers_serve_launches_of_any_size)
{
    static const unsigned grids[] = {1, 7, 2, 16, 3}, rounds[] = {3, 2, 5, 4, 1};
    const hd_grid_barrier start = HD_GRID_BARRIER_INIT;
    uint32_t row[32], model[2][16];
    void *d_barrier;

    rig_open();
    d_barrier = rig_upload(&start, sizeof start);
    for (unsigned g = 0; g < 5; g++) {
        hd_launch_config config = rig_flat(grids[g], 64);
        void *d_row;

        for (unsigned b = 0; b < 32; b++)
            row[b] = b * 11 + g;
        d_row = rig_upload(row, sizeof row);
        config.flags = HD_LAUNCH_COOPERATIVE;
        MUST(hd_launch(rounds_of_grid, config, (hd_grid_barrier *)d_barrier, (uint32_t *)d_row,
                       rounds[g]));
        memcpy(model[0], row, sizeof model[0]);
        for (unsigned r = 0; r < rounds[g]; r++)
            for (unsigned b = 0; b < grids[g]; b++)
                model[(r + 1) % 2][b] = model[r % 2][(b + 1) % grids[g]] * 3u + r;
        rig_download(row, d_row, sizeof row);
        for (unsigned b = 0; b < grids[g]; b++)
            CHECK_EQ_U64(row[rounds[g] % 2 * grids[g] + b], model[rounds[g] % 2][b]);
        rig_drop(d_row);
    }
    rig_drop(d_barrier);
}

static double seconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Clocks do not run backwards in a thread, and a thread's nanoseconds are at most those that the
   host waited, with 2 % and 0.1 ms for the resolution of both clocks. */
TEST(clocks_run_forwards)
{
    const unsigned blocks = 3, block = 100, turns = (unsigned)rig_size(200, 10);
    const size_t bytes = (size_t)blocks * block * 4 * sizeof(uint64_t);
    uint64_t *out = rig_host(bytes), first = UINT64_MAX, last = 0, moved = 0;
    void *d_out, *d_sink;
    double began, took;

    rig_open();
    d_out = rig_zeroed(bytes);
    d_sink = rig_zeroed(64 * sizeof(unsigned));
    MUST(hd_launch(clocks, rig_flat(blocks, block), (uint64_t *)d_out, 1u, (unsigned *)d_sink));
    MUST(hd_stream_synchronize(rig_stream));
    began = seconds();
    MUST(hd_launch(clocks, rig_flat(blocks, block), (uint64_t *)d_out, turns, (unsigned *)d_sink));
    MUST(hd_stream_synchronize(rig_stream));
    took = seconds() - began;
    rig_download(out, d_out, bytes);
    for (size_t i = 0; i < (size_t)blocks * block; i++) {
        const uint64_t *a = out + 4 * i;

        CHECK(a[2] >= a[0] && a[3] >= a[1]);
        first = a[0] < first ? a[0] : first;
        last = a[2] > last ? a[2] : last;
        moved += a[3] > a[1];
    }
    CHECK_EQ_U64(moved, (uint64_t)blocks * block);
    CHECK((double)(last - first) * 1e-9 <= took * 1.02 + 1e-4);
    rig_drop(d_out);
    rig_drop(d_sink);
    free(out);
}

TEST_MAIN
