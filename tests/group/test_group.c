/* SPDX-License-Identifier: Apache-2.0 */
/* test_group.c - collectives against the host. labels: lazy few */
#include "ranks.h"

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16, HD_I16, HD_U32, HD_I32,
                                HD_U64, HD_I64, HD_F16, HD_F32, HD_F64, HD_BF16};
static const hd_reduce_op ops[] = {HD_SUM, HD_PROD, HD_MIN, HD_MAX};
enum { TYPES = sizeof types / sizeof *types, OPS = sizeof ops / sizeof *ops };

static const void *const *as_in(const rank_arrays *a)
{
    return (const void *const *)(const void *)a->device;
}
static void *const *as_out(const rank_arrays *a)
{
    return (void *const *)(const void *)a->device;
}

typedef struct one_case {
    size_t n;
    hd_type type;
    hd_reduce_op op;
    test_values values;
    size_t shift;
    int in_place;
    uint64_t seed;
} one_case;

static void all_reduce(hd_group *group, one_case c)
{
    const size_t bytes = c.n * hd_type_bytes(c.type);
    unsigned char *expected = malloc(bytes + 1);
    rank_arrays in, out;
    char what[96];

    REQUIRE(expected != NULL);
    snprintf(what, sizeof what, "all-reduce n %zu %s %s of %u", c.n, hd_type_name(c.type),
             hd_reduce_op_name(c.op), hd_group_size(group));
    ranks_make(&in, group, bytes, c.shift);
    ranks_make(&out, group, bytes, c.shift);
    ranks_fill(&in, group, c.type, c.values, c.seed);
    ranks_fold(&in, 0, c.n, c.type, c.op, expected);
    CHECK_STATUS(hd_group_all_reduce(group, as_in(&in), as_out(c.in_place ? &in : &out), c.n,
                                     c.type, c.op, NULL),
                 HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < hd_group_size(group); r++) {
        ranks_check(c.in_place ? &in : &out, group, r, expected, what);
        if (!c.in_place)
            ranks_check(&in, group, r, in.host[r], "in");
    }
    ranks_free(&in);
    ranks_free(&out);
    free(expected);
}

/* Every algorithm at sizes around its edges. */
static void sizes(unsigned count, hd_group_options options)
{
    static const size_t some[] = {0, 1, 2, 3, 5, 64, 257, 1023, 4096, 10007, 50021};
    hd_group *group = ranks_group(count, &options);

    REQUIRE(group != NULL);
    for (size_t i = 0; i < test_watched(sizeof some / sizeof *some, 8); i++) {
        const one_case c = {
            some[i], i % 3 ? HD_F32 : HD_F64, HD_SUM, VALUES_RANDOM, i % 2 ? 0 : 8, i % 4 == 1, i};
        all_reduce(group, c);
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

static void algorithms(const hd_group_options *options)
{
    for (unsigned count = 1; count <= ranks_count(); count++)
        for (int a = 0; a < HD_GROUP_ALGORITHM_COUNT_; a++) {
            hd_group_options o = *options;
            o.algorithm = (hd_group_algorithm)a;
            sizes(count, o);
        }
}

TEST(sizes_by_every_algorithm)
{
    algorithms(&(hd_group_options){.transport = HD_GROUP_OWN});
}

TEST(sizes_through_the_host)
{
    algorithms(&(hd_group_options){.p2p = HD_GROUP_P2P_OFF});
}

/* Sizes around the borders of units, lines, blocks and pieces, each by words and by lines. */
static void borders(unsigned count, hd_group_algorithm algorithm, size_t line_bytes)
{
    static const size_t edges[] = {15, 30, 60, 120, 240, 480, 960, 1920, 3840};
    const hd_group_options o = {.algorithm = algorithm};
    const unsigned most = (unsigned)test_watched(300, 24);
    hd_group *group;
    uint64_t seed = count;

    hd__group_forced = (hd__group_tuning){.line_bytes = line_bytes};
    group = ranks_group(count, &o);
    REQUIRE(group != NULL);
    for (size_t n = 1; n <= most; n += 1 + n / 50) {
        const one_case c = {
            n, n % 2 ? HD_U16 : HD_F32, HD_SUM, VALUES_RANDOM, n % 3 * 4, n % 5 == 0, seed++};
        all_reduce(group, c);
    }
    for (size_t e = 0; e < test_watched(sizeof edges / sizeof *edges, 4); e++)
        for (size_t n = edges[e] * count - 2; n <= edges[e] * count + 2; n++) {
            const one_case c = {n, HD_F64, HD_SUM, VALUES_RANDOM, n % 2 * 8, 0, seed++};
            all_reduce(group, c);
        }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    hd__group_forced = (hd__group_tuning){0};
}

TEST(words_and_lines)
{
    for (unsigned count = 2; count <= ranks_count(); count++) {
        borders(count, HD_GROUP_ONE_SHOT, SIZE_MAX);
        borders(count, HD_GROUP_ONE_SHOT, 1);
        borders(count, HD_GROUP_TWO_SHOT, 1);
    }
}

/* What a group has made is ready for kernels of all ranks. */
TEST(the_first_operation_waits_for_nothing)
{
    for (unsigned count = 2; count <= ranks_count(); count++) {
        hd_group *group = ranks_group(count, NULL);
        REQUIRE(group != NULL);
        CHECK_STATUS(hd_group_barrier(group, NULL), HD_OK);
        CHECK_STATUS(hd_group_synchronize(group), HD_OK);
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

static void types_and_operations(hd_group_algorithm algorithm)
{
    static const size_t n[] = {3, 1001, 9001};
    const hd_group_options o = {.algorithm = algorithm};
    hd_group *group = ranks_group(ranks_count(), &o);

    REQUIRE(group != NULL);
    for (unsigned t = 0; t < TYPES; t++)
        for (unsigned p = 0; p < OPS; p++) {
            const int special = (t + p) % 2;
            const one_case c = {n[(t + p) % test_watched(3, 2)],
                                types[t],
                                ops[p],
                                special ? VALUES_SPECIAL : VALUES_RANDOM,
                                p % 3 * hd_type_bytes(types[t]),
                                p == 2,
                                t * 7 + p};
            all_reduce(group, c);
        }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(types_by_every_algorithm)
{
    for (int a = HD_GROUP_ONE_SHOT; a < HD_GROUP_ALGORITHM_COUNT_; a++)
        types_and_operations((hd_group_algorithm)a);
}

TEST(types_and_operations_in_lines)
{
    hd__group_forced = (hd__group_tuning){.line_bytes = 1};
    types_and_operations(HD_GROUP_ONE_SHOT);
    types_and_operations(HD_GROUP_TWO_SHOT);
    hd__group_forced = (hd__group_tuning){0};
}

TEST_MAIN
