/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Byte patterns in device memory: how often they occur, and where.
 */
#ifndef HEDDLE_MATCH_H
#define HEDDLE_MATCH_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup match Matching
 *  @brief Searching for byte patterns; docs/matching.md.
 *  @{
 */

/** Limits and flags of hd_matcher_create(). */
enum {
    HD_MATCH_LENGTH_MAX = 4096,  /**< Maximum length of a pattern in bytes. */
    HD_MATCH_PATTERNS_MAX = 256, /**< Maximum number of patterns. */
    HD_MATCH_OVERLAPPING = 1     /**< Flag: find every occurrence of every pattern. */
};

/** A pattern of bytes. */
typedef struct hd_pattern {
    const void *bytes; /**< The bytes, in host memory. */
    size_t length;     /**< Their number, 1 to #HD_MATCH_LENGTH_MAX. */
} hd_pattern;

/** Patterns on a device.
 *
 *  Without #HD_MATCH_OVERLAPPING matches are those of `grep -o` with fixed strings: from left to
 *  right the leftmost occurrence of any pattern, of several that begin there the longest; the
 *  search goes on after its end. With it every pair of a position and a pattern counts.
 */
typedef struct hd_matcher hd_matcher;

/** Copies patterns to a device. Waits. The caller destroys the matcher.
 *
 *  @param patterns  count patterns; read during the call.
 *  @param count     1 to #HD_MATCH_PATTERNS_MAX.
 *  @param flags     0 or #HD_MATCH_OVERLAPPING.
 *  @param device    Index of the device.
 *  @param matcher   Receives the matcher.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for an empty or too long
 *          pattern, too many patterns or none, or unknown flags; HD_ERR_NO_MEMORY.
 */
hd_status hd_matcher_create(const hd_pattern *patterns, size_t count, unsigned flags, int device,
                            hd_matcher **matcher);

/** Destroys a matcher, when no work that uses it is left.
 *
 *  @param matcher  The matcher; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_matcher_destroy(hd_matcher *matcher);

/** Returns the length of the longest pattern.
 *
 *  @param matcher  The matcher.
 *  @param bytes    Receives the length in bytes.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_matcher_longest(const hd_matcher *matcher, size_t *bytes);

/** State of a search: device memory, 8-byte aligned. */
typedef struct hd_match_state {
    uint64_t blocked; /**< Bytes of the next chunk that belong to the last match. */
    uint64_t count;   /**< Matches so far. */
} hd_match_state;

/** Returns the workspace that hd_match() and hd_match_chunk() need.
 *
 *  0 if matches that cannot overlap are only counted. Otherwise n / 8 and 8 bytes per 16384 bytes
 *  of text; if they can, also 8 bytes per state, of which there are as many as the longest pattern
 *  has bytes, and n bytes if there are several patterns.
 *
 *  @param matcher    The matcher.
 *  @param n          Bytes of text.
 *  @param positions  Not 0: positions are wanted too.
 *  @param bytes      Receives the size in bytes.
 *  @return HD_OK, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_match_workspace(const hd_matcher *matcher, size_t n, int positions, size_t *bytes);

/** Searches text for patterns. Asynchronous.
 *
 *  Reads the text once; with positions, or if matches can overlap, writes and reads n / 8 bytes
 *  besides. Which of several overlapping matches count is resolved in parallel: each tile of 16384
 *  bytes is a function from the bytes blocked at its beginning to those at its end, and functions
 *  are composed in two levels (Ladner and Fischer 1980). Time grows with n, not with n times the
 *  length of the patterns.
 *
 *  @param matcher    The matcher.
 *  @param text       n bytes in @ref usable_memory "memory that the stream's device can use", at
 *                    any alignment; multiples of 16 are fastest.
 *  @param n          Number of bytes.
 *  @param positions  Receives where matches begin, in increasing order: device memory with room for
 *                    capacity entries. NULL: only count.
 *  @param which      Receives the number of each match's pattern, as in hd_matcher_create();
 *                    several at one position are in that order. NULL: not wanted; requires
 *                    positions.
 *  @param capacity   Room in positions and which. Further matches are counted, not written.
 *  @param state      Receives the number of matches in state->count.
 *  @param workspace  hd_match_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     A stream of the matcher's device.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for a stream of another
 *          device.
 */
hd_status hd_match(const hd_matcher *matcher, const void *text, size_t n, uint64_t *positions,
                   uint32_t *which, size_t capacity, hd_match_state *state, hd_workspace *workspace,
                   hd_stream *stream);

/** As hd_match(), for text that arrives in chunks, in order.
 *
 *  Every chunk but the last holds n >= starts + longest - 1 bytes (hd_matcher_longest()), and the
 *  next chunk begins with byte `starts` of this one.
 *
 *  @param matcher    The matcher.
 *  @param text       n bytes of text.
 *  @param n          Bytes of the chunk.
 *  @param starts     Matches are found that begin among the first `starts` bytes, at most n; they
 *                    may extend to n.
 *  @param base       Added to positions.
 *  @param positions  Receives positions, appended after state->count; or NULL.
 *  @param which      Receives numbers of patterns, appended likewise; or NULL.
 *  @param capacity   Room in positions and which.
 *  @param state      State of the search. The caller zeroes it before the first chunk, and may set
 *                    count to 0 between chunks to reuse the arrays.
 *  @param workspace  hd_match_workspace() bytes, or NULL.
 *  @param stream     A stream of the matcher's device.
 *  @return As hd_match().
 */
hd_status hd_match_chunk(const hd_matcher *matcher, const void *text, size_t n, size_t starts,
                         uint64_t base, uint64_t *positions, uint32_t *which, size_t capacity,
                         hd_match_state *state, hd_workspace *workspace, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
