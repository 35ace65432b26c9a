/* SPDX-License-Identifier: Apache-2.0 */
/* p2p.h - kernels that measure accesses of a device to another device's memory. */
#ifndef HEDDLE_CLI_LINKS_KERNELS_P2P_H
#define HEDDLE_CLI_LINKS_KERNELS_P2P_H

#include <heddle/kernel_decl.h>

/* Round trips, this side's flag, the other side's, and whether this side begins. */
HD_DECLARE(p2p_pingpong, unsigned, uint32_t *, uint32_t *, int)

#endif
