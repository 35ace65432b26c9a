/* SPDX-License-Identifier: Apache-2.0 */
/* test_staged.c - pairs without access to each other: how many bytes of which operation go through
   the host, by its definition; broken pairs; groups that want no such pair.
   labels: peers few many */
#include "trials.h"

/* On the CPU engine devices 0 and 1 say that they reach each other, but copies arrive changed. */
__attribute__((constructor)) static void break_a_pair(void)
{
    (void)setenv("HEDDLE_CPU_PEERS_BROKEN", "0-1", 1);
}

/* ---- bytes by algorithm ---------------------------------------------------------------------- */

/* Piece p of `bytes` bytes: whole units of 16 bytes, the last ones shorter or none. */
static uint64_t piece(uint64_t bytes, unsigned count, unsigned p)
{
    const uint64_t whole = (bytes + count - 1) / count, longest = (whole + 15) / 16 * 16;
    const uint64_t before = p * longest;

    return before >= bytes ? 0 : bytes - before < longest ? bytes - before : longest;
}

/* What rank r sends to rank p: to who folds it a piece, to who wants it a result. */
static uint64_t sent(const scene *s, hd_group_algorithm how, unsigned r, unsigned p)
{
    const int wants = s->t.kind == HD__GROUP_ALL_REDUCE || p == s->t.root;

    if (s->t.kind == HD__GROUP_REDUCE_SCATTER)
        return s->bytes;
    if (how == HD_GROUP_ONE_SHOT)
        return wants ? s->bytes : 0;
    if (how == HD_GROUP_RING) /* sums one way, results the other */
        return p + 1 == r || r + 1 == p ? s->bytes : 0;
    return piece(s->bytes, s->count, p) + (wants ? piece(s->bytes, s->count, r) : 0);
}

static void count_of(hd_group *group, trial t, hd_group_algorithm how)
{
    uint64_t before[RANKS][RANKS] = {{0}}, after = 0;
    scene s;

    scene_open(&s, group, t);
    for (unsigned r = 0; r < s.count; r++)
        for (unsigned p = 0; p < s.count; p++)
            CHECK_STATUS(hd_group_staged_bytes(group, r, p, &before[r][p]), HD_OK);
    scene_run(&s, t.n, hd_group_algorithm_name(how));
    for (unsigned r = 0; r < s.count; r++)
        for (unsigned p = 0; p < s.count; p++) {
            const uint64_t bytes = t.kind == HD__GROUP_SEND_RECEIVE ? scene_message(&s, r, p)
                                                                    : sent(&s, how, r, p);
            CHECK_STATUS(hd_group_staged_bytes(group, r, p, &after), HD_OK);
            if (after - before[r][p] != (p == r ? 0 : bytes))
                test_fail(__FILE__, __LINE__, "%s of %zu bytes, %s: %" PRIu64 " from %u to %u",
                          trial_names[t.kind], s.bytes, hd_group_algorithm_name(how),
                          after - before[r][p], r, p);
        }
    scene_close(&s);
}

TEST(bytes_of_reductions_and_messages)
{
    static const size_t sizes[] = {1, 17, 250, 1003};

    for (int a = HD_GROUP_ONE_SHOT; a < HD_GROUP_COPIES && ranks_count() > 1; a++) {
        const hd_group_algorithm how = (hd_group_algorithm)a;
        const hd_group_options options = {.algorithm = how, .p2p = HD_GROUP_P2P_OFF};
        hd_group *group = ranks_group(ranks_count(), &options);
        REQUIRE(group != NULL);
        for (unsigned i = 0; i < 4; i++)
            for (int kind = 0; kind <= HD__GROUP_SEND_RECEIVE; kind++) {
                const trial t = {
                    (hd__group_kind)kind, 0, sizes[i], HD_I32, HD_SUM, i % ranks_count(),
                    VALUES_RANDOM};
                const size_t all = sizes[i] * 4 *
                                   (kind == HD__GROUP_REDUCE_SCATTER ? ranks_count() : 1);
                if (kind == HD__GROUP_SEND_RECEIVE ||
                    (trial_reduces(t.kind) && hd__group_choose(group, t.kind, all, t.type) == how))
                    count_of(group, t, how);
            }
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

/* ---- which pairs are direct ------------------------------------------------------------------ */

/* Two devices: what hd_peer_connect found out is what a group does. */
static hd_status pair_of(int a, int b, hd_group_p2p p2p, hd_group **group)
{
    const hd_group_options options = {.p2p = p2p};
    const int devices[] = {a, b};

    *group = NULL;
    return hd_group_create(devices, 2, &options, group);
}

static void operations_of(hd_group *group, const char *how)
{
    for (int kind = 0; kind <= HD__GROUP_BARRIER; kind++) {
        const trial t = {(hd__group_kind)kind, 0, 900, HD_F32, HD_SUM, 1, VALUES_RANDOM};
        trial_in_all_ways(group, t, 0, (uint64_t)kind, how);
    }
}

TEST(a_broken_pair_goes_through_the_host)
{
    hd_peer_path path = HD_PATH_DIRECT;
    uint64_t bytes = 0;
    hd_group *group;

    if (strcmp(hd_backend_name(), "cpu") != 0 || ranks_devices() < 2)
        SKIP("no pair that can be broken");
    CHECK_STATUS(pair_of(0, 1, HD_GROUP_P2P_ON, &group), HD_ERR_NO_PEER);
    CHECK(group == NULL);
    CHECK(strstr(hd_error_last()->message, "ranks 0 and 1") != NULL);
    REQUIRE(pair_of(0, 1, HD_GROUP_P2P_AUTO, &group) == HD_OK);
    CHECK_STATUS(hd_group_path(group, 0, 1, &path), HD_OK);
    CHECK_EQ_I64(path, HD_PATH_STAGED);
    operations_of(group, "a broken pair");
    CHECK_STATUS(hd_group_staged_bytes(group, 0, 1, &bytes), HD_OK);
    CHECK(bytes > 0);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(a_group_may_want_direct_pairs)
{
    hd_peer_path path = HD_PATH_STAGED;
    uint64_t bytes = 1;
    hd_group *group;

    if (ranks_devices() < 3)
        SKIP("no second pair");
    CHECK_STATUS(hd_peer_connect(1, 2, &path), HD_OK);
    if (path != HD_PATH_DIRECT) {
        CHECK_STATUS(pair_of(1, 2, HD_GROUP_P2P_ON, &group), HD_ERR_NO_PEER);
        return;
    }
    REQUIRE(pair_of(1, 2, HD_GROUP_P2P_ON, &group) == HD_OK);
    CHECK_STATUS(hd_group_path(group, 0, 1, &path), HD_OK);
    CHECK_EQ_I64(path, HD_PATH_DIRECT);
    operations_of(group, "direct pairs alone");
    CHECK_STATUS(hd_group_staged_bytes(group, 0, 1, &bytes), HD_OK);
    CHECK_EQ_U64(bytes, 0);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST_MAIN
