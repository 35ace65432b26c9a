/* SPDX-License-Identifier: Apache-2.0 */
/* find.h - marks the positions where patterns occur. The prefix of each pattern, at most four
   bytes, is compared at every position, four positions per 32-bit word; the rest of the pattern
   only where the prefix matches. */
#ifndef HEDDLE_KERNELS_MATCH_FIND_H
#define HEDDLE_KERNELS_MATCH_FIND_H

/* Vectors per thread, and words of four positions each, with the three bytes after them. */
enum {
    HD__MATCH_VECTORS = HD__MATCH_TILE / HD__MATCH_VECTOR / HD__MATCH_THREADS,
    HD__MATCH_LOADS = 4
};

/* Mode bits of a search: some pattern is longer than HD__MATCH_SHORT; the tile is at an edge of the
   text. */
enum { HD__MATCH_LONG = 1, HD__MATCH_CUT = 2 };

/* Whether the pattern occurs at p, within the text. */
HD_DEVICE int match_is(const hd__match_task *task, const hd__match_pattern *pattern, uint64_t p)
{
    const unsigned char *bytes = task->bytes + pattern->offset;

    if (pattern->length > task->end - p)
        return 0;
    for (uint32_t i = 0; i < pattern->length; i++)
        if (task->text[p + i] != bytes[i])
            return 0;
    return 1;
}

/* What earlier comparisons with one pattern have shown: its first `length` bytes occur at `at`.
   Initially length is 0. */
typedef struct match_known {
    uint64_t at;
    uint32_t length;
} match_known;

/* As match_is, for positions in increasing order. A byte of the text that has matched is never read
   again (the Z algorithm: D. Gusfield, "Algorithms on Strings, Trees and Sequences", 1.4):
   repeats[k] is the length of the common prefix of the pattern and its suffix from k. */
HD_DEVICE int match_next_is(const hd__match_task *task, const hd__match_pattern *pattern,
                            uint64_t p, match_known *known)
{
    const unsigned char *bytes = task->bytes + pattern->offset;
    uint32_t length = 0;

    if (pattern->length > task->end - p)
        return 0;
    if (known->length > 0 && p > known->at && p - known->at < known->length) {
        const uint32_t shift = (uint32_t)(p - known->at), rest = known->length - shift;

        length = task->repeats[pattern->offset + shift];
        if (length < rest) /* the mismatch is inside the known bytes */
            return 0;
        length = rest;
    }
    while (length < pattern->length && task->text[p + length] == bytes[length])
        length++;
    known->at = p;
    known->length = length;
    return length == pattern->length;
}

/* Filters up to 16 marks, one per position from p on: those at which the whole pattern occurs.
   `known` is NULL for short patterns. */
HD_DEVICE uint32_t match_confirm(const hd__match_task *task, const hd__match_pattern *pattern,
                                 uint64_t p, uint32_t marks, match_known *known)
{
    uint32_t confirmed = 0;

    for (; marks != 0; marks &= marks - 1)
        if (known ? match_next_is(task, pattern, p + hd_ctz(marks), known)
                  : match_is(task, pattern, p + hd_ctz(marks)))
            confirmed |= marks & (0u - marks);
    return confirmed;
}

/* Records pattern k as the longest one at the marks from p on. At the marks in `before` another
   pattern was found earlier, which is kept if it is longer. */
HD_DEVICE void match_note(const hd__match_task *task, uint32_t k, uint64_t p, uint32_t marks,
                          uint32_t before)
{
    const uint32_t length = task->pattern[k].length;

    for (; marks != 0; marks &= marks - 1) {
        const uint32_t i = hd_ctz(marks);
        uint8_t *longest = &task->longest[p + i];

        if (!(before >> i & 1) || length > task->pattern[*longest].length)
            *longest = (uint8_t)k;
    }
}

/* 0x80 in every byte of x that is 0. */
HD_DEVICE uint32_t match_zero_bytes(uint32_t x)
{
    return ~(((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x | 0x7f7f7f7fu);
}

/* The four marks of a word (0x80 in each byte) as bits 0 to 3. */
HD_DEVICE uint32_t match_gather(uint32_t marks)
{
    return (marks >> 7) * 0x10204080u >> 28;
}

/* The word at byte offset k of two consecutive words. */
HD_DEVICE uint32_t match_shifted(uint32_t low, uint32_t high, uint32_t k)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> 8 * k);
}

