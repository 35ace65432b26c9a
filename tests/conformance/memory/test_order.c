/* SPDX-License-Identifier: Apache-2.0 */
/* test_order.c - what blocks publish to each other is seen: flags, locks, slots, grid barriers. */
#include "order_kernels.h"
#include "rig.h"

static void run_relay(unsigned blocks, unsigned block, unsigned publish, unsigned wait)
{
    size_t n = (size_t)blocks * block;
    uint32_t *data = rig_host(n * sizeof *data), *expected = rig_host(n * sizeof *data);
    void *d_ticket = rig_zeroed(sizeof(unsigned)), *d_flags = rig_zeroed(blocks * sizeof(unsigned));
    void *d_data = rig_filled(n * sizeof *data, 0xee);
    unsigned b, t, ticket;

    MUST(hd_launch(relay, rig_flat(blocks, block), (unsigned *)d_ticket, (unsigned *)d_flags,
                   (uint32_t *)d_data, publish, wait));
    rig_download(data, d_data, n * sizeof *data);
    rig_download(&ticket, d_ticket, sizeof ticket);
    for (b = 0; b < blocks; b++)
        for (t = 0; t < block; t++)
            expected[(size_t)b * block + t] =
                b + (b > 0 ? expected[(size_t)(b - 1) * block + (t + 1) % block] * 3 : 0);
    CHECK(memcmp(data, expected, n * sizeof *data) == 0);
    CHECK_EQ_U64(ticket, 0);
    rig_drop(d_ticket);
    rig_drop(d_flags);
    rig_drop(d_data);
    free(data);
    free(expected);
}

TEST(a_block_barrier_and_one_release_publish_the_whole_block)
{
    unsigned publish, wait, blocks;

    rig_open();
    blocks = (unsigned)rig_size(150, 12);
    for (publish = 0; publish < PUBLISH_WAYS; publish++)
        for (wait = 0; wait < WAIT_WAYS; wait++)
            run_relay(blocks, 96, publish, wait);
    run_relay(blocks, 257, PUBLISH_STORE, WAIT_GE);
    run_relay((unsigned)rig_size(2000, 20), 32, PUBLISH_STORE, WAIT_GE);
}

