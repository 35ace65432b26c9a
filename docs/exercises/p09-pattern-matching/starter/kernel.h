/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a search for patterns of four bytes, for host files and for the kernel file. */
#ifndef PATTERN_MATCHING_KERNEL_H
#define PATTERN_MATCHING_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256, PATTERNS = 4 };

/* The patterns as words: the first byte is the lowest one. In constant memory. */
HD_DECLARE_SYMBOL(patterns)

/* counts[p] += number of positions at which pattern p occurs; occurrences may overlap. The text has
   4 * words bytes, as bytes and as words. */
HD_DECLARE(count_bytes, size_t, const uint8_t *, unsigned *)
HD_DECLARE(count_words, size_t, const uint32_t *, unsigned *)

/* The positions of pattern 0, in any order: *count of them. */
HD_DECLARE(find_words, size_t, const uint32_t *, unsigned *, uint32_t *)

#endif
