/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h - data that shows whether a link delivers what was sent: every bit of word i depends on
   i and on the seed. */
#ifndef HEDDLE_DRIVERS_PEER_PATTERN_H
#define HEDDLE_DRIVERS_PEER_PATTERN_H

#include <heddle/heddle.h>

/* Word i of a seed's pattern. */
uint32_t hd__pattern_word(uint32_t seed, uint64_t i);

/* Enqueue a kernel that writes the first `words` words of the pattern to `to`, or that adds to
   *wrong how many words at `from` differ from them. The stream's device must reach all memory. */
hd_status hd__pattern_write(size_t words, uint32_t seed, uint32_t *to, hd_stream *stream);
hd_status hd__pattern_compare(size_t words, uint32_t seed, const uint32_t *from, uint32_t *wrong,
                              hd_stream *stream);

#endif