#define PING(suffix, type)                                                                         \
    do {                                                                                           \
        type flag = 0;                                                                             \
        void *d_flag = rig_zeroed(sizeof flag);                                                    \
        MUST(hd_launch(ping_##suffix, rig_flat(2, 1), (type *)d_flag, (type)rounds));              \
        rig_download(&flag, d_flag, sizeof flag);                                                  \
        CHECK_EQ_I64(flag, 2 * rounds);                                                            \
        rig_drop(d_flag);                                                                          \
    } while (0)

TEST(two_blocks_take_turns)
{
    int rounds;

    rig_open();
    rounds = (int)rig_size(1000, 20);
    PING(i32, int32_t);
    PING(u32, uint32_t);
    PING(i64, int64_t);
    PING(u64, uint64_t);
}

TEST(a_lock_lets_one_warp_in)
{
    unsigned blocks, rounds, w, warps;
    order_lock_area area;
    uint64_t expected = 0;
    void *d_area;

    rig_open();
    blocks = (unsigned)rig_size(20, 3);
    rounds = (unsigned)rig_size(50, 5);
    warps = (200 + rig_warp - 1) / rig_warp;
    for (w = 0; w < warps; w++)
        expected += (uint64_t)blocks * rounds * (w + 1);
    d_area = rig_zeroed(sizeof area);
    MUST(hd_launch(locked_count, rig_flat(blocks, 200), (order_lock_area *)d_area, rounds));
    rig_download(&area, d_area, sizeof area);
    CHECK_EQ_U64(area.count, expected);
    CHECK_EQ_U64(area.worst, 1);
    CHECK_EQ_U64(area.next, blocks * rounds * warps);
    CHECK_EQ_U64(area.serving, area.next);
    rig_drop(d_area);
}

/* Slots of the wanted elements: each of 0 .. wanted - 1 once, ascending without gaps in a warp. */
static void check_slots(const int32_t *x, const uint64_t *slot, size_t n, unsigned block,
                        uint64_t absent)
{
    unsigned char *seen = rig_host(n);
    uint64_t wanted = 0, before = absent;
    size_t i;

    for (i = 0; i < n; i++) {
        if (i % block % rig_warp == 0)
            before = absent;
        if (x[i] <= 0) {
            CHECK_EQ_U64(slot[i], absent);
            continue;
        }
        wanted++;
        if (slot[i] < n)
            CHECK_EQ_I64(seen[slot[i]]++, 0);
        if (before != absent)
            CHECK_EQ_U64(slot[i], before + 1);
        before = slot[i];
    }
    for (i = 0; i < n; i++)
        CHECK_EQ_I64(seen[i], i < wanted);
    free(seen);
}

static void run_take(size_t n, unsigned block, uint64_t density, uint64_t *seed)
{
    int32_t *x = rig_host(n * sizeof *x);
    uint32_t *slot32 = rig_host(n * sizeof *slot32), count32;
    uint64_t *slot = rig_host(n * sizeof *slot), count, wanted = 0;
    unsigned blocks = (unsigned)((n + block - 1) / block);
    void *d_x, *d_count = rig_zeroed(8), *d_slot = rig_zeroed(n * 8);
    size_t i;

    for (i = 0; i < n; i++)
        wanted += (x[i] = rig_random(seed) % 100 < density) != 0;
    d_x = rig_upload(x, n * sizeof *x);
    MUST(hd_launch(take_u32, rig_flat(blocks, block), n, (const int32_t *)d_x, (uint32_t *)d_count,
                   (uint32_t *)d_slot));
    rig_download(slot32, d_slot, n * sizeof *slot32);
    rig_download(&count32, d_count, sizeof count32);
    CHECK_EQ_U64(count32, wanted);
    for (i = 0; i < n; i++)
        slot[i] = slot32[i];
    check_slots(x, slot, n, block, UINT32_MAX);
    MUST(hd_fill_bytes(d_count, 0, 1, 8, rig_stream));
    MUST(hd_launch(take_u64, rig_flat(blocks, block), n, (const int32_t *)d_x, (uint64_t *)d_count,
                   (uint64_t *)d_slot));
    rig_download(slot, d_slot, n * sizeof *slot);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, wanted);
    check_slots(x, slot, n, block, UINT64_MAX);
    rig_drop(d_x);
    rig_drop(d_count);
    rig_drop(d_slot);
    free(x);
    free(slot32);
    free(slot);
}

TEST(slots_are_taken_once)
{
    uint64_t seed = 3, density;

    rig_open();
    for (density = 0; density <= 100; density += 25) {
        run_take(1, 64, density, &seed);
        run_take(1000, 96, density, &seed);
        run_take(rig_size(20000, 700), 200, density, &seed);
    }
}

TEST(ordered_ids_count_the_blocks_and_start_again)
{
    enum { BLOCKS = 301 };
    unsigned ids[BLOCKS], ticket, round, b;
    void *d_ticket, *d_ids;

    rig_open();
    d_ticket = rig_zeroed(sizeof(unsigned));
    d_ids = rig_zeroed(sizeof ids);
    for (round = 0; round < 3; round++) {
        unsigned char seen[BLOCKS] = {0};
        MUST(hd_launch(ordered_ids, rig_shape(hd_dim(43, 7, 1), hd_dim(5, 3, 2), 0),
                       (unsigned *)d_ticket, (unsigned *)d_ids));
        rig_download(ids, d_ids, sizeof ids);
        rig_download(&ticket, d_ticket, sizeof ticket);
        for (b = 0; b < BLOCKS; b++) {
            CHECK(ids[b] < BLOCKS);
            if (ids[b] < BLOCKS)
                CHECK_EQ_I64(seen[ids[b]]++, 0);
        }
        CHECK_EQ_U64(ticket, 0);
    }
    rig_drop(d_ticket);
    rig_drop(d_ids);
}

static void model_grid(uint32_t *a, uint32_t *b, size_t n, unsigned block, int rounds)
{
    size_t i;
    int r;

    for (r = 0; r < rounds; r++) {
        uint32_t *from = r % 2 ? b : a, *to = r % 2 ? a : b;
        for (i = 0; i < n; i++)
            to[i] = from[(i + 1) % n] * 3 + from[(i + n - block) % n] + (uint32_t)r;
    }
}

/* Rounds of two launches on one barrier, which is not zeroed between. */
static void run_grid(unsigned blocks, unsigned block, int rounds)
{
    size_t n = (size_t)blocks * block, bytes = n * sizeof(uint32_t), i;
    uint32_t *a = rig_host(bytes), *b = rig_host(bytes), *got = rig_host(bytes);
    hd_launch_config config = rig_flat(blocks, block);
    void *d_barrier = rig_zeroed(2 * sizeof(unsigned)), *d_a, *d_b;
    int launch;

    for (i = 0; i < n; i++)
        a[i] = (uint32_t)i;
    d_a = rig_upload(a, bytes);
    d_b = rig_upload(b, bytes);
    config.flags |= HD_LAUNCH_COOPERATIVE;
    for (launch = 0; launch < 2; launch++) {
        MUST(hd_launch(grid_rounds, config, (unsigned *)d_barrier, (uint32_t *)d_a, (uint32_t *)d_b,
                       rounds));
        model_grid(a, b, n, block, rounds);
    }
    rig_download(got, d_a, bytes);
    CHECK(memcmp(got, a, bytes) == 0);
    rig_download(got, d_b, bytes);
    CHECK(memcmp(got, b, bytes) == 0);
    rig_drop(d_barrier);
    rig_drop(d_a);
    rig_drop(d_b);
    free(a);
    free(b);
    free(got);
}

TEST(grid_barriers)
{
    int64_t cooperative = 0, units = 0;
    unsigned per_unit = 0, most;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_COOPERATIVE_LAUNCH, &cooperative));
    if (!cooperative)
        SKIP("no cooperative launch");
    MUST(hd_device_get(0, HD_ATTR_COMPUTE_UNITS, &units));
    MUST(hd_occupancy(hd_kernel_of(grid_rounds), 0, 100, 0, &per_unit));
    REQUIRE(per_unit > 0 && units > 0);
    most = (unsigned)units * per_unit;
    run_grid(1, 100, (int)rig_size(200, 10));
    run_grid(most < 2 ? most : 2, 100, (int)rig_size(200, 10));
    run_grid(most < 8 ? most : 8, 1, (int)rig_size(500, 10));
    run_grid(most < 37 ? most : 37, 100, (int)rig_size(101, 7));
}

