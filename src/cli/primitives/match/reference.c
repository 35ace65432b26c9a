/* SPDX-License-Identifier: Apache-2.0 */
/* reference.c - the patterns of `heddle match`, and the same search in plain C. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* ---- patterns ------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    const char digits[] = "0123456789abcdef", *at = c ? strchr(digits, c | 0x20) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* Returns the number of bytes; 0 if the text does not consist of pairs of hexadecimal digits. */
static size_t read_hex(const char *text, unsigned char *to)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);

        if (high < 0 || low < 0)
            return 0;
        to[i / 2] = (unsigned char)(16 * high + low);
    }
    return length / 2;
}

int match_patterns_read(const cli_arguments *arguments, size_t words, int hex,
                        match_patterns *patterns_out)
{
    size_t room = 0;
    unsigned char *to;

    for (size_t i = 0; i < words; i++)
        room += strlen(arguments->operands[i]) + 1;
    to = patterns_out->bytes = malloc(room);
    if (!to)
        return cli_failed(arguments->command, "out of memory");
    for (size_t i = 0; i < words; i++) {
        const char *text = arguments->operands[i];
        size_t length = hex ? read_hex(text, to) : strlen(text);

        if (length == 0)
            return cli_misused(arguments->command,
                               hex && *text ? "'%s' is not an even number of hexadecimal digits"
                                            : "pattern '%s' is empty",
                               text);
        if (length > HD_MATCH_LENGTH_MAX)
            return cli_misused(arguments->command,
                               "a pattern of %zu bytes; at most %d are possible", length,
                               (int)HD_MATCH_LENGTH_MAX);
        if (!hex)
            memcpy(to, text, length);
        patterns_out->list[i].bytes = to;
        patterns_out->list[i].length = length;
        to += length;
    }
    patterns_out->count = words;
    return CLI_DONE;
}

void match_patterns_free(match_patterns *patterns)
{
    free(patterns->bytes);
    patterns->bytes = NULL;
}

/* ---- the search ----------------------------------------------------------------------------- */

typedef struct comparison {
    match_reference *reference;
    const uint64_t *positions;
    const uint32_t *which;
    uint64_t count, seen; /* in this chunk */
    uint64_t base, parted;
} comparison;

static void found(comparison *c, size_t p, uint32_t which)
{
    if (c->seen < c->count && c->parted == UINT64_MAX &&
        (c->positions[c->seen] != c->base + p || (c->which && c->which[c->seen] != which)))
        c->parted = c->base + p;
    c->seen++;
    c->reference->count++;
}

/* The next byte from p on that is the first of a pattern; `limit` if there is none. */
static size_t next_candidate(const unsigned char *first_bytes, const match_patterns *patterns,
                             const unsigned char *text, size_t p, size_t limit)
{
    if (patterns->count == 1) {
        const unsigned char *at = memchr(text + p, *(const unsigned char *)patterns->list[0].bytes,
                                         limit - p);

        return at ? (size_t)(at - text) : limit;
    }
    while (p < limit && !first_bytes[text[p]])
        p++;
    return p;
}

/* Finds the patterns at p; returns the length of the longest, 0 for none. */
static size_t search_at(comparison *c, const match_patterns *patterns, unsigned flags,
                        const unsigned char *text, size_t n, size_t p)
{
    size_t longest = 0;
    uint32_t which = 0;

    for (uint32_t k = 0; k < patterns->count; k++) {
        const hd_pattern *pattern = &patterns->list[k];

        if (pattern->length > n - p || memcmp(text + p, pattern->bytes, pattern->length) != 0)
            continue;
        if (flags & HD_MATCH_OVERLAPPING)
            found(c, p, k);
        if (pattern->length > longest) {
            longest = pattern->length;
            which = k;
        }
    }
    if (longest && !(flags & HD_MATCH_OVERLAPPING))
        found(c, p, which);
    return longest;
}

uint64_t match_reference_chunk(match_reference *reference, const match_patterns *patterns,
                               unsigned flags, const unsigned char *text, size_t n, size_t starts,
                               uint64_t base, const uint64_t *positions, const uint32_t *which,
                               uint64_t count)
{
    comparison c = {reference, positions, which, count, 0, base, UINT64_MAX};
    unsigned char first_bytes[256] = {0};
    uint64_t p = reference->blocked;

    for (size_t k = 0; k < patterns->count; k++)
        first_bytes[*(const unsigned char *)patterns->list[k].bytes] = 1;
    while (p < starts) {
        size_t longest;

        p = next_candidate(first_bytes, patterns, text, (size_t)p, starts);
        if (p == starts)
            break;
        longest = search_at(&c, patterns, flags, text, n, (size_t)p);
        p += longest && !(flags & HD_MATCH_OVERLAPPING) ? longest : 1;
    }
    reference->blocked = p > starts ? p - starts : 0;
    if (c.parted == UINT64_MAX && c.seen < count)
        c.parted = base + starts;
    return c.parted;
}