/* Adds to z the difference between byte k of the prefix (`splat`: in every byte) and the text at
   offset k. The text is the words v, then `next`. */
HD_DEVICE hd_u32x4 match_differ(hd_u32x4 z, hd_u32x4 v, uint32_t next, uint32_t k, uint32_t splat)
{
    z.x |= match_shifted(v.x, v.y, k) ^ splat;
    z.y |= match_shifted(v.y, v.z, k) ^ splat;
    z.z |= match_shifted(v.z, v.w, k) ^ splat;
    z.w |= match_shifted(v.w, next, k) ^ splat;
    return z;
}

/* 0x80 in every byte of x that is 0; false positives only in bytes of 1 above such a byte. */
HD_DEVICE uint32_t match_roughly(uint32_t x)
{
    return (x - 0x01010101u) & ~x;
}

/* 16 marks from p on: the positions in first .. limit - 1 at which `length` bytes of text are left.
   p is below limit. */
HD_DEVICE uint32_t match_inside(const hd__match_task *task, uint64_t p, uint32_t length)
{
    const uint64_t starts = task->limit - p, left = task->end - p;
    const uint64_t fit = left < length ? 0 : left - length + 1;
    const uint64_t most = starts < fit ? starts : fit;
    const uint32_t size = most < HD__MATCH_VECTOR ? (uint32_t)most : (uint32_t)HD__MATCH_VECTOR;
    const uint32_t begin = p < task->first ? (uint32_t)(task->first - p) : 0;

    return (((uint32_t)1 << size) - 1) & ~(uint32_t)0 << begin;
}

/* Adds the matches of pattern k at 16 positions from p on to *any. The text is the words v and the
   one after them. A cheap test of two bytes of the prefix comes first. */
HD_DEVICE void match_one(const hd__match_task *task, const hd__match_prefix *prefix, uint32_t k,
                         uint32_t length, uint64_t p, hd_u32x4 v, uint32_t next, unsigned mode,
                         uint32_t *any, uint32_t *count)
{
    hd_u32x4 z;
    uint32_t rough, marks;

    z.x = v.x ^ prefix->splat[0];
    z.y = v.y ^ prefix->splat[0];
    z.z = v.z ^ prefix->splat[0];
    z.w = v.w ^ prefix->splat[0];
    if (length > 1)
        z = match_differ(z, v, next, 1, prefix->splat[1]);
    rough = match_roughly(z.x) | match_roughly(z.y) | match_roughly(z.z) | match_roughly(z.w);
    if ((rough & 0x80808080u) == 0)
        return;
    if (length > 2)
        z = match_differ(z, v, next, 2, prefix->splat[2]);
    if (length > 3)
        z = match_differ(z, v, next, 3, prefix->splat[3]);
    marks = match_gather(match_zero_bytes(z.x)) | match_gather(match_zero_bytes(z.y)) << 4 |
            match_gather(match_zero_bytes(z.z)) << 8 | match_gather(match_zero_bytes(z.w)) << 12;
    if (mode & HD__MATCH_CUT)
        marks &= match_inside(task, p, length);
    if (marks != 0 && length == HD__MATCH_PREFIX && task->pattern[k].length > HD__MATCH_PREFIX) {
        match_known known = {0, 0};

        marks = match_confirm(task, &task->pattern[k], p, marks,
                              mode & HD__MATCH_LONG ? &known : (match_known *)0);
    }
    if (mode & HD__MATCH_LONG && marks != 0 && task->longest)
        match_note(task, k, p, marks, *any);
    *any |= marks;
    *count += task->overlapping ? hd_popcount(marks) : 0u;
}

/* Searches for all patterns; `length` is the length of the only prefix, or 0 if there are several
   patterns. */
