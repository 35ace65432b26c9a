/* SPDX-License-Identifier: Apache-2.0 */
/* remote.h - single accesses of a device to memory that may belong to another device. */
#ifndef HEDDLE_CLI_LINKS_KERNELS_REMOTE_H
#define HEDDLE_CLI_LINKS_KERNELS_REMOTE_H

#include <heddle/kernel_decl.h>

enum {
    REMOTE_STRIDE = 32, /* words between links of a chain: each has its own cache line */
    REMOTE_THREADS = 256
};

/* Steps, the chain, first index, where to store the last index. */
HD_DECLARE(remote_chase, unsigned, const uint32_t *, uint32_t, uint32_t *)
/* Additions per thread, number of cells (a power of two), and their address. */
HD_DECLARE(remote_atomics, unsigned, uint32_t, uint32_t *)

#endif
