/* SPDX-License-Identifier: Apache-2.0 */
/* test_trials.c - every collective by every way that it may go, in place and not, called and out of
   a graph that is replayed; every type and operation; messages between any ranks.
   labels: peers few many */
#include "trials.h"

#define BIT(kind) (1u << (kind))
#define REDUCTIONS (BIT(HD__GROUP_ALL_REDUCE) | BIT(HD__GROUP_REDUCE))
#define MOVES                                                                                      \
    (BIT(HD__GROUP_ALL_GATHER) | BIT(HD__GROUP_BROADCAST) | BIT(HD__GROUP_ALL_TO_ALL) |            \
     BIT(HD__GROUP_SEND_RECEIVE) | BIT(HD__GROUP_BARRIER))

/* A way, and the kinds (bits) of operation that go it. */
typedef struct way {
    const char *name;
    hd_group_algorithm algorithm;
    unsigned kinds;
    hd__group_tuning force;
} way;

static const way ways[] = {
    {"one-shot, words", HD_GROUP_ONE_SHOT, REDUCTIONS, {.line_bytes = SIZE_MAX}},
    {"one-shot, lines", HD_GROUP_ONE_SHOT, REDUCTIONS, {.line_bytes = 1}},
    {"two-shot, words",
     HD_GROUP_TWO_SHOT,
     REDUCTIONS | BIT(HD__GROUP_REDUCE_SCATTER),
     {.line_bytes = SIZE_MAX}},
    {"two-shot, lines",
     HD_GROUP_TWO_SHOT,
     REDUCTIONS | BIT(HD__GROUP_REDUCE_SCATTER),
     {.line_bytes = 1}},
    {"direct",
     HD_GROUP_DIRECT,
     REDUCTIONS | BIT(HD__GROUP_REDUCE_SCATTER),
     {.chunk = 512, .least_chunk = 256}},
    {"ring", HD_GROUP_RING, BIT(HD__GROUP_ALL_REDUCE), {.chunk = 512, .least_chunk = 256}},
    {"copies",
     HD_GROUP_COPIES,
     BIT(HD__GROUP_ALL_REDUCE) | BIT(HD__GROUP_REDUCE_SCATTER) | BIT(HD__GROUP_ALL_GATHER) |
         BIT(HD__GROUP_ALL_TO_ALL),
     {.copy_least = 512, .copy_parts = 3}},
    {"words", HD_GROUP_BY_SIZE, MOVES, {.move_word_bytes = SIZE_MAX, .broadcast_pieces = SIZE_MAX}},
    {"chunks",
     HD_GROUP_BY_SIZE,
     MOVES,
     {.move_word_bytes = 1, .broadcast_pieces = SIZE_MAX, .chunk = 512, .least_chunk = 256}},
    {"relays",
     HD_GROUP_BY_SIZE,
     BIT(HD__GROUP_BROADCAST),
     {.broadcast_pieces = 1, .chunk = 512, .least_chunk = 256}}};
enum { WAYS = sizeof ways / sizeof *ways };

static hd_group *group_of(const way *w, unsigned count, hd_group_p2p p2p)
{
    const hd_group_options options = {.algorithm = w->algorithm, .p2p = p2p};
    hd_group *group;

    hd__group_forced = w->force;
    group = ranks_group(count, &options);
    hd__group_forced = (hd__group_tuning){0};
    return group;
}

/* Where the table says that a reduction goes a way, it does. */
static void goes(const hd_group *group, const way *w, const trial *t)
{
    const size_t parts = t->kind == HD__GROUP_REDUCE_SCATTER ? hd_group_size(group) : 1;

    if (trial_reduces(t->kind))
        CHECK_EQ_I64(
            hd__group_choose(group, t->kind, parts * t->n * hd_type_bytes(t->type), t->type),
            w->algorithm);
    else if (w->algorithm == HD_GROUP_COPIES)
        CHECK(hd__group_copies_move(group, t->n * hd_type_bytes(t->type)));
}

static void try_way(const way *w, unsigned count, hd_group_p2p p2p)
{
    hd_group *group = group_of(w, count, p2p);
    char how[64];
    uint64_t seed = count;

    REQUIRE(group != NULL);
    snprintf(how, sizeof how, "%s%s, of %u", w->name, p2p == HD_GROUP_P2P_OFF ? " staged" : "",
             count);
    for (int kind = 0; kind <= HD__GROUP_BARRIER; kind++)
        for (int in_place = 0; in_place <= trial_may_be_in_place((hd__group_kind)kind);
             in_place++) {
            const trial t = {(hd__group_kind)kind,   in_place,     701, HD_F32, HD_SUM,
                             (unsigned)kind % count, VALUES_RANDOM};
            if (!(w->kinds >> kind & 1) || (w->algorithm == HD_GROUP_COPIES && !group->copies))
                continue;
            goes(group, w, &t);
            trial_in_all_ways(group, t, 3, 10 * seed++, how);
        }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(every_way)
{
    const unsigned count = ranks_count();

    if (count < 2)
        SKIP("one device");
    for (unsigned i = 0; i < WAYS; i++) {
        try_way(&ways[i], count, HD_GROUP_P2P_AUTO);
        try_way(&ways[i], count, HD_GROUP_P2P_OFF);
    }
}

/* ---- types and operations -------------------------------------------------------------------- */

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16, HD_I16, HD_U32, HD_I32,
                                HD_U64, HD_I64, HD_F16, HD_F32, HD_F64, HD_BF16};
