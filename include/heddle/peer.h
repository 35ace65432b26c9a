/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h - pairs of devices: how they are linked, whether they reach each other's memory, and
   transfers that work either way. docs/peers.md */
#ifndef HEDDLE_PEER_H
#define HEDDLE_PEER_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text, what): how two devices are linked. */
#define HD_LINK_LIST(X)                                                                            \
    X(HD_LINK_SELF, "self", "the same device")                                                     \
    X(HD_LINK_FABRIC, "fabric", "a direct fabric between devices")                                 \
    X(HD_LINK_SWITCH, "switch", "PCIe switches, without the host's bridge")                        \
    X(HD_LINK_HOST, "host", "a PCIe host bridge, or several of one NUMA node")                     \
    X(HD_LINK_SYSTEM, "system", "across NUMA nodes")                                               \
    X(HD_LINK_VIRTUAL, "virtual", "virtual devices of one process")                                \
    X(HD_LINK_UNKNOWN, "unknown", "the system does not tell")

typedef enum hd_link_class {
#define HD_LINK_ENUM_(name, text, what) name,
    HD_LINK_LIST(HD_LINK_ENUM_)
#undef HD_LINK_ENUM_
        HD_LINK_COUNT_
} hd_link_class;

/* How bytes go from one device of a pair to the other. */
typedef enum hd_peer_path {
    HD_PATH_SAME,   /* one device */
    HD_PATH_DIRECT, /* peer access: copies and kernels reach the other's memory */
    HD_PATH_STAGED  /* through page-locked host memory */
} hd_peer_path;

typedef struct hd_peer_info {
    hd_link_class link;
    char link_name[32]; /* as the vendor calls it, "" where it has no name */
    int link_count;     /* lanes of a fabric between the two; 0: not known, or no fabric */
    int access;         /* `device` could reach the memory of `peer` */
    int atomics;        /* atomics of all kinds work over the link */
    int rank;           /* the vendor's rank of the link's speed, 0 the fastest; -1: not known */
    hd_peer_path path;  /* as it was decided; before that, as it would be without a probe */
    int verified;       /* 0 not yet, 1 the pattern came back right, -1 it came back wrong */
    char reason[160];   /* why the path is not direct; "" where it is */
} hd_peer_info;

/* "fabric"; "direct". */
const char *hd_link_name(hd_link_class link);
const char *hd_peer_path_name(hd_peer_path path);

/* What is known of the way from `device` to `peer`. Changes nothing and does not wait.
   HD_ERR_DEVICE_INDEX, HD_ERR_DEVICE_LOST. */
hd_status hd_peer_query(int device, int peer, hd_peer_info *info);

/* Decides the path between two devices, both ways, once: where both can reach the other's memory,
   enables that and sends a data pattern each way by a copy, by a kernel's loads and by its stores
   (64 KiB each; takes about a millisecond, waits for both devices). If all of it comes back right
   the path is direct; else access is taken back and the path is staged, which is success;
   hd_peer_query says why. Later calls return what was decided, until hd_peer_disable or
   hd_device_reset. Thread-safe; not by a thread that captures a stream, unless it was decided
   before. `path` may be NULL.
   HEDDLE_P2P in the environment: auto (the default); off: every pair is staged; on: a pair that is
   not direct is HD_ERR_NO_PEER. HD_ERR_DEVICE_INDEX, HD_ERR_NO_MEMORY, HD_ERR_ARGUMENT for another
   value of HEDDLE_P2P. */
hd_status hd_peer_connect(int a, int b, hd_peer_path *path);

/* Copies bytes from memory of `from_device` to memory of `to_device` by the pair's path, which is
   decided first where it was not yet. Ordered on `stream`, which is of either device, like
   hd_copy. Direct: one copy by the copy engine. Staged: a copy to page-locked memory and one from
   there, in chunks that overlap, on `stream` and a stream of the other device, which belongs to
   `stream`; host memory for it (256 KiB up to 256 KiB a transfer, beyond that 8 MiB) is had at the
   first such transfer of a stream and kept for others when the stream is destroyed.
   May be captured once the pair is connected; then the graph has its own staging memory, and no two
   executables made of it may run at once.
   HD_ERR_ARGUMENT for a stream of a third device, HD_ERR_POINTER, HD_ERR_NO_PEER (see above),
   HD_ERR_NO_MEMORY, HD_ERR_STATE in a capture of a pair that is not connected. */
hd_status hd_transfer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                      hd_stream *stream);

/* Bytes that hd_transfer staged from one device to another so far, counted when it was called
   (in a capture once, however often the graph runs). */
hd_status hd_peer_staged_bytes(int from, int to, uint64_t *bytes);

/* Gives back the page-locked memory and streams of staged transfers that no stream uses now. */
hd_status hd_peer_trim(void);

#ifdef __cplusplus
}
#endif
#endif
