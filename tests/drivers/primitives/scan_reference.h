/* SPDX-License-Identifier: Apache-2.0 */
/* scan_reference.h - docs/scan.md as a plain program: what precedes each element of a scan, for any
   type and operation, with the operations in the stated order and no more of them. */
#ifndef TESTS_SCAN_REFERENCE_H
#define TESTS_SCAN_REFERENCE_H

#include <stdlib.h>
#include <string.h>

enum { REF_VALUE = 16 };
typedef struct ref_value {
    _Alignas(16) unsigned char bytes[REF_VALUE];
} ref_value;
/* to = a joined with b; `to` may be either. */
typedef void (*ref_join)(ref_value *to, const ref_value *a, const ref_value *b);

/* Place `at` of scan32 over v: runs of length 1, 2, 4 ... that end there, joined in pairs. */
static ref_value ref_scan32(const ref_value *v, size_t at, size_t length, ref_join join)
{
    ref_value left, right;
    if (length == 1)
        return v[at];
    right = ref_scan32(v, at, length / 2, join);
    if (at < length / 2)
        return right;
    left = ref_scan32(v, at - length / 2, length / 2, join);
    join(&left, &left, &right);
    return left;
}

/* The inclusive scan32 of each run of 32 among count values; to[i] for v[i]. */
static void ref_groups(const ref_value *v, size_t count, ref_value *to, ref_join join)
{
    for (size_t i = 0; i < count; i++)
        to[i] = ref_scan32(v + i / 32 * 32, i % 32, 32, join);
}

/* before[t] for tiles t: C(bunch) + scan32 of groups + scan32 of tiles. */
static void ref_before_tiles(const ref_value *own, size_t tiles, const ref_value *first,
                             ref_value *before, ref_join join)
{
    const size_t groups = (tiles + 31) / 32;
    ref_value *in_group = malloc((tiles + 1) * sizeof *in_group);
    ref_value *total = malloc((groups + 1) * sizeof *total);
    ref_value *in_bunch = malloc((groups + 1) * sizeof *in_bunch), c = *first;
    ref_groups(own, tiles, in_group, join);
    for (size_t g = 0; g < groups; g++)
        total[g] = in_group[32 * g + 31 < tiles ? 32 * g + 31 : tiles - 1];
    ref_groups(total, groups, in_bunch, join);
    for (size_t t = 0; t < tiles; t++) {
        if (t > 0 && t % 1024 == 0)
            join(&c, &c, &in_bunch[t / 32 - 1]);
        before[t] = c;
        if (t / 32 % 32 != 0)
            join(&before[t], &before[t], &in_bunch[t / 32 - 1]);
        if (t % 32 != 0)
            join(&before[t], &before[t], &in_group[t - 1]);
    }
    free(in_group);
    free(total);
    free(in_bunch);
}

/* results[i] for n values: inclusive or what precedes i. `place`: elements of a place; `height`:
   rows of a strip. */
static void ref_scan(const ref_value *values, size_t n, size_t place, size_t height, int inclusive,
                     const ref_value *first, ref_value *results, ref_join join)
{
    const size_t row = 32 * place, strip = height * row, tile = 8 * strip;
    const size_t tiles = (n + tile - 1) / tile, all = tiles * tile;
    ref_value *in_place = malloc(all * sizeof *in_place);
    ref_value *places = calloc(all / place, sizeof *places);
    ref_value *in_row = malloc(all / place * sizeof *in_row);
    ref_value *rows = malloc(all / row * sizeof *rows);
    ref_value *strips = malloc(all / strip * sizeof *strips);
    ref_value *in_tile = malloc(all / strip * sizeof *in_tile);
    ref_value *own = malloc(tiles * sizeof *own), *before = malloc(tiles * sizeof *before);

    for (size_t i = 0; i < all; i++) { /* what is beyond the end precedes nothing */
        in_place[i] = values[i < n ? i : n - 1];
        if (i % place != 0)
            join(&in_place[i], &in_place[i - 1], &in_place[i]);
    }
    for (size_t p = 0; p < all / place; p++)
        places[p] = in_place[p * place + place - 1];
    ref_groups(places, all / place, in_row, join);
    for (size_t r = 0; r < all / row; r++) {
        rows[r] = in_row[32 * r + 31];
        if (r % height != 0)
            join(&rows[r], &rows[r - 1], &rows[r]);
    }
    for (size_t s = 0; s < all / strip; s++)
        strips[s] = rows[height * s + height - 1];
    for (size_t s = 0; s < all / strip; s++)
        in_tile[s] = ref_scan32(strips + s / 8 * 8, s % 8, 8, join);
    for (size_t t = 0; t < tiles; t++)
        own[t] = in_tile[8 * t + 7];
    ref_before_tiles(own, tiles, first, before, join);
    for (size_t i = 0; i < n; i++) {
        const size_t p = i / place, r = i / row, s = i / strip;
        ref_value c = before[i / tile], part = in_place[i];
        int nothing = 0;
        if (s % 8 != 0)
            join(&c, &c, &in_tile[s - 1]);
        if (!inclusive && i % place != 0)
            part = in_place[i - 1];
        if (r % height != 0 || p % 32 != 0) {
            ref_value in_strip = p % 32 == 0 ? rows[r - 1] : in_row[p - 1];
            if (r % height != 0 && p % 32 != 0)
                join(&in_strip, &rows[r - 1], &in_row[p - 1]);
            if (inclusive || i % place != 0)
                join(&part, &in_strip, &part);
            else
                part = in_strip;
        } else {
            nothing = !inclusive && i % place == 0;
        }
        if (!nothing)
            join(&c, &c, &part);
        results[i] = c;
    }
    free(in_place);
    free(places);
    free(in_row);
    free(rows);
    free(strips);
    free(in_tile);
    free(own);
    free(before);
}

#endif
