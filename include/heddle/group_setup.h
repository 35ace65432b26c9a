/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Groups of devices of one process: creating and destroying them, their ranks and paths, waiting,
 *  and the time limit. The collectives are in group.h.
 */
#ifndef HEDDLE_GROUP_SETUP_H
#define HEDDLE_GROUP_SETUP_H

#include <heddle/peer.h>
#include <heddle/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup group Groups and collectives
 *  @brief Collectives over several devices of one process; docs/collectives.md.
 *
 *  A rank is a device and its position in the group. Arrays of rank r are memory that the device of
 *  rank r can use; calls take one pointer per rank. Every call is asynchronous: it enqueues one
 *  kernel on a stream of each rank, where it is ordered like any other work, and allocates nothing
 *  (#HD_GROUP_COPIES enqueues several kernels, and copies on a stream that is forked from it and
 *  joined again). It may be captured into a graph, rank by rank, and replayed as long as every rank
 *  is. Operations of a group run in the same order on every rank: the caller orders those of one
 *  rank on several streams.
 *
 *  Two forms: hd_group_all_reduce() drives all ranks from one host thread.
 *  hd_group_all_reduce_rank() is the part of one rank, for a host thread per device: every rank
 *  makes the same calls in the same order, and they do not meet on the host. Arguments are checked
 *  before anything is enqueued; if the call of one rank fails, the others wait for it until the
 *  time limit.
 *
 *  Between the calls of one rank's thread, a call that waits for a device (hd_alloc_bytes(),
 *  hd_free(), a first stream), while that device waits in a collective for a rank whose thread
 *  waits for the first, blocks all ranks until the time limit: make such calls before, or
 *  stream-ordered (hd_alloc_async_bytes()). Kernels of long messages occupy as much of a device as
 *  a kernel can, and wait there: the caller puts operations of two groups that share devices, and
 *  may run at the same time, into the same order on all of them.
 *
 *  Order of operations: element i of a reduction is ((x0[i] + x1[i]) + x2[i]) ... by rank, for
 *  every own algorithm, size and number of blocks, with the same bits on every rank. f16 and bf16
 *  are computed in f32 and rounded once; integers wrap around; every NaN is the quiet one without
 *  sign and payload; min and max as in device/minmax.h. The vendor's library (#HD_GROUP_LIBRARY)
 *  guarantees no bits. With one rank a collective is a copy.
 *
 *  Failures: kernels that wait for another rank poll a stop flag. When a device of the group fails,
 *  or a rank has waited longer than the time limit, the group is stopped: kernels end soon, with
 *  undefined results, and from then on every call of every rank returns the failure, whose message
 *  names the rank. Nothing hangs; hd_group_destroy() releases everything.
 *
 *  @section group_errors Errors of collectives
 *
 *  - HD_ERR_ARGUMENT: a pointer is NULL or not aligned to its elements, there is no such rank, root
 *    or type, arrays overlap in a way that the call does not allow, or a stream belongs to another
 *    device;
 *  - HD_ERR_POINTER: memory that the rank's device cannot use, or beyond the end of its allocation;
 *  - HD_ERR_UNSUPPORTED: an operation other than #HD_SUM, #HD_PROD, #HD_MIN and #HD_MAX, or a type
 *    that the vendor's library does not reduce (NCCL, RCCL: #HD_I16, #HD_U16; it moves every type);
 *  - HD_ERR_OVERFLOW: there are too many elements, or a message is too long for the group's
 *    message_bytes;
 *  - the failure of the group, if it has one.
 *  @{
 */

/** Limits of groups. */
enum {
    HD_GROUP_MAX_RANKS = 32 /**< Maximum number of ranks. */
};

/** A group of devices. One host thread at a time uses it, or one per rank. */
typedef struct hd_group hd_group;

/** What executes the collectives. */
typedef enum hd_group_transport {
    HD_GROUP_AUTO,   /**< As #HD_GROUP_OWN. */
    HD_GROUP_OWN,    /**< heddle's own kernels. */
    HD_GROUP_LIBRARY /**< The vendor's library (NCCL, RCCL), loaded when the group is created. */
} hd_group_transport;

/** X(name, text, what): the algorithms of a reduction. One that a call cannot use (message longer
 *  than its slots, another operation) is replaced by that of #HD_GROUP_BY_SIZE. */
#define HD_GROUP_ALGORITHM_LIST(X)                                                                 \
    /** By size, number of ranks and links. */                                                     \
    X(HD_GROUP_BY_SIZE, "auto", "by size, number of ranks and links")                              \
    /** Each rank sends everything to all others, in words or lines with a tag. */                 \
    X(HD_GROUP_ONE_SHOT, "one-shot", "everything to everybody, in words or lines with a tag")      \
    /** Each rank reduces a piece and returns the result, in words or lines with a tag. */         \
    X(HD_GROUP_TWO_SHOT, "two-shot", "a piece to each rank and results back, in the same")         \
    /** Pieces and results in chunks, each followed by a flag. */                                  \
    X(HD_GROUP_DIRECT, "direct", "pieces and results in chunks, with a flag behind each")          \
    /** From rank to rank around a ring and back, using the links of neighbours only. */           \
    X(HD_GROUP_RING, "ring", "from rank to rank and back; each uses its neighbours' links only")   \
    /** Pieces and results by copies, combined by a kernel in between. */                          \
    X(HD_GROUP_COPIES, "copies", "pieces and results by copies, folded by a kernel in between")

/** Algorithm of a reduction; the values are those of #HD_GROUP_ALGORITHM_LIST. */
typedef enum hd_group_algorithm {
#define HD_GROUP_ALGORITHM_ENUM_(name, text, what) name,
    HD_GROUP_ALGORITHM_LIST(HD_GROUP_ALGORITHM_ENUM_)
#undef HD_GROUP_ALGORITHM_ENUM_
        HD_GROUP_ALGORITHM_COUNT_
} hd_group_algorithm;

/** Whether ranks use peer access. */
typedef enum hd_group_p2p {
    HD_GROUP_P2P_AUTO, /**< Direct where hd_peer_connect() decides so, otherwise through mapped host
                            memory. */
    HD_GROUP_P2P_ON,   /**< HD_ERR_NO_PEER if a pair is not direct. */
    HD_GROUP_P2P_OFF   /**< Everything through mapped host memory. */
} hd_group_p2p;

/** Options of hd_group_create(). Zero is the default of everything. */
typedef struct hd_group_options {
    hd_group_transport transport; /**< What executes the collectives. */
    hd_group_algorithm algorithm; /**< Algorithm of reductions. */
    hd_group_p2p p2p;             /**< Whether ranks use peer access. */
    size_t message_bytes;         /**< Maximum memory per rank for messages in transit (with
                                       #HD_GROUP_LIBRARY for what an all-to-all in place sends); 0:
                                       96 MiB per other rank and 256 MiB in all (2 MiB each on the
                                       CPU). */
    /** Time limit of a rank that waits for another, in seconds; 0: 60; below 0: none. */
    double timeout_seconds;
    const char *library; /**< File of the vendor's library; NULL: its usual name. */
} hd_group_options;

/** Makes a group of devices. On failure nothing is left. The caller destroys it.
 *
 *  Connects every pair (hd_peer_connect()); allocates up to message_bytes and 0.6 MiB on every
 *  device, a page of mapped host memory, mapped host memory for pairs without peer access (areas of
 *  all pairs then have at most 16 MiB) and two streams per device; and starts a host thread that
 *  watches the time limit, if there is one.
 *
 *  @param devices  count different devices.
 *  @param count    1 to #HD_GROUP_MAX_RANKS.
 *  @param options  Options; NULL: the defaults.
 *  @param group    Receives the group.
 *  @retval HD_ERR_ARGUMENT     A device is listed twice, or an option is out of range.
 *  @retval HD_ERR_NO_PEER      #HD_GROUP_P2P_ON, and a pair is not direct.
 *  @retval HD_ERR_UNSUPPORTED  The vendor's library cannot be loaded.
 *  @retval HD_ERR_NO_MEMORY    The message names the rank.
 *  @return Also the @ref common_errors.
 */
hd_status hd_group_create(const int *devices, unsigned count, const hd_group_options *options,
                          hd_group **group);

/** Destroys a group. Waits for its work, and stops it if it does not end within the time limit.
 *
 *  @param group  The group; NULL is success. Streams that were given to its calls must still exist.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_group_destroy(hd_group *group);

/** Returns the number of ranks.
 *
 *  @param group  The group.
 *  @return The number; 0 for NULL.
 */
unsigned hd_group_size(const hd_group *group);

/** Returns the device of a rank.
 *
 *  @param group  The group.
 *  @param rank   The rank.
 *  @return Index of the device; -1 if there is no such rank.
 */
int hd_group_device(const hd_group *group, unsigned rank);

/** Returns the group's own stream of a rank.
 *
 *  @param group  The group, which owns the stream.
 *  @param rank   The rank.
 *  @return The stream; NULL if there is no such rank.
 */
hd_stream *hd_group_stream(hd_group *group, unsigned rank);

/** Returns the path of data from one rank to another.
 *
 *  @param group  The group.
 *  @param from   Rank that sends.
 *  @param to     Rank that receives.
 *  @param path   Receives the path.
 *  @return HD_OK, or HD_ERR_ARGUMENT.
 */
hd_status hd_group_path(const hd_group *group, unsigned from, unsigned to, hd_peer_path *path);

/** Returns the bytes of arrays that went from one rank to another through host memory, counted when
 *  they were enqueued (in a capture once).
 *
 *  @param group  The group.
 *  @param from   Rank that sent.
 *  @param to     Rank that received.
 *  @param bytes  Receives the number; 0 with #HD_GROUP_LIBRARY, where it is not known.
 *  @return HD_OK, or HD_ERR_ARGUMENT.
 */
hd_status hd_group_staged_bytes(const hd_group *group, unsigned from, unsigned to, uint64_t *bytes);

/** Returns the name of an algorithm.
 *
 *  @param algorithm  The algorithm.
 *  @return Static text such as "ring".
 */
const char *hd_group_algorithm_name(hd_group_algorithm algorithm);

/** Returns the algorithm that an all-reduce would use.
 *
 *  @param group      The group.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param algorithm  Receives the algorithm.
 *  @return HD_OK, or HD_ERR_ARGUMENT.
 */
hd_status hd_group_algorithm_of(const hd_group *group, size_t n, hd_type type,
                                hd_group_algorithm *algorithm);

/** Waits for everything that was enqueued on the streams of all ranks (the group's, and the one
 *  that was given last).
 *
 *  When a rank fails the others are stopped, and the failure is returned.
 *
 *  @param group  The group; no stream may be captured.
 *  @return HD_OK; what a device reported; or HD_ERR_TIMEOUT for a rank for which others waited
 *          longer than the time limit. The message names the rank.
 */
hd_status hd_group_synchronize(hd_group *group);

/** As hd_group_synchronize(), for the streams of one rank; for a host thread per device.
 *
 *  @param group  The group.
 *  @param rank   The rank.
 *  @return As hd_group_synchronize(); HD_ERR_ARGUMENT if there is no such rank.
 */
hd_status hd_group_synchronize_rank(hd_group *group, unsigned rank);

/** Stops all ranks; later calls return HD_ERR_STATE. May be called from any thread.
 *
 *  @param group  The group.
 *  @return HD_OK, or HD_ERR_ARGUMENT if group is NULL.
 */
hd_status hd_group_abort(hd_group *group);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
