/* SPDX-License-Identifier: Apache-2.0 */
/* group.h - collectives over several devices of one process: all-reduce and its kin.

   A rank is a device and its place in the group. Arrays of rank r are memory that the device of
   rank r can use; calls take one pointer for each rank. Every call is asynchronous: it enqueues one
   kernel on a stream of each rank (with HD_GROUP_COPIES several, and copies on a stream that
   is forked from it and joined again), where it is ordered like any other work, and allocates
   nothing.
   It may be captured into a graph, rank by rank, and replayed as long as every rank is. Operations
   of a group run on each rank in the same order: those of one rank on several streams are ordered
   by the caller.

   Forms: hd_group_all_reduce(...) drives all ranks from one host thread. hd_group_all_reduce_rank
   is the part of one rank, for a host thread per device: every rank makes the same calls in the
   same order. They do not meet on the host. Arguments are checked before anything is enqueued;
   where a rank's own call fails the others wait for it until the time limit.
   Calls that wait for a device (hd_alloc, hd_free, a first stream) made between them by one rank's
   thread, while its device waits in a collective for a rank whose thread waits for the first, stop
   everybody until the time limit: make them before, or stream-ordered (hd_alloc_async).
   Kernels of long messages take as much of a device as a kernel can, and wait there: operations of
   two groups that share devices, and may run at the same time, are put into one order on all of
   them by the caller.

   Order of operations: element i of a reduction is ((x0[i] + x1[i]) + x2[i]) ... by rank, for every
   own algorithm, size and number of blocks, and the same bits on every rank. f16 and bf16 are
   computed in f32 and rounded once; integers wrap around; every NaN is the quiet one without sign
   and payload; min and max as in minmax.h. (The vendor's library, HD_GROUP_LIBRARY, promises no
   bits.) One rank: a copy.

   Failures: kernels that wait for another rank look at a stop word. When a device of the group
   fails, or a rank has waited longer than the time limit for one that does not come, the group is
   told to stop: kernels end soon, with results of no meaning, and from then on every call of every
   rank returns the failure, whose text names the rank. Nothing hangs; hd_group_destroy gives
   everything back. docs/collectives.md has the protocols and their cost. */
#ifndef HEDDLE_GROUP_H
#define HEDDLE_GROUP_H

#include <heddle/peer.h>
#include <heddle/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_GROUP_MAX_RANKS = 32 };

typedef struct hd_group hd_group;

typedef enum hd_group_transport {
    HD_GROUP_AUTO, /* own kernels */
    HD_GROUP_OWN,
    HD_GROUP_LIBRARY /* the vendor's (NCCL, RCCL), loaded when the group is made */
} hd_group_transport;

/* X(name, text, what): how a reduction goes. An algorithm that a call cannot use (longer than its
   slots, another operation) is replaced by the one that AUTO would take. */
#define HD_GROUP_ALGORITHM_LIST(X)                                                                 \
    X(HD_GROUP_BY_SIZE, "auto", "by size, number of ranks and links")                              \
    X(HD_GROUP_ONE_SHOT, "one-shot", "everything to everybody, in words or lines with a tag")      \
    X(HD_GROUP_TWO_SHOT, "two-shot", "a piece to each rank and results back, in the same")         \
    X(HD_GROUP_DIRECT, "direct", "pieces and results in chunks, with a flag behind each")          \
    X(HD_GROUP_RING, "ring", "from rank to rank and back; each uses its neighbours' links only")   \
    X(HD_GROUP_COPIES, "copies", "pieces and results by copies, folded by a kernel in between")

typedef enum hd_group_algorithm {
#define HD_GROUP_ALGORITHM_ENUM_(name, text, what) name,
    HD_GROUP_ALGORITHM_LIST(HD_GROUP_ALGORITHM_ENUM_)
#undef HD_GROUP_ALGORITHM_ENUM_
        HD_GROUP_ALGORITHM_COUNT_
} hd_group_algorithm;

typedef enum hd_group_p2p {
    HD_GROUP_P2P_AUTO, /* direct where hd_peer_connect says so, else through mapped host memory */
    HD_GROUP_P2P_ON,   /* HD_ERR_NO_PEER where a pair is not direct */
    HD_GROUP_P2P_OFF   /* everything through mapped host memory */
} hd_group_p2p;

/* Zero is the default of everything. */
typedef struct hd_group_options {
    hd_group_transport transport;
    hd_group_algorithm algorithm;
    hd_group_p2p p2p;
    size_t message_bytes;   /* memory for messages on their way (with HD_GROUP_LIBRARY for what an
                               all-to-all in place sends), of each rank, at most; 0: 96 MiB for each
                               other rank and 256 MiB for all (2 MiB each on the CPU) */
    double timeout_seconds; /* that a rank waits for another; 0: 60; below 0: for ever */
    const char *library;    /* file of the vendor's library; NULL: its usual name */
} hd_group_options;

