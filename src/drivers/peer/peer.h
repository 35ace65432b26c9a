/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h (drivers) - internal interface of the files that choose the path of a pair of devices. */
#ifndef HEDDLE_DRIVERS_PEER_H
#define HEDDLE_DRIVERS_PEER_H

#include "runtime/peer/peer.h"

/* Why the pair cannot have peer access, as far as that is known without a probe; "" if it can. */
hd_status hd__peer_refusal(int a, int b, hd__peer_policy policy, char *reason, size_t size);

/* Sends patterns in both directions between two devices with access to each other. *verified: 1 if
   all arrived intact, otherwise 0 and `reason` says what was wrong. */
hd_status hd__peer_probe(int a, int b, int *verified, char *reason, size_t size);

/* The class of the link between two PCI bus ids, from the system's tables. */
hd_link_class hd__peer_pci_link(const char *a, const char *b);

#endif
