/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Collectives over several devices of one process: all-reduce and the other collectives, messages,
 *  barriers, and reductions of one array in parts. Groups are made by group_setup.h.
 */
#ifndef HEDDLE_GROUP_H
#define HEDDLE_GROUP_H

#include <heddle/group_setup.h>
#include <heddle/peer.h>
#include <heddle/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup group
 *
 *  @section collectives Collectives
 *
 *  In all calls in[r] and out[r] are on the device of rank r and aligned to their elements; n = 0
 *  is success and does nothing. streams[r] is a stream of the device of rank r; NULL, for one rank
 *  or all, is the group's own. Costs are the bytes that leave a rank and enter it, for R ranks and
 *  S bytes in n elements.
 *  @{
 */

/** Reduces the arrays of all ranks, element by element, and gives every rank the result.
 *
 *  out[r][i] = the sum (product, ...) of in[.][i] over all ranks. 2 S (R - 1) / R bytes; short
 *  messages more (docs/collectives.md).
 *
 *  @param group    The group.
 *  @param in       in[r] is the array of rank r: n elements.
 *  @param out      out[r] receives n results; may be in[r].
 *  @param n        Number of elements.
 *  @param type     Element type.
 *  @param op       #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_reduce(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_reduce_op op, hd_stream *const *streams);

/** The part of one rank of hd_group_all_reduce(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's array.
 *  @param out     Receives n results; may be in.
 *  @param n       Number of elements.
 *  @param type    Element type.
 *  @param op      #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_reduce_op op, hd_stream *stream);

/** Reduces the arrays of all ranks, element by element, and gives one rank the result.
 *
 *  @param group    The group.
 *  @param in       in[r] is the array of rank r: n elements.
 *  @param out      Receives n results, on the device of root; may be in[root].
 *  @param n        Number of elements.
 *  @param type     Element type.
 *  @param op       #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param root     Rank that receives the result.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_reduce(hd_group *group, const void *const *in, void *out, size_t n, hd_type type,
                          hd_reduce_op op, unsigned root, hd_stream *const *streams);

/** The part of one rank of hd_group_reduce(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's array.
 *  @param out     On root: receives n results. Not used on other ranks.
 *  @param n       Number of elements.
 *  @param type    Element type.
 *  @param op      #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param root    Rank that receives the result.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out, size_t n,
                               hd_type type, hd_reduce_op op, unsigned root, hd_stream *stream);

/** Reduces the arrays of all ranks, element by element, and gives each rank its piece of the
 *  result.
 *
 *  out[r][i] = the sum of in[.][r * n + i] over all ranks. S (R - 1) bytes.
 *
 *  @param group    The group.
 *  @param in       in[r] is the array of rank r: R * n elements.
 *  @param out      out[r] receives n results; may be in[r] + r * n, but may not overlap it
 *                  otherwise.
 *  @param n        Elements per piece.
 *  @param type     Element type.
 *  @param op       #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_reduce_scatter(hd_group *group, const void *const *in, void *const *out,
                                  size_t n, hd_type type, hd_reduce_op op,
                                  hd_stream *const *streams);

/** The part of one rank of hd_group_reduce_scatter(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's array: R * n elements.
 *  @param out     Receives n results; may be in + rank * n.
 *  @param n       Elements per piece.
 *  @param type    Element type.
 *  @param op      #HD_SUM, #HD_PROD, #HD_MIN or #HD_MAX.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_reduce_scatter_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                       size_t n, hd_type type, hd_reduce_op op, hd_stream *stream);

/** Gives every rank the arrays of all ranks, one after another.
 *
 *  out[r][p * n + i] = in[p][i]. S (R - 1) bytes.
 *
 *  @param group    The group.
 *  @param in       in[r] is the array of rank r: n elements; may be out[r] + r * n, but may not
 *                  overlap it otherwise.
 *  @param out      out[r] receives R * n elements.
 *  @param n        Elements per rank.
 *  @param type     Element type.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_gather(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams);

/** The part of one rank of hd_group_all_gather(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's array: n elements; may be out + rank * n.
 *  @param out     Receives R * n elements.
 *  @param n       Elements per rank.
 *  @param type    Element type.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_gather_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream);

/** Copies the array of one rank to all others.
 *
 *  buffer[r] = buffer[root]. S (R - 1) bytes leave the root; of long messages S, which other ranks
 *  pass on.
 *
 *  @param group    The group.
 *  @param buffer   buffer[r] is the array of rank r: n elements.
 *  @param n        Number of elements.
 *  @param type     Element type.
 *  @param root     Rank whose array is copied.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_broadcast(hd_group *group, void *const *buffer, size_t n, hd_type type,
                             unsigned root, hd_stream *const *streams);

/** The part of one rank of hd_group_broadcast(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param buffer  The rank's array.
 *  @param n       Number of elements.
 *  @param type    Element type.
 *  @param root    Rank whose array is copied.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_broadcast_rank(hd_group *group, unsigned rank, void *buffer, size_t n,
                                  hd_type type, unsigned root, hd_stream *stream);

/** Gives every rank a piece of the array of each rank.
 *
 *  out[r][p * n + i] = in[p][r * n + i]. S (R - 1) bytes. With #HD_GROUP_LIBRARY, in place on some
 *  rank or called rank by rank, the R S bytes go in portions of message_bytes, which are copied
 *  there first if in[r] == out[r].
 *
 *  @param group    The group.
 *  @param in       in[r] is the array of rank r: R * n elements.
 *  @param out      out[r] receives R * n elements; may be in[r], on each rank independently.
 *  @param n        Elements per piece.
 *  @param type     Element type.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_to_all(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams);

/** The part of one rank of hd_group_all_to_all(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's array: R * n elements.
 *  @param out     Receives R * n elements; may be in.
 *  @param n       Elements per piece.
 *  @param type    Element type.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_all_to_all_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream);

/** One message of hd_group_send_receive(). */
typedef struct hd_group_message {
    unsigned from,  /**< Rank that sends. */
        to;         /**< Rank that receives; if it is the same, the message is a copy. */
    const void *in; /**< What is sent, on the device of from. */
    void *out;      /**< Where it is received, on the device of to. */
    size_t bytes;   /**< Bytes of the message. */
} hd_group_message;

/** Transfers messages between ranks, all at once. Every rank takes part, also one without messages.
 *
 *  @param group     The group.
 *  @param messages  count messages, at most one per pair (from, to). No message's out overlaps
 *                   another message's in or out.
 *  @param count     Number of messages.
 *  @param streams   A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors. HD_ERR_ARGUMENT also for two messages of one
 *          pair.
 */
hd_status hd_group_send_receive(hd_group *group, const hd_group_message *messages, size_t count,
                                hd_stream *const *streams);

/** The part of one rank of hd_group_send_receive(), for a host thread per device.
 *
 *  @param group     The group.
 *  @param rank      The rank.
 *  @param messages  The whole list, the same on every rank. in is used if from is rank, out if to
 *                   is rank; other pointers are not used.
 *  @param count     Number of messages.
 *  @param stream    A stream of the rank's device; NULL: the group's.
 *  @return As hd_group_send_receive().
 */
hd_status hd_group_send_receive_rank(hd_group *group, unsigned rank,
                                     const hd_group_message *messages, size_t count,
                                     hd_stream *stream);

/** Barrier: work after it runs on no rank before all ranks have reached it.
 *
 *  What kernels of a rank wrote before it, also to memory of other ranks, is visible to kernels
 *  after it.
 *
 *  @param group    The group.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_barrier(hd_group *group, hd_stream *const *streams);

/** The part of one rank of hd_group_barrier(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return HD_OK or one of the @ref group_errors.
 */
hd_status hd_group_barrier_rank(hd_group *group, unsigned rank, hd_stream *stream);

/** Cuts an array into a part per rank, as evenly as whole tiles (hd_reduce_tile()) allow.
 *
 *  If there are fewer tiles than ranks, the last ranks have none.
 *
 *  @param group   The group.
 *  @param n       Elements of the array.
 *  @param type    Element type.
 *  @param counts  Receives the number of elements of each rank, whose part follows those of the
 *                 ranks before it.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for bf16, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_group_parts(const hd_group *group, size_t n, hd_type type, size_t *counts);

/** hd_reduce() of one array that is stored in parts on the ranks, with the result on every rank.
 *
 *  It has the bits of hd_reduce() of the whole on one device, for any number of devices and any
 *  cut. Indices count from the beginning of the whole. Three launches per rank: its tiles, their
 *  results to all others (16 bytes per tile, of which there are at most 32768 in all, by
 *  hd_group_send_receive()), and their combination. Reads each element once.
 *
 *  @param group    The group.
 *  @param in       in[r] is the part of rank r; not used if it has no elements.
 *  @param counts   Elements of each part; except the last that is not empty, multiples of
 *                  hd_reduce_tile() of the whole.
 *  @param type     Element type.
 *  @param op       Any operation of hd_reduce().
 *  @param out      out[r] receives the result (hd_reduce_result()), 16-byte aligned.
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return HD_OK or one of the errors of hd_reduce(), before anything is enqueued; HD_ERR_ARGUMENT
 *          also for a part that does not begin at a tile; or the failure of the group.
 */
hd_status hd_group_reduce_parts(hd_group *group, const void *const *in, const size_t *counts,
                                hd_type type, hd_reduce_op op, void *const *out,
                                hd_stream *const *streams);

/** The part of one rank of hd_group_reduce_parts(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param in      The rank's part.
 *  @param counts  Elements of all parts.
 *  @param type    Element type.
 *  @param op      Operation.
 *  @param out     Receives the result.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return As hd_group_reduce_parts().
 */
hd_status hd_group_reduce_parts_rank(hd_group *group, unsigned rank, const void *in,
                                     const size_t *counts, hd_type type, hd_reduce_op op, void *out,
                                     hd_stream *stream);

/** As hd_group_reduce_parts(), for hd_dot(): x and y are cut alike.
 *
 *  @param group    The group.
 *  @param x        x[r] is the part of x of rank r.
 *  @param y        y[r] is the part of y of rank r.
 *  @param counts   Elements of each part.
 *  @param type     Element type.
 *  @param out      out[r] receives the result, as that of hd_dot().
 *  @param streams  A stream per rank; NULL: the group's.
 *  @return As hd_group_reduce_parts().
 */
hd_status hd_group_dot_parts(hd_group *group, const void *const *x, const void *const *y,
                             const size_t *counts, hd_type type, void *const *out,
                             hd_stream *const *streams);

/** The part of one rank of hd_group_dot_parts(), for a host thread per device.
 *
 *  @param group   The group.
 *  @param rank    The rank.
 *  @param x       The rank's part of x.
 *  @param y       The rank's part of y.
 *  @param counts  Elements of all parts.
 *  @param type    Element type.
 *  @param out     Receives the result.
 *  @param stream  A stream of the rank's device; NULL: the group's.
 *  @return As hd_group_reduce_parts().
 */
hd_status hd_group_dot_parts_rank(hd_group *group, unsigned rank, const void *x, const void *y,
                                  const size_t *counts, hd_type type, void *out, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