/* Makes a group of `count` (1 to HD_GROUP_MAX_RANKS) different devices; options may be NULL.
   Connects every pair (hd_peer_connect), allocates up to message_bytes and 0.6 MiB on every
   device, a page of mapped host memory, mapped host memory for pairs without peer access (areas of
   all pairs then have 16 MiB at most), two streams on every device, and starts a host thread that
   watches the time limit (none below 0). On failure nothing is left.
   HD_ERR_ARGUMENT, HD_ERR_DEVICE_INDEX, HD_ERR_NO_MEMORY (the text names the rank), HD_ERR_NO_PEER,
   HD_ERR_UNSUPPORTED: the vendor's library cannot be had. */
hd_status hd_group_create(const int *devices, unsigned count, const hd_group_options *options,
                          hd_group **group);
/* Waits for the group's work (tells it to stop if it does not end within the time limit) and gives
   everything back. NULL is success. Streams that calls were given must still exist. */
hd_status hd_group_destroy(hd_group *group);

unsigned hd_group_size(const hd_group *group);
/* -1 for a rank that does not exist. */
int hd_group_device(const hd_group *group, unsigned rank);
/* The group's own stream of the rank; NULL for a rank that does not exist. */
hd_stream *hd_group_stream(hd_group *group, unsigned rank);
/* How bytes go from one rank to another. */
hd_status hd_group_path(const hd_group *group, unsigned from, unsigned to, hd_peer_path *path);
/* Bytes of arrays that went from one rank to another through host memory, counted when they were
   enqueued (in a capture once). With HD_GROUP_LIBRARY nobody knows: 0. */
hd_status hd_group_staged_bytes(const hd_group *group, unsigned from, unsigned to, uint64_t *bytes);
const char *hd_group_algorithm_name(hd_group_algorithm algorithm);
/* What an all-reduce of n elements would use. */
hd_status hd_group_algorithm_of(const hd_group *group, size_t n, hd_type type,
                                hd_group_algorithm *algorithm);

/* In all calls: in[r] and out[r] lie on the device of rank r and are aligned to their elements;
   n = 0 is success and does nothing. streams[r] is a stream of the device of rank r; NULL: the
   group's. Bytes are those that leave a rank and enter it, for S bytes of n elements and R ranks.
   HD_ERR_ARGUMENT, HD_ERR_POINTER, HD_ERR_UNSUPPORTED for another operation than HD_SUM, HD_PROD,
   HD_MIN, HD_MAX, and where the vendor's library is to reduce a type that it has not (NCCL, RCCL:
   HD_I16, HD_U16; they move every type), HD_ERR_OVERFLOW, or the failure of the group. */

/* out[r][i] = the sum (product, ...) over all ranks of in[.][i], on every rank. in[r] == out[r] is
   allowed. 2 S (R - 1) / R bytes, short messages more (docs/collectives.md). */
hd_status hd_group_all_reduce(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_reduce_op op, hd_stream *const *streams);
hd_status hd_group_all_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_reduce_op op, hd_stream *stream);

/* The same, on the root alone; out of other ranks is not looked at. */
hd_status hd_group_reduce(hd_group *group, const void *const *in, void *out, size_t n, hd_type type,
                          hd_reduce_op op, unsigned root, hd_stream *const *streams);
hd_status hd_group_reduce_rank(hd_group *group, unsigned rank, const void *in, void *out, size_t n,
                               hd_type type, hd_reduce_op op, unsigned root, hd_stream *stream);

/* out[r][i] = the sum over all ranks of in[.][r * n + i]: in has R * n elements, out n. out[r] may
   be in[r] + r * n, else they do not overlap. S (R - 1) bytes. */
hd_status hd_group_reduce_scatter(hd_group *group, const void *const *in, void *const *out,
                                  size_t n, hd_type type, hd_reduce_op op,
                                  hd_stream *const *streams);
hd_status hd_group_reduce_scatter_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                       size_t n, hd_type type, hd_reduce_op op, hd_stream *stream);

/* out[r][p * n + i] = in[p][i]: in has n elements, out R * n. in[r] may be out[r] + r * n, else
   they do not overlap. S (R - 1) bytes. */
hd_status hd_group_all_gather(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams);
hd_status hd_group_all_gather_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream);

/* buffer[r] = buffer[root]. S (R - 1) bytes out of the root; long ones S, which others pass on. */
hd_status hd_group_broadcast(hd_group *group, void *const *buffer, size_t n, hd_type type,
                             unsigned root, hd_stream *const *streams);
