/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - `heddle bench match`: hd_match compared with reading the text; on the CPU also with the
   C library's memmem or a loop over bytes. */
#include <stdlib.h>
#include <string.h>

#include <heddle/match.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"

enum { PATTERNS = 4 };

/* Texts, and patterns that rarely occur in them; in the skewed text their first bytes are
   frequent. */
static const struct {
    const char *text;
    int pattern;
    hd_pattern patterns[PATTERNS];
    size_t count;
    int positions;
} kinds[] = {
    {"count 1, uniform bytes", GENERATE_UNIFORM, {{"needle", 6}}, 1, 0},
    {"count 1, skewed bytes", GENERATE_ZIPF, {{"\0\1\0\2\0\3", 6}}, 1, 0},
    {"count 1 byte", GENERATE_UNIFORM, {{"n", 1}}, 1, 0},
    {"count 4, uniform bytes",
     GENERATE_UNIFORM,
     {{"needle", 6}, {"thread", 6}, {"warp", 4}, {"weft", 4}},
     4,
     0},
    {"positions of 2 bytes", GENERATE_UNIFORM, {{"ne", 2}}, 1, 1},
};

/* A case's matcher, made in its first run, when the device is known. */
typedef struct match_own {
    size_t kind;
    hd_matcher *matcher;
} match_own;

static hd_status run_match(bench *b, const bench_case *c, const bench_arrays *a)
{
    match_own *own = c->own;

    if (!own->matcher)
        HD_TRY(hd_matcher_create(kinds[own->kind].patterns, kinds[own->kind].count, 0,
                                 bench_device(b), &own->matcher));
    return hd_match(own->matcher, a->in[0], c->n, a->out[1], NULL, c->out_bytes[1] / 8, a->out[0],
                    c->workspace_bytes ? bench_workspace(b) : NULL, bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    const hd_pattern *pattern = kinds[((const match_own *)c->own)->kind].patterns;
    hd_match_state *state = a->out[0];
    const char *at = a->in[0], *end = at + c->n;
    uint64_t *positions = a->out[1];

    memset(state, 0, sizeof *state);
    while ((at = memmem(at, (size_t)(end - at), pattern->bytes, pattern->length)) != NULL) {
        if (positions)
            positions[state->count] = (uint64_t)(at - (const char *)a->in[0]);
        state->count++;
        at += pattern->length;
    }
}

/* Several patterns: compared at each byte that is the first of one. */
static void plain_several(const bench_case *c, const bench_arrays *a)
{
    const size_t kind = ((const match_own *)c->own)->kind;
    const hd_pattern *patterns = kinds[kind].patterns;
    const unsigned char *text = a->in[0];
    hd_match_state *state = a->out[0];
    unsigned char begins[256] = {0};

    memset(state, 0, sizeof *state);
    for (size_t p = 0; p < kinds[kind].count; p++)
        begins[*(const unsigned char *)patterns[p].bytes] = 1;
    for (size_t i = 0; i < c->n; i++) {
        size_t p = 0;
        while (i < c->n && !begins[text[i]])
            i++;
        while (p < kinds[kind].count && (c->n - i < patterns[p].length ||
                                         memcmp(text + i, patterns[p].bytes, patterns[p].length)))
            p++;
        if (p < kinds[kind].count) {
            state->count++;
            i += patterns[p].length - 1;
        }
    }
}

/* Compares the count and as many positions; the rest of the array is undefined. */
static int agree(bench *b, const bench_case *c, const bench_arrays *ours,
                 const bench_arrays *theirs)
{
    hd_match_state found, expected;
    size_t bytes;
    char *both;
    int status = 0;

    if (hd_copy_blocking_bytes(&found, ours->out[0], 1, sizeof found, bench_stream(b)) < 0 ||
        hd_copy_blocking_bytes(&expected, theirs->out[0], 1, sizeof expected, bench_stream(b)) < 0)
        return bench_failed_call(b);
    if (found.count != expected.count)
        return bench_failed(b, "%s of %zu: heddle finds %llu, the vendor %llu", c->text, c->n,
                            (unsigned long long)found.count, (unsigned long long)expected.count);
    bytes = found.count * 8 < c->out_bytes[1] ? (size_t)found.count * 8 : c->out_bytes[1];
    both = malloc(2 * bytes + 1);
    if (!both)
        return bench_failed(b, "out of memory");
    if (hd_copy_blocking_bytes(both, ours->out[1], 1, bytes, bench_stream(b)) < 0 ||
        hd_copy_blocking_bytes(both + bytes, theirs->out[1], 1, bytes, bench_stream(b)) < 0)
        status = bench_failed_call(b);
    else if (memcmp(both, both + bytes, bytes) != 0)
        status = bench_failed(b, "%s of %zu: positions differ", c->text, c->n);
    free(both);
    return status;
}

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    int pattern = kinds[((const match_own *)c->own)->kind].pattern;

    return bench_fill(b, a->in[0], c->n, HD_U8, pattern, 1) < 0 ? bench_failed_call(b) : 0;
}

static void destroy(bench_case *c)
{
    match_own *own = c->own;

    hd_matcher_destroy(own->matcher);
    free(own);
}

/* The workspace depends on the patterns; any device's matcher has the size. */
static int find_workspace(bench *b, bench_case *c, size_t kind)
{
    hd_matcher *matcher;
    hd_status status;

    if (!kinds[kind].positions)
        return 0;
    if (hd_matcher_create(kinds[kind].patterns, kinds[kind].count, 0, bench_device(b), &matcher) <
        0)
        return bench_failed_call(b);
    status = hd_match_workspace(matcher, c->n, 1, &c->workspace_bytes);
    hd_matcher_destroy(matcher);
    return status < 0 ? bench_failed_call(b) : 0;
}

static int add_case(bench *b, size_t kind, size_t n)
{
    bench_case *c = bench_add(b);
    match_own *own = c ? calloc(1, sizeof *own) : NULL;

    if (!own)
        return c ? bench_failed(b, "out of memory") : -1;
    own->kind = kind;
    c->own = own;
    c->destroy = destroy;
    snprintf(c->text, sizeof c->text, "%s", kinds[kind].text);
    c->type = HD_U8;
    c->n = n;
    c->in_bytes[0] = n;
    c->out_bytes[0] = sizeof(hd_match_state);
    /* about 1 position per 2^16 bytes; four times that is enough */
    c->out_bytes[1] = kinds[kind].positions ? (n / (1 << 14) + 64) * sizeof(uint64_t) : 0;
    c->agreement = BENCH_OWN;
    c->agree = agree;
    c->bytes = (double)n;
    c->ceiling = BENCH_READ;
    c->fill = fill;
    c->run = run_match;
    c->plain = kinds[kind].count == 1 ? plain : plain_several;
    return find_workspace(b, c, kind);
}

static int list(bench *b)
{
    int status = 0;

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && status == 0; kind++)
        for (size_t i = 0; i < bench_size_count(b) && status == 0; i++)
            status = add_case(b, kind, bench_size(b, i));
    return status;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^16,2^22,2^30", "2^16,2^22,2^26");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_match = {
    "bench match",
    "time the search for byte patterns against a read of the data",
    NULL,
    options,
    BENCH_NOTES
    "Plain C is a loop over memmem of the C library; for several patterns, a loop over bytes.\n",
    "  heddle bench match --vendor\n"
    "  heddle bench match --only skewed --sizes 2^30\n",
    run,
};
