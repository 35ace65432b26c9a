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
    /* Your part: how many positions are there? Byte k of a pattern is (pattern >> 8 * k) & 255. */
    (void)words, (void)text, (void)counts;
}
HD_DEFINE(count_bytes)

/* The four bytes that begin at byte k of word i; k from 0 to 3. Word i + 1 is loaded only if
   needed. */
HD_DEVICE uint32_t window(const uint32_t *text, size_t i, unsigned k)
{
    /* Your part: two words, shifted. */
    (void)k;
    return text[i];
}

/* A thread tests the four positions that begin in a word. Launch: hd_launch_1d of `words` threads.
   Loads 8 bytes per four positions; one atomic per warp and pattern. */
HD_KERNEL void count_words(size_t words, const uint32_t *HD_RESTRICT text, unsigned *counts)
{
    /* Your part: hd_warp_sum first, so that a warp adds to a counter only once. */
    (void)words, (void)text, (void)counts;
}
HD_DEFINE(count_words)

/* As count_words, for pattern 0: each lane with a match takes a place in the list. Launch:
   hd_launch_1d of `words` threads. */
HD_KERNEL void find_words(size_t words, const uint32_t *HD_RESTRICT text, unsigned *count,
                          uint32_t *positions)
{
    /* Your part: hd_take gives consecutive places to the lanes that want one. */
    (void)words, (void)text, (void)count, (void)positions;
}
HD_DEFINE(find_words)