hd_status hd_group_broadcast_rank(hd_group *group, unsigned rank, void *buffer, size_t n,
                                  hd_type type, unsigned root, hd_stream *stream);

/* out[r][p * n + i] = in[p][r * n + i]; both have R * n elements. in[r] == out[r] is allowed, on
   each rank as it likes. S (R - 1) bytes. With HD_GROUP_LIBRARY, in place on some rank or called
   rank by rank, R S bytes go at a time as message_bytes holds, and are copied there first where
   in[r] == out[r]. */
hd_status hd_group_all_to_all(hd_group *group, const void *const *in, void *const *out, size_t n,
                              hd_type type, hd_stream *const *streams);
hd_status hd_group_all_to_all_rank(hd_group *group, unsigned rank, const void *in, void *out,
                                   size_t n, hd_type type, hd_stream *stream);

/* One message of a hd_group_send_receive. */
typedef struct hd_group_message {
    unsigned from, to; /* ranks; the same: a copy */
    const void *in;    /* on the device of `from` */
    void *out;         /* on the device of `to` */
    size_t bytes;
} hd_group_message;

/* All messages at once; at most one for each pair (from, to). No message's out overlaps another
   message's in or out. Every rank takes part, also one without messages. */
hd_status hd_group_send_receive(hd_group *group, const hd_group_message *messages, size_t count,
                                hd_stream *const *streams);
/* One rank's part: of messages with from == rank, `in` is used, of those with to == rank, `out`.
   Every rank gives the whole list, whose other pointers are not looked at. */
hd_status hd_group_send_receive_rank(hd_group *group, unsigned rank,
                                     const hd_group_message *messages, size_t count,
                                     hd_stream *stream);

/* Work behind it runs on no rank before all ranks have come to it; what kernels of a rank wrote
   before it, also to memory of other ranks, is seen by kernels behind it. */
hd_status hd_group_barrier(hd_group *group, hd_stream *const *streams);
hd_status hd_group_barrier_rank(hd_group *group, unsigned rank, hd_stream *stream);

/* ---- one array in parts ---------------------------------------------------------------------- */

/* Cuts an array of n elements for the ranks: rank r has counts[r], behind those of the ranks before
   it. As even as whole tiles of the reduction (hd_reduce_tile) allow; where there are fewer tiles
   than ranks the last ranks have none. */
hd_status hd_group_parts(const hd_group *group, size_t n, hd_type type, size_t *counts);

/* hd_reduce (heddle/reduce.h) of a whole array that lies in parts, counts[r] elements at in[r]:
   out[r], as hd_reduce's, gets the result on every rank. It has the bits that hd_reduce gives of
   the whole on one device: the same for any number of devices, and however the array is cut.
   Indices count from the beginning of the whole. Parts that others follow are multiples of
   hd_reduce_tile of the whole; rank r may have none (in[r] is not looked at then).
   Three launches for each rank: its tiles, their results to all others (16 bytes for each tile, of
   which there are 32768 at most in all, by hd_group_send_receive), and their fold. Reads each
   element once. HD_ERR_ARGUMENT, HD_ERR_UNSUPPORTED, HD_ERR_OVERFLOW, HD_ERR_POINTER, as hd_reduce,
   before anything is enqueued, or the failure of the group. */
hd_status hd_group_reduce_parts(hd_group *group, const void *const *in, const size_t *counts,
                                hd_type type, hd_reduce_op op, void *const *out,
                                hd_stream *const *streams);
hd_status hd_group_reduce_parts_rank(hd_group *group, unsigned rank, const void *in,
                                     const size_t *counts, hd_type type, hd_reduce_op op, void *out,
                                     hd_stream *stream);
/* The same for hd_dot: x and y are cut alike. */
hd_status hd_group_dot_parts(hd_group *group, const void *const *x, const void *const *y,
                             const size_t *counts, hd_type type, void *const *out,
                             hd_stream *const *streams);
hd_status hd_group_dot_parts_rank(hd_group *group, unsigned rank, const void *x, const void *y,
                                  const size_t *counts, hd_type type, void *out, hd_stream *stream);

/* ---- waiting --------------------------------------------------------------------------------- */

/* Waits for everything that was enqueued on the streams of all ranks (the group's, and the one that
   was given last). When a rank fails the others are told to stop; the failure is returned and its
   text names the rank: what its device reported, or HD_ERR_TIMEOUT for a rank that others waited
   for in vain. Not in a capture. */
hd_status hd_group_synchronize(hd_group *group);
/* The same for the streams of one rank, for a host thread per device. */
hd_status hd_group_synchronize_rank(hd_group *group, unsigned rank);
/* Tells all ranks to stop; later calls return HD_ERR_STATE. From any thread. */
hd_status hd_group_abort(hd_group *group);

#ifdef __cplusplus
}
#endif
#endif
