/* SPDX-License-Identifier: Apache-2.0 */
/* match.h - byte patterns in device memory: how often they occur, and where. */
#ifndef HEDDLE_MATCH_H
#define HEDDLE_MATCH_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HD_MATCH_LENGTH_MAX = 4096, /* bytes of a pattern */
    HD_MATCH_PATTERNS_MAX = 256,
    HD_MATCH_OVERLAPPING = 1 /* every occurrence of every pattern */
};

typedef struct hd_pattern {
    const void *bytes; /* host memory */
    size_t length;
} hd_pattern;

/* Patterns on a device. Without HD_MATCH_OVERLAPPING matches are those of `grep -o` with fixed
   strings: from left to right the leftmost occurrence of any pattern, of several that begin there
   the longest, and on behind its end. With it every pair of a position and a pattern counts. */
typedef struct hd_matcher hd_matcher;

/* Copies `count` patterns (1 to HD_MATCH_PATTERNS_MAX, each of 1 to HD_MATCH_LENGTH_MAX bytes) to
   `device`; waits. The caller destroys the matcher, when no work that uses it is left.
   HD_ERR_ARGUMENT, HD_ERR_NO_MEMORY. */
hd_status hd_matcher_create(const hd_pattern *patterns, size_t count, unsigned flags, int device,
                            hd_matcher **matcher);
hd_status hd_matcher_destroy(hd_matcher *matcher); /* NULL is success */
/* Bytes of the longest pattern. */
hd_status hd_matcher_longest(const hd_matcher *matcher, size_t *bytes);

/* Where a search stands; device memory, 8-byte aligned. */
typedef struct hd_match_state {
    uint64_t blocked; /* bytes that the last match takes of what comes next */
    uint64_t count;   /* matches so far */
} hd_match_state;

/* Bytes of workspace for n bytes of text, with or without positions. 0 where matches that cannot
   overlap are only counted; else n / 8 and 8 bytes per 16384 bytes of text, and where they can 8
   bytes per state too, of which there are as many as the longest pattern has bytes, and n bytes
   where there are several patterns. */
hd_status hd_match_workspace(const hd_matcher *matcher, size_t n, int positions, size_t *bytes);

/* Searches n bytes at `text` (device memory, any alignment; multiples of 16 are fastest) and
   leaves the number of matches in state->count. positions (NULL: only count) gets where they
   begin, in increasing order, and which (NULL: not wanted; else positions is not NULL) the
   pattern's number in the order of hd_matcher_create, of several at one place in that order; both
   device memory with room for `capacity` entries. Matches beyond are counted, not written.
   Asynchronous on `stream`, of the matcher's device. Reads the text once; with positions, or where
   matches may overlap, writes and reads n / 8 bytes besides. Whether chosen matches overlap is
   settled in parallel: each tile of 16384 bytes as a function from the bytes blocked at its begin
   to those at its end, functions composed in two levels (Ladner and Fischer 1980). Time grows with
   n, not with n times the length of patterns.
   HD_ERR_ARGUMENT, HD_ERR_POINTER (memory that the device cannot use, or beyond an allocation's
   end where the backend knows it), HD_ERR_WORKSPACE. */
hd_status hd_match(const hd_matcher *matcher, const void *text, size_t n, uint64_t *positions,
                   uint32_t *which, size_t capacity, hd_match_state *state, hd_workspace *workspace,
                   hd_stream *stream);

/* The same for text that arrives in chunks, in order. The caller zeroes *state before the first
   one. Matches that begin among the first `starts` bytes are found, and may reach on to n: every
   chunk but the last holds n >= starts + longest - 1 bytes, and the next chunk begins with byte
   `starts` of this one. `base` is added to positions; they are appended behind state->count, which
   the caller may set to 0 between chunks to use the arrays anew. */
hd_status hd_match_chunk(const hd_matcher *matcher, const void *text, size_t n, size_t starts,
                         uint64_t base, uint64_t *positions, uint32_t *which, size_t capacity,
                         hd_match_state *state, hd_workspace *workspace, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
