/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - searches a text of two letters, in which patterns are frequent, overlap and cross the
   borders of words. */
#include "exercise.h"

#include "kernel.h"

enum { WORDS = 1500 };

static const char *const names[PATTERNS] = {"abab", "aaaa", "baab", "bbba"};

typedef struct search {
    size_t words;
    uint8_t *host;
    uint32_t *text, *positions;       /* device memory */
    unsigned *counts;                 /* device memory, PATTERNS + 1 */
    unsigned expected[PATTERNS];      /* by the host */
    uint32_t *host_positions, *found; /* of pattern 0: the host's, the device's */
} search;

static void make_text(search *s)
{
    const size_t bytes = 4 * s->words;
    uint32_t state = 1;

    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        s->host[i] = state >> 31 ? 'b' : 'a';
    }
    for (size_t i = 0; i + 4 <= bytes; i++)
        for (int p = 0; p < PATTERNS; p++)
            if (memcmp(s->host + i, names[p], 4) == 0) {
                if (p == 0)
                    s->host_positions[s->expected[0]] = (uint32_t)i;
                s->expected[p]++;
            }
}

static int check_counts(const char *kernel, hd_stream *stream, const search *s)
{
    unsigned counts[PATTERNS];

    TRY(hd_copy_blocking(counts, s->counts, PATTERNS, stream));
    TRY(hd_fill_zero(s->counts, PATTERNS, stream));
    for (int p = 0; p < PATTERNS; p++)
        if (counts[p] != s->expected[p])
            return exercise_wrong("%s: \"%s\" was counted %u times in %zu bytes, expected %u",
                                  kernel, names[p], counts[p], 4 * s->words, s->expected[p]);
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int check_positions(hd_stream *stream, const search *s)
{
    unsigned count;

    TRY(hd_copy_blocking(&count, s->counts + PATTERNS, 1, stream));
    if (count != s->expected[0])
        return exercise_wrong("find_words: %u positions, expected %u", count, s->expected[0]);
    TRY(hd_copy_blocking(s->found, s->positions, count, stream));
    qsort(s->found, count, sizeof *s->found, ascending);
    for (unsigned i = 0; i < count; i++)
        if (s->found[i] != s->host_positions[i])
            return exercise_wrong("find_words: position %u of %u, in order, is %u, expected %u", i,
                                  count, s->found[i], s->host_positions[i]);
    return 0;
}

static int run(hd_stream *stream, const search *s)
{
    const hd_launch_config by_words = hd_launch_1d(s->words, BLOCK, stream);

    TRY(hd_launch(count_bytes, hd_launch_1d(4 * s->words, BLOCK, stream), s->words,
                  (const uint8_t *)s->text, s->counts));
    if (check_counts("count_bytes", stream, s))
        return 1;
    TRY(hd_launch(count_words, by_words, s->words, s->text, s->counts));
    if (check_counts("count_words", stream, s))
        return 1;
    TRY(hd_launch(find_words, by_words, s->words, s->text, s->counts + PATTERNS, s->positions));
    return check_positions(stream, s);
}

static int run_on_device(search *s)
{
    uint32_t words[PATTERNS];
    hd_stream *stream;
    int result;

    for (int p = 0; p < PATTERNS; p++)
        memcpy(&words[p], names[p], 4);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&s->text, s->words, 0));
    TRY(hd_alloc(&s->positions, 4 * s->words, 0));
    TRY(hd_alloc(&s->counts, PATTERNS + 1, 0));
    TRY(hd_symbol_write(hd_symbol_of(patterns), 0, words, sizeof words, stream));
    TRY(hd_copy_bytes(s->text, s->host, s->words, 4, stream));
    TRY(hd_fill_zero(s->counts, PATTERNS + 1, stream));
    result = run(stream, s);
    TRY(hd_stream_synchronize(stream));
    TRY(hd_free(s->counts));
    TRY(hd_free(s->positions));
    TRY(hd_free(s->text));
    TRY(hd_stream_destroy(stream));
    return result;
}

int main(int argc, char **argv)
{
    search s = {.words = exercise_size(argc, argv, WORDS)};
    int result = 2;

    s.host = malloc(4 * s.words + 1);
    s.host_positions = malloc((4 * s.words + 1) * sizeof *s.host_positions);
    s.found = malloc((4 * s.words + 1) * sizeof *s.found);
    if (s.host && s.host_positions && s.found && s.words > 0) {
        make_text(&s);
        result = run_on_device(&s);
    }
    for (int p = 0; p < PATTERNS && !result; p++)
        printf("%s %u\n", names[p], s.expected[p]);
    free(s.found);
    free(s.host_positions);
    free(s.host);
    return result;
}
