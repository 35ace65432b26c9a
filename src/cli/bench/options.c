/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the options that benchmarks share. */
#include <string.h>

#include "frame.h"
#include "cli/app/words.h"

enum { DEFAULT_ROUNDS = 25, CACHE_MAX = 1 << 30 };

/* 0; 1 if there is no room. */
static int add_size(bench *b, uint64_t size)
{
    if (b->size_count == BENCH_SIZES)
        return 1;
    b->sizes[b->size_count++] = (size_t)size;
    return 0;
}

/* Adds "N", "2^K", or a range "2^A..2^B": 2^A, 4 * 2^A, 16 * 2^A ... and 2^B. 0; 1 if there are too
   many; -1 if the text is neither. */
static int add_sizes(bench *b, const char *text, size_t length)
{
    const char *dots = strstr(text, "..");
    uint64_t first, last;
    int full = 0;

    if (!dots || (size_t)(dots - text) >= length)
        return cli_size_read(text, length, &first) ? add_size(b, first) : -1;
    if (!cli_size_read(text, (size_t)(dots - text), &first) || first == 0 ||
        !cli_size_read(dots + 2, length - (size_t)(dots + 2 - text), &last) || first > last)
        return -1;
    for (; !full; first *= 4) {
        full = add_size(b, first);
        if (first > last / 4)
            break;
    }
    return full || first == last ? full : add_size(b, last);
}

static int read_sizes(bench *b, const char *fallback)
{
    const char *text = cli_option_value(b->arguments, "sizes");

    for (text = text ? text : fallback; text; text = *text ? text + 1 : NULL) {
        size_t length = strcspn(text, ",");

        const int added = add_sizes(b, text, length);

        if (added > 0)
            return cli_misused(b->arguments->command, "--sizes: more than %d sizes",
                               (int)BENCH_SIZES);
        if (added < 0)
            return cli_misused(b->arguments->command, "--sizes: '%.*s' is not a size or a range",
                               (int)length, text);
        text += length;
    }
    for (size_t i = 0; i < b->size_count; i++)
        if (b->sizes[i] == 0 || b->sizes[i] > SIZE_MAX / 64)
            return cli_misused(b->arguments->command, "--sizes: %zu is out of range", b->sizes[i]);
    return CLI_DONE;
}

int bench_read_options(bench *b, const char *sizes, size_t *rounds_out)
{
    uint64_t rounds, cache;
    int status = cli_format_read(b->arguments, &b->format);

    b->compare = cli_option_given(b->arguments, "vendor");
    b->own_vendor = b->cpu && !cli_vendor_named();
    if (status == CLI_DONE)
        status = read_sizes(b, sizes);
    if (status == CLI_DONE)
        status = cli_count_read(b->arguments, "rounds", DEFAULT_ROUNDS, 3, TIMING_ROUNDS_MAX,
                                &rounds);
    if (status == CLI_DONE)
        status = cli_count_read(b->arguments, "cache", 0, 1, CACHE_MAX, &cache);
    if (status == CLI_DONE) {
        *rounds_out = (size_t)rounds;
        b->cache_bytes = (size_t)cache;
    }
    return status;
}
