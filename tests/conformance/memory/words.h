/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - kernels that send words with a tag, and waits that give up. */
#ifndef HEDDLE_TESTS_CONFORMANCE_WORDS_H
#define HEDDLE_TESTS_CONFORMANCE_WORDS_H

#include <heddle/kernel_decl.h>

/* slots of 16 bytes, one per thread and direction; a word of out per thread, rounds */
HD_DECLARE(words_ping, void *, uint64_t *, unsigned)
/* lines that the two sides write to, at most one for each HD_LINE_LANES threads and side; the first
   block's side, rounds, lines in use; wrong units of each thread, rounds that it saw */
HD_DECLARE(lines_ping, void *, void *, unsigned, unsigned, unsigned, uint32_t *)
/* the value at `flag`, what two waits returned */
HD_DECLARE(words_try, const uint64_t *, uint64_t *)

#endif