TEST(the_last_block_sees_all_rows)
{
    unsigned blocks, b, t;
    uint64_t sum, expected = 0;
    void *d_counter, *d_data, *d_sum;

    rig_open();
    blocks = (unsigned)rig_size(400, 10);
    for (b = 0; b < blocks; b++)
        for (t = 0; t < 128; t++)
            expected += b * 7 + t;
    d_counter = rig_zeroed(sizeof(unsigned));
    d_data = rig_zeroed(blocks * 128 * sizeof(uint32_t));
    d_sum = rig_zeroed(sizeof sum);
    MUST(hd_launch(last_block, rig_flat(blocks, 128), (unsigned *)d_counter, (uint32_t *)d_data,
                   (uint64_t *)d_sum));
    rig_download(&sum, d_sum, sizeof sum);
    CHECK_EQ_U64(sum, expected);
    rig_drop(d_counter);
    rig_drop(d_data);
    rig_drop(d_sum);
}

TEST(warps_of_a_block_wait_for_each_other)
{
    enum { BLOCKS = 4, WARPS = 32, ROUNDS = 25 };
    uint32_t values[BLOCKS * WARPS], expected;
    unsigned b, w, warps;
    void *d_flags, *d_values;

    rig_open();
    warps = (300 + rig_warp - 1) / rig_warp;
    d_flags = rig_zeroed(sizeof values);
    d_values = rig_zeroed(sizeof values);
    MUST(hd_launch(within_block, rig_flat(BLOCKS, 300), (uint32_t *)d_flags, (uint32_t *)d_values,
                   ROUNDS));
    rig_download(values, d_values, sizeof values);
    for (b = 0; b < BLOCKS; b++)
        for (w = 0, expected = ROUNDS; w < warps; w++)
            CHECK_EQ_U64(values[b * WARPS + w], expected += w);
    rig_drop(d_flags);
    rig_drop(d_values);
}

/* Two blocks of `threads`, with waits at block scope on a flag in shared memory. */
#define RING(suffix, type, threads)                                                                \
    do {                                                                                           \
        const unsigned warps = ((threads) + rig_warp - 1) / rig_warp;                              \
        void *d_out = rig_zeroed(sizeof got);                                                      \
        uint32_t want = 0;                                                                         \
        MUST(hd_launch(block_ring_##suffix, rig_flat(2, threads), (uint32_t *)d_out,               \
                       (type)rounds));                                                             \
        rig_download(got, d_out, sizeof got);                                                      \
        for (unsigned turn = 0; turn < (unsigned)rounds * warps; turn++)                           \
            want = want * 3 + turn % warps;                                                        \
        CHECK_EQ_U64(got[0], want);                                                                \
        CHECK_EQ_U64(got[1], want);                                                                \
        rig_drop(d_out);                                                                           \
    } while (0)

TEST(warps_of_a_block_take_turns_in_shared_memory)
{
    static const unsigned sizes[] = {1, 64, 100, 256, 1000};
    uint32_t got[2];
    int rounds;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("racecheck knows barriers, not waits, as order in shared memory");
    rig_open();
    rounds = (int)rig_size(40, 5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        RING(i32, int32_t, sizes[i]);
        RING(u32, uint32_t, sizes[i]);
        RING(i64, int64_t, sizes[i]);
        RING(u64, uint64_t, sizes[i]);
    }
}

TEST_MAIN
