/* SPDX-License-Identifier: Apache-2.0 */
/* test_library.c - collectives by the vendor's library: what goes to it and what it has not. On the
   CPU ccl_stand_in.c is the library. Sums and products of these numbers are exact, for
   the library promises no order. labels: several few */
#include "trials.h"

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16, HD_I16, HD_U32, HD_I32,
                                HD_U64, HD_I64, HD_F16, HD_F32, HD_F64, HD_BF16};
static const hd_reduce_op ops[] = {HD_SUM, HD_PROD, HD_MIN, HD_MAX};
enum { TYPES = sizeof types / sizeof *types, OPS = sizeof ops / sizeof *ops };

/* More ranks' products of halves would not be exact. */
static unsigned max_ranks(void)
{
    return ranks_devices() < 4 ? ranks_devices() : 4;
}

/* NULL where there is no library, and the test skipped. */
static hd_group *library_group(unsigned count, size_t message_bytes)
{
    const hd_group_options options = {
        .transport = HD_GROUP_LIBRARY, .message_bytes = message_bytes, .timeout_seconds = 20};
    int devices[RANKS];
    hd_group *group = NULL;

    for (unsigned r = 0; r < count; r++)
        devices[r] = (int)((r + 1) % count);
    const hd_status status = hd_group_create(devices, count, &options, &group);
    if (status == HD_ERR_UNSUPPORTED)
        test_skip(hd_error_last()->message);
    else
        CHECK_STATUS(status, HD_OK);
    return group;
}

static int is_16_bits(hd_type type)
{
    return type == HD_U16 || type == HD_I16;
}

