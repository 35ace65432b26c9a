/* SPDX-License-Identifier: Apache-2.0 */
/* patterns.c - checks patterns, finds out whether they can overlap, and copies them to the
   device. */
#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "runtime/backend.h"

/* Limit on the bytes compared to find out whether patterns overlap. */
enum { COMPARED_MAX = 1 << 24 };

static hd_status check(const char *call, const hd_pattern *patterns, size_t count, unsigned flags,
                       hd_matcher *const *matcher)
{
    if (!patterns || !matcher)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", patterns ? "matcher" : "patterns");
    if (count == 0 || count > HD_MATCH_PATTERNS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu patterns, not 1 to %d", count,
                        (int)HD_MATCH_PATTERNS_MAX);
    if (flags & ~(unsigned)HD_MATCH_OVERLAPPING)
        return hd__fail(HD_ERR_ARGUMENT, call, "flags 0x%x are not known", flags);
    for (size_t i = 0; i < count; i++) {
        if (!patterns[i].bytes)
            return hd__fail(HD_ERR_ARGUMENT, call, "pattern %zu is NULL", i);
        if (patterns[i].length == 0 || patterns[i].length > HD_MATCH_LENGTH_MAX)
            return hd__fail(HD_ERR_ARGUMENT, call, "pattern %zu has %zu bytes, not 1 to %d", i,
                            patterns[i].length, (int)HD_MATCH_LENGTH_MAX);
    }
    return HD_OK;
}

/* An occurrence of b may begin inside one of a; also at the same place, unless a and b are one
   pattern. */
static int may_overlap(const hd_pattern *a, const hd_pattern *b)
{
    const char *x = a->bytes, *y = b->bytes;

    for (size_t shift = a == b; shift < a->length; shift++) {
        const size_t rest = a->length - shift;

        if (memcmp(x + shift, y, rest < b->length ? rest : b->length) == 0)
            return 1;
    }
    return 0;
}

/* Whether any two occurrences may overlap; 1 if finding out takes too long. */
static int any_overlap(const hd_pattern *patterns, size_t count, size_t longest)
{
    if (count * count * longest * longest > COMPARED_MAX)
        return 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (may_overlap(&patterns[i], &patterns[k]))
                return 1;
    return 0;
}

static hd__match_prefix make_prefix(const hd_pattern *pattern)
{
    const unsigned char *bytes = pattern->bytes;
    hd__match_prefix prefix = {0};

    while (prefix.length < HD__MATCH_PREFIX && prefix.length < pattern->length) {
        prefix.splat[prefix.length] = bytes[prefix.length] * 0x01010101u;
        prefix.length++;
    }
    return prefix;
}

/* Z algorithm: repeats[i] is the number of bytes from i on that match the beginning of the
   pattern. */
static void find_repeats(const hd_pattern *pattern, uint16_t *repeats)
{
    const unsigned char *bytes = pattern->bytes;
    size_t begin = 0, end = 0; /* of the match that reaches furthest */

    repeats[0] = (uint16_t)pattern->length;
    for (size_t i = 1; i < pattern->length; i++) {
        size_t length = 0;

        if (i < end)
            length = repeats[i - begin] < end - i ? repeats[i - begin] : end - i;
        while (i + length < pattern->length && bytes[i + length] == bytes[length])
            length++;
        repeats[i] = (uint16_t)length;
        if (i + length > end) {
            begin = i;
            end = i + length;
        }
    }
}

static size_t total_length(const hd_pattern *patterns, size_t count)
{
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += patterns[i].length;
    return bytes;
}

/* The device image of the patterns, which have `total` bytes; the caller frees it. */
static unsigned char *make_image(const hd_pattern *patterns, size_t count, size_t total)
{
    const size_t table = count * sizeof(hd__match_pattern);
    unsigned char *image = calloc(1, table + total * (sizeof(uint16_t) + 1));
    size_t bytes = 0;

    if (!image)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t length = patterns[i].length;
        hd__match_pattern entry = {(uint32_t)bytes, (uint32_t)length, make_prefix(&patterns[i])};

        memcpy(image + i * sizeof entry, &entry, sizeof entry);
        find_repeats(&patterns[i], (uint16_t *)(void *)(image + table) + bytes);
        memcpy(image + table + total * sizeof(uint16_t) + bytes, patterns[i].bytes, length);
        bytes += length;
    }
    return image;
}

static hd_status copy_to_device(int device, const unsigned char *image, size_t size, void *memory)
{
    hd_stream *stream;
    hd_status status;

    HD_TRY(hd_stream_create(device, &stream));
    status = hd_copy_blocking_bytes(memory, image, 1, size, stream);
    (void)hd_stream_destroy(stream);
    return status;
}

hd_status hd_matcher_create(const hd_pattern *patterns, size_t count, unsigned flags, int device,
                            hd_matcher **matcher)
{
    static const char call[] = "hd_matcher_create";
    hd_matcher *made;
    unsigned char *image;
    const uint16_t *repeats;
    size_t total, size;
    hd_status status;

    HD_TRY(check(call, patterns, count, flags, matcher));
    total = total_length(patterns, count);
    size = count * sizeof(hd__match_pattern) + total * (sizeof(uint16_t) + 1);
    made = hd__handle_make(sizeof *made);
    image = make_image(patterns, count, total);
    if (!made || !image) {
        status = hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu patterns", count);
        goto fail;
    }
    made->device = device;
    made->flags = flags;
    made->count = count;
    for (size_t i = 0; i < count && i < HD__MATCH_HELD; i++)
        made->prefix[i] = make_prefix(&patterns[i]);
    for (size_t i = 0; i < count; i++)
        made->longest = patterns[i].length > made->longest ? patterns[i].length : made->longest;
    made->states = !(flags & HD_MATCH_OVERLAPPING) && any_overlap(patterns, count, made->longest)
                       ? (uint32_t)made->longest
                       : 1;
    HD_GOTO(status, fail, hd_alloc_bytes(&made->memory, 1, size, HD_MEM_DEVICE, device));
    HD_GOTO(status, fail, copy_to_device(device, image, size, made->memory));
    repeats = (const uint16_t *)(const void *)((const hd__match_pattern *)made->memory + count);
    made->repeats = total > HD__MATCH_SHORT ? repeats : NULL;
    made->bytes = (const unsigned char *)(repeats + total);
    free(image);
    *matcher = made;
    return HD_OK;
fail:
    free(image);
    (void)hd_matcher_destroy(made);
    return status;
}

hd_status hd_matcher_destroy(hd_matcher *matcher)
{
    HD__RELEASING;
    hd_status status;

    if (!matcher)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_matcher_destroy", matcher, "matcher"));
    status = hd_free(matcher->memory);
    hd__handle_free(matcher);
    return status;
}

hd_status hd_matcher_longest(const hd_matcher *matcher, size_t *bytes)
{
    static const char call[] = "hd_matcher_longest";

    if (!matcher || !bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", matcher ? "bytes" : "matcher");
    *bytes = matcher->longest;
    return HD_OK;
}
