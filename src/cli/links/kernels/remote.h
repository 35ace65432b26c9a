/* SPDX-License-Identifier: Apache-2.0 */
/* remote.h - single accesses of a device to memory that may be another one's. */
#ifndef HEDDLE_CLI_LINKS_KERNELS_REMOTE_H
#define HEDDLE_CLI_LINKS_KERNELS_REMOTE_H

#include <heddle/kernel_decl.h>

enum {
    REMOTE_STRIDE = 32, /* words between the links of a chain: each has a cache line of its own */
    REMOTE_THREADS = 256
};

/* Steps, the chain, where it begins, where to write where it ended. */
HD_DECLARE(remote_chase, unsigned, const uint32_t *, uint32_t, uint32_t *)
/* Additions of each thread, cells (a power of two) and where they are. */
HD_DECLARE(remote_atomics, unsigned, uint32_t, uint32_t *)

#endif
