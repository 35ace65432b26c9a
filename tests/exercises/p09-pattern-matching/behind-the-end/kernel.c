/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - patterns of four bytes: counted byte by byte, counted in words, and found. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_CONSTANT(uint32_t, patterns, PATTERNS);
HD_DEFINE_SYMBOL(patterns)

/* A thread tests one position. Launch: hd_launch_1d of 4 * words threads. Loads four bytes per
   position. */
HD_KERNEL void count_bytes(size_t words, const uint8_t *HD_RESTRICT text, unsigned *counts)
{
    const size_t at = hd_global_x();

    if (at + 4 > 4 * words) /* the last three bytes begin nothing */
        return;
    for (int p = 0; p < PATTERNS; p++) {
        const uint32_t pattern = hd_symbol(patterns)[p];
        int equal = 1;

        for (unsigned k = 0; k < 4; k++)
            equal &= text[at + k] == (pattern >> 8 * k & 255u);
        if (equal)
            hd_atomic_add(&counts[p], 1u);
    }
}
HD_DEFINE(count_bytes)

/* The four bytes that begin at byte k of word i; k from 0 to 3. Word i + 1 is loaded only if
   needed. */
HD_DEVICE uint32_t window(const uint32_t *text, size_t i, unsigned k)
{
    if (k == 0) /* a shift by 32 bits would be undefined, and there may be no word behind */
        return text[i];
    return text[i] >> 8 * k | text[i + 1] << (32 - 8 * k);
}

/* A thread tests the four positions that begin in a word. Launch: hd_launch_1d of `words` threads.
   Loads 8 bytes per four positions; one atomic per warp and pattern. */
HD_KERNEL void count_words(size_t words, const uint32_t *HD_RESTRICT text, unsigned *counts)
{
    const size_t i = hd_global_x();
    /* Positions that begin in word i: only one in the last word, none beyond. */
    const unsigned starts = i < words ? 4 : 0;

    for (int p = 0; p < PATTERNS; p++) {
        const uint32_t pattern = hd_symbol(patterns)[p];
        unsigned found = 0;

        for (unsigned k = 0; k < starts; k++)
            found += window(text, i, k) == pattern;
        /* All lanes, also those without a word: the sum is a collective. */
        found = hd_warp_sum(found);
        if (hd_lane() == 0 && found > 0)
            hd_atomic_add(&counts[p], found);
    }
}
HD_DEFINE(count_words)

/* As count_words, for pattern 0: each lane with a match takes a place in the list. Launch:
   hd_launch_1d of `words` threads. */
HD_KERNEL void find_words(size_t words, const uint32_t *HD_RESTRICT text, unsigned *count,
                          uint32_t *positions)
{
    const size_t i = hd_global_x();
    const unsigned starts = i < words ? 4 : 0;
    const uint32_t pattern = hd_symbol(patterns)[0];

    for (unsigned k = 0; k < 4; k++) {
        const int match = k < starts && window(text, i, k) == pattern;
        const unsigned place = hd_take(count, match); /* every lane, one atomic per warp */

        if (match)
            positions[place] = (uint32_t)(4 * i + k);
    }
}
HD_DEFINE(find_words)
