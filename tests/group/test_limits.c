/* SPDX-License-Identifier: Apache-2.0 */
/* test_limits.c - where algorithms and shapes change: the longest messages that slots hold, sizes
   at the limits, blocks that have nothing to do. labels: few */
#include "ranks.h"

static hd_group_algorithm algorithm_of(const hd_group *group, size_t bytes)
{
    hd_group_algorithm found = HD_GROUP_BY_SIZE;
    CHECK_STATUS(hd_group_algorithm_of(group, bytes, HD_U8, &found), HD_OK);
    return found;
}

static void all_reduce(hd_group *group, rank_arrays *a, size_t bytes)
{
    unsigned char *expected = malloc(bytes);
    rank_arrays in = *a;

    REQUIRE(expected != NULL);
    in.bytes = bytes;
    for (unsigned turn = 0; turn < 2; turn++) { /* the other half of the slots too */
        ranks_fill(&in, group, HD_U8, VALUES_RANDOM, bytes + turn);
        ranks_fold(&in, 0, bytes, HD_U8, HD_SUM, expected);
        CHECK_STATUS(hd_group_all_reduce(group, (const void *const *)(const void *)in.device,
                                         (void *const *)(const void *)in.device, bytes, HD_U8,
                                         HD_SUM, NULL),
                     HD_OK);
        CHECK_STATUS(hd_group_synchronize(group), HD_OK);
        for (unsigned r = 0; r < in.count; r++) {
            unsigned char *got = malloc(bytes);
            CHECK_STATUS(
                hd_copy_blocking_bytes(got, in.device[r], 1, bytes, hd_group_stream(group, r)),
                HD_OK);
            if (memcmp(got, expected, bytes) != 0)
                test_fail(__FILE__, __LINE__, "%zu bytes over %u ranks, rank %u: wrong", bytes,
                          in.count, r);
            free(got);
        }
    }
    free(expected);
}

