/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h (runtime) - state of pairs of devices, and staged transfers. */
#ifndef HEDDLE_RUNTIME_PEER_H
#define HEDDLE_RUNTIME_PEER_H

#include <heddle/peer.h>

#include "runtime/backend.h"

enum { HD__PEER_DEVICES = 64 }; /* devices beyond that always use staging */

/* A pair of devices, independent of direction. */
typedef struct hd__pair {
    int decided; /* atomic; guards the members below, written under hd__pairs_lock */
    hd_peer_path path;
    int verified;
    char reason[160];
    uint64_t staged[2]; /* atomic; bytes sent by the lower index, and by the higher one */
} hd__pair;

/* Held while a pair's state is determined. */
extern pthread_mutex_t hd__pairs_lock;

/* Held while kernels of a probe use the access between two devices, and while access is taken back:
   otherwise a probe of one thread faults when another thread takes it back. Locked before
   hd__pairs_lock. */
extern pthread_mutex_t hd__peer_access_lock;

/* hd_peer_disable() for a caller that holds hd__peer_access_lock. */
hd_status hd__peer_take_back(int device, int peer);

/* The devices must differ and be in range; NULL beyond HD__PEER_DEVICES. */
hd__pair *hd__pair_of(int a, int b);
/* Forgets the state of the pair or, if b is negative, of all pairs of a. */
void hd__pairs_forget(int a, int b);

typedef enum hd__peer_policy { HD__P2P_AUTO, HD__P2P_ON, HD__P2P_OFF } hd__peer_policy;

/* HEDDLE_P2P. */
hd_status hd__peer_policy_read(const char *call, hd__peer_policy *policy);

/* hdb_peer_link for two different devices by the user's indices. */
hd_status hd__peer_link(int device, int peer, hd_peer_info *info);

/* ---- staging (relay.c) ---- */

/* Copies in two legs through page-locked memory, in order of the stream, which belongs to either of
   the two devices; bytes is not 0. */
hd_status hd__relay(const char *call, void *to, int to_device, const void *from, int from_device,
                    size_t bytes, hd_stream *stream);
/* The device was reset, which invalidates its staging resources. */
void hd__relay_device_gone(int device);

/* Memory (relay_stock.c) owned from now on by the graph of the stream's capture. */
hd_status hd__relay_stock(const char *call, hd_stream *stream, int device, size_t bytes,
                          unsigned char **memory);
/* Frees memory that no graph owns; forgets memory that a reset invalidated. */
void hd__relay_stock_trim(void);
void hd__relay_stock_gone(int device);

/* Sizes for tests; 0: default. */
typedef struct hd__relay_sizes {
    size_t small_slot, large_slot;
} hd__relay_sizes;
extern hd__relay_sizes hd__relay_forced;

#endif
