/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy */
/* test_match.c - hd_match against a plain search from left to right: patterns that overlap with
   themselves and each other, texts of few and of many different bytes, sizes around vectors and
   tiles, any alignment, text in chunks, arrays that are too small, bad input. */
#include "arrays.h"

#include <heddle/match.h>

#include "drivers/match/match.h"

enum { PATTERNS = 4, TILE = HD__MATCH_TILE };

typedef struct pattern_set {
    const char *text[PATTERNS];
} pattern_set;

static char long_pattern[301], longest_pattern[HD_MATCH_LENGTH_MAX + 1];

/* Of two bytes, a and b, except where the text holds others. */
static const pattern_set sets[] = {
    {{"a"}},
    {{"ab"}},
    {{"aa"}},
    {{"aba"}},
    {{"abab"}},
    {{"aabaa"}},
    {{"abbabb"}},
    {{"q"}},
    {{"baaaaaaaab"}},
    {{"a", "aa", "aaa"}},
    {{"ab", "aba", "b"}},
    {{"bb", "abbbb", "ba", "aaaaa"}},
    {{"abaab", "babba"}},
    {{"aaab", "bbba"}},
    {{"bbbb", "bbbb"}},
    {{long_pattern, "b"}},
    {{"abaababaabaababaababaaba", "baab", "abab"}}, /* HD__MATCH_SHORT bytes */
    {{"abaababaabaababaababaaba", "baab", "ababa"}},
};
enum { SETS = sizeof sets / sizeof *sets };

/* What there is to find, one after another. */
typedef struct found {
    uint64_t *positions;
    uint32_t *which;
    size_t count, room;
} found;

typedef struct rig {
    hd_stream *stream;
    hd_matcher *matcher;
    hd_pattern patterns[PATTERNS];
    size_t count;
    unsigned flags;
    test_array text, positions, which, state;
    found expected;
} rig;

/* ---- reference ------------------------------------------------------------------------------- */

static int stands_at(const hd_pattern *pattern, const unsigned char *text, size_t left)
{
    return pattern->length <= left && memcmp(text, pattern->bytes, pattern->length) == 0;
}

static void add(found *f, uint64_t position, uint32_t which)
{
    if (f->count < f->room) {
        f->positions[f->count] = position;
        f->which[f->count] = which;
    }
    f->count++;
}

static void reference(const rig *r, const unsigned char *text, size_t n, found *f)
{
    size_t p = 0;

    f->count = 0;
    while (p < n) {
        size_t longest = 0;
        uint32_t which = 0;

        for (uint32_t k = 0; k < r->count; k++) {
            if (!stands_at(&r->patterns[k], text + p, n - p))
                continue;
            if (r->flags & HD_MATCH_OVERLAPPING)
                add(f, p, k);
            if (r->patterns[k].length > longest) {
                longest = r->patterns[k].length;
                which = k;
            }
        }
        if (longest && !(r->flags & HD_MATCH_OVERLAPPING))
            add(f, p, which);
        p += longest && !(r->flags & HD_MATCH_OVERLAPPING) ? longest : 1;
    }
}

/* ---- the rig --------------------------------------------------------------------------------- */

static void setup(rig *r, size_t bytes, size_t shift, size_t room)
{
    memset(r, 0, sizeof *r);
    memset(long_pattern, 'a', 300);
    long_pattern[150] = 'b';
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    test_array_make(&r->text, bytes, shift, r->stream);
    test_array_make(&r->positions, room * 8, 8, r->stream);
    test_array_make(&r->which, room * 4, 4, r->stream);
    test_array_make(&r->state, sizeof(hd_match_state), 8, r->stream);
    r->expected.room = room;
    r->expected.positions = malloc(room * 8 + 8);
    r->expected.which = malloc(room * 4 + 4);
    REQUIRE(r->expected.positions && r->expected.which);
}