/* Everything that the library can do, of a few elements and of more. */
static void operations(unsigned count)
{
    static const size_t sizes[] = {1, 1003, 4096};
    hd_group *group = library_group(count, 0);
    uint64_t seed = 0;

    for (int kind = 0; group && kind <= HD__GROUP_BARRIER; kind++)
        for (int in_place = 0; in_place <= trial_may_be_in_place((hd__group_kind)kind); in_place++)
            for (unsigned i = 0; i < test_watched(3, 2); i++, seed++) {
                const trial t = {(hd__group_kind)kind,
                                 in_place,
                                 sizes[i],
                                 i == 1 ? HD_F64 : HD_F32,
                                 ops[seed % OPS],
                                 (unsigned)seed % count,
                                 VALUES_SMALL};
                trial_in_all_ways(group, t, i == 1 ? 3 : 0, 10 * seed, "by the library");
            }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(every_operation)
{
    if (max_ranks() < 2)
        SKIP("one device");
    for (unsigned count = 2; count <= max_ranks() && !test_now.skipped; count++)
        operations(count);
}

/* A thread for each rank: what each enqueues is a group call of its own. */
TEST(a_thread_for_each_rank)
{
    hd_group *group = max_ranks() < 2 ? NULL : library_group(max_ranks(), 0);

    if (max_ranks() < 2)
        SKIP("one device");
    for (int kind = 0; group && kind <= HD__GROUP_BARRIER; kind++) {
        const trial t = {(hd__group_kind)kind,
                         trial_may_be_in_place((hd__group_kind)kind),
                         700,
                         HD_F32,
                         HD_SUM,
                         1,
                         VALUES_SMALL};
        scene s;
        scene_open(&s, group, t);
        scene_run(&s, 1, "connects");
        for (uint64_t i = 2; i < 5; i++)
            scene_run_threads(&s, i, "by the library, from threads");
        scene_close(&s);
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* Integers of all bits: they wrap. */
static void reductions_of(hd_group *group, hd_type type, hd_reduce_op op, unsigned turn)
{
    const int is_real = type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;

    for (int kind = HD__GROUP_ALL_REDUCE; kind <= HD__GROUP_REDUCE_SCATTER; kind++) {
        const trial t = {(hd__group_kind)kind,
                         (int)(turn + (unsigned)kind) % 2,
                         203 + turn,
                         type,
                         op,
                         turn % hd_group_size(group),
                         is_real ? VALUES_SMALL : VALUES_RANDOM};
        trial_in_all_ways(group, t, 0, turn, "by the library");
    }
}

/* The library has no such type: the call is refused, and the group goes on. */
static void refused(hd_group *group, hd_type type, hd_reduce_op op)
{
    for (int kind = HD__GROUP_ALL_REDUCE; kind <= HD__GROUP_REDUCE_SCATTER; kind++) {
        scene s;
        scene_open(&s, group, (trial){(hd__group_kind)kind, 0, 50, type, op, 0, VALUES_SMALL});
        CHECK_STATUS(scene_enqueue(&s), HD_ERR_UNSUPPORTED);
        CHECK(strstr(hd_error_last()->message, hd_type_name(type)) != NULL);
        CHECK_STATUS(scene_enqueue_rank(&s, 0), HD_ERR_UNSUPPORTED);
        scene_close(&s);
    }
}

TEST(types_and_operations)
{
    hd_group *group = max_ranks() < 2 ? NULL : library_group(max_ranks(), 0);

    if (max_ranks() < 2)
        SKIP("one device");
    for (unsigned t = 0; group && t < TYPES; t++)
        for (unsigned p = 0; p < OPS; p++)
            if (is_16_bits(types[t]))
                refused(group, types[t], ops[p]);
            else
                reductions_of(group, types[t], ops[p], t * OPS + p);
    for (unsigned t = 0; group && t < TYPES; t++)
        for (int kind = HD__GROUP_ALL_GATHER; kind <= HD__GROUP_SEND_RECEIVE; kind++) {
            const int in_place = t % 2 && trial_may_be_in_place((hd__group_kind)kind);
            const trial move = {(hd__group_kind)kind, in_place, 90 + t, types[t], HD_SUM, t % 2,
                                VALUES_RANDOM};
            trial_in_all_ways(group, move, 0, t, "moved by the library");
        }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* A group with little memory for what an all-to-all in place sends. */
static hd_group *small_group(unsigned count)
{
    hd_group *group;

    hd__group_forced = (hd__group_tuning){.channels = 2, .units = 256, .lines = 16};
    group = library_group(count, (size_t)128 << 10);
    hd__group_forced = (hd__group_tuning){0};
    return group;
}

/* Longer than that memory: in slices, the last of which is shorter. */
TEST(an_all_to_all_in_slices)
{
    for (unsigned count = 2; count <= max_ranks() && !test_now.skipped; count++) {
        hd_group *group = small_group(count);
        if (!group)
            return;
        const size_t slice = (count - 1) * group->layout.bytes / count / 256 * 256;
        const size_t sizes[] = {slice - 1, slice, slice + 1, 2 * slice + 77};
        for (unsigned i = 0; i < 4; i++)
            for (int in_place = 0; in_place < 2; in_place++) {
                const trial t = {HD__GROUP_ALL_TO_ALL, in_place, sizes[i], HD_U8, HD_SUM, 0,
                                 VALUES_RANDOM};
                trial_in_all_ways(group, t, i == 3 ? 3 : 0, i, "in slices");
            }
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

/* Each rank in place or not, as it likes. */
TEST(some_ranks_in_place)
{
    hd_group *group = max_ranks() < 2 ? NULL : library_group(max_ranks(), 0);
    unsigned char *expected = malloc(RANKS * 800);
    const void *in[RANKS];
    void *out[RANKS];
    scene s;

    if (!group || !expected) {
        free(expected);
        SKIP(group ? "no memory" : "no library, or one device");
    }
    scene_open(&s, group, (trial){HD__GROUP_ALL_TO_ALL, 0, 100, HD_F64, HD_SUM, 0, VALUES_SMALL});
    scene_fill(&s, 3);
    for (unsigned r = 0; r < s.count; r++) {
        in[r] = s.in.device[r];
        out[r] = (r % 2 ? s.out : s.in).device[r];
    }
    CHECK_STATUS(hd_group_all_to_all(group, in, out, 100, HD_F64, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < s.count; r++) {
        scene_expect(&s, r, expected);
        ranks_check(r % 2 ? &s.out : &s.in, group, r, expected, "some in place");
    }
    scene_close(&s);
    free(expected);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

/* The others wait in the library, which is told to stop. */
TEST(a_rank_that_does_not_come)
{
    const int is_stand_in = strcmp(hd_backend_name(), "cpu") == 0; /* the real one takes its time */
    const hd_group_options options = {.transport = HD_GROUP_LIBRARY,
                                      .timeout_seconds = is_stand_in ? 0.3 : 5};
    const int devices[] = {0, 1};
    hd_group *group = NULL;
    scene s;

    if (ranks_devices() < 2)
        SKIP("one device");
    if (hd_group_create(devices, 2, &options, &group) == HD_ERR_UNSUPPORTED)
        SKIP(hd_error_last()->message);
    scene_open(&s, group, (trial){HD__GROUP_ALL_REDUCE, 0, 50, HD_F32, HD_SUM, 0, VALUES_SMALL});
    scene_run(&s, 1, "before");
    CHECK_STATUS(scene_enqueue_rank(&s, 0), HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_ERR_TIMEOUT);
    CHECK_STATUS(scene_enqueue(&s), HD_ERR_TIMEOUT);
    scene_close(&s);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST_MAIN