HD_DEVICE uint32_t match_vector(const hd__match_task *task, uint32_t length, uint64_t p, hd_u32x4 v,
                                uint32_t next, unsigned mode, uint32_t *count)
{
    uint32_t any = 0, k = 0;

    if (length > 0) {
        match_one(task, &task->prefix[0], 0, length, p, v, next, mode, &any, count);
    } else {
        for (; k < task->patterns && k < HD__MATCH_HELD; k++)
            match_one(task, &task->prefix[k], k, task->prefix[k].length, p, v, next, mode, &any,
                      count);
        for (; k < task->patterns; k++)
            match_one(task, &task->pattern[k].prefix, k, task->pattern[k].prefix.length, p, v, next,
                      mode, &any, count);
    }
    *count += task->overlapping ? 0u : hd_popcount(any);
    return any;
}

/* The word of text at p; bytes outside the text are undefined. */
HD_DEVICE uint32_t match_word(const hd__match_task *task, uint64_t p)
{
    uint32_t word = 0;

    HD_UNROLL
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t begun = p + i < task->first ? task->first : p + i;
        const uint64_t at = begun < task->end ? begun : task->end - 1;

        word |= (uint32_t)task->text[at] << 8 * i;
    }
    return word;
}

/* Searches 16 positions from p on at an edge of the text. */
HD_DEVICE uint32_t match_edge(const hd__match_task *task, uint64_t p, unsigned mode,
                              uint32_t *count)
{
    hd_u32x4 v = {0, 0, 0, 0};
    uint32_t next = 0;

    if (p >= task->limit)
        return 0;
    if (p >= task->first && p + HD__MATCH_VECTOR + HD__MATCH_PREFIX <= task->end) {
        v = *(const hd_u32x4 *)(const void *)(task->text + p);
        next = ((const uint32_t *)(const void *)(task->text + p))[4];
    } else {
        HD_NO_UNROLL
        for (uint32_t i = 0; i < HD__MATCH_VECTOR + HD__MATCH_PREFIX; i += 4) {
            v.x = v.y;
            v.y = v.z;
            v.z = v.w;
            v.w = next;
            next = match_word(task, p + i);
        }
    }
    return match_vector(task, 0, p, v, next, mode | HD__MATCH_CUT, count);
}

#if HD_SERIAL_THREADS

enum { HD__MATCH_RUN = 512 }; /* positions that are compared before the first result is used */

/* hits[i] = whether the pattern's prefix occurs at text[i]; returns whether there is any hit. */
HD_DEVICE int match_run(const unsigned char *HD_RESTRICT text, const hd__match_pattern *pattern,
                        unsigned char *HD_RESTRICT hits)
{
    const unsigned char a = (unsigned char)pattern->prefix.splat[0];
    const unsigned char b = (unsigned char)pattern->prefix.splat[1];
    const unsigned char c = (unsigned char)pattern->prefix.splat[2];
    const unsigned char d = (unsigned char)pattern->prefix.splat[3];
    unsigned char any = 0;

    if (pattern->prefix.length == 1)
        for (int i = 0; i < HD__MATCH_RUN; i++)
            any |= hits[i] = text[i] == a;
    else if (pattern->prefix.length == 2)
        for (int i = 0; i < HD__MATCH_RUN; i++)
            any |= hits[i] = (text[i] == a) & (text[i + 1] == b);
    else if (pattern->prefix.length == 3)
        for (int i = 0; i < HD__MATCH_RUN; i++)
            any |= hits[i] = (text[i] == a) & (text[i + 1] == b) & (text[i + 2] == c);
    else
        for (int i = 0; i < HD__MATCH_RUN; i++)
            any |= hits[i] = (text[i] == a) & (text[i + 1] == b) & (text[i + 2] == c) &
                             (text[i + 3] == d);
    return any;
}

/* Eight bytes of 0 or 1 as eight bits. */
HD_DEVICE uint32_t match_pack(uint64_t bytes)
{
    return (uint32_t)(bytes * 0x0102040810204080u >> 56);
}

/* Number of bytes of a run that are 1. Bytes are summed in parallel: no byte overflows, neither in
   a sum of 16 words nor in the sum of those. */
