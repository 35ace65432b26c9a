/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Pairs of devices: how they are linked, whether they reach each other's memory, and transfers
 *  that work in either case. docs/peers.md
 */
#ifndef HEDDLE_PEER_H
#define HEDDLE_PEER_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup peer Links and transfers
 *  @brief Checked paths between devices; docs/peers.md.
 *  @{
 */

/** X(name, text, what): the kinds of links between two devices. */
#define HD_LINK_LIST(X)                                                                            \
    /** The same device. */                                                                        \
    X(HD_LINK_SELF, "self", "the same device")                                                     \
    /** A direct fabric between devices. */                                                        \
    X(HD_LINK_FABRIC, "fabric", "a direct fabric between devices")                                 \
    /** PCIe switches, without the host's bridge. */                                               \
    X(HD_LINK_SWITCH, "switch", "PCIe switches, without the host's bridge")                        \
    /** A PCIe host bridge, or several of one NUMA node. */                                        \
    X(HD_LINK_HOST, "host", "a PCIe host bridge, or several of one NUMA node")                     \
    /** Across NUMA nodes. */                                                                      \
    X(HD_LINK_SYSTEM, "system", "across NUMA nodes")                                               \
    /** Virtual devices of one process. */                                                         \
    X(HD_LINK_VIRTUAL, "virtual", "virtual devices of one process")                                \
    /** The system does not report it. */                                                          \
    X(HD_LINK_UNKNOWN, "unknown", "the system does not say")

/** Kind of a link; the values are those of #HD_LINK_LIST. */
typedef enum hd_link_class {
#define HD_LINK_ENUM_(name, text, what) name,
    HD_LINK_LIST(HD_LINK_ENUM_)
#undef HD_LINK_ENUM_
        HD_LINK_COUNT_
} hd_link_class;

/** Path of data from one device of a pair to the other. */
typedef enum hd_peer_path {
    HD_PATH_SAME,   /**< The same device. */
    HD_PATH_DIRECT, /**< Peer access: copies and kernels access the other's memory. */
    HD_PATH_STAGED  /**< Through page-locked host memory. */
} hd_peer_path;

/** What is known of a pair of devices; see hd_peer_query(). */
typedef struct hd_peer_info {
    hd_link_class link; /**< Kind of the link. */
    char link_name[32]; /**< The vendor's name of the link; "" if it has none. */
    int link_count;     /**< Lanes of a fabric between the two; 0: not known, or no fabric. */
    int access;         /**< 1: the device could access the memory of the peer. */
    int atomics;        /**< 1: all atomics work over the link. */
    int rank;           /**< The vendor's rank of the link's speed, 0 the fastest; -1: not known. */
    hd_peer_path path;  /**< The path that was decided, or that would be without a probe. */
    int verified;       /**< Data-integrity check: 0 not made, 1 passed, -1 failed. */
    char reason[160];   /**< Why the path is not direct; "" if it is. */
} hd_peer_info;

/** Returns the name of a kind of link.
 *
 *  @param link  The kind.
 *  @return Static text such as "fabric".
 */
const char *hd_link_name(hd_link_class link);

/** Returns the name of a path.
 *
 *  @param path  The path.
 *  @return Static text: "same", "direct" or "staged".
 */
const char *hd_peer_path_name(hd_peer_path path);

/** Returns what is known of the link from a device to a peer. Changes nothing and does not wait.
 *
 *  @param device  Index of the device.
 *  @param peer    Index of the peer.
 *  @param info    Receives the answer.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also if HEDDLE_P2P is malformed.
 */
hd_status hd_peer_query(int device, int peer, hd_peer_info *info);

/** Decides the path between two devices, in both directions, once.
 *
 *  If both can access the other's memory, it enables that and sends a data pattern each way by a
 *  copy, by a kernel's loads and by its stores (64 KiB each; about a millisecond; waits for both
 *  devices). If all of it arrives intact the path is direct. Otherwise access is disabled again and
 *  the path is staged, which is success; hd_peer_query() says why. Later calls return what was
 *  decided, until hd_peer_disable() or hd_device_reset().
 *
 *  HEDDLE_P2P=off makes every pair staged; with HEDDLE_P2P=on a pair that is not direct is an
 *  error. Not for a thread that captures a stream, unless the path was decided before.
 *
 *  @param a     Index of one device.
 *  @param b     Index of the other.
 *  @param path  Receives the path; may be NULL.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_PEER if HEDDLE_P2P=on and the path is
 *          not direct; HD_ERR_ARGUMENT also if HEDDLE_P2P is not auto, on or off; HD_ERR_NO_MEMORY.
 */
hd_status hd_peer_connect(int a, int b, hd_peer_path *path);

/** Copies from memory of one device to memory of another by the pair's path, in stream order.
 *
 *  Decides the path first if that was not done (hd_peer_connect()). Direct: one copy by the copy
 *  engine. Staged: a copy to page-locked memory and one from there, in chunks that overlap, on the
 *  stream and on a stream of the other device that belongs to it. The host memory (256 KiB for
 *  transfers up to 256 KiB, otherwise 8 MiB) is allocated at the first such transfer of a stream
 *  and kept for others when the stream is destroyed.
 *
 *  May be captured once the pair is connected. The graph then has its own staging memory, and no
 *  two executables made from it may run at the same time.
 *
 *  @param to           Destination: memory of to_device.
 *  @param to_device    Index of its device.
 *  @param from         Source: memory of from_device.
 *  @param from_device  Index of its device.
 *  @param bytes        Bytes to copy.
 *  @param stream       Stream of either device.
 *  @retval HD_ERR_ARGUMENT  The stream belongs to a third device.
 *  @retval HD_ERR_STATE     The stream is being captured and the pair is not connected.
 *  @return Also as hd_copy_bytes() and hd_peer_connect().
 */
hd_status hd_transfer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                      hd_stream *stream);

/** Returns the bytes that hd_transfer() staged from one device to another so far, counted when it
 *  was called (in a capture once, however often the graph runs).
 *
 *  @param from   Index of the source device.
 *  @param to     Index of the destination device.
 *  @param bytes  Receives the number of bytes.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_peer_staged_bytes(int from, int to, uint64_t *bytes);

/** Frees page-locked memory and streams of staged transfers that no stream uses now.
 *
 *  @return HD_OK.
 */
hd_status hd_peer_trim(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
