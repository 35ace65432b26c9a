/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h (runtime) - what is remembered of pairs of devices, and the staging of transfers. */
#ifndef HEDDLE_RUNTIME_PEER_H
#define HEDDLE_RUNTIME_PEER_H

#include <heddle/peer.h>

#include "runtime/backend.h"

enum { HD__PEER_DEVICES = 64 }; /* pairs of devices beyond that are staged */

/* A pair, in either order. */
typedef struct hd__pair {
    int decided; /* atomic; what follows is read after it and written under hd__pairs_lock */
    hd_peer_path path;
    int verified;
    char reason[160];
    uint64_t staged[2]; /* atomic; bytes from the lower index, and from the higher one */
} hd__pair;

/* Held while a pair is decided. */
extern pthread_mutex_t hd__pairs_lock;

/* The devices differ and are in range; NULL beyond HD__PEER_DEVICES. */
hd__pair *hd__pair_of(int a, int b);
/* Nothing is decided any more between the two, or (b negative) between a and others. */
void hd__pairs_forget(int a, int b);

typedef enum hd__peer_policy { HD__P2P_AUTO, HD__P2P_ON, HD__P2P_OFF } hd__peer_policy;

/* HEDDLE_P2P. */
hd_status hd__peer_policy_read(const char *call, hd__peer_policy *policy);

/* hdb_peer_link of two devices as the user counts; they differ. */
hd_status hd__peer_link(int device, int peer, hd_peer_info *info);

/* ---- staging (relay.c) ---- */

/* Copies in two legs through page-locked memory, in order of the stream, which is of either of the
   two devices; bytes is not 0. */
hd_status hd__relay(const char *call, void *to, int to_device, const void *from, int from_device,
                    size_t bytes, hd_stream *stream);
/* The device was reset: what was staged through it is gone. */
void hd__relay_device_gone(int device);

/* Memory (relay_stock.c) that the graph of the stream's capture owns from now on. */
hd_status hd__relay_stock(const char *call, hd_stream *stream, int device, size_t bytes,
                          unsigned char **memory);
/* Frees what no graph owns; forgets what a reset of the device took. */
void hd__relay_stock_trim(void);
void hd__relay_stock_gone(int device);

/* Sizes that tests choose; 0: the usual ones. */
typedef struct hd__relay_sizes {
    size_t small_slot, large_slot;
} hd__relay_sizes;
extern hd__relay_sizes hd__relay_forced;

#endif