HD_DEVICE uint32_t match_total(const uint64_t *hits)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < HD__MATCH_RUN / 8; i += 16) {
        uint64_t sum = 0;

        for (uint32_t k = 0; k < 16; k++)
            sum += hits[i + k];
        total += (uint32_t)(sum * 0x0101010101010101u >> 56);
    }
    return total;
}

/* Marks the matches in a run from p on, away from the edges; returns their number. */
HD_DEVICE uint32_t match_serial(const hd__match_task *task, uint64_t p, uint32_t *bits)
{
    uint64_t hits[HD__MATCH_RUN / 8];
    uint32_t marks[HD__MATCH_RUN / 32] = {0}, count = 0, any = 0;

    for (uint32_t k = 0; k < task->patterns; k++) {
        const hd__match_pattern *pattern = &task->pattern[k];
        match_known known = {0, 0};

        if (!match_run(task->text + p, pattern, (unsigned char *)hits))
            continue;
        if (!bits && task->patterns == 1 && pattern->length <= HD__MATCH_PREFIX)
            return match_total(hits);
        for (uint32_t i = 0; i < HD__MATCH_RUN; i += 8) {
            uint32_t found = match_pack(hits[i / 8]);

            if (found != 0 && pattern->length > HD__MATCH_PREFIX)
                found = match_confirm(task, pattern, p + i, found,
                                      task->repeats ? &known : (match_known *)0);
            if (found != 0 && task->longest)
                match_note(task, k, p + i, found, marks[i / 32] >> i % 32);
            marks[i / 32] |= found << i % 32;
            any |= found;
            if (task->overlapping)
                count += hd_popcount(found);
        }
    }
    for (uint32_t i = 0; i < HD__MATCH_RUN / 32 && any && !task->overlapping; i++)
        count += hd_popcount(marks[i]);
    for (uint32_t i = 0; i < HD__MATCH_RUN / 32 && bits; i++)
        bits[i] = marks[i];
    return count;
}

/* One thread searches a whole tile. */
HD_WIDE uint32_t match_whole_tile(const hd__match_task *task, uint32_t tile, uint32_t *bits)
{
    const uint64_t begin = (uint64_t)tile * HD__MATCH_TILE, end = begin + HD__MATCH_TILE;
    const unsigned mode = task->repeats ? HD__MATCH_LONG : 0;
    uint32_t count = 0;

    for (uint64_t p = begin; p < end; p += HD__MATCH_RUN) {
        if (p >= task->first && p + HD__MATCH_RUN <= task->limit &&
            p + HD__MATCH_RUN + HD__MATCH_PREFIX <= task->end) {
            count += match_serial(task, p, bits ? bits + (p - begin) / 32 : (uint32_t *)0);
            continue;
        }
        for (uint64_t q = p; q < p + HD__MATCH_RUN; q += 2 * HD__MATCH_VECTOR) {
            const uint32_t low = match_edge(task, q, mode, &count);
            const uint32_t high = match_edge(task, q + HD__MATCH_VECTOR, mode, &count);

            if (bits)
                bits[(q - begin) / 32] = low | high << HD__MATCH_VECTOR;
        }
    }
    return count;
}

#endif

/* Searches this thread's vectors, HD__MATCH_THREADS apart, of a tile away from the edges. */
HD_DEVICE uint32_t match_inner(const hd__match_task *task, uint32_t length, uint64_t begin,
                               unsigned mode, uint16_t *bits)
{
    const hd_u32x4 *vectors = (const hd_u32x4 *)(const void *)(task->text + begin);
    const unsigned last = hd_warp_size() - 1;
    hd_u32x4 v[HD__MATCH_LOADS];
    uint32_t count = 0;

    for (uint32_t i = 0; i < HD__MATCH_VECTORS; i += HD__MATCH_LOADS) {
        HD_UNROLL
        for (uint32_t k = 0; k < HD__MATCH_LOADS; k++)
            v[k] = hd_load_stream(vectors + hd_thread_x() + (i + k) * HD__MATCH_THREADS);
        HD_UNROLL
        for (uint32_t k = 0; k < HD__MATCH_LOADS; k++) {
            const uint32_t at = hd_thread_x() + (i + k) * HD__MATCH_THREADS;
            uint32_t next = hd_shfl_down(v[k].x, 1, hd_warp_size()), marks;

            if (hd_lane() == last)
                next = ((const uint32_t *)(vectors + at))[4];
            marks = match_vector(task, length, begin + HD__MATCH_VECTOR * (uint64_t)at, v[k], next,
                                 mode, &count);
            if (bits)
                bits[at] = (uint16_t)marks;
        }
    }
    return count;
}

