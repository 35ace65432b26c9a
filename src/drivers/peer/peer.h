/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h (drivers) - what the files that decide about pairs of devices share. */
#ifndef HEDDLE_DRIVERS_PEER_H
#define HEDDLE_DRIVERS_PEER_H

#include "runtime/peer/peer.h"

/* Why the two cannot be direct, as far as that is known without a probe: "" if they can. */
hd_status hd__peer_refusal(int a, int b, hd__peer_policy policy, char *reason, size_t size);

/* Sends patterns both ways between two devices with access to each other. *verified is 0 and
   `reason` says what came back wrong, or 1. */
hd_status hd__peer_probe(int a, int b, int *verified, char *reason, size_t size);

/* The class of the link between two PCI bus ids, from the system's tables. */
hd_link_class hd__peer_pci_link(const char *a, const char *b);

#endif