/* The longest vector that goes by the algorithm that was asked for, and its neighbours. */
static void longest(unsigned count, hd_group_algorithm algorithm, hd__group_tuning force)
{
    const hd_group_options options = {.algorithm = algorithm, .timeout_seconds = 4};
    size_t low = 1, high = (size_t)1 << 22;
    rank_arrays a;
    hd_group *group;

    hd__group_forced = force;
    group = ranks_group(count, &options);
    hd__group_forced = (hd__group_tuning){0};
    REQUIRE(group != NULL);
    while (low < high) { /* the first that goes another way */
        const size_t middle = low + (high - low) / 2;
        if (algorithm_of(group, middle) == algorithm)
            low = middle + 1;
        else
            high = middle;
    }
    CHECK(low > 64 && low < (size_t)1 << 22);
    ranks_make(&a, group, low + 64, 0);
    for (size_t bytes = low - 40; bytes < low + 40 && test_now.failures == 0; bytes += 3)
        all_reduce(group, &a, bytes);
    ranks_free(&a);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(slots_hold_the_longest_message)
{
    hd__group_tuning small = {
        .channels = 3, .units = 128, .word_threads = 64, .one_shot_bytes = 1, .two_shot_bytes = 1};

    for (unsigned count = 2; count <= ranks_count(); count++)
        for (small.lines = 1; small.lines <= 17;
             small.lines += 16) { /* words, or lines, are more */
            longest(count, HD_GROUP_ONE_SHOT, small);
            longest(count, HD_GROUP_TWO_SHOT, small);
        }
}

TEST(a_limit_belongs_to_the_shorter_way)
{
    hd_group *group;

    if (ranks_count() < 2)
        SKIP("one rank");
    hd__group_forced = (hd__group_tuning){
        .one_shot_bytes = 800, .two_shot_bytes = 3000, .copies_bytes = SIZE_MAX};
    group = ranks_group(2, NULL);
    hd__group_forced = (hd__group_tuning){0};
    REQUIRE(group != NULL);
    CHECK_EQ_I64(algorithm_of(group, 800), HD_GROUP_ONE_SHOT);
    CHECK_EQ_I64(algorithm_of(group, 801), HD_GROUP_TWO_SHOT);
    CHECK_EQ_I64(algorithm_of(group, 3000), HD_GROUP_TWO_SHOT);
    CHECK_EQ_I64(algorithm_of(group, 3001), HD_GROUP_DIRECT);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* A block without a part of a message would not hear from the others. */
TEST(every_block_has_a_part_of_a_message)
{
    hd_group *group = ranks_group(ranks_count(), NULL);
    unsigned blocks = 0, threads = 0;

    REQUIRE(group != NULL);
    hd__group_place whole = group->rank[0].place; /* long messages have all memory of a channel */
    hd__group_chunk_shape(group, (size_t)1 << 30, 1, &whole, &blocks, &threads);
    CHECK_EQ_U64(whole.layout.chunk, HD__GROUP_LANES * group->layout.stride);
    for (size_t bytes = 1; bytes < 40000; bytes += 1 + bytes / 7) {
        const size_t units = (bytes + HD__GROUP_UNIT - 1) / HD__GROUP_UNIT;
        hd__group_place place = group->rank[0].place;
        hd__group_word_shape(group, units, &blocks, &threads);
        CHECK(blocks >= 1 && blocks <= group->layout.channels);
        CHECK((size_t)(blocks - 1) * threads < units);
        for (unsigned lanes = 1; lanes <= HD__GROUP_LANES; lanes++) {
            hd__group_chunk_shape(group, bytes, lanes, &place, &blocks, &threads);
            CHECK(blocks >= 1 && blocks <= group->layout.channels);
            CHECK((size_t)(blocks - 1) * place.layout.chunk < bytes);
            CHECK(place.layout.chunk <= place.layout.stride);
            CHECK_EQ_U64(lanes * place.layout.stride, HD__GROUP_LANES * group->layout.stride);
        }
        for (unsigned parts = 1; parts <= 2 && group->layout.lines; parts++) {
            if (!hd__group_line_shape(group, bytes, parts, &blocks, &threads))
                continue;
            CHECK(blocks >= 1 && blocks <= group->layout.channels);
            CHECK((size_t)(blocks - 1) * (threads / HD_LINE_LANES) * HD__GROUP_LINE_DATA < bytes);
        }
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* message_bytes bounds what all areas of a rank take, however many ranks there are. */
TEST(memory_for_messages_stays_in_its_bounds)
{
    enum { BESIDE = (64 << 10) + (512 << 10) }; /* of epochs and signals; of an array in parts */
    const hd_group_options options = {.message_bytes = 1 << 20};
    size_t before[RANKS], after = 0;
    hd_group *group;

    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("other programs take memory too");
    for (unsigned r = 0; r < ranks_devices(); r++)
        for (unsigned p = 0; p < r; p++)
            CHECK_STATUS(hd_peer_connect((int)p, (int)r, NULL), HD_OK);
    for (unsigned r = 0; r < ranks_devices(); r++)
        CHECK_STATUS(hd_device_memory((int)r, &before[r], NULL), HD_OK);
    group = ranks_group(ranks_devices(), &options);
    REQUIRE(group != NULL);
    for (unsigned r = 0; r < ranks_devices(); r++) {
        CHECK_STATUS(hd_device_memory((int)r, &after, NULL), HD_OK);
        CHECK(before[r] - after <= options.message_bytes + BESIDE);
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(what_all_ranks_have_together_is_counted_without_overflow)
{
    const unsigned count = ranks_count();
    hd_group *group = ranks_group(count, NULL);
    const size_t n = SIZE_MAX / count + 1; /* all of it is 0 modulo 2^64, for four ranks */
    const void *in[RANKS];
    void *out[RANKS];
    uint8_t *x = NULL;

    REQUIRE(group != NULL);
    CHECK_STATUS(hd_alloc(&x, 64, hd_group_device(group, 0)), HD_OK);
    for (unsigned r = 0; r < count; r++)
        in[r] = out[r] = x;
    CHECK_STATUS(hd_group_all_gather(group, in, out, count > 1 ? n : SIZE_MAX, HD_U8, NULL),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_group_reduce_scatter(group, in, out, SIZE_MAX / 2, HD_U8, HD_SUM, NULL),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* Rank 0's part of an operation on `bytes` bytes for each rank. */
static hd_status operate(hd_group *group, hd__group_kind kind, uint8_t *x, size_t bytes)
{
    const hd_group_message message = {0, hd_group_size(group) - 1, x, x, bytes};

    switch (kind) {
    case HD__GROUP_ALL_REDUCE:
        return hd_group_all_reduce_rank(group, 0, x, x, bytes, HD_U8, HD_SUM, NULL);
    case HD__GROUP_REDUCE:
        return hd_group_reduce_rank(group, 0, x, x, bytes, HD_U8, HD_SUM, 0, NULL);
    case HD__GROUP_REDUCE_SCATTER:
        return hd_group_reduce_scatter_rank(group, 0, x, x, bytes, HD_U8, HD_SUM, NULL);
    case HD__GROUP_ALL_GATHER:
        return hd_group_all_gather_rank(group, 0, x, x, bytes, HD_U8, NULL);
    case HD__GROUP_BROADCAST:
        return hd_group_broadcast_rank(group, 0, x, bytes, HD_U8, 0, NULL);
    case HD__GROUP_ALL_TO_ALL:
        return hd_group_all_to_all_rank(group, 0, x, x, bytes, HD_U8, NULL);
    default:
        return hd_group_send_receive_rank(group, 0, &message, 1, NULL);
    }
}

/* What flags can count goes on to the arrays, which are shorter. */
static void most_is(hd_group *group, hd__group_kind kind, uint8_t *x, size_t most)
{
    CHECK_STATUS(operate(group, kind, x, most), HD_ERR_POINTER);
    CHECK_STATUS(operate(group, kind, x, most + 1), HD_ERR_OVERFLOW);
}

static void most_of_all(unsigned count, hd_group_algorithm algorithm, unsigned channels)
{
    enum { CHUNK = 16 };
    const hd_group_options options = {.algorithm = algorithm};
    const size_t piece = ((size_t)CHUNK * channels) << HD__GROUP_STEP_BITS;
    const size_t move = piece * HD__GROUP_LANES; /* one lane has the memory of all */
    hd_group *group;
    uint8_t *x = NULL;

    hd__group_forced = (hd__group_tuning){
        .chunk = CHUNK, .least_chunk = CHUNK, .channels = channels};
    group = ranks_group(count, &options);
    hd__group_forced = (hd__group_tuning){0};
    REQUIRE(group != NULL);
    CHECK_STATUS(hd_alloc(&x, 64, hd_group_device(group, 0)), HD_OK);
    most_is(group, HD__GROUP_ALL_REDUCE, x, algorithm == HD_GROUP_RING ? piece : count * piece);
    most_is(group, HD__GROUP_REDUCE, x, count * piece);
    most_is(group, HD__GROUP_REDUCE_SCATTER, x, piece);
    most_is(group, HD__GROUP_ALL_GATHER, x, move);
    most_is(group, HD__GROUP_BROADCAST, x, count > 2 ? (count - 1) * piece : move);
    most_is(group, HD__GROUP_ALL_TO_ALL, x, move);
    most_is(group, HD__GROUP_SEND_RECEIVE, x, move);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* Flags of an operation's steps have so many bits. */
TEST(messages_of_too_many_chunks_are_refused)
{
    if (ranks_count() < 2)
        SKIP("one rank");
    for (unsigned count = 2; count <= ranks_count(); count++) {
        most_of_all(count, HD_GROUP_BY_SIZE, 1);
        most_of_all(count, HD_GROUP_RING, 3);
    }
}

/* What is alone is copied, without flags. */
TEST(a_group_of_one_has_no_chunks)
{
    hd_group *group = ranks_group(1, NULL);
    uint8_t *x = NULL;

    REQUIRE(group != NULL);
    CHECK_STATUS(hd_alloc(&x, 64, hd_group_device(group, 0)), HD_OK);
    for (int kind = HD__GROUP_ALL_REDUCE; kind <= HD__GROUP_SEND_RECEIVE; kind++)
        CHECK_STATUS(operate(group, (hd__group_kind)kind, x, SIZE_MAX / 4), HD_ERR_POINTER);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* Arrays that touch do not overlap. */
TEST(in_and_out_may_lie_side_by_side)
{
    hd_group *group = ranks_group(1, NULL);
    float *x = NULL;

    REQUIRE(group != NULL);
    CHECK_STATUS(hd_alloc(&x, 16, hd_group_device(group, 0)), HD_OK);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x, x + 8, 8, HD_F32, HD_SUM, NULL), HD_OK);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x + 8, x, 8, HD_F32, HD_SUM, NULL), HD_OK);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x, x + 7, 8, HD_F32, HD_SUM, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x + 7, x, 8, HD_F32, HD_SUM, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(options_and_streams_that_a_group_does_not_take)
{
    const int devices[] = {0, 1};
    const hd_group_options never = {.timeout_seconds = NAN};
    hd_group *group = NULL;
    float *x = NULL;

    if (ranks_devices() < 2)
        SKIP("one device");
    CHECK_STATUS(hd_group_create(devices, 2, &never, &group), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(devices, 2, NULL, &group), HD_OK);
    CHECK_STATUS(hd_alloc(&x, 8, 0), HD_OK);
    CHECK_STATUS(
        hd_group_all_reduce_rank(group, 0, x, x, 8, HD_F32, HD_SUM, hd_group_stream(group, 1)),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(messages_that_a_group_does_not_take)
{
    const unsigned count = ranks_count();
    hd_group *group = ranks_group(count, NULL);
    uint8_t *x = NULL;

    REQUIRE(group != NULL);
    CHECK_STATUS(hd_alloc(&x, 64, hd_group_device(group, 0)), HD_OK);
    const hd_group_message twice[] = {{0, 0, x, x + 8, 8}, {0, 0, x + 16, x + 24, 8}};
    const hd_group_message far = {0, count, x, x + 8, 8};
    CHECK_STATUS(hd_group_send_receive_rank(group, 0, twice, 2, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_send_receive_rank(group, 0, &far, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_send_receive_rank(group, 0, NULL, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST_MAIN