static const hd_reduce_op ops[] = {HD_SUM, HD_PROD, HD_MIN, HD_MAX};
enum { TYPES = sizeof types / sizeof *types, OPS = sizeof ops / sizeof *ops };

static void types_and_operations(const way *w, hd__group_kind kind)
{
    hd_group *group = group_of(w, ranks_count(), HD_GROUP_P2P_AUTO);

    REQUIRE(group != NULL);
    for (unsigned i = 0; i < TYPES * OPS; i++) {
        const trial t = {kind,
                         (int)(i / 2 % 2),
                         i % 5 ? 67 + i : 3,
                         types[i / OPS],
                         ops[i % OPS],
                         i % hd_group_size(group),
                         (i / OPS + i) % 2 ? VALUES_SPECIAL : VALUES_RANDOM};
        if (w->kinds >> kind & 1)
            trial_in_all_ways(group, t, 0, i, w->name);
    }
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(types_and_operations_of_reduce_and_reduce_scatter)
{
    if (ranks_count() < 2)
        SKIP("one device");
    for (unsigned i = 0; i < WAYS && ways[i].algorithm != HD_GROUP_RING; i += 2) {
        types_and_operations(&ways[i], HD__GROUP_REDUCE);
        types_and_operations(&ways[i], HD__GROUP_REDUCE_SCATTER);
    }
}

/* ---- messages between any ranks -------------------------------------------------------------- */

/* Each pair has a message or not, of any length, anywhere in its part of the arrays, in any order.
   With one chance in four a rank has none at all. */
static void any_messages(scene *s, uint64_t *state, size_t most)
{
    const uint64_t alone = test_next(state) & test_next(state);

    s->message_count = 0;
    for (unsigned k = 0; k < s->count * s->count; k++) {
        const unsigned from = k / s->count, to = k % s->count;
        const size_t bytes = test_next(state) % (most + 1),
                     at = test_next(state) % (most - bytes + 1);
        const size_t other = test_next(state) % (s->message_count + 1);
        if ((alone >> from & 1) || (alone >> to & 1) || test_next(state) % 3 == 0)
            continue;
        s->messages[s->message_count++] = s->messages[other];
        s->messages[other] = (hd_group_message){
            from, to, s->in.device[from] + to * s->bytes + at,
            s->out.device[to] + from * s->bytes + (s->bytes - most), bytes};
    }
}

static void check_messages(scene *s)
{
    const size_t whole = s->bytes * s->count;
    unsigned char *expected = malloc(whole);

    REQUIRE(expected != NULL);
    for (unsigned r = 0; r < s->count; r++) {
        memcpy(expected, s->out.host[r], whole);
        for (size_t i = 0; i < s->message_count; i++) {
            const hd_group_message *m = &s->messages[i];
            const unsigned char *in = m->in, *out = m->out;
            if (m->to == r)
                memcpy(expected + (out - s->out.device[r]),
                       s->in.host[m->from] + (in - s->in.device[m->from]), m->bytes);
        }
        ranks_check(&s->out, s->group, r, expected, "messages");
        ranks_check(&s->in, s->group, r, s->in.host[r], "messages: in");
    }
    free(expected);
}

TEST(messages_between_any_ranks)
{
    uint64_t state = 5;
    scene s;

    for (unsigned w = 0; w < WAYS && ranks_count() > 1; w++) {
        if (!(ways[w].kinds & BIT(HD__GROUP_SEND_RECEIVE)))
            continue;
        hd_group *group = group_of(&ways[w], ranks_count(), HD_GROUP_P2P_AUTO);
        REQUIRE(group != NULL);
        scene_open(&s, group, (trial){.kind = HD__GROUP_SEND_RECEIVE, .n = 2100, .type = HD_U8});
        for (unsigned i = 0; i < test_watched(30, 6); i++) {
            any_messages(&s, &state, i % 3 ? 2000 : 40);
            scene_fill(&s, i);
            CHECK_STATUS(scene_enqueue(&s), HD_OK);
            CHECK_STATUS(hd_group_synchronize(group), HD_OK);
            check_messages(&s);
        }
        scene_close(&s);
        CHECK_STATUS(hd_group_destroy(group), HD_OK);
    }
}

TEST_MAIN
