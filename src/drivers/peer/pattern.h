/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h - test data for links: every bit of word i depends on i and on the seed, so corrupted
   or misplaced words show. */
#ifndef HEDDLE_DRIVERS_PEER_PATTERN_H
#define HEDDLE_DRIVERS_PEER_PATTERN_H

#include <heddle/heddle.h>

/* Word i of the pattern of a seed. */
uint32_t hd__pattern_word(uint32_t seed, uint64_t i);

/* Enqueue a kernel that writes the first `words` words of the pattern to `to`, or that compares
   them with `from` and adds the number of mismatches to *wrong. The stream's device must have
   access to all of the memory. */
hd_status hd__pattern_write(size_t words, uint32_t seed, uint32_t *to, hd_stream *stream);
hd_status hd__pattern_compare(size_t words, uint32_t seed, const uint32_t *from, uint32_t *wrong,
                              hd_stream *stream);

#endif