/* Searches this thread's vectors of a tile at an edge of the text. */
HD_DEVICE uint32_t match_outer(const hd__match_task *task, uint64_t begin, unsigned mode,
                               uint16_t *bits)
{
    uint32_t count = 0;

    HD_NO_UNROLL
    for (uint32_t i = 0; i < HD__MATCH_VECTORS; i++) {
        const uint32_t at = hd_thread_x() + i * HD__MATCH_THREADS;
        const uint32_t marks = match_edge(task, begin + HD__MATCH_VECTOR * (uint64_t)at, mode,
                                          &count);

        if (bits)
            bits[at] = (uint16_t)marks;
    }
    return count;
}

/* As match_inner; for a single pattern with code specialised for the length of its prefix. */
HD_DEVICE uint32_t match_away(const hd__match_task *task, uint64_t begin, unsigned mode,
                              uint16_t *bits)
{
    const uint32_t length = task->patterns == 1 ? task->prefix[0].length : 0;

    switch (length) {
    case 1:
        return match_inner(task, 1, begin, mode, bits);
    case 2:
        return match_inner(task, 2, begin, mode, bits);
    case 3:
        return match_inner(task, 3, begin, mode, bits);
    case 4:
        return match_inner(task, 4, begin, mode, bits);
    default:
        return match_inner(task, 0, begin, mode, bits);
    }
}

/* Searches this thread's part of a tile. */
HD_DEVICE uint32_t match_tile(const hd__match_task *task, uint32_t tile, unsigned mode,
                              uint32_t *tile_bits)
{
    const uint64_t begin = (uint64_t)tile * HD__MATCH_TILE;
    uint16_t *bits = (uint16_t *)tile_bits;

#if HD_SERIAL_THREADS
    if (hd_block_threads() == 1)
        return match_whole_tile(task, tile, tile_bits);
#endif
    if (begin >= task->first && begin + HD__MATCH_TILE <= task->limit &&
        begin + HD__MATCH_TILE + HD__MATCH_PREFIX <= task->end)
        return match_away(task, begin, mode, bits);
    return match_outer(task, begin, mode, bits);
}

/* The body of hd__match_find and hd__match_find_long. */
HD_DEVICE void match_find(const hd__match_task *task, unsigned mode)
{
    const uint32_t tile = hd_block_x();
    uint32_t *bits = task->bits ? task->bits + (size_t)tile * HD__MATCH_WORDS : task->bits;
    const uint32_t count = hd_block_sum(match_tile(task, tile, mode, bits));

    if (hd_thread_x() != 0)
        return;
    if (!bits) {
        if (count > 0)
            hd_atomic_add(task->count, (uint64_t)count);
        return;
    }
    task->found[tile] = count;
    if (task->states == 1) {
        task->steps[tile].exit = 0;
        task->steps[tile].count = count;
    }
}

/* A block marks the occurrences in one tile and counts them. The count goes to task.count if only
   the count is wanted; otherwise to the tile's entry, which is its step if matches cannot overlap.
   Launch: `tiles` blocks of HD__MATCH_THREADS threads, or of one where HD_SERIAL_THREADS is 1.
   Memory: 1 byte read per position, 1/8 byte written if marks are kept. */
HD_KERNEL HD_MAX_THREADS(HD__MATCH_THREADS) void hd__match_find(HD_GRID_CONST hd__match_task task)
{
    match_find(&task, 0);
}
HD_DEFINE(hd__match_find)

/* The same for patterns of any length, with task.repeats. Uses more registers. */
HD_KERNEL
HD_MAX_THREADS(HD__MATCH_THREADS) void hd__match_find_long(HD_GRID_CONST hd__match_task task)
{
    match_find(&task, HD__MATCH_LONG);
}
HD_DEFINE(hd__match_find_long)

#endif