static void teardown(rig *r)
{
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    CHECK_STATUS(hd_matcher_destroy(r->matcher), HD_OK);
    test_array_free(&r->text);
    test_array_free(&r->positions);
    test_array_free(&r->which);
    test_array_free(&r->state);
    free(r->expected.positions);
    free(r->expected.which);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

static void use(rig *r, const pattern_set *set, unsigned flags)
{
    CHECK_STATUS(hd_matcher_destroy(r->matcher), HD_OK);
    r->matcher = NULL;
    r->flags = flags;
    for (r->count = 0; r->count < PATTERNS && set->text[r->count]; r->count++) {
        r->patterns[r->count].bytes = set->text[r->count];
        r->patterns[r->count].length = strlen(set->text[r->count]);
    }
    CHECK_STATUS(hd_matcher_create(r->patterns, r->count, flags, 0, &r->matcher), HD_OK);
}

/* `kinds` different bytes, from a on. */
static void write_text(rig *r, unsigned kinds, uint64_t seed)
{
    for (size_t i = 0; i < r->text.bytes; i++)
        r->text.host[i] = (unsigned char)('a' + test_next(&seed) % kinds);
    test_array_upload(&r->text, r->stream);
}

/* What the device found against what there is, for n bytes of text. */
static void compare(rig *r, const char *what, size_t n)
{
    hd_match_state state;
    size_t kept;
    char line[160];

    reference(r, r->text.host, n, &r->expected);
    kept = r->expected.count < r->expected.room ? r->expected.count : r->expected.room;
    snprintf(line, sizeof line, "%s: '%.20s' and %zu more, flags %u, %zu bytes at +%zu", what,
             (const char *)r->patterns[0].bytes, r->count - 1, r->flags, n, r->text.shift);
    test_array_download(&r->state, r->stream);
    memcpy(&state, r->state.host, sizeof state);
    if (state.count != r->expected.count)
        test_fail(__FILE__, __LINE__, "%s: %" PRIu64 " matches, expected %zu", line, state.count,
                  r->expected.count);
    test_array_download(&r->positions, r->stream);
    test_array_download(&r->which, r->stream);
    CHECK_BITS(line, r->positions.host, r->expected.positions, kept, 8);
    CHECK_BITS(line, r->which.host, r->expected.which, kept, 4);
}

static void check(rig *r, size_t n)
{
    hd_match_state state;

    test_array_poison(&r->positions, r->stream);
    test_array_poison(&r->which, r->stream);
    test_array_poison(&r->state, r->stream);
    CHECK_STATUS(hd_match(r->matcher, r->text.device, n, (uint64_t *)(void *)r->positions.device,
                          (uint32_t *)(void *)r->which.device, r->expected.room,
                          (hd_match_state *)(void *)r->state.device, NULL, r->stream),
                 HD_OK);
    compare(r, "positions", n);
    CHECK_STATUS(hd_match(r->matcher, r->text.device, n, NULL, NULL, 0,
                          (hd_match_state *)(void *)r->state.device, NULL, r->stream),
                 HD_OK);
    test_array_download(&r->state, r->stream);
    memcpy(&state, r->state.host, sizeof state);
    CHECK_EQ_U64(state.count, r->expected.count);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(small_sizes)
{
    rig r;

    setup(&r, 700, 0, 2800);
    for (size_t s = 0; s < SETS; s++)
        for (unsigned flags = 0; flags < 2; flags++) {
            use(&r, &sets[s], flags);
            write_text(&r, 2, 5 + s);
            for (size_t n = 0; n <= 700; n += n < 40 ? test_watched(1, 5) : test_watched(93, 330))
                check(&r, n);
        }
    teardown(&r);
}

TEST(tiles_and_their_edges)
{
    static const size_t sizes[] = {TILE - 16, TILE - 1,     TILE,           TILE + 1,
                                   TILE + 20, 2 * TILE + 5, 3 * TILE - 299, 5 * TILE + 77};
    rig r;

    setup(&r, 5 * TILE + 77, 0, 20 * TILE);
    for (size_t s = 0; s < SETS; s += test_watched(1, 5))
        for (unsigned flags = 0; flags < 2; flags++) {
            use(&r, &sets[s], flags);
            write_text(&r, s % 3 ? 2 : 3, 70 + s);
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += test_watched(1, 4))
                check(&r, sizes[i]);
        }
    teardown(&r);
}

/* One byte only: every match overlaps the next, in every tile, over more than one group. */
TEST(all_equal)
{
    static const pattern_set equal[] = {{{"a"}}, {{"aa"}}, {{"aaa", "aa"}}, {{"aaaaaaa"}}};
    const size_t n = test_watched((size_t)TILE * (HD__MATCH_GROUP + 2) + 13, 3 * TILE + 13);
    rig r;

    setup(&r, n, 3, 100000);
    write_text(&r, 1, 1);
    for (size_t s = 0; s < sizeof equal / sizeof *equal; s += test_watched(1, 2)) {
        use(&r, &equal[s], 0);
        check(&r, n);
    }
    use(&r, &(pattern_set){{"aaa", "a"}}, HD_MATCH_OVERLAPPING);
    check(&r, n);
    teardown(&r);
}

/* The kernel of devices that run a block's threads at once, also where they run one by one. */
TEST(blocks_of_many_threads)
{
    rig r;

    hd__match_force_threads = 1;
    setup(&r, 3 * TILE + 50, 0, 9 * TILE);
    for (size_t s = 0; s < SETS; s += test_watched(1, 5)) {
        use(&r, &sets[s], s % 2);
        write_text(&r, s % 3 ? 2 : 3, 30 + s);
        check(&r, 3 * TILE + 50);
        if (s < 3)
            check(&r, TILE + 4);
    }
    hd__match_force_threads = 0;
    teardown(&r);
}

/* The first and the last vectors of a text, behind whose end it goes on. */
TEST(edges_of_many_threads)
{
    hd__match_force_threads = 1;
    for (size_t shift = 0; shift < 16; shift += test_watched(5, 10)) {
        rig r;

        setup(&r, TILE + 60, shift, 3 * TILE);
        write_text(&r, 2, 90 + shift);
        for (size_t s = 0; s < SETS; s += test_watched(1, 5)) {
            use(&r, &sets[s], s % 2);
            for (size_t n = 1; n < 44; n += test_watched(1, 7))
                check(&r, n);
            check(&r, TILE - shift);
            check(&r, TILE - shift + 1 + s);
        }
        teardown(&r);
    }
    hd__match_force_threads = 0;
}

TEST(every_alignment)
{
    for (size_t shift = 0; shift < 16; shift += test_watched(1, 5)) {
        rig r;

        setup(&r, 2 * TILE + 50, shift, 3 * TILE);
        write_text(&r, 2, shift);
        for (size_t s = 3; s < SETS; s += 4) {
            if (test_watched(0, 1) && s / 4 != shift / 5)
                continue;
            use(&r, &sets[s], 0);
            check(&r, 2 * TILE + 50 - shift);
            check(&r, 31);
            check(&r, 3);
        }
        teardown(&r);
    }
}

/* Every byte value, and values beside those of the pattern: a borrow between bytes of a word would
   find what is not there. */
TEST(bytes_of_every_value)
{
    static const unsigned char values[8] = {0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xfe, 0xff};
    static const pattern_set rare = {{"\x01\x02", "\x80", "\xff\xfe\xff", "\x7f\x81\x80\x01\x03"}};
    rig r;

    setup(&r, 4 * TILE, 0, 4 * TILE);
    for (size_t i = 0; i < r.text.bytes; i++)
        r.text.host[i] = values[i * 2654435761u >> 7 & 7];
    for (size_t i = 100; i + 5 < r.text.bytes; i += 1021)
        memcpy(r.text.host + i, rare.text[3], 5);
    test_array_upload(&r.text, r.stream);
    for (unsigned flags = 0; flags < 4; flags++) {
        hd__match_force_threads = flags > 1;
        use(&r, &rare, flags & 1);
        check(&r, r.text.bytes);
        for (size_t k = 0; k < 4; k += test_watched(1, 3)) {
            use(&r, &(pattern_set){{rare.text[k]}}, flags & 1);
            check(&r, r.text.bytes);
        }
    }
    hd__match_force_threads = 0;
    teardown(&r);
}

TEST(the_longest_pattern)
{
    const size_t n = test_watched(2 * (size_t)TILE + 100, TILE + 2600);
    const size_t from = test_watched(0, TILE - 2048);
    rig r;

    setup(&r, n, 0, 4096);
    memset(longest_pattern, 'a', HD_MATCH_LENGTH_MAX);
    memset(r.text.host, 'c', from);
    memset(r.text.host + from, 'a', n - from);
    r.text.host[TILE + test_watched(7000, 2300)] = 'b';
    test_array_upload(&r.text, r.stream);
    use(&r, &(pattern_set){{longest_pattern}}, 0);
    check(&r, n);
    use(&r, &(pattern_set){{longest_pattern, "b"}}, 0);
    check(&r, n);
    teardown(&r);
}

/* Patterns far longer than others, in texts where much begins like them and does not end like them:
   as many searches as the longest has bytes go through each tile, and nearly every position has a
   match. At 4000 bytes and more tiles than a test has time for, were each search made by itself. */
TEST(long_patterns_beside_short_ones)
{
    static const size_t lengths[] = {33, 1000, 1025, 4000};
    const size_t n = test_watched(64 * (size_t)TILE + 100, 2 * TILE + 100);
    rig r;

    setup(&r, n, 0, n + 1);
    for (size_t i = 0; i < 4; i += test_watched(1, 3))
        for (unsigned kind = 0; kind < 6; kind++) {
            const size_t length = lengths[i], bytes = kind < 3 ? n : 2 * (size_t)TILE + 99;

            memset(longest_pattern, 'b', length);
            longest_pattern[length] = 0;
            if (kind == 4)
                longest_pattern[length / 2] = 'c';
            hd__match_force_threads = kind >= 3;
            use(&r, &(pattern_set){{"a", longest_pattern, "bab", "aab"}}, 0);
            write_text(&r, 2, 12 + kind);
            if (kind % 3 == 0)
                memset(r.text.host, 'a', n);
            if (kind % 3 == 1) {
                memset(r.text.host, 'b', n);
                for (size_t p = 50; p < n; p += length / 2 + p % (length + 7))
                    r.text.host[p] = kind == 4 ? 'c' : 'a';
            }
            test_array_upload(&r.text, r.stream);
            check(&r, bytes);
        }
    hd__match_force_threads = 0;
    teardown(&r);
}

/* So many states that the walk over groups of tiles stages one group at a time: matches lie across
   the borders of three. */
TEST(groups_one_at_a_time)
{
    const size_t group = (size_t)TILE * HD__MATCH_GROUP, n = 2 * group + 5000;
    rig r;

    hd__match_force_threads = 1;
    setup(&r, n, 0, 4096);
    memset(longest_pattern, 'a', HD__MATCH_STAGED / 2 - 1);
    longest_pattern[HD__MATCH_STAGED / 2 - 1] = 0;
    memset(r.text.host, 'c', n);
    for (size_t g = 1; g <= 2; g++)
        memset(r.text.host + g * group - 3000, 'a', 4500);
    test_array_upload(&r.text, r.stream);
    use(&r, &(pattern_set){{longest_pattern}}, 0);
    check(&r, n);
    hd__match_force_threads = 0;
    teardown(&r);
}

/* The same text at once and in chunks, whose sizes are no multiples of anything. */
TEST(chunks)
{
    static const size_t steps[] = {1, 17, 333, TILE - 1, TILE + 400};
    const size_t n = test_watched(3 * TILE + 1234, 900);
    rig r;

    setup(&r, n, 0, 4 * n);
    write_text(&r, 2, 99);
    for (size_t s = 0; s < SETS; s += 3)
        for (size_t i = n > 5000 ? 2 : 0; i < sizeof steps / sizeof *steps; i++) {
            hd_match_state *state = (hd_match_state *)(void *)r.state.device;
            size_t longest;

            use(&r, &sets[s], (unsigned)(i == 3));
            CHECK_STATUS(hd_matcher_longest(r.matcher, &longest), HD_OK);
            CHECK_STATUS(hd_fill_zero(state, 1, r.stream), HD_OK);
            for (size_t at = 0; at < n; at += steps[i]) {
                size_t starts = n - at < steps[i] ? n - at : steps[i];
                size_t bytes = n - at < starts + longest - 1 ? n - at : starts + longest - 1;

                CHECK_STATUS(hd_match_chunk(r.matcher, r.text.device + at, bytes, starts, at,
                                            (uint64_t *)(void *)r.positions.device,
                                            (uint32_t *)(void *)r.which.device, r.expected.room,
                                            state, NULL, r.stream),
                             HD_OK);
            }
            compare(&r, "chunks", n);
        }
    teardown(&r);
}

/* Matches that find no room are counted. */
TEST(little_room)
{
    rig r;

    setup(&r, TILE + 500, 0, 100);
    write_text(&r, 2, 3);
    for (unsigned flags = 0; flags < 2; flags++) {
        use(&r, &sets[9], flags);
        check(&r, TILE + 500);
    }
    r.expected.room = 0;
    use(&r, &sets[0], 0);
    check(&r, TILE + 500);
    teardown(&r);
}

TEST(workspaces)
{
    rig r;
    hd_workspace workspace = {0};
    size_t bytes, none;

    setup(&r, 3 * TILE, 0, 3 * TILE);
    write_text(&r, 2, 8);
    use(&r, &sets[3], 0);
    CHECK_STATUS(hd_match_workspace(r.matcher, 3 * TILE, 1, &bytes), HD_OK);
    CHECK_STATUS(hd_alloc_bytes(&workspace.memory, bytes, 1, HD_MEM_DEVICE, 0), HD_OK);
    workspace.bytes = bytes;
    CHECK_STATUS(hd_match(r.matcher, r.text.device, 3 * TILE,
                          (uint64_t *)(void *)r.positions.device,
                          (uint32_t *)(void *)r.which.device, r.expected.room,
                          (hd_match_state *)(void *)r.state.device, &workspace, r.stream),
                 HD_OK);
    compare(&r, "workspace", 3 * TILE);
    workspace.bytes = bytes - 1;
    CHECK_STATUS(hd_match(r.matcher, r.text.device, 3 * TILE,
                          (uint64_t *)(void *)r.positions.device, NULL, 5,
                          (hd_match_state *)(void *)r.state.device, &workspace, r.stream),
                 HD_ERR_WORKSPACE);
    use(&r, &sets[1], 0); /* "ab" does not overlap itself */
    CHECK_STATUS(hd_match_workspace(r.matcher, 3 * TILE, 0, &none), HD_OK);
    CHECK_EQ_SIZE(none, 0);
    CHECK_STATUS(hd_free(workspace.memory), HD_OK);
    teardown(&r);
}

/* Room for four matches, where five are announced. */
static void refuse_one_short(rig *r, hd_match_state *state)
{
    uint64_t *positions = NULL, *enough = NULL;
    uint32_t *which = NULL;

    REQUIRE(hd_alloc(&positions, 4, 0) == HD_OK);
    REQUIRE(hd_alloc(&enough, 5, 0) == HD_OK);
    REQUIRE(hd_alloc(&which, 4, 0) == HD_OK);
    CHECK_STATUS(
        hd_match(r->matcher, r->text.device, 8, positions, NULL, 5, state, NULL, r->stream),
        HD_ERR_POINTER);
    CHECK_STATUS(hd_match(r->matcher, r->text.device, 8, enough, which, 5, state, NULL, r->stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_match(r->matcher, r->text.device, 8, enough, which, 4, state, NULL, r->stream),
                 HD_OK);
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    CHECK_STATUS(hd_free(positions), HD_OK);
    CHECK_STATUS(hd_free(enough), HD_OK);
    CHECK_STATUS(hd_free(which), HD_OK);
}

TEST(bad_input)
{
    static const hd_pattern good = {"x", 1}, empty = {"x", 0}, null = {NULL, 1},
                            huge = {"x", HD_MATCH_LENGTH_MAX + 1};
    hd_matcher *matcher;
    hd_match_state *state;
    size_t bytes;
    rig r;

    setup(&r, 64, 0, 8);
    state = (hd_match_state *)(void *)r.state.device;
    CHECK_STATUS(hd_matcher_create(NULL, 1, 0, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&good, 0, 0, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&good, 1, 2, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&good, 1, 0, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&good, 257, 0, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&good, 1, 0, 999, &matcher), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_matcher_create(&empty, 1, 0, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&null, 1, 0, 0, &matcher), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_create(&huge, 1, 0, 0, &matcher), HD_ERR_ARGUMENT);
    use(&r, &sets[0], 0);
    CHECK_STATUS(hd_match(NULL, r.text.device, 1, NULL, NULL, 0, state, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_match(r.matcher, r.text.device, 1, NULL, NULL, 0, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_match(r.matcher, r.text.device, 1, NULL, NULL, 0, state, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_match(r.matcher, NULL, 1, NULL, NULL, 0, state, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_match(r.matcher, r.text.device, 1, NULL, (uint32_t *)(void *)r.which.device, 1,
                          state, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(
        hd_match_chunk(r.matcher, r.text.device, 4, 5, 0, NULL, NULL, 0, state, NULL, r.stream),
        HD_ERR_ARGUMENT);
    refuse_one_short(&r, state);
    CHECK_STATUS(hd_match_workspace(NULL, 1, 0, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_match_workspace(r.matcher, SIZE_MAX, 1, &bytes), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_matcher_longest(r.matcher, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_matcher_destroy(NULL), HD_OK);
    CHECK_STATUS(hd_match(r.matcher, NULL, 0, NULL, NULL, 0, state, NULL, r.stream), HD_OK);
    teardown(&r);
}

TEST_MAIN
